"""The best tiles to lay, found fast: a robot that searches plays its worlds on with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.contract import Seat

from .lines import (
    ACROSS,
    AKIN,
    BIT,
    COPIES,
    DOWN,
    EVERY,
    KINDS,
    LONGEST,
    Board,
    Cell,
    Chart,
    Kinds,
    Tile,
    kinds,
    on,
)
from .pieces import Move, Place, Swap, View, sets, without

POINT, FEAR = 10, 60
POINTS: Final = (0, 0, 2, 3, 4, 5, 6)  # for a line of so many


class Run(NamedTuple):
    """Tiles that lie in a row from a free cell on, up to the next."""

    size: int
    bits: Kinds  # their kinds
    kin: Kinds  # what is akin to all of them
    end: Cell


class Ground(NamedTuple):
    """What holds while a seat looks for its best tiles."""

    chart: Chart
    held: Kinds
    tiles: tuple[tuple[Tile, Kinds], ...]  # those held, each kind once
    feared: Kinds  # what others may make a Qwirkle with
    bonus: int
    runs: dict[tuple[Cell, int], Run]  # those looked at so far


class Line(NamedTuple):
    """The tiles of one move so far, and the line that they lie in."""

    worth: int  # of the lines across it
    size: int
    kin: Kinds  # what may join it
    low: Cell  # the free cells past its ends
    high: Cell
    bits: Kinds  # of all its tiles
    laid: tuple[tuple[Cell, Tile], ...]


def swift(view: View, seat: Seat) -> Move:
    """The tiles that `hint` likes best; where none can be laid, all but the best set is swapped."""
    hand = view.hands[seat] or ()
    found = best_line(view.chart, hand, view.options.qwirkle_bonus)
    if found:
        return Place(tuple(sorted([on(cell, tile) for cell, tile in found[1].laid])))
    kept = max(sets(hand), key=lambda group: len(group))
    return Swap((without(hand, kept) or hand)[: view.bag])


def best_line(chart: Chart, hand: Sequence[Tile], bonus: int) -> tuple[int, Line] | None:
    """What these tiles are worth at best, and how."""
    ground = grounded(chart, hand, bonus)
    return max([(worth(ground, line), line) for line in ways(ground)], default=None)


def grounded(chart: Chart, hand: Sequence[Tile], bonus: int) -> Ground:
    seen, held = [*chart.tiles.values(), *hand], kinds(hand)
    others = kinds([kind for kind in KINDS if seen.count(kind) < COPIES])
    feared = others & ~held if chart.tiles else 0
    tiles = tuple([(tile, BIT[tile]) for tile in dict.fromkeys(hand)])
    return Ground(chart, held, tiles, feared, bonus, {})


def worth(ground: Ground, line: Line) -> int:
    return line.worth + scored(ground, line.size, line.kin)


def scored(ground: Ground, size: int, kin: Kinds) -> int:
    """What a line brings, less what it leaves to others."""
    if size == LONGEST:
        return POINT * (LONGEST + ground.bonus)
    return POINT * POINTS[size] - FEAR * (size == LONGEST - 1 and bool(kin & ground.feared))


def ways(ground: Ground) -> Iterator[Line]:
    """Each way to lay some of these tiles, at least once."""
    for cell, free in ground.chart.room.items():
        if free & ground.held:
            for axis in (ACROSS, DOWN):
                for line in begun(ground, cell, axis):
                    yield line
                    yield from longer(ground, line, axis, True)


def begun(ground: Ground, cell: Cell, axis: int) -> Iterator[Line]:
    """A lone tile."""
    low, high = run(ground, cell, -axis), run(ground, cell, axis)
    size, free = low.size + 1 + high.size, ground.chart.room[cell]
    for tile, bit in ground.tiles:
        if free & bit:
            yield Line(
                across(ground, cell, axis, tile),
                size,
                low.kin & high.kin & AKIN[tile],
                low.end,
                high.end,
                low.bits | high.bits | bit,
                ((cell, tile),),
            )


def longer(ground: Ground, line: Line, axis: int, up: bool) -> Iterator[Line]:
    """More tiles at its high end, then at its low one; a kind but once, for so it is in a line."""
    if not line.kin & ground.held:
        return
    if up:
        for more in joined(ground, line, axis, line.high, axis):
            yield more
            yield from longer(ground, more, axis, True)
    for more in joined(ground, line, axis, line.low, -axis):
        yield more
        yield from longer(ground, more, axis, False)


def joined(ground: Ground, line: Line, axis: int, cell: Cell, step: int) -> Iterator[Line]:
    """The line with one of the tiles at this end of it."""
    free = ground.chart.room.get(cell, EVERY) & line.kin
    if not free & ground.held:
        return
    beyond = run(ground, cell, step)
    if line.bits & ~beyond.kin:
        return
    for tile, bit in ground.tiles:
        if free & bit:
            yield Line(
                line.worth + across(ground, cell, axis, tile),
                line.size + 1 + beyond.size,
                line.kin & AKIN[tile] & beyond.kin,
                beyond.end if step < 0 else line.low,
                beyond.end if step > 0 else line.high,
                line.bits | beyond.bits | bit,
                (*line.laid, (cell, tile)),
            )


def across(ground: Ground, cell: Cell, axis: int, tile: Tile) -> int:
    """What the line across brings."""
    other = ACROSS + DOWN - axis
    one, two = run(ground, cell, other), run(ground, cell, -other)
    size = one.size + two.size
    return scored(ground, size + 1, one.kin & two.kin & AKIN[tile]) if size else 0


def run(ground: Ground, cell: Cell, step: int) -> Run:
    key = cell, step
    if found := ground.runs.get(key):
        return found
    made = ground.runs[key] = walked(ground.chart.tiles, cell + step, step)
    return made


def walked(tiles: Board, cell: Cell, step: int) -> Run:
    size, bits, kin = 0, 0, EVERY
    while tile := tiles.get(cell):
        size, bits, kin, cell = size + 1, bits | BIT[tile], kin & AKIN[tile], cell + step
    return Run(size, bits, kin, cell)
