"""kill -9 of every process under load from real HTTP clients.

With `appendfsync always` nothing acknowledged is lost; with `everysec` nothing when a process of
ours dies, and a server that is killed loses at most a counted tail, after which every match goes
on from what is left. TURNFOLD_LONG=1 plays 30 rounds instead of 3.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from importlib.util import find_spec
from random import Random
from signal import SIGCONT, SIGSTOP

import httpx
import pytest

from engine.catalogue import GAMES
from engine.fold import replay
from engine.look import note
from engine.match import Accepted, Match, encode
from engine.snapshot import save
from services import door, ledger
from services.wire import BlockingWire
from tests.chaos.real_players import Person, Record, Table
from tests.http import together
from tests.http.feeds import NDJSON, SSE, Reading, frames, opened
from tests.http.people import Player, Visitor, problem, table
from tests.http.stage import Process, Stage, until

LONG = bool(os.environ.get("TURNFOLD_LONG"))
ROUNDS = 30 if LONG else 3
LOAD = 20  # commands taken before each kill, and after the last
TABLES = (  # game, players, robots
    ("high-card", 3, 0),
    ("high-card", 2, 0),
    ("qwirkle", 2, 0),
    ("together", 4, 0),
    ("high-card", 2, 1),
)
REACTS = all(find_spec(f"workers.{name}") for name in ("react", "jobs"))
API, FOLD, REACT, JOBS = "services.listen", "workers.fold", "workers.react", "workers.jobs"
SERVER = "server"
PLAN = ((API, FOLD, JOBS), (SERVER,), (API, SERVER, FOLD, REACT))  # later rounds are random


@pytest.fixture(autouse=True)
def with_together(monkeypatch):
    monkeypatch.setitem(GAMES, together.NAME, together)


class Chaos:
    """A house under load, whose processes are killed and started again."""

    def __init__(self, stage: Stage, chance: Random) -> None:
        self.stage, self.chance, self.record = stage, chance, Record()
        self.apis = [stage.api(), stage.api(TURNFOLD_LEAVES="1")]  # the second commits nothing
        self.workers = [stage.worker("workers.fold"), stage.worker("workers.fold")]
        if REACTS:
            self.workers += [stage.worker("workers.react"), stage.worker("workers.jobs")]
        self.kills: Counter[str] = Counter()
        self.server_died: list[float] = []

    async def run(self) -> None:
        for api in self.apis:
            api.ready()
        stop = asyncio.Event()
        limits = httpx.Limits(max_connections=200, max_keepalive_connections=200)
        async with httpx.AsyncClient(timeout=20, limits=limits, verify=False) as client:
            tables = await asyncio.gather(*(self._table(client, *how) for how in TABLES))
            playing = [asyncio.create_task(table.run(stop)) for table in tables if table]
            for n in range(ROUNDS):
                for api in self.apis:
                    await asyncio.to_thread(api.ready)
                await asyncio.sleep(0.5 + self.chance.random())
                await asyncio.wait_for(self._taken(LOAD * (n + 1)), 60)  # under load, however slow
                await self._round(n)
            await asyncio.wait_for(self._taken(LOAD * (ROUNDS + 1)), 60)
            stop.set()
            await asyncio.wait_for(asyncio.gather(*playing), 60)
            again = [table.one() for table in tables if table and table.game != "qwirkle"]
            await asyncio.wait_for(asyncio.gather(*again), 60)  # all is as before

    async def _table(self, client, game: str, players: int, robots: int) -> Table | None:
        if robots and not REACTS:
            return None
        bases = [api.base for api in self.apis]
        people = [Person(client, bases, self.record) for _ in range(players)]
        await asyncio.gather(*(person.arrive() for person in people))
        return Table(people, game, robots, self.record, Random(self.chance.random()))

    async def _taken(self, commands: int) -> None:
        while len(self.record.taken) < commands:
            await asyncio.sleep(0.05)

    async def _round(self, n: int) -> None:
        victims = self._victims(n)
        for victim in victims:
            if victim is None:
                self.server_died.append(time.monotonic())
                self.stage.kill_server()
            else:
                victim.kill()
            self.kills[SERVER if victim is None else victim.name] += 1
            await asyncio.sleep(self.chance.random() * 0.2)
        for victim in self.chance.sample(victims, len(victims)):
            await asyncio.to_thread(self.stage.start_server if victim is None else victim.start)
            await asyncio.sleep(self.chance.random() * 0.2)

    def _victims(self, n: int) -> list[Process | None]:
        """In some order; None is the server."""
        everyone = {SERVER: [None]}
        for process in self.stage.processes:
            everyone.setdefault(process.name, []).append(process)
        if n < len(PLAN):
            named = [everyone[name] for name in PLAN[n] if name in everyone]
            victims = [self.chance.choice(found) for found in named]
        else:
            victims = [one for found in everyone.values() for one in found]
        n = len(victims) if n < len(PLAN) else self.chance.choice([1, 1, 2, 3, len(victims)])
        return self.chance.sample(victims, n)


@pytest.mark.parametrize("fsync", ["always", "everysec"])
def test_nothing_is_lost_that_was_acknowledged(tmp_path, fsync, capsys):
    with Stage(tmp_path, fsync) as stage:
        chaos = Chaos(stage, Random(f"{fsync} {os.environ.get('TURNFOLD_SEED', 1)}"))
        asyncio.run(chaos.run())
        record, wire = chaos.record, stage.wire()
        assert record.surprises == []
        names = {one.match for one in record.taken} | {*record.finished}
        logs = {name: checked(wire, name) for name in names}
        wire.close()
    assert all(logs[name].over for name in record.finished)
    lost = [one for one in record.taken if not logs[one.match].holds(one)]
    resets = [frame for feed in record.feeds for frame in feed if frame.event == "reset"]
    with capsys.disabled():
        kills = ", ".join(f"{name} {n}" for name, n in sorted(chaos.kills.items()))
        told = f"{len(record.taken)} taken, {len(lost)} lost, {len(resets)} resets"
        print(f"\n{fsync}: killed {kills}; {len(names)} matches, {told}, {dict(record.counts)}")
    if fsync == "always":
        assert lost == []
        assert resets == []
    for one in lost:
        [died, *_] = [died for died in chaos.server_died if died > one.at] or [0]
        assert 0 < died - one.at < 2, f"{one} was lost with no server that died"
        survivors = [
            other
            for other in record.taken
            if other.match == one.match and other.seq > one.seq and other.at < died
            if other not in lost
        ]
        assert survivors == [], "what was lost was not the tail"
    if not lost:
        for feed in record.feeds:
            for frame in feed:
                assert frame.head is None or logs[frame.match].heads[frame.seq] == frame.head


class Log:
    """What a log holds in the end: the head after each entry, and each command's place."""

    def __init__(self, heads: dict[int, str], keys: dict[str, int], over: bool) -> None:
        self.heads, self.keys, self.over = heads, keys, over

    def holds(self, taken) -> bool:
        known = self.keys.get(door.hashed_key(taken.key)) == taken.seq
        return known and taken.head in (None, self.heads[taken.seq])


