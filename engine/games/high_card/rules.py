"""High card: each seat is dealt a card and may trade it once, unseen; the highest card wins.

Rulings (H1 …) are those of the README beside this file.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.contract import OPEN, Outcome, Play, Refusal, Seat, Told, Viewer, put, ranked
from engine.contract import whole as grow  # noqa: F401
from engine.dice import Dice

NAME, RULES = "high-card", 1


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    cards: Annotated[int, Meta(ge=20, le=1000, description="cards in the deck, 1 to this")] = 52


class State(Struct, frozen=True, forbid_unknown_fields=True):
    hands: tuple[int, ...]  # the one card of each seat
    deck: tuple[int, ...]  # traded from the front
    turn: Seat = 0  # past the last seat once over


class Keep(Struct, frozen=True, forbid_unknown_fields=True, tag="keep"):
    pass


class Trade(Struct, frozen=True, forbid_unknown_fields=True, tag="trade"):
    pass


Move = Keep | Trade


class Dealt(Struct, frozen=True, forbid_unknown_fields=True, tag="dealt"):
    seat: Seat
    card: int | None = None  # to others: a card, unseen


class Kept(Struct, frozen=True, forbid_unknown_fields=True, tag="kept"):
    seat: Seat


class Traded(Struct, frozen=True, forbid_unknown_fields=True, tag="traded"):
    seat: Seat
    card: int | None = None


class Shown(Struct, frozen=True, forbid_unknown_fields=True, tag="shown"):
    hands: tuple[int, ...]


PLAIN = (Kept,)  # what can be taken back
Fact = Dealt | Kept | Traded | Shown


class View(Struct, frozen=True, forbid_unknown_fields=True):
    hands: tuple[int | None, ...]
    deck: int  # how many cards are left
    turn: Seat


class No(Refusal):
    NOT_YOUR_TURN = "H2", "It is another seat's turn."


def seats(options: Options) -> range:
    return range(2, 11)  # H1: twenty cards are enough for ten seats that all trade


def setup(options: Options, seats: int, dice: Dice) -> Play[State]:
    deck = dice.shuffled(range(1, options.cards + 1))
    for seat in range(seats):
        yield Told(Dealt(seat), to=((seat, Dealt(seat, deck[seat])),))
    return State(hands=deck[:seats], deck=deck[seats:])


def to_act(s: State) -> tuple[Seat, ...]:
    return (s.turn,) if s.turn < len(s.hands) else ()


def legal(s: State, seat: Seat) -> tuple[Move, ...]:
    return (Keep(), Trade()) if seat in to_act(s) else ()


def allows(s: State, seat: Seat, move: Move) -> No | None:
    return None if seat in to_act(s) else No.NOT_YOUR_TURN  # H2


def apply(s: State, seat: Seat, move: Move, dice: Dice) -> Play[State]:
    hands, deck = s.hands, s.deck
    if isinstance(move, Keep):
        yield Told(Kept(seat))
    else:  # H3
        yield Told(Traded(seat), to=((seat, Traded(seat, deck[0])),))
        hands, deck = put(hands, seat, deck[0]), deck[1:]
    if seat + 1 == len(hands):  # H4
        yield Told(Shown(hands))
    return State(hands, deck, seat + 1)


def view(s: State, viewer: Viewer) -> View:
    seen = viewer == OPEN or not to_act(s)  # H4
    hands = tuple(card if seen or seat == viewer else None for seat, card in enumerate(s.hands))
    return View(hands, len(s.deck), s.turn)


def outcome(s: State) -> Outcome | None:
    return None if to_act(s) else ranked(s.hands, "highest card")


def default(s: State, seat: Seat) -> Move:
    return Keep()


def hint(view: View, seat: Seat, move: Move) -> int:
    """Trade what is likely below the middle of the deck."""
    size = len(view.hands) + view.deck
    low = (view.hands[seat] or 0) * 2 < size
    return int(low == isinstance(move, Trade))
