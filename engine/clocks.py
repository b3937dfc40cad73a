"""Time that no clock counts: what a `stopped` entry does to the clocks of a match.

Each clock stands still for as much of that time as lies after it began to run. Time that several
entries name is counted once, in whatever order they come.
"""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from engine import entries as e
from engine.contract import Seat, Told, put
from engine.entries import Bank
from engine.match import DAY, Change, Holder, Match, No, Stretch, unseated

LONGEST = 3660  # days of vacation of a seat, where its table sets no limit


def stopped(match: Match, entry: e.Stopped, at: e.Millis, *_: object) -> Change | No:
    """No clock counts this time any more; refused if none has counted it."""
    if entry.why == "vacation":
        return _vacation(match, entry, at)
    if entry.seat is not UNSET:
        return No.NO_TIME
    if not match.opened_at <= entry.since < entry.until:
        return No.NO_TIME
    if at < entry.until:
        return No.TOO_EARLY
    since = running_since(match)
    if since is None:
        return No.NO_CLOCK
    needed = tuple(stop for stop in match.stops if stop[1] > since)
    after = replace(match, stops=joined_with(needed, entry.since, entry.until))
    if _times(after) == _times(match):
        return No.NO_CLOCK
    return after, (Told(e.MatchStopped(entry.since, entry.until, entry.why)),)


def _vacation(match: Match, entry: e.Stopped, at: e.Millis) -> Change | No:
    """The clock of one seat stands still, from now on at the earliest."""
    policy, seat = match.offered.policy, entry.seat
    if seat is UNSET:
        return No.NO_TIME
    if no := unseated(match, seat):
        return no
    holder, since = match.holders[seat], max(entry.since, at)
    if holder.robot is not None:
        return No.NOT_SEATED
    if policy.clock is None or match.branched:
        return No.NO_CLOCK
    if since >= entry.until:
        return No.NO_TIME
    away = joined_with(holder.away, since, entry.until)
    if away == holder.away:
        return No.NO_CLOCK
    most = LONGEST if policy.vacation is UNSET else policy.vacation
    if sum(ended - begun for begun, ended in away) > most * DAY:
        return No.NO_VACATION
    holders = put(match.holders, seat, replace(holder, away=away))
    told = e.MatchStopped(since, entry.until, entry.why, seat)
    return replace(match, holders=holders), (Told(told),)


def rested(match: Match, seat: Seat, moved: bool, at: e.Millis) -> Holder:
    """The holder of a seat whose wait ends, by its own move or because of others."""
    holder = replace(match.holders[seat], since=None, since_at=0, late=False)
    if not isinstance(match.offered.policy.clock, Bank) or holder.robot is not None:
        return holder
    spent = (match.holders[seat].since_at, at, moved)
    return replace(holder, bank=match.bank(seat), spent=spent)


def running_since(match: Match) -> e.Millis | None:
    """From when the oldest of its clocks has run: that of the offer, or of a seat; None without.
    What a seat's last wait took off its bank can be given back, so that counts too."""
    if match.over:
        return None
    if match.state is None:
        return match.opened_at
    seats = zip(match.holders, match.deadlines, strict=True)
    running = [holder.since_at for holder, deadline in seats if deadline]
    spent = [holder.spent[0] for holder in match.holders if holder.spent and not holder.robot]
    return min([*running, *spent], default=None)


def _times(match: Match) -> tuple[object, ...]:
    """All that time that no clock counts would move."""
    return match.lapses if match.state is None else 0, match.deadlines, match.banks


def joined_with(
    stops: tuple[Stretch, ...], since: e.Millis, until: e.Millis
) -> tuple[Stretch, ...]:
    """These stretches and one more, as one with those that it meets."""
    apart = []
    for begun, ended in stops:
        if ended < since or until < begun:
            apart.append((begun, ended))
        else:
            since, until = min(begun, since), max(ended, until)
    return tuple(sorted([*apart, (since, until)]))
