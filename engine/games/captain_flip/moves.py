"""Which moves may be made: `allows` judges any, `legal` lists them. Each has but one piece.

Rules and rulings (3.2, R6, #4) are those of the README beside this file.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.contract import Seat
from engine.contract import whole as grow  # noqa: F401

from .boards import COLUMNS, Column, Space
from .pieces import Flip, FlipAny, FlipBeside, Move, No, Place, PlaceDrawn, State, Target


def to_act(s: State) -> tuple[Seat, ...]:
    return () if s.over else (s.turn,)


def allows(s: State, seat: Seat, move: Move) -> No | None:
    if s.over or seat != s.turn:
        return No.NOT_YOUR_TURN
    if isinstance(move, Target):
        return misses(s, move.space)
    if not isinstance(s.owed[0], PlaceDrawn):
        return No.TARGET_OWED
    if isinstance(move, Place):
        return closed(s, move.column)
    assert s.hand is not None
    return No.FLIPPED_ALREADY if s.hand.seen else None


def closed(s: State, column: Column) -> No | None:
    """What speaks against placing a tile in this column."""
    c = COLUMNS.index(column)
    shaft = s.layout.shafts[c]
    if len(s.board[c]) == len(shaft.spaces):
        return No.COLUMN_FULL
    return No.NO_COIN if shaft.box.kind == "toll" and not s.coins[s.turn] else None


def misses(s: State, space: Space) -> No | None:
    """What speaks against flipping the tile on this space."""
    question = s.owed[0]
    if isinstance(question, PlaceDrawn):
        return No.NO_TARGET_OWED
    if space not in s.layout.at:
        return No.NO_SUCH_SPACE
    if not taken(s, space):
        return No.NO_TILE_THERE
    if isinstance(question, FlipBeside) and space not in s.layout.beside[question.space]:
        return No.NOT_ADJACENT  # R31: no tile lies beside itself
    return None


def taken(s: State, space: Space) -> bool:
    """Does a tile lie on this space of the board of whose turn it is?"""
    c, i = s.layout.at[space]
    return i < len(s.board[c])


def neighbours(s: State, space: Space) -> tuple[Space, ...]:
    """The spaces beside this one on which tiles lie."""
    return tuple(other for other in s.layout.beside[space] if taken(s, other))


def legal(s: State, seat: Seat) -> Iterator[Move]:
    if s.over or seat != s.turn:
        return
    match s.owed[0]:
        case FlipBeside(space):
            yield from map(Target, neighbours(s, space))
        case FlipAny():
            yield from (Target(space) for space in s.layout.at if taken(s, space))
        case _:
            if allows(s, seat, Flip()) is None:
                yield Flip()
            yield from (Place(column) for column in COLUMNS if closed(s, column) is None)


def default(s: State, seat: Seat) -> Move:
    """The tile as it lies, in the leftmost column that takes it; the first tile to flip. (R36)"""
    return next(move for move in legal(s, seat) if not isinstance(move, Flip))
