"""The geometry of Qwirkle: tiles on a grid, the lines they form, and which kinds have room where.

Two tiles are akin if they share their colour or their shape, not both. A line is good when every
two of its tiles are akin, for that is: all different and all of one colour or all of one shape,
so at most six. Hence a tile may join a line if it is akin to every tile of it.

Kinds of tiles, many at once, are the bits of a number. A cell is one number too, `x + ROW * y`,
so that a step along a row or a column is an addition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

COLOURS, SHAPES = "ROYGBP", "123456"
LONGEST, COPIES = 6, 3

Tile = Literal[
    "R1", "R2", "R3", "R4", "R5", "R6", "O1", "O2", "O3", "O4", "O5", "O6",
    "Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "G1", "G2", "G3", "G4", "G5", "G6",
    "B1", "B2", "B3", "B4", "B5", "B6", "P1", "P2", "P3", "P4", "P5", "P6",
]  # fmt: skip
KINDS: Final[tuple[Tile, ...]] = get_args(Tile)
TILES: Final = tuple(tile for tile in KINDS for _ in range(COPIES))

Kinds = int  # a bit for each kind
BIT: Final[dict[Tile, Kinds]] = {tile: 1 << i for i, tile in enumerate(KINDS)}
EVERY: Final[Kinds] = sum(BIT.values())
AKIN: Final[dict[Tile, Kinds]] = {
    tile: sum(BIT[o] for o in KINDS if (o[0] == tile[0]) != (o[1] == tile[1])) for tile in KINDS
}

Ordinate = Annotated[int, Meta(ge=-107, le=107)]  # 108 tiles, one of them on 0,0, reach no farther
Cell = int
ROW: Final = 1024
ACROSS, DOWN = 1, ROW  # a step to the right, a step down
ORIGIN: Final[Cell] = 0
Board = dict[Cell, Tile]


class Lay(Struct, frozen=True, order=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A tile on a cell; x grows to the right, y downwards."""

    x: Ordinate
    y: Ordinate
    tile: Tile

    @property
    def cell(self) -> Cell:
        return self.x + ROW * self.y


class Chart(Struct, frozen=True):
    """A board as a map. It is never saved: whoever has the tiles laid can draw it."""

    tiles: Board
    room: dict[Cell, Kinds]  # what may lie on each free cell that touches a tile


EMPTY: Final = Chart({}, {ORIGIN: EVERY})  # R6


def spread(laid: Iterable[Lay]) -> Board:
    """Tiles by their cells."""
    return {lay.cell: lay.tile for lay in laid}


def chart(laid: Sequence[Lay]) -> Chart:
    """The map of a board, drawn from nothing."""
    if not laid:
        return EMPTY
    tiles = spread(laid)
    near = [cell + step for cell in tiles for step in (ACROSS, -ACROSS, DOWN, -DOWN)]
    rim = dict.fromkeys(cell for cell in near if cell not in tiles)
    return Chart(tiles, {cell: room(tiles, cell) for cell in rim})


def extend(chart: Chart, laid: Sequence[Lay]) -> Chart:
    """The map with the tiles of one move: only at the ends of their lines does the room change."""
    tiles = chart.tiles | spread(laid)
    free = chart.room | {end: room(tiles, end) for end in ends(tiles, laid)}
    for lay in laid:
        free.pop(lay.cell, None)
    return Chart(tiles, free)


def room(tiles: Board, cell: Cell) -> Kinds:
    """What may lie on a free cell: the kinds that may join its row and its column."""
    return welcome(partners(tiles, cell, ACROSS)) & welcome(partners(tiles, cell, DOWN))


def welcome(line: Iterable[Tile]) -> Kinds:
    """The kinds that may join these tiles in one line: none if they are no line themselves."""
    kinds = EVERY
    for tile in line:
        kinds = AKIN[tile] & kinds if BIT[tile] & kinds else 0
    return kinds


def fits(line: Sequence[Tile]) -> bool:
    """Is this a line: all different, and all of one colour or all of one shape?"""
    return bool(BIT[line[0]] & welcome(line[1:]))


def partners(tiles: Board, cell: Cell, axis: int) -> list[Tile]:
    """The tiles that a tile on `cell` is or would be in line with on that axis."""
    line: list[Tile] = []
    for step in (axis, -axis):
        at = cell + step
        while tile := tiles.get(at):
            line.append(tile)
            at += step
    return line


def axes(laid: Sequence[Lay]) -> tuple[int, int]:
    """Along and across the tiles of one move; for a single tile either way round."""
    return (DOWN, ACROSS) if laid[0].x == laid[-1].x else (ACROSS, DOWN)


def lines(tiles: Board, laid: Sequence[Lay]) -> list[list[Tile]]:
    """Each line of two or more that holds a tile of `laid`, once; `tiles` holds them already."""
    along, across = axes(laid)
    runs = [[laid[0].tile, *partners(tiles, laid[0].cell, along)]]
    runs += [[lay.tile, *partners(tiles, lay.cell, across)] for lay in laid]
    return [run for run in runs if len(run) > 1]


def ends(tiles: Board, laid: Sequence[Lay]) -> list[Cell]:
    """The free cells at both ends of every row and column that holds a tile of one move.

    First come the two ends of the line that the move itself lies in.
    """
    along, across = axes(laid)
    ways = [(laid[0].cell, along), *((lay.cell, across) for lay in laid)]
    return [past(tiles, cell, step) for cell, axis in ways for step in (-axis, axis)]


def past(tiles: Board, cell: Cell, step: int) -> Cell:
    """The first free cell that way."""
    while cell in tiles:
        cell += step
    return cell


def on(cell: Cell, tile: Tile) -> Lay:
    """This tile on this cell."""
    y, x = divmod(cell + ROW // 2, ROW)
    return Lay(x - ROW // 2, y, tile)


def kinds(tiles: Iterable[Tile]) -> Kinds:
    """The kinds among these tiles."""
    bits = 0
    for tile in tiles:
        bits |= BIT[tile]
    return bits


def fitting(chart: Chart, cells: Iterable[Cell], tiles: Iterable[Tile]) -> list[Lay]:
    """Each of these tiles on each of these cells that has room for it, row by row."""
    bits = [(tile, BIT[tile]) for tile in sorted(set(tiles))]
    return [on(at, tile) for at in sorted(cells) for tile, bit in bits if bit & chart.room[at]]


def playable(chart: Chart, tiles: Iterable[Tile]) -> bool:
    """Does any of these tiles fit anywhere? If none does alone, none does with others. (3.3)"""
    held = kinds(tiles)
    return any(free & held for free in chart.room.values())
