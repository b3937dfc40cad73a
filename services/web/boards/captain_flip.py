"""Captain Flip, drawn: everybody's ship with its crew, the tile in hand, the bag and the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.contract import Seat
from engine.games.captain_flip.boards import COLUMNS, HEIGHT, LAYOUTS, Box, Shaft, Space
from engine.games.captain_flip.facts import Gained, HandFlipped, Placed, Seen, TileFlipped, View
from engine.games.captain_flip.pieces import (
    FULL,
    NAMES,
    Flip,
    FlipAny,
    FlipBeside,
    Place,
    PlaceDrawn,
    Target,
    completed,
)
from services.web.boards.captain_flip_art import FIGURES, GROUNDS, MAP, TILE, called, crew
from services.web.boards.ink import at, box, pick, tag, text, title
from services.web.boards.scene import Drawing, Scene, Sheet
from services.web.tongues import _, _n

STEP = 56  # from one space to the next
LEFT, TOP = 20, 92  # of the spaces: at the left the elevations, above who it is and the boxes
WIDE, HIGH = LEFT + 5 * STEP + 10, TOP + HEIGHT * STEP + 46
OWN, OTHERS = 1.2, 0.9  # pixels of a unit
MEANS = {  # what a box gives to who fills the column
    "none": "nothing",
    "map": "the treasure map",
    "2×col": "2 coins for each full column",
    "1×≠": "1 coin for each different character in it",
    "toll": "nothing: to enter costs a coin",
    "=map": "the map, if all in it are alike",
    "≠flip": "flip any tile, if all in it differ",
    "=draw": "draw one more, if all in it are alike",
}


class Marks(NamedTuple):
    """What the last entry did, by space, all of it on one board."""

    seat: Seat | None
    spaces: frozenset[str]
    turned: frozenset[str]  # of these
    coins: Mapping[str, int]
    flipped: bool  # the tile in hand


def draw(scene: Scene) -> Drawing:
    view: View = scene.view
    marks = _marks(scene)
    seats = range(len(view.boards))
    first = scene.own if scene.own is not None else view.turn
    order = [*seats[first:], *seats[:first]]
    sheets = [_middle(scene, marks), *(_ship(scene, seat, marks) for seat in order)]
    return Drawing(sheets, {"": tuple(scene.picks)} if scene.picks else {})


def _marks(scene: Scene) -> Marks:
    seat, spaces, coins, flipped = None, set[str](), dict[str, int](), False
    turned = set[str]()
    for fact in scene.news:
        match fact:
            case Placed(who, space) | TileFlipped(who, space):
                seat = who
                spaces.add(space)
                turned |= {space} if isinstance(fact, TileFlipped) else set()
            case Gained(_, n, _, str(space)):
                coins[space] = coins.get(space, 0) + n
            case HandFlipped():
                flipped = True
    return Marks(seat, frozenset(spaces), frozenset(turned), coins, flipped)


# The middle of the table


def _middle(scene: Scene, marks: Marks) -> Sheet:
    view: View = scene.view
    round_ = _("Round {n}: {name}", n=view.round, name=scene.names[view.turn])
    lines = [_("The match is over")] if view.over else [round_, *_due(view)]
    body = [
        *(text(78, 24 + 18 * i, line, 12.5, 216, class_=_tone(i)) for i, line in enumerate(lines)),
        at(8, 8, _in_hand(scene, marks), data_at="hand"),
        at(300, 6, _bag(view.bag), data_at="bag"),
    ]
    if view.map_holder is None:
        body.append(
            at(366, 14, title(_("The treasure map, nobody's")), tag("path", d=MAP, class_="map"))
        )
    hand = "" if view.hand is None else f" {_('In hand: {tile}.', tile=called(view.hand))}"
    says = f"{' '.join(lines)}.{hand} {_in_bag(view.bag)}"
    return Sheet(says, 410, 84, "".join(body), 1.1)


def _tone(line: int) -> str | None:
    return None if line else "name"


def _due(view: View) -> Iterator[str]:
    match view.owed[0]:
        case PlaceDrawn():
            yield _("places the {face}", face=_(NAMES[view.hand.up])) if view.hand else ""
            yield _("which was flipped" if view.flipped else "as it lies, or flips it")
        case FlipBeside(space):
            yield _("flips a tile beside {space}", space=space)
        case FlipAny():
            yield _("flips any tile")


def _in_hand(scene: Scene, marks: Marks) -> str:
    view: View = scene.view
    if view.hand is None:
        return box(0, 0, TILE, TILE, "free", 8)
    how = {"class_": "moved", "data_from": "bag"}
    if marks.flipped or isinstance(scene.made, Flip):
        how = {"class_": "last turned" if marks.flipped else "made"}
    tile = tag("g", crew(view.hand), **how)
    if "F" not in scene.picks:
        return tile
    word = text(TILE / 2, TILE + 16, _("flip"), 13, class_="does", text_anchor="middle")
    says = _("Flip the {face} in hand", face=_(NAMES[view.hand.up]))
    return pick(scene, "F", says, tile, box(-3, -3, TILE + 6, TILE + 6, "lit rim", 10), word)


def _bag(left: int) -> str:
    cloth = "M22 16C8 24 0 38 2 50C4 62 52 62 54 50C56 38 48 24 34 16L39 7C32 11 24 11 17 7Z"
    number = text(28, 49, left, 17, class_="count", text_anchor="middle")
    return title(_in_bag(left)) + tag("path", d=cloth, class_="bag") + number


def _in_bag(left: int) -> str:
    return _n("{count} tile in the bag", "{count} tiles in the bag", left)


# A ship


def _ship(scene: Scene, seat: Seat, marks: Marks) -> Sheet:
    view: View = scene.view
    layout, acts = LAYOUTS[view.options.board], seat in scene.to_act
    mine = marks if marks.seat == seat else None
    won = scene.outcome is not None and scene.outcome.places[seat] == 1
    body = [
        box(
            0.5,
            0.5,
            WIDE - 1,
            HIGH - 1,
            f"area{' acting' if acts else ' won' if won else ''}",
            10,
        ),
        at(
            0,
            TOP + HEIGHT * STEP - 8,
            tag("path", d=GROUNDS[view.options.board], class_="ground-art"),
        ),
        *_head(scene, seat),
        *_elevations(),
    ]
    for c, shaft in enumerate(layout.shafts):
        body.append(at(LEFT + c * STEP, 0, *_column(scene, seat, c, shaft, mine)))
    scale = OWN if seat == scene.own else OTHERS
    return Sheet(_says(view, seat, scene.names[seat]), WIDE, HIGH, "".join(body), scale)


def _says(view: View, seat: Seat, name: str) -> str:
    score = view.scores[seat]
    crew = "; ".join(
        f"{letter}: {', '.join(map(called, column))}"
        for letter, column in zip(COLUMNS, view.boards[seat], strict=True)
        if column
    )
    args = {"coins": view.coins[seat], "total": score.total, "gunners": score.gunners}
    what = _("{name}: {coins} coins, {total} in all, {gunners} Gunners", name=name, **args)
    what += _(", has the map") if view.map_holder == seat else ""
    return f"{what}. {crew or _('Nobody aboard')}"


def _head(scene: Scene, seat: Seat) -> Iterator[str]:
    """Who it is, coins, the map, Gunners, and what it would come to now."""
    view: View = scene.view
    score = view.scores[seat]
    yield text(10, 20, scene.names[seat], 14, WIDE - 96, class_="name")
    yield text(
        WIDE - 10, 21, score.total, 18, class_="out" if score.out else "name", text_anchor="end"
    )
    yield text(WIDE - 38, 20, _("in all"), 11, class_="quiet", text_anchor="end")
    yield tag("circle", cx=17, cy=36, r=8, class_="coin")
    yield text(30, 41, view.coins[seat], 14)
    if view.map_holder == seat:
        yield at(
            58, 24, title(_("The treasure map")), tag("path", d=MAP, class_="map"), class_="small"
        )
    for n in range(score.gunners):
        bomb = tag("path", d=FIGURES["G"], transform="scale(.8)")
        yield at(106 + 20 * n, 26, title(_("A Gunner: three lose")), bomb, class_="bomb")
    full = completed(LAYOUTS[view.options.board], view.boards[seat])
    says = _("{n} of {of} full", n=full, of=FULL)
    yield text(WIDE - 10, 40, says, 11, class_="quiet", text_anchor="end")


def _elevations() -> Iterator[str]:
    for n in range(HEIGHT):
        yield text(LEFT - 5, _y(n + 1) + TILE / 2 + 4, n + 1, 10, class_="quiet", text_anchor="end")


def _y(elevation: int) -> float:
    return TOP + (HEIGHT - elevation) * STEP


def _column(scene: Scene, seat: Seat, c: int, shaft: Shaft, marks: Marks | None) -> Iterator[str]:
    """The box on top, the spaces with who is there, and the letter below."""
    view: View = scene.view
    column, own = view.boards[seat][c], seat == scene.own
    yield at(0, 50, _box(view, shaft, c))
    for i, space in enumerate(shaft.spaces):
        y = _y(shaft.low + i)
        if i < len(column):
            yield at(0, y, _aboard(scene, space, column[i], marks, own))
        elif i == len(column) and own and shaft.name in scene.picks:
            yield at(0, y, _free(scene, shaft.name, space))
        elif i == len(column) and own and scene.made == Place(shaft.name) and view.hand:
            yield at(0, y, crew(view.hand), class_="made")
        else:
            yield at(0, y, box(0, 0, TILE, TILE, "free", 8))
    yield text(TILE / 2, HIGH - 8, shaft.name, 12, class_="letter", text_anchor="middle")


def _aboard(scene: Scene, space: Space, tile: Seen, marks: Marks | None, own: bool) -> str:
    new = marks is not None and space in marks.spaces
    made = own and scene.made == Target(space)
    how: dict[str, str] = {"class_": "made"} if made else {}
    if new and not made:
        how = {"class_": "last moved", "data_from": "hand"}
        if marks and space in marks.turned:
            how = {"class_": "last turned"}
    body = tag("g", crew(tile), **how)
    if marks is not None and (coins := marks.coins.get(space)):
        coin = tag("circle", cx=TILE - 4, cy=6, r=11, class_="coin")
        gain = text(TILE - 4, 10.5, f"+{coins}", 11, class_="gain", text_anchor="middle")
        body += tag("g", coin, gain, class_="fresh")
    if own and f"@{space}" in scene.picks:
        rim = box(-1, -1, TILE + 2, TILE + 2, "lit rim", 9)
        body = pick(
            scene,
            f"@{space}",
            _("Flip the {tile} on {space}", tile=called(tile), space=space),
            body,
            rim,
        )
    return body


def _free(scene: Scene, column: str, space: str) -> str:
    hand = scene.view.hand
    ghost = tag("g", crew(hand), class_="ghost") if hand else ""
    what = _(NAMES[hand.up]) if hand else _("tile")
    says = _("Place the {tile} on {space}", tile=what, space=space)
    return pick(scene, column, says, box(0, 0, TILE, TILE, "lit", 8), ghost)


def _box(view: View, shaft: Shaft, c: int) -> str:
    """What is printed over a column; of a race, what is still to be had."""
    printed = shaft.box
    if printed.kind == "none":
        return ""
    means = f"{shaft.name}: {_means(printed)}"
    frame = box(1, 0, TILE - 2, 34, "box", 6)
    size = 15 if len(printed.text) < 4 else 12
    if printed.kind == "map":
        return tag(
            "g", title(means), frame, at(17, 4, tag("path", d=MAP, class_="map")), class_="small"
        )
    says = printed.text
    if printed.first != printed.later:
        taken = any(len(board[c]) == len(shaft.spaces) for board in view.boards)
        says, size = str(printed.later if taken else printed.first), 15
        means += _(", which is gone") if taken else ""
    word = text(TILE / 2, 22, says, size, class_="name", text_anchor="middle")
    return tag("g", title(means), frame, word)


def _means(printed: Box) -> str:
    match printed.kind:
        case "pay" if printed.first != printed.later:
            said = "{first} coins to the first there, {later} to others"
            return _(said, first=printed.first, later=printed.later)
        case "pay":
            return _n("{count} coin", "{count} coins", printed.first)
        case "alike":
            return _("{n} coins at the end, if all in it are alike", n=printed.first)
        case "unlike":
            return _("{n} coins at the end, if all in it differ", n=printed.first)
    return _(MEANS[printed.kind])
