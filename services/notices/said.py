"""What is told: one notice, as all channels tell it."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from engine.contract import Outcome, Seat
from engine.entries import Millis
from engine.match import Match
from services.notices.outbox import Name


class Notice(Struct, frozen=True):
    """A match waits for a player, or is over, or a player is invited to it. `seq` is of the entry
    from which that has been so."""

    kind: str
    match: str
    game: str
    player: str
    seat: Seat | None
    seq: int
    at: Millis
    deadline: Millis | None = None
    outcome: Outcome | None = None
    aborted: str | None = None


def notice(name: Name, player: str, match: Match) -> Notice:
    """What a row tells of its match as it is now."""
    waits = name.kind in ("turn", "reminder") and name.seat is not None
    return Notice(
        name.kind,
        name.match,
        match.offered.game,
        player,
        name.seat,
        name.since,
        match.holders[name.seat].since_at if waits and name.seat is not None else match.at,
        match.deadlines[name.seat] if waits and name.seat is not None else None,
        match.outcome,
        match.aborted,
    )


def rfc3339(at: Millis) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
