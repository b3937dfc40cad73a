"""Clocks: what has to be said of them to a match, and how long the house was up for them to run.

Time counts as far as there was a sign of life of an api, and as no downtime was. So nobody is late
by time in which nobody could move, however late react itself is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import UNSET, Raw

from engine import entries as e
from engine.clocks import running_since, stopped
from engine.contract import Seat
from engine.dice import Dice
from engine.match import DAY, Match, No, encode
from engine.robots import greedy
from services import uptime
from services.uptime import Down
from services.wire import BlockingWire

SHORT = 60_000  # ms: what is left of a vacation that is not worth an entry
GRACE = 2000  # ms after a deadline in which a late move still counts
LONG = 10_000  # ms of downtime of which all matches are told; of shorter ones, who would be late
LATER = 5.0  # seconds, at most, until a match that is still due is tried again


class Uptime:
    """What a react knows of when the house was up."""

    def __init__(self, wire: BlockingWire, shard: int) -> None:
        self._wire, self._shard = wire, shard
        self.until: e.Millis | None = None  # as far as we know
        self._downs: list[Down] = []

    def look(self) -> bool:
        """Learn what is new. Was the house down for long?"""
        until = self._wire.ask(uptime.last_sign(self._shard))
        last = self._downs[-1].id if self._downs else b"0"
        new = self._wire.ask(uptime.downtimes(self._shard, last))  # all before `until`, at least
        self.until, self._downs = until, [*self._downs, *new][-uptime.MOST :]
        return any(_lasted(down) >= LONG for down in new)

    def stops(self, match: Match, least: e.Millis = 0) -> list[e.Stopped]:
        """The downtimes, of at least so many ms, that a clock of this match still counts."""
        since = running_since(match) if self._downs else None
        if since is None:
            return []
        banked = match.banks is not None  # who moves at once pays too
        stops = [
            e.Stopped(max(down.since, match.opened_at), down.until, "downtime")
            for down in self._downs
            if down.until > since and (banked or _lasted(down) >= least)
        ]
        return [one for one in stops if not isinstance(stopped(match, one, one.until), No)]


class Tries:
    """When to try again what is due and could not be dealt with: soon at first, then less often.

    What is being folded takes an entry a moment later; what is stuck, perhaps not for hours.
    """

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._next: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._since)

    def ripe(self, due: Sequence[str], now: float) -> list[str]:
        """Which of these to try now, who is new first; those that are not due are forgotten."""
        self.done(self._since.keys() - set(due))
        ripe = (name for name in due if self._next.get(name, now) <= now)
        return sorted(ripe, key=lambda name: self._next.get(name, 0.0))

    def put_off(self, names: Iterable[str], now: float) -> None:
        """They are tried now; should that be in vain, then again after half their wait so far."""
        for name in names:
            since = self._since.setdefault(name, now)
            self._next[name] = now + min(LATER, (now - since) / 2)

    def done(self, names: Iterable[str]) -> None:
        """Something could be said to them: what is still to be said is new."""
        for name in names:
            self._since.pop(name, None)
            self._next.pop(name, None)


def vacations(match: Match, away: Mapping[str, e.Millis], now: e.Millis) -> list[e.Stopped]:
    """What has to be said to a match of those of its players who are away, and until when."""
    if match.status != "running" or match.offered.policy.clock is None:
        return []
    now, most = max(now, match.at), match.offered.policy.vacation
    found = []
    for seat, holder in enumerate(match.holders):
        until = away.get(holder.player or "", 0)
        if most is not UNSET:
            until = min(until, now + most * DAY - sum(b - a for a, b in holder.away))
        said = max((ended for _, ended in holder.away), default=0)
        if holder.robot is None and until > max(said, now + SHORT):
            found.append(e.Stopped(now, until, "vacation", seat))
    return found


def ends(match: Match, now: e.Millis) -> Iterator[Callable[[Match], e.Entry | No]]:
    """What the clock has to say to a match, if that still holds when it is said."""
    if match.state is None:
        yield lambda match: e.Aborted("unfilled") if _lapsed(match, now) else No.TOO_EARLY
        return
    for seat in range(len(match.holders)):
        if _up(match, seat, now):
            yield lambda match, seat=seat: (  # type: ignore[misc]
                expiry(match, seat) if _up(match, seat, now) else No.TOO_EARLY
            )


def _lapsed(match: Match, now: e.Millis) -> bool:
    return match.state is None and match.lapses + GRACE <= now


def _up(match: Match, seat: int, now: e.Millis) -> bool:
    deadline = match.deadline(seat)
    said = match.holders[seat].late
    return deadline is not None and deadline + GRACE <= now and not said


def expiry(match: Match, seat: Seat) -> e.Expired:
    """With what is played for the seat, where its table wants that; greed throws its own dice."""
    game, state, how = match.game, match.state, match.offered.policy.expiry
    if how == "default":
        return e.Expired(seat, Raw(encode(game.default(state, seat))))
    if how == "greedy":
        return e.Expired(seat, Raw(encode(greedy(game, state, seat, Dice(os.urandom(32), 0)))))
    return e.Expired(seat)


def _lasted(down: Down) -> e.Millis:
    return down.until - down.since
