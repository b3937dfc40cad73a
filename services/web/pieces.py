"""Pieces in what a game writes, dressed in their colours: `R1` stays `R1`, on red."""

from __future__ import annotations

import re
from typing import NamedTuple

from markupsafe import Markup, escape

from services.web.tongues import _

COLOURS = {"R": "red", "O": "orange", "Y": "yellow", "G": "green", "B": "blue", "P": "purple"}
DARK = {"K": "pink", "T": "teal", "W": "wild"}
SHAPES = "circle", "four-point star", "diamond", "square", "eight-point star", "clover"


class Dress(NamedTuple):
    """How a game writes its pieces, colour first, and what the letters stand for."""

    found: re.Pattern[str]
    colours: dict[str, str]
    shapes: bool = False


DRESSES = {
    "qwirkle": Dress(re.compile(r"\b[ROYGBP][1-6]\b"), COLOURS, True),
    "uno-flip": Dress(re.compile(r"\b(?:[ROYGBPKT][1-9DSVF]|W[2C]?)\b"), COLOURS | DARK),
    "flipout": Dress(
        re.compile(r"(?<![\w/])[rygbp](?=/)|(?<=/)[rygbp](?!\w)"),
        {letter.lower(): colour for letter, colour in COLOURS.items()},
    ),
}


def dressed(text: str, game: str) -> Markup:
    """The text with its pieces marked up; as it is for a game whose pieces have no colours."""
    dress, safe = DRESSES.get(game), escape(text)
    if dress is None:
        return safe
    return Markup(dress.found.sub(lambda found: _piece(found[0], dress), safe))


def called(piece: str) -> str:
    """A piece with a shape, in words."""
    colour, shape = _(COLOURS[piece[0]]), _(SHAPES[int(piece[1]) - 1])
    return _("{colour} {shape}", colour=colour, shape=shape)


def _piece(piece: str, dress: Dress) -> str:
    colour = dress.colours[piece[0]]
    name = called(piece) if dress.shapes else _(colour)
    return f'<span class="piece {colour}" title="{name}">{piece}</span>'
