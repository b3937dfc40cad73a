"""Moves of FlipOut as text: `F A3`, `X A2-6`, `S A3=B6`, `SS A1=B3`, `C A2-5`, `W B1-4`, `D`, `>4`.

A holder is a letter, A for seat 0, and a cell that letter with the number of its slot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec import ValidationError, convert

from .cards import Cell, Slot
from .pieces import (
    Draw,
    End,
    Flip,
    Move,
    Place,
    Score,
    Swap,
    SwapPairs,
    Swipe,
    Switch,
    Third,
)

FORM: Final = (
    "say `F A3` to flip, `X A2-6` to switch, `S A3=B6` to swap, `SS A1=B3` to swap pairs, "
    "`C A2-5` to score, `W B1-4` to swipe, `D` to draw, `>4` to place, `+` for a third action, "
    "`.` to end the turn"
)
SIGNS: Final = {  # or in words, as in `flip A3`, `switch A2 A6`, `place 4`
    "FLIP": "F",
    "SWITCH": "X",
    "SWAP": "S",
    "SWAP1": "S",
    "SWAP2": "SS",
    "SCORE": "C",
    "SWIPE": "W",
    "DRAW": "D",
    "PLACE": ">",
    "THIRD": "+",
    "END": ".",
}


def write(move: Move) -> str:
    match move:
        case Flip(cell):
            return f"F {cell}"
        case Switch(cells):
            return f"X {_joined(cells)}"
        case Swap(cells):
            return f"S {'='.join(cells)}"
        case SwapPairs(cells):
            return f"SS {'='.join(cells)}"
        case Score(first, last):
            return f"C {across(first, last)}"
        case Swipe(first, last):
            return f"W {across(first, last)}"
        case Draw():
            return "D"
        case Place(slot):
            return f">{slot}"
        case Third():
            return "+"
        case End():
            return "."


def across(first: Cell, last: Slot) -> str:
    """Some slots of a holder side by side, as in `A2-5`."""
    return f"{first}-{last}"


def row(cells: tuple[Cell, ...]) -> str:
    """The same for their cells; `A2` for one."""
    return cells[0] if len(cells) == 1 else f"{cells[0]}-{cells[-1][1]}"


def _joined(cells: Iterable[Cell]) -> str:
    one, *two = sorted(cells)
    return "-".join([one, *[cell.removeprefix(one[0]) for cell in two]])


def read(text: str) -> Move:
    words = re.split(r"[\s=-]+", text.upper().replace(">", "> ").strip())
    sign, *rest = words
    try:
        move: Move = convert(_tree(SIGNS.get(sign, sign), rest), Move)
    except ValidationError:
        raise ValueError(FORM) from None
    return move


def _tree(sign: str, rest: list[str]) -> dict[str, object]:
    """The move as it goes over the wire, well formed or not."""
    match sign, rest:
        case "F", [cell]:
            return {"type": "flip", "cell": cell}
        case "X", [one, *two]:
            return {"type": "switch", "cells": [one, *(_cell(one, cell) for cell in two)]}
        case (("S" | "SS"), cells):
            return {"type": "swap1" if sign == "S" else "swap2", "cells": cells}
        case (("C" | "W"), [first, last]):
            slot = _cell(first, last).removeprefix(first[:1])
            kind = "score" if sign == "C" else "swipe"
            return {"type": kind, "first": first, "last": _number(slot)}
        case ">", [slot]:
            return {"type": "place", "slot": _number(slot)}
        case (("D" | "+" | "."), []):
            return {"type": {"D": "draw", "+": "third", ".": "end"}[sign]}
    return {}


def _cell(first: str, text: str) -> str:
    """`6` after `A2` is `A6`."""
    return first[:1] + text if len(text) == 1 else text


def _number(text: str) -> int | None:
    return int(text) if text in "123456" and len(text) == 1 else None
