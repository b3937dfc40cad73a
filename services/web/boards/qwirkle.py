"""Qwirkle, drawn: what each player has, the tiles on their grid, one's hand and the bag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import cos, pi, sin
from typing import Any

from engine.contract import Seat
from engine.games.qwirkle.lines import Lay, Tile
from engine.games.qwirkle.pieces import Place, Swap, View, without
from services.web.boards.ink import at, box, hold, pick, tag, text, title
from services.web.boards.scene import Drawing, Scene, Sheet
from services.web.pieces import COLOURS, called
from services.web.tongues import _, _n

CELL, TILE = 44, 40  # a cell, and the tile on it
MIDDLE = 24, 21  # of the figure on a tile; the letter stands below it at the left
EDGE = 22  # the numbers of rows and columns
SCALES = ((9, 1.1), (13, 0.95), (999, 0.8))  # up to so many columns: pixels of a unit


def draw(scene: Scene) -> Drawing:
    view: View = scene.view
    ways = _ways(scene)
    held = scene.held if scene.held in ways else _sole(ways)
    scene = scene._replace(held=held)
    lit = {**ways.get("", {}), **ways.get(held, {})}
    cells = {(lay.x, lay.y): written for lay, written in lit.items() if isinstance(lay, Lay)}
    sheets = [_player(scene, seat) for seat in range(len(view.scores))]
    sheets.append(_board(scene, cells))
    for seat, hand in enumerate(view.hands):
        if hand is not None and seat == scene.own:
            sheets.append(_hand(scene, hand, ways))
        elif hand is not None:
            sheets.append(_shown(_("{name} holds", name=scene.names[seat]), hand))
    sheets.append(_bag(scene, lit.get("bag")))
    claims = {name: tuple(there.values()) for name, there in ways.items()}
    return Drawing(sheets, claims)


# What can be picked


def _ways(scene: Scene) -> dict[str, dict[Any, str]]:
    """By the tile that has to be held: where it may go, a Lay or the bag, and the pick of that.

    Once some tiles are to be swapped, further ones go with them at once: nothing has to be held.
    """
    ways: dict[str, dict[Any, str]] = {}
    for written, move in scene.picks.items():
        [new] = (Counter(move.tiles) - Counter(scene.made.tiles if scene.made else ())).elements()
        if isinstance(move, Place):
            ways.setdefault(new.tile, {})[new] = written
        elif scene.made:
            ways.setdefault("", {})[new] = written
        else:
            ways.setdefault(new, {})["bag"] = written
    return ways


def _sole(ways: dict[str, dict[Any, str]]) -> str:
    return next(iter(ways)) if len(ways) == 1 else ""


# The grid


def _board(scene: Scene, cells: dict[tuple[int, int], str]) -> Sheet:
    view: View = scene.view
    made = scene.made.tiles if isinstance(scene.made, Place) else ()
    last = set(view.last.tiles) if view.last else set()
    (left, right), (top, bottom) = _reach([*view.board, *made])
    columns, rows = right - left + 1, bottom - top + 1

    def there(x: int, y: int, *inside: str, class_: str | None = None) -> str:
        return at(EDGE + (x - left) * CELL, EDGE + (y - top) * CELL, *inside, class_=class_)

    body = [
        box(EDGE, EDGE, columns * CELL, rows * CELL, "felt", 10),
        *_numbers(left, right, top, bottom),
        *(there(x, y, _free(scene, x, y, written)) for (x, y), written in cells.items()),
        *(
            there(lay.x, lay.y, _tile(lay.tile), class_="last fresh" if lay in last else None)
            for lay in view.board
        ),
        *(there(lay.x, lay.y, _tile(lay.tile), class_="made") for lay in made),
    ]
    scale = next(scale for most, scale in SCALES if columns <= most)
    home = EDGE - left * CELL, EDGE - top * CELL
    width, height = EDGE + columns * CELL, EDGE + rows * CELL
    says = _n("The board: {count} tile", "The board: {count} tiles", len(view.board))
    says += _(", {n} to be laid", n=len(made)) if made else ""
    return Sheet(says, width, height, "".join(body), scale, scrolls=True, home=home)


def _reach(laid: Iterable[Lay]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The columns and the rows to be drawn: a free cell around all, and not too few."""
    xs, ys = [lay.x for lay in laid] or [0], [lay.y for lay in laid] or [0]
    return _span(min(xs), max(xs), 7), _span(min(ys), max(ys), 5)


def _span(low: int, high: int, least: int) -> tuple[int, int]:
    low, high = low - 1, high + 1
    more = max(0, least - (high - low + 1))
    return low - more // 2, high + (more + 1) // 2


def _numbers(left: int, right: int, top: int, bottom: int) -> Iterator[str]:
    middle = EDGE + CELL / 2
    for x in range(left, right + 1):
        where = middle + (x - left) * CELL
        yield text(where, 11, x, 10, class_="quiet", text_anchor="middle")
    for y in range(top, bottom + 1):
        where = middle + (y - top) * CELL + 4
        yield text(EDGE - 4, where, y, 10, class_="quiet", text_anchor="end")


def _free(scene: Scene, x: int, y: int, written: str) -> str:
    """A cell that the tile in question may go to; it shows the tile to who points at it."""
    tile = scene.held
    ghost = tag("g", _tile(tile, named=False), class_="ghost")
    lit = box(3, 3, CELL - 6, CELL - 6, "lit")
    return pick(
        scene, written, _("{tile} at {cell}", tile=called(tile), cell=f"{x},{y}"), lit, ghost
    )


