"""Ratings: react notes results as they become known, and rq counts them once they are settled."""

from __future__ import annotations

from collections.abc import Callable

from rq import Queue

from engine.catalogue import GAMES
from engine.entries import Millis
from engine.match import Match
from services import ledger, ratings
from services.wire import BlockingWire, converse
from workers import jobs
from workers.calls import enqueued

QUEUE, WORK = "ratings", "workers.ratings.count"
AGAIN = 60_000  # ms after which a job that came to nothing is tried again
Call = Callable[[str, str], object]  # of a game, by an id


class Results:
    """What react does for the ratings."""

    def __init__(self, wire: BlockingWire, call: Call) -> None:
        self._wire, self._call = wire, call

    def put(self, name: str, match: Match) -> None:
        """Note what a match came to, if it counts and may be known by now."""
        if not (match.over and match.offered.policy.rated):
            return
        result, at = ratings.result_of(name, match), ratings.known_at(match)
        if result is not None and at <= self._wire.ask(ledger.clock(0)):
            self._wire.ask(ratings.add(match.offered.game, at, result))

    def due(self) -> None:
        """Have the games counted that have settled results which are not."""
        now: Millis = self._wire.ask(ledger.clock(0))
        for game in GAMES:
            was = converse(ratings.counted(game), self._wire.ask)
            if self._wire.ask(ratings.settled(game, now)) > was.rank:
                self._call(game, f"{game}-{was.rank}-{now // AGAIN}")


def caller(queue: Queue, work: str) -> Call:
    """Calls for this work by rq; one that is lost is made again, as long as there is any."""
    return lambda of, id: enqueued(queue, work, (of,), id)


def count(game: str) -> None:
    """Count all settled results of a game."""
    assert jobs.bench is not None, "no ledger to read"
    ask = jobs.bench.wire.ask
    while converse(ratings.count(game, ask(ledger.clock(0))), ask):
        pass
