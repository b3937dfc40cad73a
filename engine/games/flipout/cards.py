"""The cards of FlipOut: a colour on either side. They stand in holders, six slots in a row.

A card is written with two letters. In a holder the first is the side that faces its owner, the
*inside*, the second faces all others, the *outside*; in the deck the first lies down, the second
up. So a card is drawn as it is written, and is turned by writing it backwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, get_args

from engine.contract import Seat

Colour = Literal["r", "g", "y", "b", "p"]
NAMED: Final[dict[Colour, str]] = {
    "r": "red",
    "g": "green",
    "y": "yellow",
    "b": "blue",
    "p": "purple",
}

Card = Literal[
    "rr", "rg", "ry", "rb", "rp",
    "gr", "gg", "gy", "gb", "gp",
    "yr", "yg", "yy", "yb", "yp",
    "br", "bg", "by", "bb", "bp",
    "pr", "pg", "py", "pb", "pp",
]  # fmt: skip
KINDS: Final[tuple[Card, ...]] = (
    "rr", "rg", "ry", "rb", "rp",
          "gg", "gy", "gb", "gp",
                "yy", "yb", "yp",
                      "bb", "bp",
                            "pp",
)  # fmt: skip
COPIES: Final = 6
CARDS: Final = tuple(kind for kind in KINDS for _ in range(COPIES))  # R1

Gap = Literal["--"]  # an empty slot; there is none before the end
GAP: Final[Gap] = "--"
Held = Card | Gap
Holder = tuple[Held, ...]
SLOTS: Final = 6

EVERY: Final[tuple[Card, ...]] = get_args(Card)
TURNED: Final[dict[Held, Held]] = {GAP: GAP} | {
    card: other for card in EVERY for other in EVERY if other == card[::-1]
}

Seen = str  # a card as somebody sees it: `r?`, `?g`, `??`, `rg`, or `--` for an empty slot
INSIDE: Final[dict[Held, Seen]] = {GAP: GAP} | {card: card[0] + "?" for card in EVERY}
OUTSIDE: Final[dict[Held, Seen]] = {GAP: GAP} | {card: "?" + card[1] for card in EVERY}
UNSEEN: Final[dict[Held, Seen]] = {GAP: GAP} | dict.fromkeys(EVERY, "??")

Slot = Literal[1, 2, 3, 4, 5, 6]  # from the owner's left to right
NUMBERS: Final[tuple[Slot, ...]] = get_args(Slot)
Cell = Literal[
    "A1", "A2", "A3", "A4", "A5", "A6",
    "B1", "B2", "B3", "B4", "B5", "B6",
    "C1", "C2", "C3", "C4", "C5", "C6",
    "D1", "D2", "D3", "D4", "D5", "D6",
    "E1", "E2", "E3", "E4", "E5", "E6",
]  # fmt: skip
CELLS: Final[tuple[tuple[Cell, ...], ...]] = tuple(
    get_args(Cell)[SLOTS * seat : SLOTS * (seat + 1)] for seat in range(5)
)
AT: Final[dict[Cell, tuple[Seat, int]]] = {
    cell: (seat, i) for seat, cells in enumerate(CELLS) for i, cell in enumerate(cells)
}
SIZES: Final = (4, 5, 6)  # of a set
COLOUR: Final[dict[str, Colour]] = {colour: colour for colour in NAMED}


def span(first: Cell, size: int) -> tuple[Cell, ...]:
    """So many cells of one holder."""
    owner, i = AT[first]
    return CELLS[owner][i : i + size]


def insides(holder: Sequence[Seen]) -> str:
    """The colours that the owner sees, slot by slot."""
    return "".join([card[0] for card in holder])


def outsides(holder: Sequence[Seen]) -> str:
    """The colours that all others see, slot by slot."""
    return "".join([card[1] for card in holder])


def alike(row: str) -> bool:
    """Is this one colour, and seen?"""
    return row[0] in COLOUR and row == row[0] * len(row)


def windows(row: str, size: int) -> list[int]:
    """Where so many of one colour stand side by side: their first slots, counted from 0."""
    return [i for i in range(SLOTS - size + 1) if alike(row[i : i + size])]


def longest(row: str) -> tuple[int, int] | None:
    """The longest set in a row, from its first slot to past its last, counted from 0. (R21)"""
    for size in SIZES[::-1]:
        for first in windows(row, size):
            return first, first + size
    return None