# Tiles


def _tile(tile: str, named: bool = True) -> str:
    """A tile in its cell: the ground has the colour, a letter says which, and the shape is cut in
    light or dark, whatever reads better."""
    edge = (CELL - TILE) / 2
    return tag(
        "g",
        title(called(tile)) if named else "",
        box(edge, edge, TILE, TILE, "tile"),
        tag("path", d=FIGURES[tile[1]], class_="figure"),
        text(5, CELL - 6, tile[0], 12, class_="letter"),
        class_=f"of-{COLOURS[tile[0]]}",
    )


def _star(points: int, outer: float, inner: float) -> str:
    corners = (
        (r * sin(i * pi / points), -r * cos(i * pi / points))
        for i, r in enumerate((outer, inner) * points)
    )
    return "M" + "L".join(f"{MIDDLE[0] + x:.1f} {MIDDLE[1] + y:.1f}" for x, y in corners) + "Z"


def _disc(x: float, y: float, r: float) -> str:
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0Z"


def _clover(out: float = 6.4, r: float = 6) -> str:
    x, y = MIDDLE
    leaves = [(x, y - out), (x + out, y), (x, y + out), (x - out, y)]
    return "".join(_disc(*leaf, r) for leaf in leaves) + f"M{x - 4} {y - 4}v8h8v-8Z"


FIGURES = {
    "1": _disc(*MIDDLE, 11),
    "2": _star(4, 14.5, 4.8),
    "3": _star(2, 14, 14),
    "4": "M14 11H34V31H14Z",
    "5": _star(8, 14, 7.6),
    "6": _clover(),
}


# Hands and the bag


def _hand(scene: Scene, hand: tuple[Tile, ...], ways: dict[str, dict[Any, str]]) -> Sheet:
    """One's own: what is laid or put aside is no longer in it. Of equal tiles the first counts."""
    made = scene.made.tiles if scene.made else ()
    gone = [one.tile if isinstance(one, Lay) else one for one in made]
    kept, direct = without(hand, gone), ways.get("", {})
    parts, seen = [], set[Tile]()
    for i, tile in enumerate(kept):
        spare, says, body = tile in seen, called(tile), _tile(tile, named=False)
        rim = box(1, 1, CELL - 2, CELL - 2, "lit")
        if tile in direct:
            body = pick(
                scene, direct[tile], _("{tile}, to the bag", tile=says), body, rim, spare=spare
            )
        elif tile in ways:
            body = hold(scene, tile, says, body, rim, spare=spare)
        else:
            body = _tile(tile)
        parts.append(at(8 + i * (CELL + 4), 30, body))
        seen.add(tile)
    return _rack(_("Your hand"), parts, kept)


def _shown(says: str, hand: tuple[Tile, ...]) -> Sheet:
    parts = [at(8 + i * (CELL + 4), 30, _tile(tile)) for i, tile in enumerate(hand)]
    return _rack(says, parts, hand)


def _rack(says: str, parts: list[str], hand: Iterable[str]) -> Sheet:
    width = 6 * (CELL + 4) + 12
    holds = ", ".join(map(called, hand)) or _("nothing")
    body = box(0, 24, width, CELL + 12, "rack", 8) + "".join(parts)
    head = text(2, 15, says, 13, width, class_="name")
    return Sheet(f"{says}: {holds}", width, CELL + 38, head + body, 1.1)


def _bag(scene: Scene, written: str | None) -> Sheet:
    """The bag, and what is to be put into it."""
    view: View = scene.view
    says = _n("The bag: {count} tile", "The bag: {count} tiles", view.bag)
    cloth = "M30 22C14 30 4 46 6 58C8 70 64 70 66 58C68 46 58 30 42 22L48 12C40 16 32 16 24 12Z"
    body = tag("path", d=cloth, class_="bag") + text(
        36, 56, view.bag, 18, class_="count", text_anchor="middle"
    )
    if written is not None:
        lit = tag("path", d=cloth, class_="lit rim")
        word = text(36, 76, _("swap"), 12, class_="does", text_anchor="middle")
        body = pick(scene, written, _("Swap {tile}", tile=called(scene.held)), body, lit, word)
    aside = scene.made.tiles if isinstance(scene.made, Swap) else ()
    for i, tile in enumerate(aside):
        body += at(76 + i * (CELL + 2), 24, _tile(tile), class_="made")
        says += _("; to be swapped: {tile}", tile=called(tile))
    return Sheet(says, 76 + len(aside) * (CELL + 2), 82, body, 1.1)


# Players


def _player(scene: Scene, seat: Seat) -> Sheet:
    view: View = scene.view
    name, points, held = scene.names[seat], view.scores[seat], view.held[seat]
    acts = seat in scene.to_act
    body = [
        box(0.5, 0.5, 135, 51, "area acts" if acts else "area", 8),
        text(10, 19, name, 13, 118, class_="name"),
        text(126, 42, points, 22, class_="count", text_anchor="end"),
        *(box(10 + i * 12, 31, 10, 10, "back", 2) for i in range(held)),
    ]
    says = _("{name}: {points} points, {n} tiles", name=name, points=points, n=held)
    says += _(", to move") if acts else ""
    return Sheet(says, 136, 52, "".join(body))
