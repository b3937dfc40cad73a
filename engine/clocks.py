"""Time that no clock counts: what a `stopped` entry does to the clocks of a match.

Each clock stands still for as much of that time as lies after it began to run. Time that several
entries name is counted once, in whatever order they come.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine import entries as e
from engine.contract import Seat, Told
from engine.entries import Bank
from engine.match import Change, Holder, Match, No, Stretch


def stopped(match: Match, entry: e.Stopped, at: e.Millis, *_: object) -> Change | No:
    """No clock counts this time any more; refused if none has counted it."""
    if not match.opened_at <= entry.since < entry.until:
        return No.NO_TIME
    if at < entry.until:
        return No.TOO_EARLY
    since = running_since(match)
    if since is None:
        return No.NO_CLOCK
    needed = tuple(stop for stop in match.stops if stop[1] > since)
    after = replace(match, stops=_with(needed, entry.since, entry.until))
    if _times(after) == _times(match):
        return No.NO_CLOCK
    return after, (Told(e.MatchStopped(entry.since, entry.until, entry.why)),)


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


def _with(stops: tuple[Stretch, ...], since: e.Millis, until: e.Millis) -> tuple[Stretch, ...]:
    """These stretches and one more, as one with those that it meets."""
    apart = []
    for begun, ended in stops:
        if ended < since or until < begun:
            apart.append((begun, ended))
        else:
            since, until = min(begun, since), max(ended, until)
    return tuple(sorted([*apart, (since, until)]))
