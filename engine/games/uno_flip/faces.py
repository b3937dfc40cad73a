"""Faces and colours in words."""

from __future__ import annotations

from typing import Final

from engine.contract import Said

from .cards import COLOUR, COLOURS, LIGHT, Colour, Face

COLOUR_NAMES: Final[dict[Colour, str]] = {
    "R": "red",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "K": "pink",
    "T": "teal",
    "O": "orange",
    "P": "purple",
}
WILD_NAMES: Final = {"W": "Wild", "W2": "Wild Draw Two", "WC": "Wild Draw Color"}
LIGHT_NAMES: Final = {"D": "Draw One", "S": "Skip", "V": "Reverse", "F": "Flip"}
DARK_NAMES: Final = {"D": "Draw Five", "S": "Skip Everyone", "V": "Reverse", "F": "Flip"}


def called(face: Face) -> Said:
    """A face in words, as in `teal Draw Five`."""
    if face in WILD_NAMES:
        return Said(WILD_NAMES[face])
    colour, kind = COLOUR[face[0]], face[1]
    names = LIGHT_NAMES if colour in COLOURS[LIGHT] else DARK_NAMES
    said = Said(names[kind]) if kind in names else kind
    return Said("{colour} {kind}", {"colour": Said(COLOUR_NAMES[colour]), "kind": said})


def named(face: Face) -> str:
    return called(face).sentence(())
