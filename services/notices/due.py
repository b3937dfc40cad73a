"""What players are to be told of a match, by when, and whether that still holds. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.contract import Seat
from engine.entries import Millis
from engine.match import Match
from services.notices.channels import Channel, Feed, Kind
from services.notices.outbox import Name, Wanted

EARLY = 86_400_000  # ms before a deadline at which a player is reminded, at most,
PART = 4  # or when this part of its time is left,
SHORT = 60_000  # unless that is less than so many ms
OLD = 86_400_000  # ms after which it is no news that a match is over, should it be folded again

Channels = Mapping[str, Sequence[Channel]]  # of each player


class Turn(NamedTuple):
    """A match waits for a player."""

    seat: Seat
    player: str
    since: int
    at: Millis


def turns(match: Match) -> list[Turn]:
    """The players that it waits for; a branch waits for nobody."""
    if match.branched:
        return []
    seats = [(seat, match.holders[seat]) for seat in match.to_act]
    return [
        Turn(seat, h.player, h.since, h.since_at)
        for seat, h in seats
        if h.player and h.gone is None and h.robot is None and h.since is not None
    ]


def invited(match: Match) -> list[tuple[str, int]]:
    """The players who may come and have not, and by which entry."""
    if match.over:
        return []
    came = {player for h in match.holders for player in (h.player, *h.before)}
    return [(guest.player, guest.seq) for guest in match.guests if guest.player not in came]


def left(match: Match) -> list[tuple[Seat, str]]:
    """The players who may not know yet that it is over: whose move did not end it."""
    if not match.over or match.branched:
        return []
    return [
        (seat, h.player)
        for seat, h in enumerate(match.holders)
        if h.player and h.gone is None and (h.last is None or h.last[0] != match.seq)
    ]


def players(match: Match) -> frozenset[str]:
    """All of whom some row may be."""
    seated = {h.player for h in match.holders if h.player} if not match.branched else set()
    return frozenset(seated | {player for player, _ in invited(match)})


def wanted(
    name: str, match: Match, channels: Channels, now: Millis, delay: Millis
) -> Iterator[Wanted]:
    """The rows that there should be. Of what came before a channel that is not told."""

    def row(
        player: str, kind: Kind, seat: Seat | None, since: int, at: Millis | None, came: Millis
    ) -> Iterator[Wanted]:
        for channel in channels.get(player, ()):
            if _takes(channel, kind):
                new = at if channel.at <= came else None
                yield Wanted(Name(name, seat, since, channel.id, kind), player, new)

    for turn in turns(match):
        yield from row(turn.player, "turn", turn.seat, turn.since, turn.at + delay, turn.at)
        at = remind_at(match, turn.seat)
        if at is not None:
            soon = at if at > now else None
            yield from row(turn.player, "reminder", turn.seat, turn.since, soon, now)
    fresh = now - match.at < OLD
    for seat, player in left(match):
        yield from row(player, "over", seat, match.seq, match.at if fresh else None, match.at)
    new = invited(match)
    for guest in () if match.over else match.guests:  # who comes and leaves again is told once
        at = match.at + delay if (guest.player, guest.seq) in new else None
        yield from row(guest.player, "invited", None, guest.seq, at, now)


def _takes(channel: Channel, kind: Kind) -> bool:
    return channel.confirmed and kind in channel.wants and not isinstance(channel.to, Feed)


def remind_at(match: Match, seat: Seat) -> Millis | None:
    """When to remind whoever this match waits for; None without a deadline, or with a short one."""
    deadline = match.deadlines[seat]
    if deadline is None:
        return None
    early = min(EARLY, (deadline - match.holders[seat].since_at) // PART)
    return None if early < SHORT else deadline - early


def still(name: Name, player: str, match: Match, now: Millis) -> Millis | None:
    """From when this row may be sent, by what the match is now; None: never any more."""
    match name.kind:
        case "over":
            return match.at if (name.seat, player) in left(match) else None
        case "invited":
            return 0 if (player, name.since) in invited(match) else None
    turn = next((turn for turn in turns(match) if turn.seat == name.seat), None)
    if turn is None or (turn.player, turn.since) != (player, name.since):
        return None
    deadline = match.deadlines[turn.seat]
    if deadline is not None and deadline <= now:
        return None
    return turn.at if name.kind == "turn" else remind_at(match, turn.seat)
