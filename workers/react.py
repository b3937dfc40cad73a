"""The react worker: hears what was folded and sees to what follows from it.

Indexes of matches, jobs for robots and orders, clocks that ran out. All of it may be done twice,
and what a dead react left undone is found again by walking `live`. Blocking, no asyncio.
"""

from __future__ import annotations

import argparse
import logging
import os
import secrets
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from engine import entries as e
from engine.match import Match, No
from engine.snapshot import load
from services import archive, door, ledger, logs, roll, traces
from services.guests import invite
from services.ledger import Heard
from services.wire import BlockingWire, Lost, Refused, converse
from workers import archive as archiving
from workers import calls, jobs, orders, ratings, robots, tournaments
from workers.clocks import GRACE, LONG, Tries, Uptime, ends, vacations
from workers.ending import ending
from workers.index import Indexes
from workers.notices import Notices
from workers.orders import Orders
from workers.ratings import Results
from workers.robots import Robots
from workers.rounds import Chore, Rounds
from workers.shards import Shards
from workers.tournaments import Tournaments

GATHER = 0.01  # seconds in which more may come after lines: many cost little more than one
BATCH = 128  # lines, or matches, looked at at once
IDLE = 3000  # ms after which a line of another react is taken over
YOUNG = 60_000  # ms for which a line of `folded` is kept for the apis
PAUSES = 4  # waits for a fold, of 5 ms, before a match is tried again later
OLD = 600_000  # ms after which a consumer that holds nothing is forgotten
FOREIGN = 600_000  # ms for which a line is left to another release, should there be any
log = logging.getLogger("turnfold.react")


