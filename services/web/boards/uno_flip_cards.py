"""The cards of UNO Flip: a colour has a letter and a shape, a kind a figure, a side its rim."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import cos, pi, sin

from engine.games.uno_flip.cards import COLOUR, COLOURS, Colour, Face, Side
from engine.games.uno_flip.faces import COLOUR_NAMES, called
from services.web.boards.ink import at, box, tag, text, title
from services.web.tongues import tongue

WIDTH, HEIGHT = 40, 58
CHIP, CHIP_HIGH = 20, 25  # a small card, of which only colour and kind can be read


def _star(points: int = 5, outer: float = 12.5, inner: float = 6.6) -> str:
    corners = (
        f"{r * sin(i * pi / points):.1f} {1 - r * cos(i * pi / points):.1f}"
        for i, r in enumerate((outer, inner) * points)
    )
    return f"M{'L'.join(corners)}Z"


SHAPES: dict[Colour, str] = {  # around 0, 0
    "R": "M0 -12L12 9H-12Z",  # a triangle
    "Y": "M-10.5 0a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0 -21 0Z",  # a disc
    "G": "M-9.5 -9.5H9.5V9.5H-9.5Z",  # a square
    "B": "M0 -13.5L11 0L0 13.5L-11 0Z",  # a lozenge
    "K": "M0 11C-18 -1 -11 -12 -5 -10.5C-2 -10 0 -8 0 -6C0 -8 2 -10 5 -10.5C11 -12 18 -1 0 11Z",
    "T": "M-6 -10.4H6L12 0L6 10.4H-6L-12 0Z",  # a hexagon; before it a heart
    "O": _star(),
    "P": "M-5 -11H5V-5H11V5H5V11H-5V5H-11V-5H-5Z",  # a cross
}
LOW = "RO"  # these shapes have their middle below 0
THERE_AND_BACK = "M-7 -3.5H5M2 -7L6 -3.5L2 0M7 4H-5M-2 .5L-6 4L-2 7.5"
TURNED = "M-6 -7.5H6V7.5H-6ZM-6 7.5L6 -7.5L5 6.5H-4.5L4.5 -5V5H-2L3 -1V3H1"
FIGURES = {  # drawn as lines
    ("S", "light"): "M-8 3A8 8 0 0 1 7 1M7.5 -4.5V2H1M-.8 6h.1",  # a leap over one
    ("S", "dark"): "M5 -4A6.3 6.3 0 1 0 6.3 1M5.8 -7.5V-3.5H1.8M-2.5 .5h.1M2 .5h.1",  # around all
    ("V", "light"): THERE_AND_BACK,
    ("V", "dark"): THERE_AND_BACK,
    ("F", "light"): TURNED,
    ("F", "dark"): TURNED,
}
DRAWS = {("D", "light"): "+1", ("D", "dark"): "+5"}
WILD_DRAWS = {"W2": "+2", "WC": "+…"}


def shape(colour: Colour, x: float, y: float, scale: float, class_: str = "shape") -> str:
    where = f"translate({x:g} {y:g}) scale({scale:g})"
    return tag("path", d=SHAPES[colour], transform=where, class_=class_)


def named(face: Face) -> str:
    """A face in the words of who looks at it."""
    return called(face).sentence((), tongue())


def card(face: Face, side: Side) -> str:
    """A face of this side: the code it is written with, and what it does."""
    return tag("g", title(named(face)), _card(face, side), class_=painted(face))


@cache
def _card(face: Face, side: Side) -> str:
    parts = [
        box(0.5, 0.5, WIDTH - 1, HEIGHT - 1, f"rim-{side}", 6),
        box(3.5, 3.5, WIDTH - 7, HEIGHT - 7, "paint", 4),
        text(6.5, 15, face, 11, class_="letter"),
        *(_wild(face, side) if face[0] == "W" else _coloured(face, side)),
    ]
    return "".join(parts)


def painted(face: Face) -> str:
    """The class that has its colour."""
    return f"of-{COLOUR_NAMES[COLOUR[face[0]]]}" if face[0] in COLOUR else "of-wild"


def _coloured(face: Face, side: Side) -> tuple[str, str]:
    colour, kind = COLOUR[face[0]], (face[1], side)
    ground = shape(colour, WIDTH / 2, 36, 1.45)
    foot = 3 if colour in LOW else 0
    if figure := FIGURES.get(kind):
        return ground, at(WIDTH / 2, 36 + foot, tag("path", d=figure, class_="figure"))
    says = DRAWS.get(kind, face[1])
    size = 19 if len(says) == 1 else 11.5 if colour == "O" else 14
    low = 36 + foot + size * 0.36
    return ground, text(WIDTH / 2, low, says, size, class_="sign", text_anchor="middle")


def _wild(face: Face, side: Side) -> list[str]:
    """The four shapes of its side, and for a draw what it costs."""
    says = WILD_DRAWS.get(face, "")
    top, low = (23, 37) if says else (28, 43)
    places = [(12.5, top), (27.5, top), (12.5, low), (27.5, low)]
    four = [
        tag("g", shape(colour, x, y, 0.56, "one"), class_=f"of-{COLOUR_NAMES[colour]}")
        for colour, (x, y) in zip(COLOURS[side], places, strict=True)
    ]
    return [*four, text(WIDTH / 2, 53, says, 11, class_="letter", text_anchor="middle")]


def chip(face: Face, side: Side) -> str:
    """A card seen from afar."""
    return tag("g", title(named(face)), _chip(face, side), class_=painted(face))


@cache
def _chip(face: Face, side: Side) -> str:
    parts = [
        box(0.5, 0.5, CHIP - 1, CHIP_HIGH - 1, f"rim-{side}", 4),
        box(2, 2, CHIP - 4, CHIP_HIGH - 4, "paint", 3),
        text(CHIP / 2, 16.5, face, 10, class_="letter", text_anchor="middle"),
    ]
    return "".join(parts)


def unseen(width: float = WIDTH, height: float = HEIGHT, round_: float = 6) -> str:
    """A card of which nothing is seen."""
    inset = width / 8
    fold = f"M{inset:g} {height - inset:g}L{width - inset:g} {inset:g}"
    return box(0.5, 0.5, width - 1, height - 1, "back", round_) + tag(
        "path", d=fold, class_="crease"
    )


def spread(
    parts: Sequence[str], wide: int, step: int = CHIP + 1, high: int = CHIP_HIGH + 2
) -> tuple[str, int]:
    """Small things in rows of so many, and how high that is."""
    placed = (at(i % wide * step, i // wide * high, one) for i, one in enumerate(parts))
    return "".join(placed), -(-len(parts) // wide) * high
