"""A react beside a fake server, and what it has done."""

from __future__ import annotations

from engine import entries as e
from services import door, ledger, ratings, uptime
from services.ledger import Taken
from tests.chaos.fake_server import FakeWire, Server
from tests.engine.logs import joined, offered
from workers.orders import Orders
from workers.ratings import Results
from workers.react import Reactor
from workers.robots import Robots

M, N = "0-" + "m" * 16, "0-" + "n" * 16


class Hall:
    def __init__(self, server: Server, wire: FakeWire) -> None:
        self.server, self.wire, self.clock = server, wire, server.clock
        self.calls: list[tuple[str, int, int, int]] = []
        self.ordered: list[tuple[str, str, int, str, int]] = []
        self.answers = True  # does the jobs' server?
        self.reactor = self.react("sound")

    def react(self, name: str) -> Reactor:
        seconds = lambda: self.clock.ns / 1e9  # noqa: E731
        robots, results = Robots(self._call, seconds), Results(self.wire, self._count)
        orders = Orders(self.wire, 0, self._order, seconds)
        reactor = Reactor(self.wire, 0, name, robots, results, orders, self.server.sleep)
        reactor.begin()
        return reactor

    def _call(self, *call) -> bool:
        self.calls.append(call)
        return self.answers

    def _order(self, *call) -> bool:
        self.ordered.append(call)
        return self.answers

    def _count(self, game: str, id: str) -> None:
        while self.server.talk(ratings.count(game, self.server.ask(ledger.clock(0)))):
            pass

    def write(self, name: str, *entries: e.Entry) -> None:
        """These entries, a second after each other, folded."""
        for entry in entries:
            self.sleep(1)
            seen, at = self.server.ask(ledger.ends(name))
            taken = self.server.ask(ledger.append(name, seen, at, e.encode(entry)))
            assert isinstance(taken, Taken), taken
            self.server.work()

    def match(self, name: str):
        return self.server.talk(door.newest(name))

    def entry(self, name: str) -> e.Entry:
        """The last entry of the log."""
        return e.decode(self.server.ask(ledger.log(name))[-1].line.raw)

    def hear(self, reactor: Reactor | None = None) -> None:
        """Whatever is new."""
        reactor = reactor or self.reactor
        while lines := self.wire.ask(ledger.reacts(0, reactor.name, 100, None)):
            reactor.react(lines)
        self.server.work()

    def sleep(self, seconds: float) -> None:
        """Time goes by, and an api is there."""
        while seconds > 0:
            self.clock.sleep(min(seconds, 2))
            self.server.ask(uptime.sign(0))
            seconds -= 2

    def away(self, seconds: float) -> int:
        """Time goes by, and nobody is there; since when."""
        self.server.ask(uptime.sign(0))
        since = self.clock.ms
        self.clock.sleep(seconds)
        self.server.ask(uptime.sign(0))
        return since

    def tick(self, seconds: float = 0) -> None:
        """What a react does once a second."""
        self.sleep(seconds)
        if self.reactor.uptime.look():
            self.walk()
        self.reactor.expire()
        self.reactor.hear_of_orders()
        self.server.work()
        self.hear()
        self.reactor.again()

    def walk(self, reactor: Reactor | None = None) -> None:
        for _ in (reactor or self.reactor).walk():
            pass

    def listed(self, index: str) -> list[str]:
        return [name for name, _ in self.server.ask(ledger.listed(index, 100))]


def table(*seats, n: int = 2, **how) -> list[e.Entry]:
    """An offer, and players for its open chairs."""
    seats = seats or (None,) * n
    chairs = [chair for chair, robot in enumerate(seats) if robot is None]
    return [offered(*seats, **how), *map(joined, chairs)]
