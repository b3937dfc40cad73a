"""All of it in one process under one seed: a server, apis, workers, people, and what goes wrong."""

from __future__ import annotations

import asyncio
import logging
import os
import random
from collections import Counter, deque
from collections.abc import Callable
from contextlib import contextmanager, suppress
from functools import cache
from random import Random
from typing import Any

import pytest

from engine.catalogue import GAMES
from services import api, door, front, roll, wire
from services.limits import Limits
from services.settings import USUAL
from services.wire import Lost
from tests.chaos.simulation.judge import Judge
from tests.chaos.simulation.loop import PROCESS, Clock, Loop
from tests.chaos.simulation.network import Server
from tests.chaos.simulation.people import Feed, Player
from tests.chaos.simulation.processes import URL, Api, Blocking, Process, Shared, Worker
from tests.chaos.simulation.requests import Reply
from tests.chaos.simulation.trace import Trace
from tests.engine.logs import player
from workers import calls, fold, jobs, ratings, react, rounds

SECOND = 1_000_000_000  # ns
LONGEST = 900.0  # seconds of made-up time by which all is over
SETTLED = 30.0  # seconds after its end by which nobody has anything to do any more
SMALL, LARGE = "high-card", ("captain-flip", "qwirkle")  # none that may go on for ever
LIMITS = Limits(requests=0, feeds=0, offers=0, seats=0)


class Faults:
    """How likely what goes wrong."""

    def __init__(self, chance: Random) -> None:
        self.on = True
        self.risk = chance.choice((0.0, 0.003, 0.01, 0.03))
        self.slow = chance.choice((0.0, 0.01, 0.05))
        self.doubled = chance.choice((0.0, 0.1, 0.3))
        self.cuts = chance.choice((0.02, 0.1, 0.5))  # of a feed, a second
        self.crashes = chance.choice((0.05, 0.2, 0.5))  # of anything, a second
        self.counts: Counter[str] = Counter()

    def delay(self, chance: Random) -> float:
        """Seconds for one way."""
        if self.on and chance.random() < self.slow:
            self.counts["slow"] += 1
            return chance.uniform(0.01, 2.0)
        return chance.uniform(0.0001, 0.003)

    def breaks(self, chance: Random) -> str:
        """Does a connection break, before or after the other side has got what was sent?"""
        if not self.on or chance.random() >= self.risk:
            return ""
        when = chance.choice(("before", "after"))
        self.counts[f"broke {when}"] += 1
        return when

    def twice(self, chance: Random) -> bool:
        return self.on and chance.random() < self.doubled


