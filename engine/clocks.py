"""Time that no clock counts: what a `stopped` entry does to the clocks of a match.

Each clock stands still for as much of that time as lies after it began to run. Time that several
entries name is counted once, in whatever order they come.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine import entries as e
from engine.contract import Told
from engine.match import Change, Match, No, Stretch


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
    if after.stood(since) == match.stood(since):  # then likewise for those that began later
        return No.NO_CLOCK
    return after, (Told(e.MatchStopped(entry.since, entry.until, entry.why)),)


def running_since(match: Match) -> e.Millis | None:
    """From when the oldest of its clocks has run: that of the offer, or of a seat; None without."""
    if match.over:
        return None
    if match.state is None:
        return match.opened_at
    seats = zip(match.holders, match.deadlines, strict=True)
    return min((holder.since_at for holder, deadline in seats if deadline), default=None)


def _with(stops: tuple[Stretch, ...], since: e.Millis, until: e.Millis) -> tuple[Stretch, ...]:
    """These stretches and one more, as one with those that it meets."""
    apart = []
    for begun, ended in stops:
        if ended < since or until < begun:
            apart.append((begun, ended))
        else:
            since, until = min(begun, since), max(ended, until)
    return tuple(sorted([*apart, (since, until)]))
