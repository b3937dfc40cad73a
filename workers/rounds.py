"""The rounds of a react: hear what was folded, do what is due, walk a part of what is live.

It makes them alone, or one shard of several at a time (`workers/shards.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from services import ledger
from services.ledger import Ask, Heard

if TYPE_CHECKING:
    from workers.react import Reactor

BATCH = 128  # lines taken at once
WAIT = 250  # ms that a read waits for a line
DONE = object()


class Chore:
    """Something to do every so many seconds, for the first time at once."""

    def __init__(self, seconds: float, do: Callable[[], object]) -> None:
        self._seconds, self._do, self._next = seconds, do, 0.0

    def __call__(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._seconds
            self._do()


class Rounds:
    """What a react does again and again for its shard: hear what was folded, chores, a walk."""

    def __init__(self, reactor: Reactor, *others: Chore) -> None:
        self.reactor, self.wire, self._others = reactor, reactor.wire, others
        self._chores: list[Chore] = []
        self._walk: Iterator[None] = iter(())
        self._walking = True
        self._asked: Ask[Heard] | None = None
        self.idle = True  # whenever others look

    def start(self) -> None:
        self.reactor.begin()
        reactor = self.reactor
        self._chores = [
            *self._others,
            Chore(600, self._begin_walk),
            Chore(1, self._watch_clocks),
            Chore(1, reactor.hear_of_vacations),
            Chore(1, reactor.hear_of_orders),
            Chore(1, reactor.again),
            Chore(10, reactor.trim),
            Chore(60, reactor.tidy),
        ]

    def asks(self) -> Ask[Heard]:
        wait = None if self._walking else WAIT
        return ledger.reacts(self.reactor.shard, self.reactor.name, BATCH, wait)

    def take(self, heard: Heard) -> None:
        """See to it, and to whatever else is due."""
        self.reactor.react(heard)
        for chore in self._chores:
            chore()
        self._walking = next(self._walk, DONE) is not DONE

    # As one of several

    def begin(self) -> None:
        self.start()
        self._ask()

    def turn(self) -> None:
        assert self._asked is not None
        self.take(self.wire.receive(self._asked))
        self._ask()

    def _ask(self) -> None:
        self._asked = self.asks()
        self.wire.send(self._asked)

    def _begin_walk(self) -> None:
        self._walk = self.reactor.walk()

    def _watch_clocks(self) -> None:
        if self.reactor.uptime.look():
            self._begin_walk()
        self.reactor.expire()
