"""Downtime is never charged to a clock: signs of life of the apis, and what react makes of them."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import count

import pytest

from engine import entries as e
from engine.fold import replay
from engine.match import Accepted
from services import ledger, uptime
from tests.chaos.fake_server import Died, FakeWire
from tests.engine.logs import offered, played
from tests.workers.hall import Hall, M, N, table
from workers import react

CLOCK, P = {"clock": e.PerMove(60)}, "0-" + "p" * 16
HOUR = 3600


def downs(hall: Hall) -> list[tuple[int, int]]:
    """Since when and for how long nobody was there, in ms."""
    return [(down.since, down.until - down.since) for down in hall.server.ask(uptime.downtimes(0))]


def stops(hall: Hall, name: str) -> list[e.Stopped]:
    """Those in the log of a match, all of which are accepted."""
    steps = replay(one.line for one in hall.server.ask(ledger.log(name)))
    assert all(isinstance(verdict, Accepted) for _, verdict in steps)
    entries = (e.decode(one.line.raw) for one in hall.server.ask(ledger.log(name)))
    return [entry for entry in entries if isinstance(entry, e.Stopped)]


# Signs of life


def test_between_two_signs_far_apart_it_was_down(hall):
    hall.sleep(10)
    since = hall.clock.ms
    hall.clock.sleep(uptime.BREAK / 1000)
    hall.server.ask(uptime.sign(0))
    assert downs(hall) == []
    hall.clock.sleep(uptime.BREAK / 1000 + 0.001)
    hall.server.ask(uptime.sign(0))
    assert downs(hall) == [(since + uptime.BREAK, uptime.BREAK + 1)]
    assert hall.server.ask(uptime.last_sign(0)) == hall.clock.ms


def test_of_several_apis_one_is_enough(hall):
    """Their signs are the same: they alternate here, each so seldom that alone it would be down."""
    for _ in range(10):
        hall.clock.sleep(uptime.BREAK / 1000)
        hall.server.ask(uptime.sign(0))
    assert downs(hall) == []


def test_a_clock_that_is_set_back_is_no_downtime(hall):
    hall.sleep(10)
    hall.clock.sleep(-HOUR)
    hall.sleep(10)
    assert downs(hall) == []
    assert hall.server.ask(uptime.last_sign(0)) == hall.clock.ms


def test_so_many_downtimes_are_remembered(hall, monkeypatch):
    monkeypatch.setattr(uptime, "MOST", 3)
    sinces = [hall.away(10) for _ in range(5)]
    assert [since for since, _ in downs(hall)] == sinces[2:]


# What follows from them


def test_a_deadline_within_downtime_is_met_by_who_moves_afterwards(hall):
    hall.write(M, *table(**CLOCK))
    deadline = hall.match(M).deadline(0)
    since = hall.away(HOUR)
    hall.tick()
    assert hall.match(M).deadline(0) == deadline + HOUR * 1000
    assert stops(hall, M) == [e.Stopped(since, since + HOUR * 1000, "downtime")]
    hall.tick(55)
    hall.write(M, played(0, "keep"))
    assert hall.match(M).to_act == (1,)


def test_afterwards_the_clock_goes_on_and_rings(hall):
    hall.write(M, *table(**CLOCK))
    hall.sleep(20)
    hall.away(HOUR)
    hall.tick(40)
    hall.tick(1)
    assert isinstance(hall.entry(M), e.Stopped)
    hall.tick(1)
    assert hall.entry(M) == e.Expired(0)


@pytest.mark.parametrize("age", [0, 61])
def test_while_nobody_is_there_nobody_is_late(hall, age):
    """Not even who was due at the last sign of life, but had two seconds still."""
    hall.write(M, *table(**CLOCK))
    hall.sleep(age)
    for _ in range(10):
        hall.clock.sleep(10)
        hall.reactor.uptime.look()
        hall.reactor.expire()
        hall.server.work()
    assert hall.match(M).seq == 3


def test_where_no_api_ever_was_nobody_is_late(hall):
    hall.write(M, *table(**CLOCK))
    hall.server.run("DEL", "{0}:alive")
    hall.clock.sleep(100)
    hall.reactor.uptime.look()
    hall.reactor.expire()
    hall.server.work()
    assert hall.match(M).seq == 3


def test_that_react_was_dead_is_no_downtime(hall):
    hall.write(M, *table(**CLOCK))
    hall.sleep(300)
    hall.reactor = hall.react("another")
    hall.tick()
    assert hall.entry(M) == e.Expired(0)
    assert stops(hall, M) == []


def test_a_short_downtime_is_told_to_who_would_be_late(hall):
    """For others five seconds are no matter, until they are."""
    hall.write(M, *table(clock=e.PerMove(60)))
    hall.write(N, *table(clock=e.PerMove(120)))
    hall.sleep(47)
    since = hall.away(5)
    hall.tick(2)
    assert (len(stops(hall, M)), len(stops(hall, N))) == (0, 0)
    hall.tick(5)
    assert stops(hall, M) == [e.Stopped(since, since + 5000, "downtime")]
    hall.tick(60)
    assert hall.entry(M) == e.Expired(0)
    assert hall.match(N).seq == 3
    hall.tick(3)
    assert stops(hall, N) == stops(hall, M)


def test_who_is_late_although_it_was_down_is_out_as_soon_as_that_was_said(hall):
    hall.write(M, *table(**CLOCK))
    hall.sleep(50)
    hall.away(5)
    hall.sleep(15)
    hall.tick()
    assert isinstance(hall.entry(M), e.Stopped)
    hall.tick(1)
    assert hall.entry(M) == e.Expired(0)


def test_a_long_one_at_once_to_all_whose_clock_was_running(hall):
    hall.write(M, *table(**CLOCK))
    hall.write(N, *table())
    hall.write(P, offered(fill=7200))
    lapses = hall.match(P).lapses
    since = hall.away(HOUR)
    hall.tick()
    [stop] = stops(hall, M)
    assert (stop.since, stops(hall, N), stops(hall, P)) == (since, [], [stop])
    assert hall.match(P).lapses == lapses + HOUR * 1000


def test_an_offer_does_not_lapse_while_nobody_could_join(hall):
    hall.write(M, offered(fill=60))
    hall.away(HOUR)
    hall.tick(30)
    assert len(stops(hall, M)) == 1
    hall.tick(35)
    assert hall.entry(M) == e.Aborted("unfilled")


def test_downtimes_that_no_react_saw_are_found_by_the_next(hall):
    hall.write(M, *table(clock=e.PerMove(600)))
    deadline = hall.match(M).deadline(0)
    for _ in range(3):
        hall.away(100)
        hall.sleep(20)
    hall.reactor = hall.react("another")
    hall.tick()
    assert len(stops(hall, M)) == 3
    assert hall.match(M).deadline(0) == deadline + 300_000
    hall.tick(1)
    assert len(stops(hall, M)) == 3


def test_a_match_that_takes_no_entry_is_told_when_it_does_and_nobody_is_out_before(hall):
    """It is folded as soon as react has given up to tell it."""
    hall.write(M, *table(**CLOCK))
    since = hall.away(HOUR)
    seen, at = hall.server.ask(ledger.ends(M))
    hall.server.ask(ledger.append(M, seen, at, e.encode(e.Invited(0, "a" * 16))))
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) > react.PAUSES:
            hall.server.work()

    hall.reactor.sleep = sleep
    hall.reactor.uptime.look()
    hall.reactor.expire()
    assert len(slept) == react.PAUSES
    assert isinstance(hall.entry(M), e.Invited)
    hall.server.work()
    hall.tick(6)
    assert stops(hall, M) == [e.Stopped(since, since + HOUR * 1000, "downtime")]


def test_a_clock_set_back_by_a_restore_elsewhere_makes_no_nonsense(hall):
    """The log is ahead of the new server's time: nothing is written that would be refused."""
    hall.write(M, *table(**CLOCK))
    hall.away(HOUR)
    hall.clock.sleep(-2 * HOUR)
    for _ in range(3):
        hall.tick(5)
    assert stops(hall, M) == []
    hall.away(3 * HOUR)
    hall.tick(1)
    assert len(stops(hall, M)) == 2
    assert hall.match(M).status == "running"


