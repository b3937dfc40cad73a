"""The duel: two seats hold three cards each and play one in turn; the higher of two scores.

A card is a number of nine digits, drawn anew for each one played, so that it is its own marker:
wherever its digits are found, the card is known. D1 … are the rules of `wire/rules.cjs` too.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.contract import OPEN, Outcome, Play, Refusal, Seat, Told, Viewer, put, ranked
from engine.contract import whole as grow  # noqa: F401
from engine.dice import Dice

NAME, RULES = "duel", 1
HAND, LOWEST, CARDS = 3, 100_000_000, 900_000_000

Card = Annotated[int, Meta(ge=LOWEST, lt=LOWEST + CARDS)]
Hand = tuple[Card, Card, Card]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Annotated[int, Meta(ge=1, le=20_000, description="rounds to play")] = 10


class State(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int
    hands: tuple[Hand, Hand]
    table: tuple[Card | None, Card | None] = (None, None)  # what each played in this round
    scores: tuple[int, int] = (0, 0)
    moves: int = 0


class PlayCard(Struct, frozen=True, forbid_unknown_fields=True, tag="play"):
    place: Annotated[int, Meta(ge=0, lt=HAND)]  # in one's hand


Move = PlayCard


class Dealt(Struct, frozen=True, forbid_unknown_fields=True, tag="dealt"):
    seat: Seat
    hand: Hand | None = None  # to the other: cards, unseen


class Played(Struct, frozen=True, forbid_unknown_fields=True, tag="played"):
    seat: Seat
    place: int
    card: Card


class Drew(Struct, frozen=True, forbid_unknown_fields=True, tag="drew"):
    seat: Seat
    card: Card | None = None


class Compared(Struct, frozen=True, forbid_unknown_fields=True, tag="compared"):
    scores: tuple[int, int]


PLAIN = ()
Fact = Dealt | Played | Drew | Compared


class View(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int
    hands: tuple[Hand | None, Hand | None]
    table: tuple[Card | None, Card | None]
    scores: tuple[int, int]
    moves: int


class No(Refusal):
    NOT_YOUR_TURN = "D2", "It is the other seat's turn."


def seats(options: Options) -> range:
    return range(2, 3)


def setup(options: Options, seats: int, dice: Dice) -> Play[State]:
    hands = _hand(dice), _hand(dice)  # D1
    for seat, hand in enumerate(hands):
        yield Told(Dealt(seat), to=((seat, Dealt(seat, hand)),))
    return State(options.rounds, hands)


def to_act(s: State) -> tuple[Seat, ...]:
    return (s.moves % 2,) if s.moves < 2 * s.rounds else ()  # D2: seat 0 leads each round


def legal(s: State, seat: Seat) -> tuple[Move, ...]:
    return tuple(map(PlayCard, range(HAND))) if seat in to_act(s) else ()


def allows(s: State, seat: Seat, move: Move) -> No | None:
    return None if seat in to_act(s) else No.NOT_YOUR_TURN  # D2


def apply(s: State, seat: Seat, move: Move, dice: Dice) -> Play[State]:
    card, drawn, scores = s.hands[seat][move.place], _card(dice), s.scores
    yield Told(Played(seat, move.place, card))
    yield Told(Drew(seat), to=((seat, Drew(seat, drawn)),))  # D3
    led = s.table[0] if seat else None
    if led is not None:  # D4: of equal cards neither scores
        scores = scores[0] + (led > card), scores[1] + (card > led)
        yield Told(Compared(scores))
    hands = put(s.hands, seat, put(s.hands[seat], move.place, drawn))
    table = (card, None) if led is None else (led, card)
    return State(s.rounds, hands, table, scores, s.moves + 1)


def view(s: State, viewer: Viewer) -> View:
    first, second = (hand if viewer in (OPEN, seat) else None for seat, hand in enumerate(s.hands))
    return View(s.rounds, (first, second), s.table, s.scores, s.moves)


def outcome(s: State) -> Outcome | None:
    return None if to_act(s) else ranked(s.scores, "most rounds")


def default(s: State, seat: Seat) -> Move:
    return PlayCard(0)


def _card(dice: Dice) -> int:
    return LOWEST + dice.below(CARDS)


def _hand(dice: Dice) -> Hand:
    return _card(dice), _card(dice), _card(dice)
