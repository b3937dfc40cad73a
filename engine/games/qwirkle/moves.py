"""Which moves may be made: `allows` judges any, `legal` and `grow` list them piece by piece.

Rules and rulings (3.3, R4) are those of the README beside this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.contract import Seat

from .lines import (
    BIT,
    EVERY,
    Board,
    Chart,
    Lay,
    axes,
    ends,
    extend,
    fits,
    fitting,
    partners,
    spread,
)
from .pieces import Move, No, Place, State, Swap, best, holds, sets, without


def to_act(s: State) -> tuple[Seat, ...]:
    return () if s.over else (s.turn,)


def allows(s: State, seat: Seat, move: Move) -> No | None:
    if seat not in to_act(s):
        return No.NOT_YOUR_TURN
    match move:
        case Place(laid):
            return misplayed(s, seat, laid)
        case Swap(tiles):
            if not s.board:
                return No.OPENING_MUST_PLACE  # R4
            if not holds(s.hands[seat], tiles):
                return No.NOT_IN_HAND
            return No.BAG_TOO_SMALL if len(tiles) > len(s.bag) else None  # R7
    return No.PASS_NOT_ALLOWED  # R8


def misplayed(s: State, seat: Seat, laid: Sequence[Lay]) -> No | None:
    if not holds(s.hands[seat], [lay.tile for lay in laid]):
        return No.NOT_IN_HAND
    if (no := misplaced(s.chart, laid)) or s.board:
        return no
    if s.options.opening_max and len(laid) != best(s.hands[seat]):
        return No.OPENING_NOT_MAX  # R4
    return None if covers_origin(laid) else No.OPENING_OFF_ORIGIN


def misplaced(chart: Chart, laid: Sequence[Lay]) -> No | None:
    """What 3.3 holds against these tiles on this board, whoever lays them."""
    added = spread(laid)
    if len(added) < len(laid):
        return No.SAME_CELL
    if not chart.tiles.keys().isdisjoint(added):
        return No.OCCUPIED
    if len(laid) > 1 and (no := misaligned(chart, laid, added)):
        return no
    if chart.tiles and chart.room.keys().isdisjoint(added):
        return No.NOT_CONNECTED
    for cell, tile in added.items():
        if not BIT[tile] & chart.room.get(cell, EVERY):
            return No.BAD_LINE
    # Alone each tile fits; whether they fit each other is still to be seen.
    return No.BAD_LINE if len(laid) > 1 and not akin(chart, laid, added) else None


def misaligned(chart: Chart, laid: Sequence[Lay], added: Board) -> No | None:
    if len({lay.x for lay in laid}) > 1 and len({lay.y for lay in laid}) > 1:
        return No.NOT_IN_LINE
    line = range(min(added), max(added), axes(laid)[0])  # R18: others may lie between
    return None if all(at in added or at in chart.tiles for at in line) else No.GAP


def akin(chart: Chart, laid: Sequence[Lay], added: Board) -> bool:
    """Is the line that the tiles of one move lie in a good one?"""
    line = partners(chart.tiles | added, laid[0].cell, axes(laid)[0])
    return fits([laid[0].tile, *line])


def legal(s: State, seat: Seat) -> Iterator[Move]:
    if seat not in to_act(s):
        return
    for lay in fitting(s.chart, s.chart.room, s.hands[seat]):
        if s.board or may_open(s, (lay,)):
            yield Place((lay,))
    if s.board and s.bag:
        yield from (Swap((tile,)) for tile in sorted(set(s.hands[seat])))


def grow(s: State, seat: Seat, move: Move) -> Iterator[Move]:
    if seat not in to_act(s):
        return
    match move:
        case Place(laid):
            yield from longer(s, seat, laid)
        case Swap(tiles) if s.board and len(tiles) < len(s.bag) and holds(s.hands[seat], tiles):
            for tile in sorted(set(without(s.hands[seat], tiles))):
                yield Swap(tuple(sorted((*tiles, tile))))


def longer(s: State, seat: Seat, laid: Sequence[Lay]) -> Iterator[Place]:
    """These tiles and one more, at an end of their line; for a lone tile, of its row or column."""
    tiles = [lay.tile for lay in laid]
    if not holds(s.hands[seat], tiles) or misplaced(s.chart, laid) or not may_open(s, laid):
        return
    chart = extend(s.chart, laid)
    cells = ends(chart.tiles, laid)[: 4 if len(laid) == 1 else 2]
    for lay in fitting(chart, cells, without(s.hands[seat], tiles)):
        if may_open(s, more := tuple(sorted((*laid, lay)))):
            yield Place(more)


def may_open(s: State, laid: Sequence[Lay]) -> bool:
    """May this still become the opening? It is part of a set of the size that is due."""
    if s.board:
        return True
    tiles, found = {lay.tile for lay in laid}, sets(s.hands[s.turn])
    due = max(map(len, found)) if s.options.opening_max else 1  # R4
    return covers_origin(laid) and any(tiles <= kin for kin in found if len(kin) >= due)


def covers_origin(laid: Iterable[Lay]) -> bool:
    return any(lay.x == lay.y == 0 for lay in laid)  # R6
