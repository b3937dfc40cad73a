"""A week that a fake clock jumps through: an agenda, and processes that die and are replaced.

Between two events time goes by at once, as if apis gave a sign of life each second and reacts
looked each second, in vain. Whenever a command is on its way its process may die, and what comes
next on the agenda may happen first.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import contextmanager
from functools import partial
from heapq import heappop, heappush
from itertools import count
from random import Random

from engine import robots, search
from engine.catalogue import GAMES
from services import ledger, ratings, uptime
from services.wire import Talk, converse
from tests.chaos.fake_api import Api, answered
from tests.chaos.fake_post import Post
from tests.chaos.fake_server import Died, FakeWire, Server
from tests.chaos.fake_workers import React, Worker
from workers import fold, jobs, orders, tournaments
from workers import robots as calls

SECOND, HOUR = 1000, 3_600_000  # ms
RISK = 0.0005  # of death, at each pause
MEET = 0.01  # that at a pause somebody else comes first
BRIEFLY = 4  # pauses for a fold, before who waits gives up and comes again
STUBBORN = 300  # looks in a row for one match whose time is up
Stretch = tuple[int, int]


class Week:
    """The house and all that is to happen in it."""

    def __init__(self, seed: int, monkeypatch) -> None:
        self.chance, self.server, self.counts = Random(seed), Server(monkeypatch), Counter()
        monkeypatch.setattr(time, "sleep", self.sleep)
        monkeypatch.setattr(os, "urandom", self.chance.randbytes)
        monkeypatch.setattr(fold.Folder, "_survives", lambda folder, todo: True)
        monkeypatch.setattr(random, "_urandom", self.chance.randbytes)  # what `secrets` draws
        monkeypatch.setattr(robots, "MANY", 60)  # greed weighs fewer moves
        monkeypatch.setattr(search, "LISTED", 20)
        monkeypatch.setattr(robots, "search", partial(search.search, nodes=100))
        monkeypatch.setattr(jobs, "bench", None)
        monkeypatch.setattr(calls, "SELDOM", 3000)  # most such calls are in vain
        self.monkeypatch = monkeypatch
        self.agenda: list[tuple[int, int, Callable[[], object]]] = []
        self.up, self.calm, self.met = True, False, False
        self.stood: list[Stretch] = []  # when no deadline could be met in time
        self._order, self._look_at, self._stubborn = count(), 0.0, 0
        self._looks: set[float] = set()  # planned: one each time is enough
        self._last = b""  # line for reacts
        self._alone: int | None = None  # since when no react lives
        self._wires: list[FakeWire] = []
        self._jobs: set[tuple] = set()
        self.post = Post(self, monkeypatch)
        self.workers = [Worker(self, name) for name in ("one", "two")]
        self.reacts = [React(self, name) for name in ("left", "right")]

    @property
    def now(self) -> int:
        return self.server.clock.ms

    # The agenda

    def after(self, seconds: float, do: Callable[[], object]) -> None:
        self.at(self.now + int(seconds * SECOND), do)

    def at(self, ms: int, do: Callable[[], object]) -> None:
        """`do` gives True if it has nothing new for reacts but what is in their stream."""
        heappush(self.agenda, (ms, next(self._order), do))

    def run(self, until: int) -> None:
        """All that happens by then."""
        while self.agenda and self.agenda[0][0] <= until:
            self._next()
        self._go(until)

    def _next(self) -> None:
        at, _, do = heappop(self.agenda)
        self._go(at)
        quiet = do()
        self.work()
        self._plan_look(do != self.look and not (quiet and self._as_before()))
        self.post.plan()

    def _go(self, at: int) -> None:
        self.server.clock.ns = max(self.server.clock.ns, at * 1_000_000)
        if self.up:
            self.server.run("SET", "{0}:alive", self.now)

    def _plan_look(self, news: bool) -> None:
        """Reacts look each second: here, once after whatever happened, and while a time is up."""
        lowest = self.server.run("ZRANGE", "{0}:live", 0, 0, "WITHSCORES")
        seen = self.up and self._alone is None
        due = float(lowest[1]) if lowest and seen else float("inf")
        self._stubborn = self._stubborn + 1 if due <= self.now else 0
        assert self._stubborn < STUBBORN, f"{lowest} is due for ever"
        soon = self.now + SECOND
        at = soon if news else max(due, soon)
        if at < self._look_at or self._look_at <= self.now:
            self._look_at = at
            if at < float("inf") and at not in self._looks:
                self._looks.add(at)
                self.at(int(at), self.look)

    def _as_before(self) -> bool:
        """Is nothing in the stream of reacts that was not there when last asked?"""
        before, self._last = self._last, self.server.ask(ledger.last_heard(0))
        return before == self._last

    def look(self) -> None:
        """One react that lives at the least; all while a time is up."""
        alive = [react for react in self.reacts if react.reactor]
        many = 2 if self._stubborn else self.chance.choice((1, 1, 2))
        for react in self.chance.sample(alive, min(many, len(alive))):
            react.look()

    # Processes

    def wire(self, risk: float = RISK) -> FakeWire:
        return FakeWire(self.server.store, lambda: self.pause(risk))

    def pause(self, risk: float) -> None:
        if self.calm:
            return
        if self.chance.random() < risk:
            raise Died
        if not self.met and self.agenda and self.chance.random() < MEET:
            self._meet()

    def _meet(self) -> None:
        """Somebody else comes first, if that is within seconds."""
        if self.agenda[0][0] <= self.now + 2 * SECOND:
            self.met = True
            self.counts["met"] += 1
            try:
                self._next()
            finally:
                self.met = False

    @contextmanager
    def process(self):
        """A wire of an api, or of a worker for jobs; one that dies takes its wire along."""
        wire = self._wires.pop() if self._wires else self.wire(10 * RISK)
        yield wire
        self._wires.append(wire)

    def say(self, talk: Talk) -> object:
        """An api's answer; None if it died, or is not there, or the match takes no entry now."""
        return self._served(lambda ask, sleep: converse(talk, ask, sleep))

    def request(self, what: Callable[[Api], Coroutine]) -> object:
        """Likewise of what takes several talks, or a Problem."""
        return self._served(lambda ask, sleep: answered(what(Api(ask, sleep))))

    def _served(self, do: Callable) -> object:
        if not self.up:
            return None
        left = iter(range(BRIEFLY))

        def briefly(seconds: float) -> None:
            if next(left, None) is None:
                raise TimeoutError
            self.sleep(seconds)

        try:
            with self.process() as wire:
                return do(wire.ask, briefly)
        except TimeoutError:
            self.counts["waited in vain"] += 1
        except Died:
            self.counts["apis died"] += 1
        return None

    def sleep(self, seconds: float) -> None:
        """While somebody waits, workers work."""
        self.server.clock.sleep(seconds)
        self.work()

    def work(self) -> None:
        self.chance.choice(self.workers).work()

    def nudge(self, *seconds: float) -> None:
        """What a dead process left is found when others look."""
        for one in seconds:
            self.after(one, self.tidy)

    def tidy(self) -> None:
        for worker in self.workers:
            worker.take_over()
        self.look()

    def down(self, seconds: float) -> None:
        """No api is there for so long."""
        self.up = False
        self.counts["downtimes"] += 1
        self.stood.append((self.now, self.now + int(seconds * SECOND)))
        self.after(seconds, self._up_again)

    def _up_again(self) -> None:
        self.server.ask(uptime.sign(0))
        self.up = True

    def count_alive(self) -> None:
        """Is there still, or again, a react?"""
        if any(react.reactor for react in self.reacts):
            if self._alone is not None:
                self.stood.append((self._alone, self.now))
            self._alone = None
        elif self._alone is None:
            self._alone = self.now

    # Jobs

    def call_robot(self, *call) -> bool:
        return self._job(call, partial(jobs.move, *call[:3]), self.chance.choice((0.1, 5, 60)))

    def call_order(self, *call) -> bool:
        do = partial(orders.play, *call[:2])
        return self._job(("order", *call), do, self.chance.choice((0.1, 5)))

    def call_contest(self, tournament: str, id: str) -> bool:
        return self._job((id,), partial(tournaments.advance, tournament), 0.2)

    def call_count(self, game: str, id: str) -> None:
        self._job((game, id), partial(self._count, game), 0.2)

    def count_all(self) -> None:
        """What jobs would count before long."""
        for game in GAMES:
            self._done(partial(self._count, game))

    def _count(self, game: str) -> None:
        ask = jobs.bench.wire.ask
        while converse(ratings.count(game, ask(ledger.clock(0))), ask):
            pass

    def _job(self, id: tuple, do: Callable[[], None], seconds: float) -> bool:
        """Once for each id, as rq has it; a worker that dies takes the job along."""
        if self.chance.random() < RISK * 20 and not self.calm:
            return False  # the jobs' server is away
        if id not in self._jobs:
            self._jobs.add(id)
            self.after(seconds, lambda: self._done(do))
        return True

    def _done(self, do: Callable[[], None]) -> bool:
        bench = jobs.bench
        try:
            with self.process() as wire:
                self.monkeypatch.setattr(jobs, "bench", jobs.Bench(wire))
                do()
        except Died:
            self.counts["jobs died"] += 1
            self.nudge(6, 20, 61)
        finally:
            self.monkeypatch.setattr(jobs, "bench", bench)
        return True
