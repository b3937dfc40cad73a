"""The geometry: rows round a table, and which cells lie beside which.

A cell is named as players say it: `A3` in nature, `A2.3` in the Great Tree, where seat A's second
row from below is meant. Rows stand in one list, level by level, and in a level seat by seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

SEATS = "ABCDEFGH"
Variant = Literal["nature", "great_tree"]
WIDTH: Final[dict[Variant, int]] = {"nature": 7, "great_tree": 5}  # of a row

Cell = Annotated[
    str,
    Meta(
        pattern=r"^[A-H](?:[1-3]\.[1-5]|[1-7])(?![\s\S])",  # not $, which lets a newline pass
        max_length=4,
        description="A3: seat and place from its left; A2.3: with the level in between",
    ),
]
Cells = tuple[Cell, ...]


class Board(Struct, frozen=True):
    """All that rows of this shape say about reach, whatever lies in them."""

    seats: int
    rows: tuple[Cells, ...]
    at: dict[Cell, tuple[int, int]]  # the row and the index in it
    beside: dict[Cell, Cells]  # left, right, down, up
    leaps: dict[Cell, Cells]  # R19
    along: dict[Cell, Cells]  # the rest of its row
    others: dict[Cell, Cells]  # the rest of the table

    def owner(self, cell: Cell) -> int:
        return self.at[cell][0] % self.seats


@cache
def board(variant: Variant, seats: int, count: int) -> Board:
    """The board that so many rows make; only a tree names its levels."""
    places = range(1, WIDTH[variant] + 1)
    rows = tuple(
        tuple(name(seat, level if variant == "great_tree" else 0, place) for place in places)
        for level in range(1, count // seats + 1)
        for seat in range(seats)
    )
    at = {cell: (r, i) for r, row in enumerate(rows) for i, cell in enumerate(row)}
    beside = {cell: adjacent(rows, seats, *spot) for cell, spot in at.items()}
    return Board(
        seats=seats,
        rows=rows,
        at=at,
        beside=beside,
        leaps={cell: leaps(beside, cell) for cell in at},
        along={cell: but(row, cell) for row in rows for cell in row},
        others={cell: but(at, cell) for cell in at},
    )


def but(cells: Iterable[Cell], cell: Cell) -> Cells:
    """These without that one."""
    return tuple(other for other in cells if other != cell)


def name(seat: int, level: int, place: int) -> Cell:
    return f"{SEATS[seat]}{level}.{place}" if level else f"{SEATS[seat]}{place}"


def adjacent(rows: tuple[Cells, ...], seats: int, r: int, i: int) -> Cells:
    """Left and right round the ring of the level (R5), then down and up the own column."""
    level, seat = divmod(r, seats)
    row, first = rows[r], level * seats
    to_left, to_right = rows[first + (seat + 1) % seats], rows[first + (seat - 1) % seats]
    left = row[i - 1] if i else to_left[-1]
    right = row[i + 1] if i + 1 < len(row) else to_right[0]
    column = [rows[near][i] for near in (r - seats, r + seats) if 0 <= near < len(rows)]
    return (left, right, *column)


def leaps(beside: dict[Cell, Cells], cell: Cell) -> Cells:
    """Two steps away; no cell beside this one is, for there are no triangles. (R19)"""
    far = dict.fromkeys(end for step in beside[cell] for end in beside[step])
    return tuple(sorted(end for end in far if end != cell))
