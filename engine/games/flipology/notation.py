"""The moves of a turn on one line, as players write them. (7.2)"""

from __future__ import annotations

from collections.abc import Iterable

from .cards import SHY, Card
from .facts import (
    Declined,
    Flipped,
    Imitated,
    Passed,
    Peeked,
    Picked,
    Removed,
    Scavenged,
    Stayed,
    Step,
    Swapped,
    Woken,
)


def notation(trail: Iterable[Step]) -> str:
    """`A7+ > dog B1+ > snake B4+`"""
    text, before = "", None
    for step in trail:
        text += _joint(text, before, step) + _mark(step)
        before = step
    return text


def _joint(text: str, before: Step | None, step: Step) -> str:
    if not text:
        return ""
    match before, step:
        case Woken(), Imitated():
            return "="
        case Peeked(), _:
            return " > "
        case _, (Woken() | Picked() | Scavenged() | Passed() | Declined()):
            return " > "
    return " "


def _mark(step: Step) -> str:
    match step:
        case Flipped(cell, card):
            return f"{cell}+" if card else f"{cell}-"
        case Stayed(cell):
            return f"{cell}."
        case Woken(kind=kind) | Imitated(kind=kind):
            return kind
        case Picked(cell):
            return f"pick {cell}"
        case Swapped(cell, other):
            return f"{cell}x {other}"
        case Removed(cell):
            return f"x{cell}"
        case Peeked(cells=cells):
            return f"?{','.join(cells)}"
        case Declined():
            return "none"
        case Passed():
            return "pass"
        case Scavenged(card=card, points=points):
            return f"scavenge {card}{_lies(card, points)}"


def _lies(card: Card, points: int) -> str:
    return f" {'down' if points > 0 else 'up'}" if card in SHY else ""
