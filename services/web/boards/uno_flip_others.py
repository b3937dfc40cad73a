"""The others at a table of UNO Flip: how many cards each holds, and as much of them as is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.contract import Seat
from engine.games.uno_flip.cards import ORDER, OTHER, Faces, in_order
from engine.games.uno_flip.facts import Dealt, Drew
from engine.games.uno_flip.pieces import View
from services.web.boards.ink import at, box, pick, tag, text, title
from services.web.boards.scene import Scene, Sheet
from services.web.boards.uno_flip_cards import CHIP, CHIP_HIGH, chip, named, spread, unseen
from services.web.tongues import _

PANEL = 140  # the width of a player
BAR = 30  # the height of a row of controls


class Seen(NamedTuple):
    """What is seen of the others' cards, what they drew just now, who can be caught."""

    cards: dict[Seat, tuple[str, int]]  # and how high that is
    drew: dict[Seat, int]
    catches: Mapping[Seat, str]

    @property
    def high(self) -> int:
        return max(high for _, high in self.cards.values())


def others(scene: Scene, catches: Mapping[Seat, str]) -> list[Sheet]:
    """In the order of seats, from the viewer's next on; `catches` are picks."""
    view: View = scene.view
    seats, first = len(view.held), 0 if scene.own is None else scene.own + 1
    order = [seat % seats for seat in range(first, first + seats) if seat % seats != scene.own]
    seen = Seen({seat: _seen(view, seat) for seat in order}, drew(scene), catches)
    return [_player(scene, seat, seen) for seat in order]


def drew(scene: Scene) -> dict[Seat, int]:
    """How many cards each seat drew last, while its hand is still the same."""
    if scene.outcome or any(isinstance(fact, Dealt) for fact in scene.news):
        return {}
    return {fact.seat: fact.count for fact in scene.news if isinstance(fact, Drew)}


def _player(scene: Scene, seat: Seat, seen: Seen) -> Sheet:
    """Who it is, how many cards and points, and what is seen of the cards."""
    view: View = scene.view
    foot = 54 if view.window in (None, scene.own) else 76
    height = foot + seen.high + (BAR if seen.catches else 0) + 4
    name, held, more = scene.names[seat], view.held[seat], seen.drew.get(seat)
    says, class_ = (f"+{more}", "news") if more else (word(view, seat), None)
    body = [
        box(0.5, 0.5, PANEL - 1, height - 1, area(scene, seat), 8),
        text(13, 20, name, 13, PANEL - 54, class_="name"),
        dealer(view, seat, PANEL - 25, 15.5),
        tag("path", d=_chevron(view.way), class_="way"),
        text(10, 44, held, 20, class_="count"),
        text(14 + 13 * len(str(held)), 43, says, 12, class_=class_),
        text(PANEL - 10, 43, points(view, seat), 12, text_anchor="end"),
        at(8, 52, call(view, PANEL - 16)) if seat == view.window else "",
        at(8, foot, seen.cards[seat][0], data_at=f"seat-{seat}"),
    ]
    if written := seen.catches.get(seat):
        catch = bar(scene, written, _("Catch {name}", name=name), PANEL - 12, _("Catch!"))
        body.append(at(6, height - BAR, catch))
    return Sheet(says_of(scene, seat), PANEL, height, "".join(body))


def area(scene: Scene, seat: Seat) -> str:
    if seat in scene.to_act:
        return "area acts"
    won = scene.outcome is not None and scene.outcome.places[seat] == 1
    return "area won" if won else "area"


def _chevron(way: int) -> str:
    """Towards the next player, at the edge where that one sits."""
    return f"M{PANEL - 11 if way == 1 else 7} 10l{3 * way} 5.5l{-3 * way} 5.5"


def dealer(view: View, seat: Seat, x: float, y: float) -> str:
    if seat != view.dealer:
        return ""
    letter = text(0, 4, "D", 11, class_="letter", text_anchor="middle")
    return at(
        x, y, title(_("dealer")), tag("circle", r=8, class_="paint"), letter, class_="of-wild"
    )


def word(view: View, seat: Seat) -> str:
    return _("card" if view.held[seat] == 1 else "cards")


def points(view: View, seat: Seat) -> str:
    return _("{n} pts", n=view.scores[seat])


def call(view: View, width: float) -> str:
    """Whether the seat with one card has called."""
    says, class_ = (_("UNO!"), "called") if view.called else (_("no UNO yet"), "silent")
    line = text(width / 2, 13.5, says, 12, class_="name", text_anchor="middle")
    return tag("g", box(0, 0, width, 18, "badge", 9), line, class_=class_)


def _seen(view: View, seat: Seat) -> tuple[str, int]:
    """What the viewer sees of a hand: fronts, backs, both or neither; and how high that is."""
    hand, backs = view.hands[seat], view.backs[seat]
    under = OTHER[view.side]
    if hand is not None and backs is not None:
        both = sorted(zip(hand, backs, strict=True), key=lambda one: ORDER[one[0]])
        chips = [chip(f, view.side) + at(0, CHIP_HIGH, chip(b, under)) for f, b in both]
        return spread(chips, 6, CHIP + 1, 2 * CHIP_HIGH + 4)
    if hand is not None:
        return spread([chip(face, view.side) for face in in_order(hand)], 6)
    if backs is not None:
        return spread([chip(face, under) for face in in_order(backs)], 6)
    return spread([unseen(10, 14, 2)] * view.held[seat], 10, 12, 16)


def says_of(scene: Scene, seat: Seat) -> str:
    view: View = scene.view
    who = _("You") if seat == scene.own else scene.names[seat]
    holds = f"{view.held[seat]} {word(view, seat)}"
    says = _("{name}: {cards}, {points} points", name=who, cards=holds, points=view.scores[seat])
    says += _(", dealer") * (seat == view.dealer) + _(", to move") * (seat in scene.to_act)
    if seat == view.window:
        says += _(", UNO called" if view.called else ", no UNO called")
    if (hand := view.hands[seat]) is not None:
        says += _(". Cards: {cards}", cards=_faces(hand))
    if (backs := view.backs[seat]) is not None:
        says += _(". Backs: {cards}", cards=_faces(backs))
    return says


def _faces(faces: Faces) -> str:
    return ", ".join(map(named, in_order(faces))) or _("none")


def bar(scene: Scene, written: str, says: str, width: float, label: str) -> str:
    words = text(width / 2, BAR / 2 + 3.5, label, 13, class_="name", text_anchor="middle")
    return pick(scene, written, says, box(2, 1, width - 4, BAR - 4, "lit", 8), words)
