"""Below a rack of FlipOut: what can be done with a card, what can be taken, what lies side by
side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from engine.contract import Seat
from engine.games.flipout.cards import (
    AT,
    CELLS,
    COLOUR,
    NAMED,
    Cell,
    Colour,
    insides,
    outsides,
    span,
)
from engine.games.flipout.pieces import (
    End,
    Flip,
    Move,
    Place,
    Score,
    Swap,
    SwapPairs,
    Swipe,
    Switch,
    Third,
    View,
)
from engine.games.flipout.words import SIDES
from services.web.boards.flipout_cards import EDGE, STEP, WIDE, WIDTH, left_of
from services.web.boards.ink import at, box, pick, tag, text
from services.web.boards.scene import Scene
from services.web.tongues import _

ROW = 28  # the height of a row
DOES: dict[type[Move], str] = {
    Flip: "Flip",
    Switch: "Switch",
    Swap: "Swap",
    SwapPairs: "Swap pairs",
    Third: "Third action, for a token",
    End: "End the turn",
}
Picks = Mapping[str, Move]  # written → move


def foot(scene: Scene, seat: Seat, now: Picks) -> Iterator[str]:
    """Rows: what can be done; or pairs and sets to take; or what lies side by side."""
    if menu := _menu(scene, seat, now):
        yield _buttons(scene, menu)
        return
    joints, sets = "", list[str]()
    for written, move in now.items():
        match move:
            case SwapPairs((_, cell)) if cell in CELLS[seat]:
                joints += _joint(scene, written, cell)
            case Score(first) | Swipe(first) if first in CELLS[seat]:
                sets.insert(0, _set(scene, written, move))  # the largest first
    yield from [joints] if joints else sets or _runs(scene.view, seat)


def _menu(scene: Scene, seat: Seat, now: Picks) -> Picks:
    """What can be done with the held card, or at the end of one's turn."""
    if scene.held:
        return now if scene.held in CELLS[seat] else {}
    return {w: move for w, move in now.items() if seat == scene.own and _ends(move)}


def _ends(move: Move) -> bool:
    return isinstance(move, Third | End)


def _buttons(scene: Scene, menu: Picks) -> str:
    """Side by side, each as wide as its words want."""
    shares = [len(_(DOES[type(move)])) + 4 for move in menu.values()]
    unit, x, drawn = (WIDE - 2 * EDGE) / sum(shares), float(EDGE), ""
    for (written, move), share in zip(menu.items(), shares, strict=True):
        label = _(DOES[type(move)])
        says = f"{label}: {scene.held}" if scene.held else label
        drawn += at(x, 0, _bar(scene, written, says, unit * share, label))
        x += unit * share
    return drawn


def _bar(scene: Scene, written: str, says: str, width: float, label: str) -> str:
    words = text(width / 2, ROW / 2 + 3.5, label, 12.5, class_="does", text_anchor="middle")
    return pick(scene, written, says, box(2, 1, width - 4, ROW - 4, "lit", 6), words)


def _set(scene: Scene, written: str, move: Score | Swipe) -> str:
    """As wide as its cards."""
    owner, i = AT[move.first]
    scores = isinstance(move, Score)
    colour = _(NAMED[COLOUR[scene.view.holders[owner][i][0 if scores else 1]]])
    label = _(
        "Score {n} {colour}" if scores else "Swipe {n} {colour}", n=_size(move), colour=colour
    )
    cells = cells_of(owner, move)
    width = STEP * (len(cells) - 1) + WIDTH + 4
    says = _("{label}: {first} to {last}", label=label, first=cells[0], last=cells[-1])
    return at(left_of(i) - 2, 0, _bar(scene, written, says, width, label))


def _joint(scene: Scene, written: str, cell: Cell) -> str:
    """From the middle of a card to that of the next, for pairs may overlap."""
    one, two = span(cell, 2)
    label = f"{one[1]} + {two[1]}"
    bar = _bar(scene, written, _("The pair {one} and {two}", one=one, two=two), STEP, label)
    return at(left_of(AT[cell][1]) + WIDTH / 2, 0, bar)


def _runs(view: View, seat: Seat) -> Iterator[str]:
    """Three or more of a colour side by side, inside or outside."""
    holder, both = view.holders[seat], view.order is not None
    for row, side in ((insides(holder), 0), (outsides(holder), 1)):
        found, i = "", 0
        for colour, same in groupby(row):
            size = len([*same])
            if size > 2 and colour in COLOUR:
                found += _run(i, size, _beside(size, COLOUR[colour], side if both else None))
            i += size
        if found:
            yield found


def _beside(size: int, colour: Colour, side: int | None) -> str:
    """So many of a colour; where both sides are seen, on which."""
    said = f"{size} {_(NAMED[colour])}"
    return said if side is None else _(SIDES[side], colours=said)


def _run(i: int, size: int, says: str) -> str:
    left, right = left_of(i), left_of(i + size - 1) + WIDTH
    label = text((left + right) / 2, 19, says, 12, class_="quiet", text_anchor="middle")
    return tag("path", d=f"M{left} 0v5H{right}v-5", class_="bracket") + label


def cells_of(seat: Seat, move: Move | None) -> tuple[Cell, ...]:
    """The cards of a move."""
    match move:
        case Flip(cell):
            return (cell,)
        case Switch(cells) | Swap(cells):
            return cells
        case SwapPairs(cells):
            return tuple(cell for first in cells for cell in span(first, 2))
        case Score() | Swipe():
            return span(move.first, _size(move))
        case Place(slot):
            return (CELLS[seat][slot - 1],)
    return ()


def _size(move: Score | Swipe) -> int:
    return move.last - AT[move.first][1]