class World:
    """One seed."""

    def __init__(
        self, seed: int, patch: pytest.MonkeyPatch, tell: Callable[[str], object] | None = None
    ) -> None:
        self.seed, self.trace = seed, Trace(tell)
        chance = self.chance("world")
        self.clock, self.faults = Clock(patch), Faults(self.chance("faults"))
        self.loop = Loop(self.clock, lambda make: self.server.connect(make))
        self.loop.set_exception_handler(self._uncaught)
        self.errors: list[Any] = []
        self.counts: Counter[str] = Counter()
        self.clients = Process(self, "clients")
        PROCESS.set(self.clients)
        self.limits, self.app, self.jobs = LIMITS, app(), deque[Any]()
        self._patch(patch)
        self.server, self.judge, self.match = Server(self), Judge(self), ""
        self._lives: Counter[str] = Counter()
        self.apis: dict[str, Api] = {}
        self.workers: dict[str, Worker] = {}
        self.feeds: list[Feed] = []
        self.offer, self.late = self._offer(chance), 0
        self.small = self.offer["game"] == SMALL
        self.sleepy = chance.choice((0.0, 0.2)) if self.small else 0.01

    def chance(self, name: str) -> Random:
        """What is drawn for one of many depends on no other."""
        return Random(f"{self.seed} {name}")

    def say(self, who: str, what: str, more: Any = "") -> None:
        self.trace.say(self.loop.time(), who, what, more)

    def fail(self, error: Any) -> None:
        self.errors.append(error)
        self.loop.stop()

    def _uncaught(self, loop: Any, about: dict[str, Any]) -> None:
        if "exception" in about:  # else a task of a dead process was thrown away
            self.fail(about["exception"])

    def sound(self, reply: Reply) -> Reply:
        assert reply.status != 500, f"a bug: {reply}"
        return reply

    def _patch(self, patch: pytest.MonkeyPatch) -> None:
        drawn = self.chance("urandom").randbytes
        patch.setattr(os, "urandom", drawn)
        patch.setattr(random, "_urandom", drawn)
        patch.setattr(os, "getpid", lambda: 1)
        patch.setattr(front, "monotonic", lambda: self.clock.ns / 1e9)
        patch.setattr("time.sleep", lambda seconds: PROCESS.get().sleep(seconds))
        patch.setattr(wire, "Redis", Blocking)
        patch.setattr(calls, "queue", lambda url, name: Queue(self))
        patch.setattr(fold.Watch, "begin", lambda watch: None)
        patch.setattr(fold.Folder, "_survives", lambda folder, todo: True)
        patch.setattr(rounds, "WAIT", 4000)  # fewer looks in vain
        patch.setattr(api, "gc", Uncollected())
        patch.setattr(door, "COMMITS", self.seed % 4 > 0)
        patch.setattr(jobs, "bench", None)
        patch.setattr(ratings, "GAMES", {})  # nothing is rated here

    def _offer(self, chance: Random) -> dict[str, Any]:
        game = chance.choice(LARGE) if self.seed % 50 == 24 else SMALL
        policy: dict[str, Any] = {"leave": chance.choice(("end", "random"))}
        if chance.random() < 0.3:
            policy["clock"] = {"type": "move", "seconds": 60}
            policy |= chance.choice(({}, {"expiry": "default"}, {"expiry": "greedy"}))
        if chance.random() < 0.2:
            policy["late"] = {"type": "entries", "n": chance.randint(1, 3)}
        seats: list[str | None] = [None, None]
        if chance.random() < 0.2:
            seats[1:] = chance.choice((["random"], [None, "random"]))
        elif chance.random() < 0.2:
            seats.append(None)
        allowed = GAMES[game].seats(GAMES[game].Options())
        return {"game": game, "seats": seats[: max(allowed)], "policy": policy}

    # Processes

    def an_api(self, chance: Random) -> Api:
        """Whichever the client reaches, dead or alive."""
        return self.apis[chance.choice(("left", "right"))]

    def enter(self, name: str) -> None:
        """A process, or whoever takes its place."""
        self._lives[name] += 1
        life = f"{name}-{self._lives[name]}"
        self.say(life, "begins")
        if name in ("left", "right"):
            self.apis[name] = Api(self, life)
        else:
            self.workers[name] = Worker(self, life, WORK[name](self))

    async def trouble(self) -> None:
        """Processes that die and come back, a server that is away, clocks that jump."""
        chance = self.chance("trouble")
        until = chance.uniform(3, 40)
        while self.loop.time() < until:
            await asyncio.sleep(chance.expovariate(self.faults.crashes))
            await self._goes_wrong(chance)
        self.say("world", "is calm")
        self.faults.on, self.faults.cuts = False, 0.01

    async def _goes_wrong(self, chance: Random) -> None:
        what = chance.choice(("api", "api", "fold", "react", "jobs", "stop", "server", "clock"))
        self.faults.counts[what] += 1
        if what in ("api", "stop"):
            await self._api_ends(chance.choice(("left", "right")), what == "stop", chance)
        elif what in self.workers:
            self.say(self.workers[what].name, "dies")
            self.workers[what].die()
            await asyncio.sleep(chance.uniform(0.0, 3.0))
            self.enter(what)
        elif what == "server":
            self.server.goes_away(chance.uniform(0.0, 3.0))
        else:
            self._jump(chance)

    async def _api_ends(self, name: str, gently: bool, chance: Random) -> None:
        one = self.apis[name]
        if gently:
            one.stop()
            await asyncio.sleep(0.5)
        self.say(one.name, "dies")
        one.die()
        await asyncio.sleep(chance.uniform(0.0, 3.0))
        self.enter(name)

    def _jump(self, chance: Random) -> None:
        """The server's time never goes back: entries would keep the time of the one before."""
        if chance.random() < 0.2:
            self.server.process.ahead += int(chance.uniform(0.5, 8) * SECOND)
        else:
            one = self.apis[chance.choice(("left", "right"))]
            one.ahead = int(chance.uniform(-5, 5) * SECOND)

    # The story

    def run(self) -> None:
        try:
            story = self.clients.spawn(self._story())
            story.add_done_callback(lambda _: self.loop.stop())
            self.loop.run_forever()
            if self.errors:
                error = self.errors[0]
                raise error if isinstance(error, BaseException) else AssertionError(error)
            story.result()
            self.judge.ends()
        finally:
            self._end()

    def _end(self) -> None:
        for one in [*self.workers.values(), *self.apis.values(), self.clients]:
            one.die()
        self.loop.call_later(0.1, self.loop.stop)
        self.loop.run_forever()
        self.loop.close()

    async def _story(self) -> None:
        for name in ("left", "right", "fold", "other fold", "react", "jobs"):
            self.enter(name)
        trouble = self.clients.spawn(self.trouble())
        people = [self._person(n) for n in range(len(self.offer["seats"]) + 1)]
        self.match = await people[0].offer(self.offer)
        late = self.offer["policy"].get("late")
        self.late = late["n"] if late else 0
        watchers = [self._watcher(n) for n in range(2)]
        self.feeds = [*watchers, *(one.feed for one in people)]
        async with asyncio.timeout(LONGEST):
            joins = [one.join() for one in people[1:]]
            plays = [one.play() for one in people]
            await asyncio.gather(*joins, *plays, *(one.follow() for one in watchers))
        trouble.cancel()
        self.faults.on = False
        await self._settle()

    async def _settle(self) -> None:
        """What dead workers left behind is taken over."""
        for name in ("left", "right"):
            if not self.apis[name].alive:
                self.enter(name)
        for name, worker in self.workers.items():
            if not worker.alive:
                self.enter(name)
        until = self.loop.time() + SETTLED
        while self.loop.time() < until and not self.judge.is_settled():
            await asyncio.sleep(0.5)

    def _person(self, n: int) -> Player:
        token, who = roll.new_token(), player(n)
        self.server.ask(roll.add_player(who, f"player {n}", door.now()))
        self.server.talk(roll.give(token, who, "first", door.now(), 0))
        return Player(self, f"player {n}", who, token)

    def _watcher(self, n: int) -> Feed:
        return Feed(self, f"watcher {n}", None, None)