class Reactor:
    """Sees to the matches of one shard."""

    def __init__(
        self,
        wire: BlockingWire,
        shard: int,
        name: str,
        robots: Robots,
        results: Results,
        orders: Orders,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.wire, self.shard, self.name, self.robots = wire, shard, name, robots
        self.results, self.orders, self.sleep = results, orders, sleep
        self.indexes, self.uptime = Indexes(wire), Uptime(wire, shard)
        self.away: dict[str, e.Millis] = {}  # who is on vacation, and until when
        self.notices = Notices(wire)
        self._seen = b""  # the last line that we took
        self._foreign: set[str] = set()  # of the lines just heard, what only others can read
        self._tries = Tries()  # of those whose time is up

    def react(self, lines: Heard) -> None:
        """See to the matches that these lines speak of; then the lines are done with, but for
        those of another release: they are left to its reacts, for a while."""
        if not lines:
            return
        self._foreign.clear()
        self.see_to({name for _, name, _ in lines if name})
        left = self.wire.ask(ledger.clock(self.shard)) - FOREIGN if self._foreign else 0
        done = [id for id, name, _ in lines if name not in self._foreign or _ms(id)[0] < left]
        if done:
            self.wire.ask(ledger.reacted(self.shard, done))
        self._seen = max(self._seen, lines[-1][0], key=_ms)

    def see_to(self, names: Iterable[str]) -> None:
        """All that follows from these matches as they are now."""
        for name, match in self._newest(sorted(names)):
            begun = traces.now()
            with _apart(name):
                self.indexes.put(name, match)
                self.robots.put(name, match)
                self.results.put(name, match)
                self.orders.put(name, match)
                self.notices.put(name, match)
                if match.seq >= e.LONGEST - 1 and not match.over:
                    self._enter(name, _too_long)
                self._stop(name, self.uptime.stops(match, LONG))
                self._stop(name, vacations(match, self.away, self.uptime.until or 0))
                traces.span("react", name, match.seq, begun)

    def hear_of_vacations(self) -> None:
        """Stop the clocks of who has just gone away, in all their matches of this shard."""
        away = self.wire.ask(roll.away(self.uptime.until or 0))
        new = [player for player, until in away.items() if until != self.away.get(player)]
        self.away = away
        for player in new:
            for names in self.indexes.listed(f"player:{player}"):
                self.see_to(n for n in names if n.startswith(f"{self.shard}-"))

    def hear_of_orders(self) -> None:
        """Look at the matches in which somebody has just given an order."""
        self.see_to(self.orders.hear())

    def walk(self) -> Iterator[None]:
        """See, part by part, to every match that may have been missed: live, or indexed as such."""
        self.indexes.forget()
        cursor, begun = 0, False
        while cursor or not begun:
            cursor, names = self.wire.ask(ledger.live(self.shard, cursor, BATCH))
            begun = True
            self.see_to(names)
            yield
        for index in ("open", "running"):
            for names in self.indexes.listed(index):
                self.see_to(n for n in names if n.startswith(f"{self.shard}-"))
                yield

    def expire(self) -> None:
        """Take from the table whoever's time was up two seconds before the house last was."""
        now, past = self.uptime.until, time.monotonic()
        if now is None:
            return
        names = self.wire.ask(ledger.due(self.shard, now - GRACE, BATCH + len(self._tries)))
        late = self._tries.ripe(names, past)[:BATCH]
        self._tries.put_off(late, past)
        for name, match in self._newest(late):
            with _apart(name):
                if self._ring(name, match, now):
                    self._tries.done([name])

    def again(self) -> None:
        """Lines that other reacts left behind; robots that have not moved; ends that were late."""
        self.react(self.wire.ask(ledger.take_over_folded(self.shard, self.name, IDLE, BATCH)))
        self.see_to([*self.robots.late(), *self.orders.late(), *self.indexes.ended()])

    def trim(self) -> None:
        """Forget lines that all reacts have dealt with and the apis have had time to hear."""
        oldest = self.wire.ask(ledger.taken(self.shard, "folded", "react")) or self._seen
        now = self.wire.ask(ledger.clock(self.shard))
        if self._seen:
            before = min(_ms(oldest), _ms(self._seen), (now - YOUNG, 0))
            self.wire.ask(ledger.trim_folded(self.shard, b"%d-%d" % before))

    def tidy(self) -> None:
        """Forget consumers that are long dead and hold nothing."""
        for one in self.wire.ask(ledger.consumers(self.shard, "folded", "react")):
            if one[b"pending"] == 0 and one[b"idle"] > OLD and one[b"name"] != self.name.encode():
                name = one[b"name"]
                self.wire.ask(ledger.forget_consumer(self.shard, "folded", "react", name))

    def begin(self) -> None:
        for ask in ledger.groups(self.shard):
            try:
                self.wire.ask(ask)
            except Refused as error:
                if "BUSYGROUP" not in str(error):
                    raise

    def _newest(self, names: list[str]) -> Iterator[tuple[str, Match]]:
        """These matches as last committed."""
        for i in range(0, len(names), BATCH):
            some = names[i : i + BATCH]
            snapshots = self.wire.ask(ledger.all_newest(some))
            for name, snapshot in zip(some, snapshots, strict=True):
                match = None
                with _apart(name):
                    match = None if snapshot is None else load(snapshot)
                    if match is None:  # saved by another release, or being folded again
                        match = self._read(name)
                if match is not None:
                    yield name, match

    def _read(self, name: str) -> Match | None:
        """This match, or note that it is for another release."""
        try:
            return converse(door.newest(name), self.wire.ask)
        except e.Unknown:
            self._foreign.add(name)
            raise

    def _stop(self, name: str, stops: list[e.Stopped]) -> None:
        """Have the clocks of a match not count this time."""
        for make in map(_just, stops):
            self._enter(name, make)

    def _ring(self, name: str, match: Match, now: e.Millis) -> bool:
        """Have its clocks not count downtime; if they did not, end whose time is up. Was there
        anything that could be said? Its turn comes again, should somebody's time still be up."""
        said, stops = False, self.uptime.stops(match)
        for make in map(_just, stops) if stops else ends(match, now):
            answer = self._enter(name, make)
            if isinstance(answer, door.Waits | None):
                break
            said |= isinstance(answer, door.Entered)
        return said

    def _enter(self, name: str, make: Callable[[Match], e.Entry | No]) -> door.Answer | None:
        """Append it through the door; None if the match takes no entry just now."""
        left, begun = PAUSES, traces.now()

        def briefly(seconds: float) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise TimeoutError
            self.sleep(seconds)

        try:
            answer = converse(door.enter(name, make), self.wire.ask, briefly)
        except TimeoutError:
            return None
        if isinstance(answer, door.Entered):
            traces.span("due", name, answer.seq, begun, root=True)
        return answer


@contextmanager
def _apart(name: str) -> Iterator[None]:
    """What goes wrong with one match must not keep us from the others."""
    try:
        yield
    except (Lost, Refused):
        raise
    except e.Unknown as unknown:
        log.warning("%s is for another release: %s", name, unknown)
    except Exception:
        log.exception("%s cannot be seen to", name)


def _just(entry: e.Entry) -> Callable[[Match], e.Entry | No]:
    """What makes this entry of any match."""
    return lambda match: entry


def _too_long(match: Match) -> e.Entry | No:
    return e.Aborted("too-long") if match.seq >= e.LONGEST - 1 else No.TOO_EARLY


def _ms(id: bytes) -> tuple[int, int]:
    ms, _, n = id.partition(b"-")
    return int(ms or 0), int(n or 0)


def run(rounds: Rounds) -> None:
    """Hear and see to it until the connection is lost, or a signal comes."""
    rounds.start()
    while not ending.told:
        with ending:
            heard = rounds.wire.ask(rounds.asks())
        rounds.take(heard)
        if heard:
            with ending:
                time.sleep(GATHER)


class Maker:
    """Makes the reacts of a process, which share the connections to the jobs' server."""

    def __init__(self, url: str, jobs_url: str) -> None:
        self._url = url
        self._jobs = calls.queue(jobs_url, jobs.QUEUE)
        self._later = calls.queue(jobs_url, ratings.QUEUE)
        self._archive = calls.queue(jobs_url, archiving.QUEUE)

    def rounds(self, shard: int, alone: bool = True) -> Rounds:
        """Of a shard; alone, or as the first of several, it sees to what concerns no shard too."""
        name = f"{os.uname().nodename}-{os.getpid()}-{secrets.token_hex(4)}"
        wire = BlockingWire(self._url, archive.opened())
        called = Robots(robots.caller(self._jobs))
        ordered = Orders(wire, shard, orders.caller(self._jobs))
        results = Results(wire, ratings.caller(self._later, ratings.WORK))
        reactor = Reactor(wire, shard, name, called, results, ordered)
        if not (alone or shard == 0):
            return Rounds(reactor)
        contests = Tournaments(wire, ratings.caller(self._later, tournaments.WORK))
        archived = Chore(archiving.EVERY, archiving.caller(self._archive))
        return Rounds(reactor, Chore(5, results.due), Chore(5, contests.due), archived)


def work(url: str, jobs_url: str, shard: int) -> None:
    """See to a shard until a signal comes, connecting again whenever the server was away."""
    ending.begin()
    while not ending.told:
        try:
            run(Maker(url, jobs_url).rounds(shard))
        except (Lost, Refused) as error:
            log.warning("%s; again in a second", error)
            with ending:
                time.sleep(1)
    ending.leave()


def share(url: str, jobs_url: str, shards: int) -> None:
    """See to all shards, likewise."""
    ending.begin()
    maker = Maker(url, jobs_url)
    Shards(lambda shard: maker.rounds(shard, alone=False), range(shards), log).run()
    ending.leave()


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m workers.react", description=__doc__)
    words.add_argument("--redis", required=True, help="where the server is")
    words.add_argument("--jobs-redis", help="where jobs go, if not there")
    words.add_argument("--shards", type=int, default=1, help="how many to see to, from 0 on")
    words.add_argument("--shard", type=int, help="which shard to see to, if not all of these")
    asked = words.parse_args()
    invite()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C just ends us
    logs.begin("react")
    traces.begin("react")
    jobs_url = asked.jobs_redis or asked.redis
    if asked.shard is None and asked.shards > 1:
        share(asked.redis, jobs_url, asked.shards)
    else:
        work(asked.redis, jobs_url, asked.shard or 0)


if __name__ == "__main__":
    main()
