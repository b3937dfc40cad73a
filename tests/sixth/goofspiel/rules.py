"""Goofspiel: each seat bids a card of its hand, all at once, for the prize on the table.

Rulings (G1 …) are those of the README beside this file.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.contract import Outcome, Play, Refusal, Seat, Told, Viewer, put, ranked
from engine.contract import whole as grow  # noqa: F401
from engine.dice import Dice

NAME, RULES = "goofspiel", 1
Cards = tuple[int, ...]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    cards: Annotated[int, Meta(ge=5, le=20, description="prizes, and cards of a hand")] = 13


class State(Struct, frozen=True, forbid_unknown_fields=True):
    hands: tuple[Cards, ...]
    bids: tuple[int | None, ...]  # face down, until all have bid
    prizes: Cards  # those on the table
    deck: Cards  # those to come, from the front
    scores: tuple[int, ...]


class Bid(Struct, frozen=True, forbid_unknown_fields=True, tag="bid"):
    card: int


Move = Bid


class Turned(Struct, frozen=True, forbid_unknown_fields=True, tag="turned"):
    prize: int


class Laid(Struct, frozen=True, forbid_unknown_fields=True, tag="laid"):
    seat: Seat
    card: int | None = None  # to others: a card, face down


class Opened(Struct, frozen=True, forbid_unknown_fields=True, tag="opened"):
    bids: tuple[int, ...]


class Won(Struct, frozen=True, forbid_unknown_fields=True, tag="won"):
    seat: Seat
    points: int


class Tied(Struct, frozen=True, forbid_unknown_fields=True, tag="tied"):
    prizes: Cards


Fact = Turned | Laid | Opened | Won | Tied


class View(Struct, frozen=True, forbid_unknown_fields=True):
    hands: tuple[Cards, ...]  # with the bid: who plays along knows what is left of each
    laid: tuple[bool, ...]
    bid: int | None  # one's own
    prizes: Cards
    left: int  # prizes to come
    scores: tuple[int, ...]


class No(Refusal):
    NOT_YOUR_TURN = "G2", "You have bid, or the match is over."
    NOT_IN_HAND = "G1", "You do not hold this card."


def seats(options: Options) -> range:
    return range(2, 7)


def setup(options: Options, seats: int, dice: Dice) -> Play[State]:
    cards = tuple(range(1, options.cards + 1))
    deck = dice.shuffled(cards)
    yield Told(Turned(deck[0]))
    return State((cards,) * seats, (None,) * seats, deck[:1], deck[1:], (0,) * seats)


def to_act(s: State) -> tuple[Seat, ...]:
    """All who have not bid, in any order."""
    return tuple(seat for seat, bid in enumerate(s.bids) if bid is None and s.prizes)


def legal(s: State, seat: Seat) -> tuple[Move, ...]:
    return tuple(map(Bid, s.hands[seat])) if seat in to_act(s) else ()


def allows(s: State, seat: Seat, move: Move) -> No | None:
    if seat not in to_act(s):
        return No.NOT_YOUR_TURN
    return None if move.card in s.hands[seat] else No.NOT_IN_HAND


def apply(s: State, seat: Seat, move: Move, dice: Dice) -> Play[State]:
    yield Told(Laid(seat), to=((seat, Laid(seat, move.card)),))  # G2
    bids = put(s.bids, seat, move.card)
    laid = tuple(bid for bid in bids if bid is not None)
    if len(laid) < len(bids):
        return State(s.hands, bids, s.prizes, s.deck, s.scores)
    yield Told(Opened(laid))
    hands = tuple(
        tuple(card for card in hand if card != bid) for hand, bid in zip(s.hands, laid, strict=True)
    )
    prizes, scores = s.prizes, s.scores
    best = [seat for seat, bid in enumerate(laid) if bid == max(laid)]
    if len(best) == 1:
        yield Told(Won(best[0], sum(prizes)))
        scores, prizes = put(scores, best[0], scores[best[0]] + sum(prizes)), ()
    else:
        yield Told(Tied(prizes))  # G3
    if s.deck:
        yield Told(Turned(s.deck[0]))
    prizes = (*prizes, s.deck[0]) if s.deck else ()  # G4
    return State(hands, (None,) * len(bids), prizes, s.deck[1:], scores)


def view(s: State, viewer: Viewer) -> View:
    laid = tuple(bid is not None for bid in s.bids)
    bid = s.bids[viewer] if isinstance(viewer, int) else None
    return View(s.hands, laid, bid, s.prizes, len(s.deck), s.scores)


def outcome(s: State) -> Outcome | None:
    return None if s.prizes else ranked(s.scores, "most points")


def default(s: State, seat: Seat) -> Move:
    return Bid(s.hands[seat][0])  # G5


def hint(view: View, seat: Seat, move: Move) -> int:
    """Bid what lies on the table, or what comes nearest to it."""
    return -abs(sum(view.prizes) - move.card)
