"""An older and a newer release side by side on one real server, under load from real clients.

The older knows Aces by rules 1 alone, and has another layout of its state: what it cannot read it
leaves to the newer, and neither misreads what the other saved. For the long run: it takes 20 s of a
processor; test_releases.py has the same without load, in one process.
"""

from __future__ import annotations

import asyncio
import os
from random import Random

import httpx
import pytest

from engine.match import Match
from engine.snapshot import load, save
from services import ledger
from services.guests import VARIABLE
from services.wire import BlockingWire
from tests.chaos.real_players import Person, Record, Table
from tests.chaos.test_kills import folded
from tests.http.people import Visitor, problem
from tests.http.stage import Stage

LONG = bool(os.environ.get("TURNFOLD_LONG"))
EACH = 10  # matches that end by each of the rules
TABLES, WORKERS = 4, 2
OLDER, NEWER = {VARIABLE: "tests.rules.older"}, {VARIABLE: "tests.rules.aces"}


class Rolling:
    """Tables that play at the older release, then at both, then at the newer alone."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.record, self.wire = stage, Record(), stage.wire()
        self.rules: dict[str, int] = {}
        self.older = stage.api(**OLDER).ready()
        self.fold = [stage.worker("workers.fold", **OLDER) for _ in range(WORKERS)]
        self.bases = [self.older.base]

    async def run(self) -> None:
        stop = asyncio.Event()
        async with httpx.AsyncClient(timeout=20, verify=False) as client:
            tables = [await self._table(client, seed) for seed in range(TABLES)]
            playing = [asyncio.create_task(table.run(stop)) for table in tables]
            await self._ended(1, 1)
            leaves = {"TURNFOLD_LEAVES": "1", **NEWER}  # its entries are folded by any worker
            newer = self.stage.api(**leaves)
            for _ in range(WORKERS):
                self.stage.worker("workers.fold", **NEWER)
            await asyncio.to_thread(newer.ready)
            self.bases.append(newer.base)
            await self._ended(1, EACH + 1)
            await self._ended(2, EACH)
            await asyncio.to_thread(self._lists, newer.base)
            self.bases.remove(self.older.base)
            for process in (self.older, *self.fold):
                process.kill()
            await self._ended(2, EACH + 2)
            stop.set()
            await asyncio.wait_for(asyncio.gather(*playing), 120)

    async def _table(self, client: httpx.AsyncClient, seed: int) -> Table:
        people = [Person(client, self.bases, self.record) for _ in range(2)]
        for person in people:
            await person.arrive()
        return Table(people, "aces", 0, self.record, Random(seed))

    async def _ended(self, rules: int, matches: int) -> None:
        """Wait until so many have ended by these rules."""
        async with asyncio.timeout(300):
            while list(self._rules().values()).count(rules) < matches:
                await asyncio.sleep(0.2)

    def _rules(self) -> dict[str, int]:
        """By which rules each match was that has ended."""
        for name in self.record.finished[len(self.rules) :]:
            self.rules[name] = by_rules(self.wire, name)
        return self.rules

    def _lists(self, newer: str) -> None:
        """Each lists what it can read; of the other's match the older says that it cannot."""
        with Visitor(self.older.base) as old, Visitor(newer) as new:
            second = next(name for name, rules in self._rules().items() if rules == 2)
            assert problem(old.see(second)) == "503 busy"
            assert old.get("/matches").status_code == 200
            assert new.look(second)["rules"] == 2


def by_rules(wire: BlockingWire, name: str) -> int:
    return int(wire.ask(ledger.entry(name, 1)).line.raw.partition(b'"rules":')[2][:1])


@pytest.mark.skipif(not LONG, reason="TURNFOLD_LONG=1")
def test_two_releases_side_by_side(tmp_path, newer):
    with Stage(tmp_path) as stage:
        rolling = Rolling(stage)
        asyncio.run(rolling.run())
        record, wire = rolling.record, rolling.wire
        assert wire.ask(ledger.all_stuck(0)) == {}
        names = {one.match for one in record.taken} | {*record.finished}
        logs = {name: folded(wire, name) for name in names}
        saved = {name: wire.ask(ledger.newest(name)) for name in names}
        wire.close()
        told = "".join(path.read_text() for path in tmp_path.glob("workers.fold*.log"))
    assert record.surprises == []
    for one in record.taken:
        assert logs[one.match][0].holds(one), f"{one} was lost"
    for feed in record.feeds:
        for heard in feed:
            assert heard.event != "reset"
            assert heard.head is None or logs[heard.match][0].heads[heard.seq] == heard.head
    assert {fits(logs[name][1], raw) for name, raw in saved.items()} == {True, False}
    assert "is for another release" in told, "nothing came to the older that it could not read"


def fits(match: Match, saved: bytes) -> bool:
    """Is it this match, as the newer release saves it? Else it must not be read as any."""
    assert load(saved) in (None, match)
    return saved == save(match)
