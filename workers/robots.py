"""Calls robots to the table: an rq job for each robot that a match waits for.

A call that nobody answers, for its worker died or the jobs' server was away, is made again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from rq import Queue

from engine.contract import Seat
from engine.match import Match
from workers.calls import enqueued

AGAIN = 5.0  # seconds after which an unanswered call is made again; then twice as many
SELDOM = 600.0  # but at least this often


class Call(NamedTuple):
    next: float  # when to call again
    tries: int


class Calls(Protocol):
    def __call__(self, name: str, seat: Seat, since: int, tries: int) -> bool: ...


class Waiting:
    """Who has been called to which match; whom it still waits for is called again, ever rarer.

    `call` takes the match, who is called there, and how often that was done before. False: it
    could not be done.
    """

    def __init__(
        self, call: Callable[..., bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._call, self._clock = call, clock
        self._called: dict[str, dict[tuple[Any, ...], Call]] = {}

    def put(self, name: str, waited_for: Iterable[tuple[Any, ...]]) -> None:
        """Call whom this match waits for, unless they have just been called."""
        called, now = self._called.pop(name, {}), self._clock()
        waiting = {}
        for who in waited_for:
            call = called.get(who, Call(now, 0))
            if call.next <= now:
                call = self._again(name, who, call.tries, now)
            waiting[who] = call
        if waiting:
            self._called[name] = waiting

    def late(self) -> list[str]:
        """The matches where some should be called again, if they are still waited for."""
        now = self._clock()
        called = self._called.items()
        return [name for name, calls in called if any(c.next <= now for c in calls.values())]

    def _again(self, name: str, who: tuple[Any, ...], tries: int, now: float) -> Call:
        if not self._call(name, *who, tries):
            return Call(now + 1, tries)
        return Call(now + min(AGAIN * 2**tries, SELDOM), tries + 1)


class Robots:
    """Whom this react has called, by match, seat and the entry since which it is waited for."""

    def __init__(self, call: Calls, clock: Callable[[], float] = time.monotonic) -> None:
        self._waiting = Waiting(call, clock)

    def put(self, name: str, match: Match) -> None:
        """Call the robots that this match waits for, unless they have just been called."""
        self._waiting.put(name, waited_for(match))

    def late(self) -> list[str]:
        """The matches whose robots should be called again, if they are still waited for."""
        return self._waiting.late()


def waited_for(match: Match) -> list[tuple[Seat, int]]:
    """The robots that have to move, and since which entry."""
    seats = [(seat, match.holders[seat]) for seat in match.to_act]
    return [(seat, h.since) for seat, h in seats if h.robot is not None and h.since is not None]


def caller(jobs: Queue) -> Calls:
    """Calls by rq. False: the jobs' server is away."""

    def call(name: str, seat: Seat, since: int, tries: int) -> bool:
        id = f"{name}-{seat}-{since}-{tries}"
        return enqueued(jobs, "workers.jobs.move", (name, seat, since), id)

    return call
