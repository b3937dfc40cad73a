"""FlipOut: gather four to six cards of a colour side by side, while the others see their backs.

Rulings (R3, R20) are those of the README beside this file.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.contract import Outcome, Play, Seat, Told, ranked
from engine.dice import Dice

from .cards import CARDS, CELLS, GAP, SLOTS, TURNED, Card, Holder
from .effects import effect, end, uncovered
from .facts import Began, Dealt
from .looks import each
from .moves import legal
from .pieces import (
    TOKENS,
    Draw,
    End,
    Flip,
    Last,
    Move,
    Options,
    Owed,
    Pile,
    Place,
    Score,
    State,
    Switch,
    Third,
)

NAME, RULES = "flipout", 1
QUIET: Final = 20  # R23: rounds of turns


def seats(options: Options) -> range:
    return range(2, 6)


def setup(options: Options, seats: int, dice: Dice) -> Play[State]:
    starter = dice.below(seats)  # R3
    deck = tuple([facing(card, dice) for card in dice.shuffled(CARDS)])
    yield Told(Began(starter))
    holders: list[Holder] = [()] * seats
    for seat in (*range(starter, seats), *range(starter)):  # R5
        holders[seat], deck = deck[:SLOTS], deck[SLOTS:]
        yield dealt(seats, seat, holders[seat])
    tokens = TOKENS if options.tokens else 0
    s = State(options, deck, tuple(holders), ((),) * seats, starter, (tokens,) * seats)
    yield uncovered(s)
    return s


def facing(card: Card, dice: Dice) -> Card:
    """R4: a coin says which side lies up."""
    other = TURNED[card] if dice.below(2) else card
    assert other != GAP
    return other


def dealt(seats: int, seat: Seat, holder: Holder) -> Told:
    return each(seats, [(seat, card) for card in holder], lambda seen: Dealt(seat, seen))


def apply(s: State, seat: Seat, move: Move, dice: Dice) -> Play[State]:
    s = yield from effect(s, seat, move)
    last = Last(seat, plain(move))
    if s.over:
        return replace(s, last=last, owed=())  # R20: what is left of the turn is lost
    if owed := due(s, move):
        return replace(s, last=last, owed=owed)
    return (yield from pass_on(s, last))


def plain(move: Move) -> Move:
    """The same move, as all write it."""
    return Switch(tuple(sorted(move.cells))) if isinstance(move, Switch) else move


def due(s: State, move: Move) -> tuple[Owed, ...]:
    """What is owed after a move; nothing: the turn is over. (R6, R14, R15)"""
    match move:
        case Draw():
            return ("place", *s.owed)
        case Third():
            return ("act",)
        case End():
            return ()
    left = s.owed[2:] if isinstance(move, Place) else s.owed[1:]
    if not left and s.tokens[s.turn] and not s.bought:
        return ("third",)
    return left


def pass_on(s: State, last: Last) -> Play[State]:
    """The turn goes on clockwise; after too many without a set, the match is over. (R23)"""
    quiet = 0 if s.took else s.quiet + 1
    if quiet >= QUIET * len(s.holders):
        s = yield from end(s, "no progress")
        return replace(s, last=last, quiet=quiet, owed=())
    turn, owed = (s.turn + 1) % len(s.holders), ("act", "act")
    return replace(s, last=last, turn=turn, owed=owed, bought=False, took=False, quiet=quiet)


def outcome(s: State) -> Outcome | None:
    """R22: most cards; among equals, most of one colour."""
    if not s.over:
        return None
    scores = tuple(map(len, s.piles))
    return ranked(scores, s.over, [(len(pile), most_alike(pile)) for pile in s.piles])


def most_alike(pile: Pile) -> int:
    return max(map(pile.count, pile), default=0)


def default(s: State, seat: Seat) -> Move:
    """Score what can be scored, else flip a card, which a second flip undoes. (R25)"""
    if s.owed[:1] == ("place",):
        return Place(SLOTS)
    if s.owed[:1] == ("third",):
        return End()
    sets = [move for move in legal(s, seat) if isinstance(move, Score)]
    most = max(sets, key=lambda move: move.last - CELLS[seat].index(move.first), default=None)
    return most or Flip(CELLS[seat][0])
