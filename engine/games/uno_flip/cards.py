"""The 112 cards of UNO Flip, what their faces match and what they count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, Literal

from msgspec import Meta

Card = str  # its light and its dark face, as in `R1/K3`
Face = Annotated[  # `R5`, `KD`; the wilds are `W`, `W2`, `WC`
    str, Meta(pattern=r"^([RYGBKTOP][1-9DSVF]|W[2C]?)(?!\n)$", description="a colour and a kind")
]
Faces = tuple[Face, ...]
Colour = Literal["R", "Y", "G", "B", "K", "T", "O", "P"]
Side = Literal["light", "dark"]

# 1.2, as they are paired in the box. B1/PS exists twice.
DECK: Final = """
    R1/K3 R1/P2 R2/OV R2/PD R3/K7 R3/WC R4/OF R4/PD R5/K2 R5/T5 R6/KS R6/O9 R7/O1 R7/P5
    R8/T7 R8/PV R9/TV R9/P5 RD/K3 RD/K4 RS/OD RS/W RV/T7 RV/P3 RF/K8 RF/P3 Y1/KS Y1/W
    Y2/T1 Y2/T8 Y3/KD Y3/P1 Y4/KD Y4/PF Y5/T8 Y5/P9 Y6/OS Y6/WC Y7/O2 Y7/P6 Y8/K1 Y8/O2
    Y9/T5 Y9/P4 YD/K1 YD/P8 YS/TF YS/O3 YV/TF YV/W YF/K4 YF/O8 G1/O5 G1/OF G2/TD G2/TS
    G3/KF G3/P2 G4/K8 G4/T9 G5/T4 G5/O7 G6/K5 G6/WC G7/T2 G7/O6 G8/KV G8/T9 G9/KV G9/OD
    GD/T6 GD/O6 GS/O9 GS/P4 GV/K7 GV/O1 GF/T3 GF/WC B1/PS B1/PS B2/K6 B2/O8 B3/T2 B3/P8
    B4/TD B4/P1 B5/K9 B5/OV B6/TS B6/PV B7/O3 B7/OS B8/T4 B8/TV B9/O5 B9/PF BD/K6 BD/T6
    BS/K9 BS/T1 BV/O4 BV/W BF/P6 BF/P7 W/K5 W/KF W/T3 W/P7 W2/K2 W2/O4 W2/O7 W2/P9
"""
CARDS: Final[tuple[Card, ...]] = tuple(DECK.split())

LIGHT: Final[Side] = "light"
DARK: Final[Side] = "dark"
OTHER: Final[dict[Side, Side]] = {LIGHT: DARK, DARK: LIGHT}
COLOURS: Final[dict[Side, tuple[Colour, ...]]] = {
    LIGHT: ("R", "Y", "G", "B"),
    DARK: ("K", "T", "O", "P"),
}
COLOUR: Final[dict[str, Colour]] = {c: c for side in COLOURS.values() for c in side}
KINDS: Final = "123456789DSVF"
WILD_DRAWS: Final = ("W2", "WC")
FACES: Final[tuple[Face, ...]] = (  # in canonical order; the light ones, then the dark ones
    *(c + kind for side in (LIGHT, DARK) for c in COLOURS[side] for kind in KINDS),
    *("W", "W2", "WC"),
)
ORDER: Final[dict[Face, int]] = {face: i for i, face in enumerate(FACES)}
FACE: Final[dict[Side, dict[Card, Face]]] = {
    LIGHT: {card: card.split("/")[0] for card in CARDS},
    DARK: {card: card.split("/")[1] for card in CARDS},
}
POINTS: Final[dict[Side, dict[str, int]]] = {  # 1.3
    LIGHT: {"D": 10, "S": 20, "V": 20, "F": 20, "W": 40, "W2": 50},
    DARK: {"D": 20, "S": 30, "V": 20, "F": 20, "W": 40, "WC": 60},
}


def wild(face: Face) -> bool:
    return face[0] == "W"


def colour(face: Face) -> Colour | None:
    """The colour of a face; a wild has none."""
    return COLOUR.get(face[0])


def matches(face: Face, top: Face, active: Colour | None) -> bool:
    """3.3: a wild, the active colour, or the same number or symbol (R32)."""
    first = face[0]
    if first == "W" or first == active:
        return True
    return face[1:] == top[1:] and top[0] != "W"


def in_order(faces: Iterable[Face]) -> tuple[Face, ...]:
    """As one holds a hand: by colour, then number or symbol, wilds last."""
    return tuple(sorted(faces, key=ORDER.__getitem__))


def points(face: Face, side: Side) -> int:
    """1.3: what a face counts when it is the live one."""
    kind = face if face[0] == "W" else face[1]
    return int(kind) if kind.isdigit() else POINTS[side][kind]
