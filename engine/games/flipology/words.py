"""Flipology as text: moves as players write them, facts as sentences, and the table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import ValidationError, convert

from .moves import (
    HAND,
    Arrange,
    Flip,
    Imitate,
    Move,
    Pass,
    Peek,
    PeekFlip,
    Pick,
    Regrow,
    Scavenge,
    Target,
    Targets,
)
from .sentences import say
from .table import show

WIDTH = 7  # of a row whose discards are written, though they go without saying
WHYS = ("highest", "lowest under the moon", "most in the match to {count}")
FORM = "say `flip A3`, `target B1`, `arrange 3152746/89`, or another of the moves listed"


def write(move: Move) -> str:
    match move:
        case Arrange(row, away):
            return f"arrange {_indices(row)}{_away(row, away)}"
        case Regrow(yes):
            return f"regrow {'yes' if yes else 'no'}"
        case Flip(cell):
            return f"flip {cell}"
        case Pass():
            return "pass"
        case Target(cell):
            return f"target {cell}"
        case Targets(cells):
            return f"targets {','.join(sorted(cells))}"
        case Pick(cell):
            return f"pick {cell}"
        case Imitate(kind):
            return f"imitate {kind}"
        case Peek(cells):
            return f"peek {','.join(sorted(cells))}"
        case PeekFlip(cell):
            return f"peekflip {cell or 'none'}"
        case Scavenge(card, lies):
            return f"scavenge {card or 'none'}" + (f" {lies}" if lies else "")


def _indices(numbers: Iterable[int]) -> str:
    return "".join(map(str, numbers))


def _away(row: tuple[int, ...], away: tuple[int, ...]) -> str:
    """The discards: as given, or what a row of seven leaves of nine."""
    if not away and len(row) == WIDTH:
        away = tuple(i for i in range(1, HAND + 1) if i not in row)
    return f"/{_indices(sorted(away))}" if away else ""


def read(text: str) -> Move:
    verb, _, rest = text.strip().lower().partition(" ")
    try:
        move: Move = convert({"type": verb, **_fields(verb, rest.strip())}, Move)
        return move
    except ValidationError:
        raise ValueError(FORM) from None


def _fields(verb: str, rest: str) -> dict[str, Any]:
    """What follows the verb; what is no such thing is left for `convert` to refuse."""
    match verb, rest.split():
        case "arrange", _:
            return _arranged(rest)
        case "regrow", ["yes" | "no"]:
            return {"yes": rest == "yes"}
        case (("flip" | "target" | "pick"), [cell]):
            return {"cell": cell.upper()}
        case (("targets" | "peek"), _):
            return {"cells": [cell.strip().upper() for cell in rest.split(",")]}
        case "imitate", [kind]:
            return {"kind": kind}
        case "peekflip", [cell]:
            return {"cell": None if cell == "none" else cell.upper()}
        case "scavenge", ["none", *lies]:
            return {"card": None, "lies": _one(lies)}
        case "scavenge", [card, *lies]:
            return {"card": card.capitalize(), "lies": _one(lies)}
        case "pass", []:
            return {}
    raise ValueError(FORM)


def _one(words: Sequence[str]) -> str | None:
    return " ".join(words) or None


def _arranged(rest: str) -> dict[str, Any]:
    """`3152746/89`, or with spaces and `discard`."""
    if not (found := re.fullmatch(r"([1-9 ]+)(?:(?:/|discard)([1-9 ]+))?", rest, re.ASCII)):
        raise ValueError(FORM)
    row, away = (text.replace(" ", "") if text else "" for text in found.groups())
    return {"row": [*map(int, row)], "away": [*map(int, away)]}


__all__ = ["read", "say", "show", "write"]
