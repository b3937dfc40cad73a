"""What a viewer sees, built up from nothing. (4)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.contract import OPEN, Viewer

from .board import Cells, board
from .cards import SHY, Card
from .pieces import MayScavenge, Row, Seen, Slot, State, TurnUpOneOrNone, View

T = TypeVar("T")


def view(s: State, viewer: Viewer) -> View:
    over = not s.owed
    return View(
        options=s.options,
        start=s.start,
        turn=s.turn,
        deck=len(s.deck),
        hands=private(s.hands, viewer),
        held=tuple(map(len, s.hands)),
        plans=private(s.plans, viewer),
        ready=tuple(bool(plan) for plan in s.plans),
        owed=s.owed,
        regrown=s.regrown,
        totals=s.totals,
        found=s.found,
        away=private(s.away, viewer),
        rows=table(s, s.rows, viewer, over, peeked(s, viewer)),
        pile=known(s, viewer),
        piled=len(s.pile),
        clearings=s.clearings,
        turns=s.turns,
        trail=s.trail,
        game=s.game,
        result=s.result,
        past=table(s, s.past, viewer, True, ()),
    )


def private(values: Sequence[T], viewer: Viewer) -> tuple[T | None, ...]:
    """Of each seat, for itself alone."""
    return tuple(v if viewer in (seat, OPEN) else None for seat, v in enumerate(values))


def table(
    s: State, rows: Sequence[Row], viewer: Viewer, scored: bool, peeked: Cells
) -> tuple[tuple[Seen, ...], ...]:
    """Rows: what is up, what one's own row hides (R27), what the sun shows, what was revealed."""
    cells = board(s.options.variant, s.seats, len(rows)).rows
    return tuple(
        tuple(
            seen(slot, viewer in (r % s.seats, OPEN) or (scored and revealed(slot)) or c in peeked)
            for c, slot in zip(cells[r], row, strict=True)
        )
        for r, row in enumerate(rows)
    )


def seen(slot: Slot, known: bool) -> Seen:
    return Seen(slot.card if slot.up or known else None, slot.up)


def revealed(slot: Slot) -> bool:
    """Is this turned over when the game is scored? (R28)"""
    return slot.card in SHY and not slot.up


def peeked(s: State, viewer: Viewer) -> Cells:
    """What the sun shows to the active seat, while it chooses. (R25)"""
    match s.owed:
        case (TurnUpOneOrNone(cells), *_) if viewer == s.turn:
            return cells
    return ()


def known(s: State, viewer: Viewer) -> tuple[Card, ...]:
    """Of the discard pile: all to whoever is choosing from it (R29), else what all saw go there."""
    match s.owed:
        case (MayScavenge(seat), *_) if viewer == seat:
            return tuple(slot.card for slot in s.pile)
    return tuple(slot.card for slot in s.pile if slot.up or viewer == OPEN)
