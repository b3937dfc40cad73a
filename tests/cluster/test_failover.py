"""A house on three masters and their replicas, or behind sentinels, under load from HTTP clients.

A slot is moved, then a master killed. What the failover lost is counted and printed; nothing is
doubled, no POST is kept waiting, every match goes on to its end. With TURNFOLD_LONG=1.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from signal import SIGCONT, SIGSTOP

import httpx
import pytest

from engine.catalogue import GAMES
from services import finished, ledger
from services.routes import slot_of
from services.wire import BlockingWire
from tests.chaos.real_players import News, Person, Record, Table, sit
from tests.chaos.test_kills import checked
from tests.cluster.servers import One, Servers
from tests.http import together
from tests.http.feeds import NDJSON, SSE
from tests.http.stage import Api, Process, until

pytestmark = pytest.mark.skipif(not os.environ.get("TURNFOLD_LONG"), reason="it takes a minute")
SHARDS = 12
TABLES = 12
LOAD = 60  # commands taken between two events
ANSWER = 12.0  # seconds within which every POST is answered: two waits of an api, a slow machine
BACK = 30.0  # seconds after which a POST that was tried again is taken


@pytest.fixture(autouse=True)
def with_together(monkeypatch):
    monkeypatch.setitem(GAMES, together.NAME, together)


class Again(Table):
    """A table that goes on after a failover has taken seats, or a whole match, from it."""

    def __init__(self, *how) -> None:
        super().__init__(*how)
        self.gone: set[str] = set()  # matches that were lost whole
        self.known: list[str] = []
        self.done: set[str] = set()  # who has seen the match over that is played
        self.over = False  # all have

    async def one(self) -> None:
        match = await self._offer()
        self.known.append(match)
        for player in self.players[1:]:
            await self._sit(match, player)
        await self._all(match)

    async def again(self) -> None:
        """Play what is not over any more, for its tail was lost."""
        for match in self.known:
            await self._all(match)
        self.record.finished += [match for match in self.known if match not in self.gone]

    async def _all(self, match: str) -> None:
        self.done, self.over = set(), False
        await asyncio.gather(*(self._play(match, player) for player in self.players))

    async def _sit(self, match: str, player: Person) -> bool:
        """False if there is no such match any more."""
        taken = (201, 202, 404, 409)
        answer = await player.send("POST", f"/matches/{match}/join", json=sit(), taken=taken)
        if answer.status_code == 404:
            self.gone.add(match)
        return answer.status_code != 404

    async def _play(self, match: str, player: Person) -> None:
        """Until it is over; who has lost the seat takes one again."""
        news = News(player, match, self.chance.choice([SSE, NDJSON]))
        feed = asyncio.create_task(news.follow())
        try:
            while match not in self.gone and not self.over:
                answer = await player.send("GET", f"/matches/{match}/look", taken=(200, 404))
                look = answer.json()
                if answer.status_code == 404:
                    self.gone.add(match)
                    return
                if look["status"] == "over":
                    self.done.add(player.id)
                    self.over = len(self.done) == len(self.players)
                    await asyncio.sleep(0.1)
                    continue
                self.done.discard(player.id)
                if look["status"] == "open" and look["viewer"] == "watcher":
                    self.record.counts["sat down again"] += await self._sit(match, player)
                elif look["viewer"] in look["to_act"]:
                    await self._move(match, player, look)
                else:
                    await news.beyond(look["seq"])
        finally:
            feed.cancel()
            with suppress(asyncio.CancelledError):
                await feed


class Timed(Person):
    """A person who knows how long it took until a POST was no 503."""

    refused = 0.0

    async def send(self, method: str, path: str, taken: tuple[int, ...] = (), **how):
        begun = time.monotonic()
        answer = await super().send(method, path, taken, **how)
        if method == "POST":
            self.refused = max(self.refused, time.monotonic() - begun)
        return answer


class Clocked(httpx.AsyncClient):
    """A client that notes how long the longest POST took."""

    longest = 0.0

    async def request(self, method: str, *words, **how):
        begun = time.monotonic()
        try:
            return await super().request(method, *words, **how)
        finally:
            if method == "POST":
                self.longest = max(self.longest, time.monotonic() - begun)


class House:
    """Two of each process, all alike, on these servers."""

    def __init__(self, folder: Path, url: str, jobs: str) -> None:
        self.folder, self.url, self.jobs = folder, url, ("--jobs-redis", jobs)
        of = ("--shards", str(SHARDS))
        env = {"TURNFOLD_LIMITS": "off", "TURNFOLD_JOBS_REDIS": jobs}
        leaves = {**env, "TURNFOLD_LEAVES": "1"}  # it leaves all folding to the workers
        self.apis = [Api(self._log("api"), url, *of, env=how) for how in (env, leaves)]
        self.folds = [self._worker("workers.fold", *of) for _ in range(2)]
        reacts = [self._worker("workers.react", *of, *self.jobs) for _ in range(2)]
        jobs_ = [self._worker("workers.jobs", *self.jobs) for _ in range(2)]
        self.processes: list[Process] = [*self.apis, *self.folds, *reacts, *jobs_]

    def __enter__(self) -> House:
        for one in self.processes:
            one.start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in self.processes:
            one.stop()
        for api in self.apis:
            api.listener.close()

    def kill_a_fold(self) -> str:
        self.folds[0].kill()
        return "a fold killed"

    def _worker(self, module: str, *words: str) -> Process:
        return Process(self._log(module), module, "--redis", self.url, *words)

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}-{len([*self.folder.glob('*.log')])}-{time.monotonic_ns()}.log"


class Load:
    """Tables at which one match follows the other."""

    def __init__(self, house: House) -> None:
        self.house, self.record, self.events = house, Record(), list[str]()
        self.client: Clocked
        self.tables: list[Again] = []

    async def run(self, *events: Callable[[], str]) -> None:
        for api in self.house.apis:
            await asyncio.to_thread(api.ready)
        limits = httpx.Limits(max_connections=200, max_keepalive_connections=200)
        stop = asyncio.Event()
        async with Clocked(timeout=60, limits=limits, verify=False) as self.client:
            self.tables = await asyncio.gather(*(self._table(n) for n in range(TABLES)))
            playing = [asyncio.create_task(table.run(stop)) for table in self.tables]
            await self._taken(LOAD)
            for event in events:
                begun = time.monotonic()
                says = await asyncio.to_thread(event)
                self.events.append(f"{says} ({time.monotonic() - begun:.1f} s)")
                await self._taken(LOAD)
            stop.set()
            await asyncio.wait_for(asyncio.gather(*playing), 240)
            again = asyncio.gather(*(table.again() for table in self.tables))
            await asyncio.wait_for(again, 240)

    async def _table(self, n: int) -> Again:
        bases = [api.base for api in self.house.apis]
        people = [Timed(self.client, bases, self.record) for _ in range(2)]
        await asyncio.gather(*(person.arrive() for person in people))
        game = "qwirkle" if n == 0 else ("high-card", "together")[n % 2]
        return Again(people, game, int(game == "high-card"), self.record, Random(n))

    @property
    def refused(self) -> float:
        """The longest that a POST was tried again."""
        return max(player.refused for table in self.tables for player in table.players)

    async def _taken(self, more: int) -> None:
        end = len(self.record.taken) + more
        async with asyncio.timeout(120):
            while len(self.record.taken) < end:
                await asyncio.sleep(0.05)


def counted(load: Load, url: str, cut: float, died: float) -> str:
    """What became of it all, held against the logs; the replica heard nothing since `cut`."""
    record, wire = load.record, BlockingWire(url)
    gone = {name for table in load.tables for name in table.gone}
    assert all(wire.ask(ledger.ends(name)) == (0, 0) for name in gone)
    names = {one.match for one in record.taken} | {*record.finished}
    logs = {name: checked(wire, name) for name in names - gone}
    audited(wire, record.finished)
    wire.close()
    of_gone = re.compile("|".join([*gone, "^feed: 404$"])) if gone else re.compile("$^")
    assert [one for one in record.surprises if not of_gone.search(one)] == []
    assert all(logs[name].over for name in record.finished)
    lost = [one for one in record.taken if one.match in gone or not logs[one.match].holds(one)]
    resets = [frame for feed in record.feeds for frame in feed if frame.event == "reset"]
    for one in lost:
        assert cut - 1 < one.at < died + 1, f"{one} was lost, and no master had died"
        after = [other for other in record.taken if other.match == one.match]
        kept = [o for o in after if o.seq > one.seq and o.at < died and o not in lost]
        assert kept == [], "what was lost was not the tail"
    return (
        f"{'; '.join(load.events)}; {len(names)} matches, {len(record.taken)} taken,"
        f" {len(lost)} lost, {len(gone)} matches lost whole, {len(resets)} resets; longest POST"
        f" {load.client.longest:.1f} s, until taken {load.refused:.1f} s; {dict(record.counts)}"
    )


def audited(wire: BlockingWire, names: list[str]) -> None:
    """The bundle of each finished match is true."""
    for name in names:
        assert finished.report(name, wire.talk(finished.record(name))).ok, name


def kill(load: Load, late: int, hangs: bool, master: One, replica: One) -> tuple[float, float]:
    """When the replica heard the last, and when the master died, `late` commands later."""
    cut, taken = time.monotonic(), len(load.record.taken)
    if late:
        cut_off(replica, master)
        until(lambda: len(load.record.taken) >= taken + late, 120)
    died = time.monotonic()
    if hangs:
        master.process.send_signal(SIGSTOP)
    else:
        master.kill()
    until(lambda: replica.holds("role:master"), 60)
    if hangs:
        master.process.send_signal(SIGCONT)
        until(lambda: master.holds("role:slave"), 60)
    return cut, died


def cut_off(replica: One, master: One) -> None:
    replica.say("CONFIG", "SET", "masterauth", "wrong")
    master.say("CLIENT", "KILL", "TYPE", "replica")
    until(lambda: replica.holds("master_link_status:down"), 60)


def moves(nodes: list[One]) -> str:
    """The slot of shard 0, whole, to another master."""
    slot = slot_of(ledger.clock(0))
    here = next(node for node in nodes if node.say("CLUSTER", "COUNTKEYSINSLOT", slot))
    there = next(node for node in nodes if node is not here)
    id = there.say("CLUSTER", "MYID").decode()
    here.say("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", id)
    until(lambda: not here.say("CLUSTER", "COUNTKEYSINSLOT", slot), 60)
    assert there.say("CLUSTER", "COUNTKEYSINSLOT", slot)
    return "a slot moved"


@pytest.mark.parametrize(("late", "hangs"), [(0, False), (30, False), (0, True)])
def test_masters_and_replicas(tmp_path, capsys, late, hangs):
    """One that hangs is a replica once it is back."""
    with Servers(tmp_path) as servers:
        nodes, jobs = servers.cluster(3, 1), servers.one()
        url = f"redis+cluster://{','.join(node.at for node in nodes[:3])}"
        with House(tmp_path, url, jobs.url) as house:
            says = played(house, late, hangs, *nodes[1::3], lambda: moves(nodes[:3]))
    with capsys.disabled():
        print(f"\ncluster, replica {late} commands late: {says}")


@pytest.mark.parametrize("late", [0, 30])
def test_sentinels(tmp_path, capsys, late):
    with Servers(tmp_path) as servers:
        (master, [replica], watchers), jobs = servers.watched(down_after=1000), servers.one()
        url = f"redis+sentinel://{','.join(one.at for one in watchers)}/house"
        with House(tmp_path, url, jobs.url) as house:
            says = played(house, late, False, master, replica)
    with capsys.disabled():
        print(f"\nsentinels, replica {late} commands late: {says}")


def played(
    house: House, late: int, hangs: bool, master: One, replica: One, *more: Callable[[], str]
) -> str:
    load, times = Load(house), list[float]()

    def killed() -> str:
        times.extend(kill(load, late, hangs, master, replica))
        return f"a master {'stopped' if hangs else 'killed'}, its replica promoted"

    asyncio.run(load.run(house.kill_a_fold, *more, killed))
    says = counted(load, house.url, *times)
    assert load.client.longest < ANSWER
    assert load.refused < BACK
    return says
