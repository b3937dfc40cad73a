"""Orders for later: react calls a job for a player who is waited for, and the job plays them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Protocol

from rq import Queue

from engine.match import Match
from services import orders
from services.wire import BlockingWire, Lost, converse
from workers import jobs
from workers.calls import enqueued
from workers.robots import Waiting

log = logging.getLogger("turnfold.react")


class Calls(Protocol):
    def __call__(self, name: str, player: str, seq: int, news: str, tries: int) -> bool: ...


class Orders:
    """What react does for orders: it knows who has given some, and calls again who is waited for,
    with each entry, until the match goes on."""

    def __init__(
        self,
        wire: BlockingWire,
        shard: int,
        call: Calls,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wire, self._shard = wire, shard
        self._waiting = Waiting(call, clock)
        self._given: orders.Given = {}

    def hear(self) -> list[str]:
        """The matches in which somebody has given an order, or withdrawn one, since."""
        was, self._given = self._given, self._wire.ask(orders.given(self._shard))
        return [name for name, news in self._given.items() if news != was.get(name)]

    def put(self, name: str, match: Match) -> None:
        """Have played what is due in a match; forget the orders of one that is over."""
        given = self._given.get(name, {})
        acting = {match.holders[seat].player for seat in match.to_act}
        called = [(player, match.seq, news) for player, news in given.items() if player in acting]
        self._waiting.put(name, called)
        if match.over and given:
            for player in given:
                converse(orders.settle(name, match, player), self._wire.ask)
            self._wire.ask(orders.done(name, given))
            del self._given[name]

    def late(self) -> list[str]:
        """The matches in which what may be due should be looked at again."""
        return self._waiting.late()


def caller(queue: Queue) -> Calls:
    """Calls by rq. False: the jobs' server is away."""

    def call(name: str, player: str, seq: int, news: str, tries: int) -> bool:
        id = f"order-{name}-{player}-{seq}-{news}-{tries}"
        return enqueued(queue, "workers.orders.play", (name, player), id)

    return call


def play(name: str, player: str) -> None:
    """Play what this player has ordered in a match, if it is due."""
    assert jobs.bench is not None, "no ledger to play on"
    try:
        converse(orders.play(name, player), jobs.bench.wire.ask)
    except Lost as lost:
        log.warning("no order played in %s: %s", name, lost)  # react calls again
