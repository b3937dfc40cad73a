"""The art of Captain Flip: a figure for each character, in 24 units, and what a board stands on."""

from __future__ import annotations

from engine.games.captain_flip.facts import Seen
from engine.games.captain_flip.pieces import NAMES
from services.web.boards.ink import at, box, tag, text, title
from services.web.tongues import _

TILE = 52

FIGURES = {
    # a chart with a cross where to dig
    "C": "M3 4L9 2L15 4L21 2V20L15 22L9 20L3 22ZM6 8v2h2v-2zM9 11v2h2v-2zM12 14l1.5 1.5L12 17"
    "l1.2 1.2l1.5-1.5l1.5 1.5l1.2-1.2l-1.5-1.5l1.5-1.5l-1.2-1.2l-1.5 1.5l-1.5-1.5z",
    # a wheel with eight handles
    "N": "M11 1h2v3.6a7.5 7.5 0 0 1 4.2 1.8l2.6-2.6l1.4 1.4l-2.6 2.6a7.5 7.5 0 0 1 1.8 4.2H24"
    "v2h-3.6a7.5 7.5 0 0 1-1.8 4.2l2.6 2.6l-1.4 1.4l-2.6-2.6a7.5 7.5 0 0 1-4.2 1.8V24h-2"
    "v-3.6a7.5 7.5 0 0 1-4.2-1.8l-2.6 2.6l-1.4-1.4l2.6-2.6A7.5 7.5 0 0 1 3.6 13H0v-2h3.6"
    "a7.5 7.5 0 0 1 1.8-4.2L2.8 4.2l1.4-1.4l2.6 2.6A7.5 7.5 0 0 1 11 3.6zM12 7a5 5 0 1 0"
    " 0 10a5 5 0 1 0 0-10z",
    # a pot that steams
    "K": "M3 10h18v2h-1v7a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3v-7H3zM0 12h3v3H0zM21 12h3v3h-3zM8 8"
    "c-2-2 2-3 0-6h2c2 3-2 4 0 6zM14 8c-2-2 2-3 0-6h2c2 3-2 4 0 6z",
    # a bomb with its fuse
    "G": "M10 7a8 8 0 1 0 5 2l1.6-1.6l-2.3-2.3L12.4 7A8 8 0 0 0 10 7zM15 4c1-3 5-3 6 0l-1.6.6"
    "c-.6-1.6-2.4-1.6-3 0zM20 6l3-1l-1 3zM19 8l2 3l-3-1z",
    # a face with round ears
    "M": "M12 3a8 8 0 0 0-7.4 5A4 4 0 1 0 5 16a8 8 0 0 0 14 0a4 4 0 1 0 .4-8A8 8 0 0 0 12 3z"
    "M9 9a1.4 1.4 0 1 1 0 2.8a1.4 1.4 0 1 1 0-2.8zM15 9a1.4 1.4 0 1 1 0 2.8a1.4 1.4 0 1"
    " 1 0-2.8zM8 15h8a4 3 0 0 1-8 0z",
    # a bird with a hooked bill
    "P": "M13 1a6 6 0 0 1 6 6l4 2l-4 3c0 5-2 8-6 9l-3 3l-1-3l-6 2l3-6c1-3 1-6 1-10a6 6 0 0 1"
    " 6-6zM14 5a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3z",
    # a bucket, and a brush that leans in it
    "S": "M4 11h14l-2 12H6zM6 9a5 5 0 0 1 10 0h-2a3 3 0 0 0-6 0zM17 1l2 1l-4 9h-2zM18 0h5v4l-5-1z",
    # a hammer
    "W": "M2 6L6 2L9 5H14L20 11L17 14L14 11L12 13L22 21L20 23L18 24L9 16L8 10L5 9Z",
    # an eye
    "L": "M1 12Q12 0 23 12Q12 24 1 12ZM12 6.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11zM12 9.5"
    "a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5z",
}
MAP = (
    "M2 4L12 1L22 4L32 1V31L22 34L12 31L2 34ZM7 10v4h4v-4zM13 16v4h4v-4zM20 21l3 3l-3 3l2"
    " 2l3-3l3 3l2-2l-3-3l3-3l-2-2l-3 3l-3-3z"
)
GROUNDS = {
    # a hull
    "A": "M8 8H302L284 50H40Z",
    # arms out of the deep
    "B": "M8 50Q2 10 30 12Q14 24 34 50ZM112 50Q134 30 118 10Q152 20 144 50ZM276 50Q302 30 280"
    " 10Q316 22 302 50Z",
    # two logs
    "C": "M10 14h290a8 8 0 0 1 0 16H10a8 8 0 0 1 0-16zM10 32h290a8 8 0 0 1 0 16H10a8 8 0 0 1 0-16z",
    # sand
    "D": "M4 50C60 0 250 0 306 50Z",
    # teeth
    "E": "M6 6L30 40L54 6L78 40L102 6L126 40L150 6L174 40L198 6L222 40L246 6L270 40L294 6L304"
    " 50H6Z",
}


def called(tile: Seen) -> str:
    back = _(", {face} behind", face=_(NAMES[tile.back])) if tile.back else ""
    return f"{_(NAMES[tile.up])}{back}"


def crew(tile: Seen) -> str:
    """Who is up, by figure and letter; in the folded corner who is known to be behind."""
    parts = [
        title(called(tile)),
        box(0, 0, TILE, TILE, "tile", 8),
        at(12, 5, tag("path", d=FIGURES[tile.up], class_="figure", transform="scale(1.2)")),
        text(6, TILE - 6, tile.up, 14, class_="letter"),
    ]
    face = tag("g", *parts, class_=f"of-{tile.up}")
    if tile.back is None:
        return face
    fold = tag(
        "path",
        d=f"M{TILE} {TILE - 20}L{TILE - 20} {TILE}H{TILE - 8}Q{TILE} {TILE} {TILE} {TILE - 8}Z",
        class_="fold",
    )
    letter = text(TILE - 8, TILE - 4, tile.back, 10, class_="behind", text_anchor="middle")
    return face + tag("g", fold, letter, class_=f"of-{tile.back}")
