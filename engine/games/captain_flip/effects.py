"""What a face does when it comes up, and what the box over a full column gives.

Rules and rulings (3.3, R6) are those of the README beside this file.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import Play, Told, put

from .boards import Space
from .facts import Gained, MapMoved, Why
from .moves import neighbours
from .pieces import Draw, Face, FlipAny, FlipBeside, Owed, State, completed
from .scoring import alike, unlike


def effect(s: State, space: Space) -> Play[State]:
    """The immediate effect of the face that is up on this space."""
    c, i = s.layout.at[space]
    match s.board[c][i].up:
        case "C":
            return (yield from take_map(s))
        case "N":
            return (yield from gain(s, 2 * count(s, "C"), "navigator", space))  # R25
        case "K":
            return (yield from gain(s, row(s, s.layout.shafts[c].low + i), "cook", space))
        case "G":
            return (yield from gain(s, 5, "gunner", space))
        case "M":
            s = yield from gain(s, 1, "monkey", space)
            return owing(s, FlipBeside(space)) if neighbours(s, space) else s  # R6
        case "P":
            return owing(s, Draw(space))
    return s


def box(s: State, space: Space, first: bool) -> Play[State]:
    """What the box over this space gives, now that the column is full."""
    c, _ = s.layout.at[space]
    given, column = s.layout.shafts[c].box, [tile.up for tile in s.board[c]]
    match given.kind:
        case "pay":
            return (yield from gain(s, given.first if first else given.later, "bonus", space))
        case "2×col":
            return (yield from gain(s, 2 * completed(s.layout, s.board), "bonus", space))
        case "1×≠":
            return (yield from gain(s, len(set(column)), "bonus", space))
        case "map":
            return (yield from take_map(s))
        case "=map" if alike(column):  # R28, and the next two
            return (yield from take_map(s))
        case "≠flip" if unlike(column):
            return owing(s, FlipAny(space))
        case "=draw" if alike(column):
            return owing(s, Draw(space))
    return s


def owing(s: State, owed: Owed) -> State:
    return replace(s, owed=(owed, *s.owed))


def gain(s: State, coins: int, why: Why, space: Space | None = None) -> Play[State]:
    if not coins:
        return s
    yield Told(Gained(s.turn, coins, why, space))
    return replace(s, coins=put(s.coins, s.turn, s.coins[s.turn] + coins))


def take_map(s: State) -> Play[State]:
    """From the middle or from another seat; who has it keeps it (#9) or, alone, puts it back."""
    if s.map_holder == s.turn and not s.options.solo:
        return s
    after = None if s.map_holder == s.turn else s.turn  # R29
    yield Told(MapMoved(s.map_holder, after))
    return replace(s, map_holder=after)


def count(s: State, face: Face) -> int:
    return sum(tile.up == face for column in s.board for tile in column)


def row(s: State, elevation: int) -> int:
    """How many tiles lie at this elevation, on the whole width of the board (R16)."""
    return sum(
        0 <= elevation - shaft.low < len(column)
        for shaft, column in zip(s.layout.shafts, s.board, strict=True)
    )
