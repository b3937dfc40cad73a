"""Which cells an effect may choose, and which kinds a parrot may copy: one function a rule."""

from __future__ import annotations

from itertools import chain

from .board import Board, Cell, Cells, but
from .cards import CATS, CLEARING, IMITABLE, KIND, Aimed, Imitable
from .pieces import Aim, RainOn, Slot, State


def fixed(slot: Slot) -> bool:
    """Is it a face-up cat, which nothing turns face down? (R9)"""
    return slot.up and slot.card in CATS


def top(s: State, seat: int) -> int:
    """Which of all rows is the topmost of this seat."""
    return len(s.rows) - s.seats + seat


def turnable(s: State, seat: int) -> Cells:
    """What the turn may begin with: of the own top row, all but face-up cats. (3.2, R10)"""
    r = top(s, seat)
    cells = s.board.rows[r]
    return tuple(cell for cell, slot in zip(cells, s.rows[r], strict=True) if not fixed(slot))


def aims(s: State, question: Aim | RainOn) -> Cells:
    """What a question for one cell may be answered with; never the source. (R14)"""
    board = s.board
    if isinstance(question, RainOn):  # R24
        dry = [row for r, row in enumerate(board.rows) if r % s.seats not in question.wet]
        return but(chain.from_iterable(dry), question.at)
    at = question.at
    match question.kind:
        case "dog":
            return board.beside[at]
        case "frog":
            return board.leaps[at]
        case "snake":
            return board.along[at]
        case "hawk":
            return hunted(s, board, at)
        case "mole":
            return board.others[at]
        case "wolves":
            return tuple(cell for cell in board.others[at] if prey(s, cell))


def hunted(s: State, board: Board, at: Cell) -> Cells:
    """R20: other rows; in nature only those of the active seat's opponents."""
    rows = [
        row
        for r, row in enumerate(board.rows)
        if at not in row and (s.options.tree or r % s.seats != s.turn)
    ]
    return tuple(chain.from_iterable(rows))


def prey(s: State, cell: Cell) -> bool:
    """R23; a Clearing that lies face down looks like any back and may be named. (R23b)"""
    slot = s.at(cell)
    return s.clearings > 0 and not (slot.up and slot.card == CLEARING)


def unseen(s: State) -> Cells:
    """What the sun may look at: all face-down cards of the active seat's opponents. (R25)"""
    return tuple(
        cell
        for r, row in enumerate(s.board.rows)
        if r % s.seats != s.turn
        for cell, slot in zip(row, s.rows[r], strict=True)
        if not slot.up
    )


def copied(s: State) -> tuple[Imitable, ...]:
    """The kinds a parrot may act as: those that lie face up anywhere. (R22)"""
    up = {KIND[slot.card] for row in s.rows for slot in row if slot.up}
    return tuple(kind for kind in IMITABLE if kind in up)


def single(kind: str) -> Aimed | None:
    """The same kind, if its effect names one cell."""
    match kind:
        case "dog" | "frog" | "hawk" | "snake" | "mole" | "wolves":
            return kind
    return None
