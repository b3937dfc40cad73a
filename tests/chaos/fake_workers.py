"""Workers of a fake week: they fold and react until they die, and others take their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING

from services import ledger
from services.ledger import Ask
from tests.chaos.fake_server import Died
from workers.fold import BATCH, IDLE, Folder
from workers.orders import Orders
from workers.ratings import Results
from workers.react import Reactor
from workers.robots import Robots
from workers.rounds import DONE, Chore
from workers.tournaments import Tournaments

if TYPE_CHECKING:
    from tests.chaos.fake_week import Week


class Worker:
    """A fold worker, and whoever takes its place."""

    def __init__(self, week: Week, name: str) -> None:
        self.week, self.name, self._lives, self._busy = week, name, count(), False
        self._begin()

    def work(self) -> None:
        self._alive(lambda: self._wire.ask(ledger.todo(0, self._folder.name, BATCH, None)))

    def take_over(self) -> None:
        self._alive(lambda: self._folder.again())

    def _alive(self, read: Callable[[], list]) -> None:
        if self._busy:
            return
        self._busy = True
        try:
            while lines := read():
                self._fold(lines)
        except Died:
            self.week.counts["workers died"] += 1
            late = IDLE / 1000 + 1
            self.week.stood.append((self.week.now, self.week.now + int(late * 1000)))
            self.week.nudge(late)
            self._begin()
        finally:
            self._busy = False

    def _fold(self, lines: list) -> None:
        while lines:
            done = list(self._folder.folded(lines))
            lines = self._folder.committed(done, self._wire.ask(ledger.commit(0, done)))

    def _begin(self) -> None:
        self._wire = self.week.wire()
        self._folder = Folder(self._wire, 0, f"{self.name}-{next(self._lives)}")


class React:
    """A react, and whoever takes its place some time after."""

    def __init__(self, week: Week, name: str) -> None:
        self.week, self.name, self._lives, self._busy = week, name, count(), False
        self.reactor: Reactor | None = None
        self._walk: Iterator[None] = iter(())
        week.after(0, self.begin)

    def begin(self) -> None:
        week = self.week
        wire, name = week.wire(), f"{self.name}-{next(self._lives)}"
        seconds = lambda: week.server.clock.ns / 1e9  # noqa: E731
        calls, results = Robots(week.call_robot, seconds), Results(wire, week.call_count)
        ordered = Orders(wire, 0, week.call_order, seconds)
        self.reactor = Reactor(wire, 0, name, calls, results, ordered, week.sleep)
        self._chores = [
            Chore(1200, self.reactor.results.due),  # seldom: it asks much, of every game
            Chore(120, Tournaments(wire, week.call_contest).due),
            Chore(12 * 3600, self._begin_walk),  # seldom: what is missed stays so for longer
            Chore(0, self._watch_clocks),
            Chore(0, self.reactor.hear_of_vacations),
            Chore(0, self.reactor.hear_of_orders),
            Chore(0, self.reactor.again),
            Chore(3600, self.reactor.trim),
        ]
        week.count_alive()
        self._alive(self.reactor.begin)
        self.look()

    def look(self) -> None:
        if self.reactor is not None:
            self._alive(self._look)

    def _look(self) -> None:
        """As the worker's loop does: it sees to clocks before it walks, and between two parts."""
        walking = True
        while walking:
            for chore in self._chores:
                chore()
            self.week.work()
            while lines := self._ask(ledger.reacts(0, self.reactor.name, 100, None)):
                self.reactor.react(lines)
                self.week.work()
            walking = next(self._walk, DONE) is not DONE

    def _ask(self, what: Ask) -> object:
        return self.reactor.wire.ask(what)

    def _begin_walk(self) -> None:
        self._walk = self.reactor.walk()

    def _watch_clocks(self) -> None:
        if self.reactor.uptime.look():
            self._begin_walk()
        self.reactor.expire()

    def _alive(self, do: Callable[[], object]) -> None:
        if self._busy:
            return
        self._busy, since = True, self.week.now
        try:
            do()
        except Died:
            self._die()
        finally:
            self._busy = False
            if self.week.now > since:  # others came first, for seconds: a real one takes none
                self.week.stood.append((since, self.week.now))

    def _die(self) -> None:
        week = self.week
        week.counts["reacts died"] += 1
        self.reactor = None
        week.count_alive()
        week.after(week.chance.choice((1, 2, 5, 600, 3600)), self.begin)
        week.nudge(4, 8)