class Queue:
    """Where react calls robots; whatever else it calls for is not looked at here."""

    def __init__(self, world: World) -> None:
        self._world = world

    def enqueue_call(self, work: str, args: tuple[Any, ...], **how: Any) -> None:
        if work.endswith("jobs.move"):
            self._world.jobs.append(args)


def _jobs(world: World) -> None:
    jobs.begin(URL)
    while True:
        while world.jobs:
            with suppress(Lost):  # react will call again
                jobs.move(*world.jobs.popleft()[:3])
        PROCESS.get().sleep(0.2)


WORK: dict[str, Callable[[World], Callable[[], object]]] = {
    "fold": lambda world: lambda: fold.work(URL, 0),
    "other fold": lambda world: lambda: fold.work(URL, 0),
    "react": lambda world: lambda: react.work(URL, URL, 0),
    "jobs": lambda world: lambda: _jobs(world),
}


class Uncollected:
    """Each api would collect all garbage of this process."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args: None


@cache
def app() -> Any:
    """The routes, made once: that takes longer than a seed."""
    made = api.make_app(URL).app
    made.state = Shared(USUAL)
    return made


@contextmanager
def patched():
    """A patch that is undone, and logs that say nothing."""
    logging.disable(logging.CRITICAL)
    try:
        with pytest.MonkeyPatch.context() as patch:
            yield patch
    finally:
        logging.disable(logging.NOTSET)
