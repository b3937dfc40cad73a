"""Qwirkle as text: `R1@0,0 R3@1,0`, `swap B2 Y5`, `pass`. A tile is a colour and a shape number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import ValidationError, convert

from engine.contract import Said, because

from .lines import COLOURS, COPIES, KINDS, Lay, Tile
from .pieces import (
    Announced,
    Drew,
    Ended,
    Fact,
    Last,
    Move,
    Pass,
    Passed,
    Place,
    Placed,
    Swap,
    Swapped,
    View,
    WentOut,
)

FORM = "say tiles and cells, as in `R1@0,0 R3@1,0`, or `swap B2 Y5`: one to six, R1 to P6"
WHYS = ("went out", "blocked", "stalled")
CELL = re.compile(r"(\w\w)@(-?[0-9]{1,3}),(-?[0-9]{1,3})")


def write(move: Move) -> str:
    match move:
        case Place(laid):
            return _cells(sorted(laid))
        case Swap(tiles):
            return " ".join(["swap", *sorted(tiles)])
        case Pass():
            return "pass"


def read(text: str) -> Move:
    try:
        match text.split():
            case ["pass"]:
                return Pass()
            case ["swap", *tiles]:
                return convert({"tiles": tiles, "type": "swap"}, Swap)
            case cells:
                return convert({"tiles": [*map(_cell, cells)], "type": "place"}, Place)
    except ValidationError:
        raise ValueError(FORM) from None


def _cell(text: str) -> tuple[int, int, str]:
    if not (found := CELL.fullmatch(text)):
        raise ValueError(FORM)
    tile, x, y = found.groups()
    return int(x), int(y), tile


def _cells(laid: Iterable[Lay]) -> str:
    return " ".join(f"{lay.tile}@{lay.x},{lay.y}" for lay in laid)


def say(fact: Fact) -> Said:
    match fact:
        case Announced(seat, best):
            return Said("{seat} can open with {best}.", {"seat": seat, "best": best})
        case Placed(seat, laid, lines, points):
            return _placed(seat, _cells(laid), lines, points)
        case Swapped(seat, count, ()):
            return Said("{seat} swaps {count}.", {"seat": seat, "count": count})
        case Swapped(seat, _, tiles):
            return Said("{seat} swaps {tiles}.", {"seat": seat, "tiles": " ".join(tiles)})
        case Drew(seat, count, ()):
            return Said("{seat} draws {count}.", {"seat": seat, "count": count})
        case Drew(seat, _, tiles):
            return Said("{seat} draws {tiles}.", {"seat": seat, "tiles": " ".join(tiles)})
        case Passed(seat):
            return Said("{seat} cannot move and is passed over.", {"seat": seat})
        case WentOut(seat, bonus):
            return Said("{seat} lays the last tile: {bonus} more.", {"seat": seat, "bonus": bonus})
        case Ended(why):
            return Said("The match is over: {why}.", {"why": because(why)})


def _placed(seat: int, cells: str, lines: Sequence[int], points: int) -> Said:
    args = {"seat": seat, "tiles": cells, "points": points}
    if len(lines) == 1:
        return Said("{seat} lays {tiles} for {points}.", args)
    sums = " + ".join(map(str, lines))
    return Said("{seat} lays {tiles} for {lines} = {points}.", {**args, "lines": sums})


def show(view: View, names: Sequence[str]) -> str:
    """The layout with its coordinates, the last move, what is known of the tiles, the scores."""
    seen = [(name, hand) for name, hand in zip(names, view.hands, strict=False) if hand is not None]
    scores = ", ".join(f"{name} {n}" for name, n in zip(names, view.scores, strict=False))
    return "\n".join(
        [
            *_layout({(lay.x, lay.y): lay.tile for lay in view.board}),
            *(_last(last, names) for last in (view.last,) if last),
            *(f"{name} holds {' '.join(hand) or 'nothing'}" for name, hand in seen),
            f"unseen {_unseen(view)}",
            f"bag {view.bag}; {scores}; {_due(view, names)}",
        ]
    )


def _layout(board: dict[tuple[int, int], Tile]) -> Iterator[str]:
    """x above, y at the left, a dot for a free cell."""
    if not board:
        return
    xs, ys = zip(*board, strict=True)
    row, column = range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)
    yield " " * 4 + "".join(f"{x:4}" for x in row)
    for y in column:
        yield f"{y:4}" + "".join(f"{board.get((x, y), '.'):>4}" for x in row)


def _last(last: Last, names: Sequence[str]) -> str:
    did = (
        f"laid {_cells(last.tiles)} for {last.points}" if last.tiles else f"swapped {last.swapped}"
    )
    passed = "".join(f", {names[seat]} was passed over" for seat in last.passed)
    return f"{names[last.seat]} {did}{passed}"


def _unseen(view: View) -> str:
    """How many of each shape 1 to 6, colour by colour, lie neither here nor in a hand shown."""
    seen = [
        *(lay.tile for lay in view.board),
        *(tile for hand in view.hands for tile in hand or ()),
    ]
    left = {c: [COPIES - seen.count(tile) for tile in KINDS if tile[0] == c] for c in COLOURS}
    return " ".join(c + "".join(map(str, counts)) for c, counts in left.items())


def _due(view: View, names: Sequence[str]) -> str:
    if view.over:
        return f"over: {view.over}"
    opens = f", the largest set is {view.announced[view.turn]}" if view.announced else ""
    return f"{names[view.turn]} to move{opens}"
