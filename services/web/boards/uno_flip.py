"""UNO Flip, drawn: the others with the backs they show, the middle of the table, one's hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from engine.contract import Seat
from engine.games.uno_flip.cards import ORDER, Colour, Face, Faces
from engine.games.uno_flip.pieces import (
    Catch,
    Challenge,
    Draw,
    Keep,
    Name,
    Play,
    PlayOrKeep,
    Take,
    Uno,
    View,
)
from services.web.boards.ink import at, box, pick, tag, text
from services.web.boards.scene import Drawing, Scene, Sheet
from services.web.boards.uno_flip_cards import HEIGHT, card, named
from services.web.boards.uno_flip_middle import RIM, SCALE, WIDE, middle, news
from services.web.boards.uno_flip_others import (
    BAR,
    area,
    bar,
    call,
    dealer,
    drew,
    others,
    points,
    says_of,
    word,
)
from services.web.tongues import _

ROW, STEP, LIFT = 7, 43, 6  # cards of a hand side by side; from one to the next; one that may go
HIGH = HEIGHT + LIFT + 4  # of a row of a hand
SAYS = {Keep: "Keep it", Take: "Take the cards", Challenge: "Challenge", Uno: "UNO!"}


class Ways(NamedTuple):
    """The picks, by where they are."""

    cards: dict[tuple[Face, int], str]  # of one's hand; of equal ones the oldest is 1
    names: dict[Colour, str]
    catches: dict[Seat, str]
    bars: dict[str, str]  # written → what it says
    draw: str | None = None


def draw(scene: Scene) -> Drawing:
    """One's own hand comes last."""
    ways = _ways(scene)
    sheets = others(scene, ways.catches)
    sheets += [middle(scene, ways.draw, ways.names), *news(scene)]
    if scene.own is not None:
        sheets.append(_hand(scene, scene.own, ways))
    return Drawing(sheets, {"": tuple(scene.picks)})


def _ways(scene: Scene) -> Ways:
    ways, made = Ways({}, {}, {}, {}), scene.made
    for written, move in scene.picks.items():
        match move:
            case Play(_, _, colour) if made and colour and colour != made.colour:
                ways.names[colour] = written
            case Play(uno=True) if made and not made.uno:
                ways.bars[written] = _(SAYS[Uno])
            case Play(face, copy):
                ways.cards[face, copy] = written
            case Name(colour):
                ways.names[colour] = written
            case Catch(seat):
                ways.catches[seat] = written
            case Draw():
                ways = ways._replace(draw=written)
            case _:
                ways.bars[written] = _(SAYS[type(move)])
    return ways


# One's own hand


def _hand(scene: Scene, seat: Seat, ways: Ways) -> Sheet:
    """By colour and number; what can be played stands out, what was just drawn is marked."""
    view: View = scene.view
    cards = [
        at(6 + i % ROW * STEP, 12 + i // ROW * HIGH, one)
        for i, one in enumerate(_fan(scene, seat, view.hands[seat] or (), ways))
    ]
    felt = 14 + max(1, -(-len(cards) // ROW)) * HIGH
    ground = box(0.5, 0.5, WIDE - 1, felt - 1, "felt", 10)
    body = [
        *_head(scene, seat),
        at(0, 32, ground, *cards, class_=f"side-{view.side}", data_at=f"seat-{seat}"),
        at(0, 36 + felt, _bars(scene, ways)),
    ]
    height = 32 + felt + (BAR + 4 if ways.bars else 0)
    return Sheet(says_of(scene, seat), WIDE, height, "".join(body), SCALE)


def _head(scene: Scene, seat: Seat) -> Iterator[str]:
    view: View = scene.view
    holds = f"{view.held[seat]} {word(view, seat)}, {points(view, seat)}"
    yield box(0.5, 0.5, WIDE - 1, 27, area(scene, seat), 8)
    yield text(10, 19, _("Your hand"), 14, class_="name")
    yield dealer(view, seat, 108, 14)
    if seat == view.window:
        yield at(120, 5, call(view, 84))
    yield text(WIDE - 10, 19, holds, 12.5, text_anchor="end")


def _fan(scene: Scene, seat: Seat, hand: Faces, ways: Ways) -> Iterator[str]:
    view: View = scene.view
    asked = view.owed[0] if view.owed else None
    new = drew(scene).get(seat, 0)
    if isinstance(asked, PlayOrKeep) and asked.seat == seat:
        new = len(hand) - asked.at
    met = Counter[Face]()
    for i in sorted(range(len(hand)), key=lambda i: ORDER[hand[i]]):
        face = hand[i]
        met[face] += 1
        how = {"class_": "last moved", "data_from": "draw"} if i >= len(hand) - new else {}
        body = tag("g", card(face, view.side), **how)
        yield _one(scene, ways, face, met[face], body)


def _one(scene: Scene, ways: Ways, face: Face, copy: int, body: str) -> str:
    """A card, raised if it is played or can be. Before one is, the oldest stands for its like."""
    made = scene.made
    if isinstance(made, Play) and (face, copy) == (made.face, made.copy):
        return at(0, -LIFT, tag("g", body, class_="made"))
    meant = copy if made else 1
    written = ways.cards.get((face, meant))
    if written is None:
        return body
    spare = meant < copy
    return at(
        0, -LIFT, pick(scene, written, _("Play {card}", card=named(face)), body, RIM, spare=spare)
    )


def _bars(scene: Scene, ways: Ways) -> str:
    wide = WIDE / max(1, len(ways.bars))
    return "".join(
        at(wide * i, 0, bar(scene, written, says, wide, says))
        for i, (written, says) in enumerate(ways.bars.items())
    )