# Whoever dies, and however many

STEP = 7  # asks: at every so many of them


def tables(hall: Hall) -> list[str]:
    for name in (M, N):
        hall.write(name, *table(**CLOCK))
    hall.away(HOUR)
    return [M, N]


def see_to_all(hall: Hall, wire: FakeWire, name: str) -> None:
    """All that a react does when it begins."""
    hall.wire, before = wire, hall.wire
    reactor = hall.react(name)
    hall.wire = before
    reactor.sleep = hall.server.sleep
    reactor.uptime.look()
    hall.walk(reactor)
    reactor.expire()


def counted(hall: Hall, names: list[str]) -> bool:
    """Each was told once, and nobody is out."""
    hall.server.work()
    return all(len(stops(hall, name)) == 1 and hall.match(name).seq == 4 for name in names)


class At:
    """A pause that does something when it comes for the n-th time."""

    def __init__(self, n: int, do) -> None:
        self.left, self.do = n, do

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.do()


def die() -> None:
    raise Died


def test_wherever_a_react_dies_the_next_one_goes_on(server):
    for n in count(STEP, STEP):
        hall, pause = fresh(server), At(n, die)
        names = tables(hall)
        with suppress(Died):
            see_to_all(hall, FakeWire(server.store, pause), "dies")
        server.work()
        see_to_all(hall, FakeWire(server.store), "next")
        assert counted(hall, names), n
        if pause.left > 0:
            break
    assert n > 50


def test_two_reacts_at_once_count_it_once(server):
    for n in count(STEP, STEP):
        hall = fresh(server)
        pause = At(n, partial(see_to_all, hall, FakeWire(server.store), "two"))
        names = tables(hall)
        see_to_all(hall, FakeWire(server.store, pause), "one")
        assert counted(hall, names), n
        if pause.left > 0:
            break
    assert n > 50


def fresh(server) -> Hall:
    """An empty house, on the same server."""
    server.run("FLUSHALL")
    server.folder.begin()
    server.folder.book.clear()
    return Hall(server, FakeWire(server.store))