def checked(wire: BlockingWire, name: str) -> Log:
    """The log of a match: without gaps, doubles or refusals; all beside it is as folded afresh."""
    log, match = folded(wire, name)
    assert wire.ask(ledger.newest(name)) == save(match)
    return log


def folded(wire: BlockingWire, name: str) -> tuple[Log, Match]:
    """The same, with the match that it comes to; whoever saved that."""
    until(lambda: _folded(wire, name))
    written, told = wire.ask(ledger.log(name)), wire.ask(ledger.facts(name))
    assert [one.seq for one in written] == [*range(1, len(written) + 1)]
    assert [one.seq for one in told] == [one.seq for one in written][-len(told) :]
    assert len(told) == min(len(written), ledger.FACTS)
    facts, heads, keys = {one.seq: one for one in told}, {}, {}
    for match, verdict in replay(one.line for one in written):
        assert isinstance(verdict, Accepted)
        heads[match.seq] = match.head
        if match.seq in facts:
            assert facts[match.seq].verdict == encode(verdict)
            assert facts[match.seq].note == encode(note(match))
        for holder in match.holders:
            for key, seq in holder.keys:
                assert keys.setdefault(key, seq) == seq, "a command counted twice"
    return Log(heads, keys, match.over), match


def _folded(wire: BlockingWire, name: str) -> bool:
    seq, _ = wire.ask(ledger.ends(name))
    told = wire.ask(ledger.last_facts(name))
    return told is not None and told.seq == seq


ONE, TWO = {"type": "choose", "number": 1}, {"type": "choose", "number": 2}


@pytest.mark.parametrize("replaced", [False, True])
def test_a_tail_that_is_lost(tmp_path, replaced):
    """The server comes back without its last entries, perhaps with others in their place: feeds
    that had heard of them begin again, and what was lost can be sent again under its key."""
    with Stage(tmp_path) as stage:
        api, other = stage.api(), stage.api()
        stage.worker(FOLD)
        api.ready()
        other.ready()
        made = iter((Player(api.base), Player(api.base)))
        match, (ann, bob) = table(made.__next__, "together", options={"rounds": 3})
        assert told(ann, match, ONE, 3, "first") == '"4"'
        size = stage.appended().stat().st_size
        with opened(bob, match, SSE) as sse, opened(bob, match, NDJSON) as ndjson:
            feeds = [frames(sse, Reading(SSE)), frames(ndjson, Reading(NDJSON))]
            assert told(bob, match, ONE, 3, "second") == '"5"'
            assert told(ann, match, TWO, 5, "third") == '"6"'
            assert [[next(feed).id for _ in range(3)] for feed in feeds] == [[4, 5, 6]] * 2
            if replaced:
                api.child.send_signal(SIGSTOP)
            stage.kill_server()
            os.truncate(stage.appended(), size)
            stage.start_server()
            if replaced:
                with bob.at(other.base) as elsewhere:
                    assert told(elsewhere, match, TWO, 3, "fourth") == '"5"'
                    assert told(elsewhere, match, TWO, 5, "fifth") == '"6"'
                api.child.send_signal(SIGCONT)
                assert told(bob, match, ONE, 3, "second") == "412 stale"
            else:
                assert told(ann, match, TWO, 5, "third") == "412 stale"
            for feed in feeds:
                reset, look = next(feed), next(feed)
                assert (reset.event, reset.data) == ("reset", {"why": "ahead"})
                assert (look.event, look.id) == ("look", 6 if replaced else 4)
            with opened(bob, match, SSE, 9) as later:
                assert next(frames(later, Reading(SSE))).data == {"why": "ahead"}
            if replaced:
                assert told(ann, match, TWO, 5, "third") == '"7"'
            else:
                assert told(bob, match, ONE, 3, "second") == '"5"'
                assert told(ann, match, TWO, 5, "third") == '"6"'
            assert [next(feed).id for feed in feeds] == [7 if replaced else 5] * 2
        ann.close()
        bob.close()
        wire = stage.wire()
        checked(wire, match)
        wire.close()


def told(who: Visitor, match: str, move: dict, seq: int, key: str) -> str:
    """The tag of what a move became, or its problem; tried again for as long as that is 503."""
    answer = until(lambda: (one := who.play(match, move, seq, key)).status_code != 503 and one)
    return answer.headers["etag"] if answer.status_code == 201 else problem(answer)
