"""The cards of FlipOut: each colour with a pattern and a letter, as much of a card as is seen."""

from __future__ import annotations

from functools import cache

from engine.games.flipout.cards import COLOUR, GAP, NAMED, Colour, Seen
from services.web.boards.ink import at, box, tag, text

WIDTH, HEIGHT = 46, 64
PEEP = 22  # how far the outside looks out behind the inside, where both are seen
ROUND = 7
STEP, EDGE = 50, 8  # from card to card; around them
WIDE = 2 * EDGE + 5 * STEP + WIDTH  # of a rack


def left_of(i: int) -> int:
    """Where the card in a slot begins; slots are counted from 0."""
    return EDGE + STEP * i


@cache
def card(seen: Seen) -> str:
    """A card in a holder, or its empty slot."""
    if seen == GAP:
        return box(1, 1, WIDTH - 2, HEIGHT - 2, "gap", ROUND)
    sides = [COLOUR[side] for side in seen if side in COLOUR]
    if not sides:
        return _unseen()
    return pair(*sides) if len(sides) == 2 else face(sides[0])


def pair(inside: Colour, outside: Colour) -> str:
    """Both sides: the outside behind the inside, and looking out above it."""
    behind = _ground(outside) + _letter(outside, PEEP / 2 + 1, 8)
    return at(0, -PEEP, tag("g", behind, class_=_of(outside))) + face(inside)


def face(colour: Colour) -> str:
    return tag("g", _ground(colour), _letter(colour, HEIGHT / 2, 13), class_=_of(colour))


def chip(colour: Colour, count: int) -> tuple[str, int]:
    """So many cards of a colour, in a pile; and how wide that is."""
    width = 25 if count < 10 else 31
    says = f"{colour.upper()} {count}"
    words = text(width / 2, 12.5, says, 11, class_="letter", text_anchor="middle")
    return tag("g", box(0, 0, width, 17, "paint", 4), words, class_=_of(colour)), width


def _of(colour: Colour) -> str:
    return f"of-{NAMED[colour]}"


def _ground(colour: Colour) -> str:
    return box(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "paint", ROUND) + PATTERNS[colour]


def _letter(colour: Colour, y: float, r: float) -> str:
    plaque = tag("circle", cx=WIDTH / 2, cy=y, r=r, class_="plaque")
    size = 1.45 * r
    foot = y + size * 0.36
    return plaque + text(
        WIDTH / 2, foot, colour.upper(), size, class_="letter", text_anchor="middle"
    )


def _unseen() -> str:
    fold = f"M6 6L{WIDTH - 6} {HEIGHT - 6}M{WIDTH - 6} 6L6 {HEIGHT - 6}"
    mark = text(WIDTH / 2, HEIGHT / 2 + 8, "?", 22, class_="unknown", text_anchor="middle")
    return (
        box(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "back", ROUND)
        + tag("path", d=fold, class_="crease")
        + mark
    )


# Patterns: triangles, reeds, dots, waves, a lattice


def _red() -> str:
    tops = [(x, y) for y in (5, 19, 33, 47) for x in (10, 23, 36)]
    return tag("path", d="".join(f"M{x} {y}l5 9h-10z" for x, y in tops), class_="filled")


def _green() -> str:
    return tag("path", d="".join(f"M{x} 5v{HEIGHT - 10}" for x in range(7, 40, 8)), class_="thick")


def _yellow() -> str:
    rows = [(y, 5 if i % 2 else 10) for i, y in enumerate(range(8, 60, 8))]
    dots = [(x, y) for y, first in rows for x in range(first + 3, 42, 10)]
    return tag("path", d="".join(f"M{x} {y}h0" for x, y in dots), class_="dots")


def _blue() -> str:
    wave = "q4.75 -7 9.5 0t9.5 0t9.5 0t9.5 0"
    return tag("path", d="".join(f"M4 {y}{wave}" for y in range(9, 62, 9)), class_="thin")


def _purple() -> str:
    down = "M4 14L14 4M4 32L32 4M4 50L42 12M9 60L42 27M27 60L42 45"
    up = "M32 4L42 14M14 4L42 32M4 12L42 50M4 27L37 60M4 45L19 60"
    return tag("path", d=down + up, class_="thin")


PATTERNS: dict[Colour, str] = {
    "r": _red(),
    "g": _green(),
    "y": _yellow(),
    "b": _blue(),
    "p": _purple(),
}
