"""The middle of a table of UNO Flip: both piles, the colour in force, which side is up, the way
play goes, and what was just decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap

from engine.games.uno_flip.cards import LIGHT, OTHER, Colour, Faces, Side, in_order
from engine.games.uno_flip.faces import COLOUR_NAMES
from engine.games.uno_flip.facts import Played, RoundEnded, Turned, TurnedUp
from engine.games.uno_flip.pieces import Play, View
from services.web.boards.ink import at, box, pick, tag, text
from services.web.boards.scene import Scene, Sheet
from services.web.boards.uno_flip_cards import (
    HEIGHT,
    LOW,
    WIDTH,
    card,
    chip,
    named,
    shape,
    spread,
    unseen,
)
from services.web.tongues import _

WIDE, HIGH, SCALE = 312, 150, 1.1
TOP = 1.5  # how much larger the top card is
NAMES = 64  # the height of the row of colours to be named
LETTERS = 38  # of a line of news
WAYS = {1: "clockwise", -1: "anticlockwise"}
SUN = "M8 0a8 8 0 1 1 -16 0a8 8 0 1 1 16 0M0 -14v3M0 11v3M-14 0h3M11 0h3" + (
    "M-10 -10l2 2M8 8l2 2M10 -10l-2 2M-8 8l-2 2"
)
MOON = "M5 -11A12 12 0 1 0 12 5A10 10 0 0 1 5 -11Z"
TURNS = {
    1: "M-9 4A10 10 0 1 1 -4 9.2M-9.5 9.5L-4 9.2L-5 4",
    -1: "M9 4A10 10 0 1 0 4 9.2M9.5 9.5L4 9.2L5 4",
}


def middle(scene: Scene, draws: str | None, names: Mapping[Colour, str]) -> Sheet:
    """`draws` is the pick of the draw pile, `names` those of the colours."""
    view: View = scene.view
    height = HIGH + (NAMES if names else 0)
    body = [
        box(0.5, 0.5, WIDE - 1, height - 1, "felt", 12),
        *_head(view),
        at(18, 54, _draw_pile(scene, draws), data_at="draw"),
        at(92, 38, _top(scene)),
        _under(18 + WIDTH / 2, 129, _("{n} left", n=view.draw)),
        _under(92 + TOP * WIDTH / 2, 143, _("{n} played", n=view.discards)),
        at(172, 44, _in_force(scene)),
        *_names(scene, names),
    ]
    return Sheet(_says(view), WIDE, height, tag("g", *body, class_=f"side-{view.side}"), SCALE)


def _under(x: float, y: float, says: str) -> str:
    return text(x, y, says, 12, class_="on-felt", text_anchor="middle")


def _says(view: View) -> str:
    colour = _(COLOUR_NAMES[view.colour]) if view.colour else _("not named yet")
    back = _(", {card} on its back", card=named(view.pile)) if view.pile else ""
    return _(
        "Round {round}, {side}, {way}. On top {top}; colour in force: {colour}. "
        "Draw pile: {n} cards{back}",
        round=view.round,
        side=_side(view),
        way=_(WAYS[view.way]),
        top=named(view.top),
        colour=colour,
        n=view.draw,
        back=back,
    )


def _side(view: View) -> str:
    return _("Light side" if view.side == LIGHT else "Dark side")


def _head(view: View) -> Iterator[str]:
    sign = tag("path", d=SUN if view.side == LIGHT else MOON, class_=f"sign-{view.side}")
    yield at(22, 20, sign)
    yield text(44, 25, _side(view), 15, class_="name on-felt")
    yield text(WIDE - 38, 25, _(WAYS[view.way]), 13, class_="on-felt", text_anchor="end")
    yield at(WIDE - 20, 20, tag("path", d=TURNS[view.way], class_="turns"))


def _draw_pile(scene: Scene, written: str | None) -> str:
    """Its top card shows the side that is not up, to whoever may see that."""
    view: View = scene.view
    low = "".join(at(-2 * n, 2 * n, unseen()) for n in range(min(3, view.draw - 1), 0, -1))
    top = card(view.pile, OTHER[view.side]) if view.pile else unseen() if view.draw else GAP
    if written is None:
        return low + top
    does = text(WIDTH / 2, 90, _("Draw"), 13, class_="does", text_anchor="middle")
    return pick(scene, written, _("Draw a card"), low, top, RIM, does)


GAP = box(1, 1, WIDTH - 2, HEIGHT - 2, "gap", 6)
RIM = box(-1.5, -1.5, WIDTH + 3, HEIGHT + 3, "lit rim", 7)


def _top(scene: Scene) -> str:
    view: View = scene.view
    how: dict[str, str] = {}
    for fact in scene.news:
        match fact:
            case Played(seat):
                how = {"class_": "last moved", "data_from": f"seat-{seat}"}
            case Turned() | TurnedUp():
                how = {"class_": "last turned"}
    low = tag("g", unseen(), transform=f"rotate(-7) scale({TOP:g})") if view.discards > 1 else ""
    top = tag("g", card(view.top, view.side), **how)
    return low + tag("g", top, transform=f"scale({TOP:g})")


def _in_force(scene: Scene) -> str:
    """The colour that is to be followed; a move in the making may name another."""
    view: View = scene.view
    made = scene.made.colour if isinstance(scene.made, Play) else None
    colour = made or view.colour
    if colour is None:
        return box(0, 0, 126, 74, "gap", 12) + _under(63, 42, _("no colour yet"))
    body = [
        box(0, 0, 126, 74, "paint", 12),
        shape(colour, 29, 37, 1.6),
        text(29, 43 + 3 * (colour in LOW), colour, 17, class_="sign", text_anchor="middle"),
        text(54, 28, _("You name" if made else "Colour"), 12, class_="letter"),
        text(54, 50, _(COLOUR_NAMES[colour]).upper(), 14.5, class_="letter"),
    ]
    return tag("g", *body, class_=f"of-{COLOUR_NAMES[colour]}{' made' if made else ''}")


def _names(scene: Scene, names: Mapping[Colour, str]) -> Iterator[str]:
    """The colours that can be named, with their shapes and letters."""
    for i, (colour, written) in enumerate(names.items()):
        name = COLOUR_NAMES[colour]
        body = tag(
            "g",
            box(0, 0, 70, 54, "paint", 8),
            shape(colour, 35, 20, 1.2),
            text(35, 25 + 3 * (colour in LOW), colour, 14, class_="sign", text_anchor="middle"),
            text(35, 47, _(name), 11.5, class_="letter", text_anchor="middle"),
            class_=f"of-{name}",
        )
        rim = box(-2, -2, 74, 58, "lit rim", 10)
        says = _("Name {colour}", colour=_(COLOUR_NAMES[colour]))
        yield at(8 + 75.5 * i, HIGH + 2, pick(scene, written, says, body, rim))


# What was just decided


def news(scene: Scene) -> Iterator[Sheet]:
    """A challenge, a deal, the end of a round; it stays until the next move."""
    view: View = scene.view
    rows: list[tuple[str, Faces, Side]] = []
    if told := view.verdict:
        verdict = _("guilty" if told.guilty else "not guilty")
        one, other = scene.names[told.seat], scene.names[told.accused]
        says = _("{one} challenged {other}: {verdict}", one=one, other=other, verdict=verdict)
        rows.append((says, in_order(told.hand), view.side))
    if view.returned:
        rows.append((_("Wild Draw Twos that went back: {n}", n=view.returned), (), view.side))
    if view.ended:
        rows += _ended(scene, view.ended)
    if rows:
        yield _sheet(rows)


def _ended(scene: Scene, ended: RoundEnded) -> Iterator[tuple[str, Faces, Side]]:
    says = _("The round was blocked. Hands and points:")
    if ended.out is not None:
        says = _("{name} went out. Hands and points:", name=scene.names[ended.out])
    yield says, (), ended.side
    for seat, (hand, points) in enumerate(zip(ended.hands, ended.points, strict=True)):
        shown = () if scene.view.over else in_order(hand)
        yield f"{scene.names[seat]}: +{points}", shown, ended.side


def _sheet(rows: list[tuple[str, Faces, Side]]) -> Sheet:
    body, y = "", 8
    for line, hand, side in rows:
        for part in wrap(line, LETTERS):
            body += text(12, y + 14, part, 13, class_="name")
            y += 20
        drawn, high = spread([chip(face, side) for face in hand], 14)
        body += at(12, y, drawn)
        y += high + 2
    says = ". ".join(" ".join((line, *hand)) for line, hand, _ in rows)
    return Sheet(says, WIDE, y + 8, box(0.5, 0.5, WIDE - 1, y + 7, "area", 8) + body, SCALE)
