"""A fold and a react process for many shards of a cluster; what others left behind they take."""

from __future__ import annotations

import pytest

from services import door, ledger, offers
from services.ledger import Todo
from tests.cluster.conftest import NAMES
from tests.engine.logs import offered
from tests.http.stage import Process, until

SHARDS = ("--shards", str(len(NAMES)))


@pytest.fixture
def start(tmp_path, url):
    processes = []

    def start(module: str, *words: str) -> Process:
        log = tmp_path / f"{len(processes)}.log"
        processes.append(Process(log, module, "--redis", url, *SHARDS, *words))
        processes[-1].start()
        return processes[-1]

    yield start
    for process in processes:
        process.stop()


def test_one_process_of_each_kind_looks_after_all_shards(wire, start, servers, monkeypatch):
    monkeypatch.setattr(door, "COMMITS", False)
    jobs = servers.one()
    for ask in (ask for shard in range(len(NAMES)) for ask in ledger.groups(shard)):
        wire.ask(ask)
    for name in NAMES:
        wire.talk(offers.offer(name, offered(None, None)))
    [left] = wire.ask(ledger.todo(3, "dead", 1, None))
    assert isinstance(left, Todo)
    fold = start("workers.fold")
    until(lambda: all(wire.all([ledger.newest(name) for name in NAMES])), 60)
    start("workers.react", "--jobs-redis", jobs.url)
    until(lambda: len(wire.ask(ledger.listed("open", 50))) == len(NAMES), 60)
    more = [f"{name[:-1]}b" for name in NAMES]
    for name in more:
        wire.talk(offers.offer(name, offered(None, None)))
    until(lambda: len(wire.ask(ledger.listed("open", 50))) == 2 * len(NAMES), 60)
    fold.stop(30)
    assert fold.child.returncode == 0
