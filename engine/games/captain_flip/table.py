"""The table in text: the boards side by side, what is owed and by whom, in notation and words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from .boards import COLUMNS, HEIGHT, LAYOUTS, Box, Shaft
from .facts import Score, Seen, View
from .notation import step_text, summed, tile_text
from .pieces import (
    FULL,
    NAMES,
    Draw,
    EndTurn,
    FlipAny,
    FlipBeside,
    Owed,
    PayBonus,
    PlaceDrawn,
    completed,
)

WIDE: Final = 18  # columns of text for a board; five of them lie side by side
GAP: Final = 2
BOXES: Final = {
    "none": "–",
    "map": "the map",
    "2×col": "2 per full column",
    "1×≠": "1 per different character",
    "toll": "a coin to enter",
    "=map": "the map if all alike",
    "≠flip": "flip any tile if all differ",
    "=draw": "draw if all alike",
}
LETTERS: Final = ", ".join(f"{face} {name}" for face, name in NAMES.items())


def show(view: View, names: Sequence[str]) -> str:
    """The boards, a player aid, the bag and the map; then the tile in hand and all that is owed."""
    boards = [_board(view, seat, names[seat]) for seat in range(len(view.boards))]
    rows = [
        "".join(part.ljust(WIDE + GAP) for part in row).rstrip()
        for row in zip(*boards, strict=True)
    ]
    holder = "in the middle" if view.map_holder is None else f"with {names[view.map_holder]}"
    bag = f"Bag {view.bag}; the map is {holder}; round {view.round}, begun by {names[view.first]}"
    aid = [_boxes(view), LETTERS, f"{bag}.{_ending(view)}"]
    return "\n".join([*rows, *aid, *(_end(view, names) if view.over else _due(view, names))])


def _board(view: View, seat: int, name: str) -> list[str]:
    """Each line WIDE at most: who, the spaces from the top, and what it comes to."""
    columns, score = view.boards[seat], view.scores[seat]
    layout = LAYOUTS[view.options.board]
    mark = ">" if seat == view.turn and not view.over else " "
    lines = [f"{mark}{name}"[:WIDE], f" {view.coins[seat]} coins{_map(view, seat)}"]
    for elevation in range(HEIGHT, 0, -1):
        cells = [_cell(*pair, elevation) for pair in zip(columns, layout.shafts, strict=True)]
        lines.append(f"{elevation} " + " ".join(cells))
    full = f" {completed(layout, columns)} of {FULL} full"
    return [*lines, "  " + "  ".join(COLUMNS), full, *_worth(view, score)]


def _map(view: View, seat: int) -> str:
    return ", map" if view.map_holder == seat else ""


def _cell(column: Sequence[Seen], shaft: Shaft, elevation: int) -> str:
    i = elevation - shaft.low
    if not 0 <= i < len(shaft.spaces):
        return "  "
    return tile_text(column[i]) if i < len(column) else "__"


def _worth(view: View, score: Score) -> Iterator[str]:
    bombs = f" {score.gunners} Gunner{'s' * (score.gunners != 1)}"
    yield f"{bombs}{': lost' if score.out else '!' if score.gunners == 2 else ''}"
    yield f" {'total' if view.over else 'now'} {score.total}"


def _boxes(view: View) -> str:
    """What stands over the columns."""
    shafts = LAYOUTS[view.options.board].shafts
    boxes = "; ".join(f"{shaft.name} {_box(shaft.box)}" for shaft in shafts)
    race = any(shaft.box.first != shaft.box.later for shaft in shafts)
    return f"Board {view.options.board}: {boxes}{' (first there / later)' * race}"


def _box(box: Box) -> str:
    match box.kind:
        case "alike":
            return f"{box.first} if all alike at the end"
        case "unlike":
            return f"{box.first} if all differ at the end"
    return BOXES.get(box.kind, box.text)


def _ending(view: View) -> str:
    layout = LAYOUTS[view.options.board]
    last = any(completed(layout, columns) >= FULL for columns in view.boards)
    return " The last round!" if last and not view.over else ""


def _due(view: View, names: Sequence[str]) -> Iterator[str]:
    """In notation, then in words."""
    yield f"Owed by {names[view.turn]}: {' '.join(map(step_text, view.owed))}"
    for i, step in enumerate(view.owed):
        yield f"  {'then ' * (i > 0)}{_step(step, view)}"


def _end(view: View, names: Sequence[str]) -> Iterator[str]:
    yield "It is over."
    yield from (
        f"  {name}: {summed(s).sentence(())}" for name, s in zip(names, view.scores, strict=False)
    )


def _step(step: Owed, view: View) -> str:
    match step:
        case PlaceDrawn(by):
            return _in_hand(view, by)
        case FlipBeside(space):
            return f"flip a tile beside the Monkey on {space}"
        case FlipAny(space):
            return f"flip any tile, for the box over {space}"
        case PayBonus(space):
            return f"the box over {space} pays"
        case Draw():
            return "draw a tile"
        case EndTurn():
            return "the turn ends"


def _in_hand(view: View, by: str | None) -> str:
    assert view.hand is not None
    what = f"{NAMES[view.hand.up]} ({tile_text(view.hand)}) in hand"
    whence = f", drawn for {by}" if by else ""
    if view.flipped:
        return f"place the {what}{whence}, which was flipped"
    return f"place the {what}{whence}, or flip it first: nobody knows its back"
