"""The same asks on real clusters, and behind real sentinels, whatever moves meanwhile."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

import pytest

from services import backup, ledger, routed
from services.ledger import Behind, Taken
from services.routes import Map, Named, Routes, crosses, keys_of, routes_of, slot_of
from services.wire import Away, BlockingWire, Lost, Refused, Wire
from tests.cluster.conftest import NAMES
from tests.cluster.servers import free_port
from tests.http.stage import until


def add(name: str, seq: int = 1):
    """Entry `seq`, where all before are folded: there are none."""
    return ledger.append(name, seq - 1, 0, b"entry")


def test_each_shard_is_where_its_slot_is(wire, nodes):
    assert {type(wire.ask(add(name))) for name in NAMES} == {Taken}
    assert {type(wire.ask(add(name))) for name in NAMES} == {Behind}
    found = list(wire.walk(partial(ledger.keys, "*:log")))
    assert sorted(map(ledger.match_of, found)) == sorted(NAMES)
    assert all(node.say("DBSIZE") for node in nodes)
    assert sum(wire.everywhere(ledger.size())) == 2 * len(NAMES)


def test_answers_come_in_the_order_of_the_asks(wire):
    asks = [add(name) for name in NAMES]
    assert [one.seq for one in wire.all(asks)] == [1] * len(NAMES)
    assert wire.all([ledger.ends(name) for name in NAMES])[5][0] == 1


def test_a_backup_is_of_all_masters(wire, nodes, tmp_path):
    for name in NAMES:
        wire.ask(add(name))
    backup.save(wire, tmp_path / "one.backup")
    for node in nodes:
        node.say("FLUSHALL")
    assert backup.restore(tmp_path / "one.backup", wire).matches == len(NAMES)
    assert [one[0] for one in wire.all([ledger.ends(name) for name in NAMES])] == [1] * len(NAMES)


def test_an_api_asks_all_at_once(wire, url):
    async def play() -> int:
        api = Wire(url)
        taken = await asyncio.gather(*(api.ask(add(name)) for name in NAMES))
        assert all(isinstance(one, Taken) for one in taken)
        assert api.up
        said = await api.everywhere(ledger.condition())
        assert len({one["tcp_port"] for one in said}) == 3
        api.close()
        return api.epoch

    assert asyncio.run(play()) == 3


def test_a_slot_that_moves(wire, url, nodes, monkeypatch):
    """While it is under way what has both new and old keys waits; then the new master is asked."""
    monkeypatch.setattr(routed, "PATIENCE", 60.0)
    name = NAMES[0]
    wire.ask(add(name))
    before = routes_of(url).map
    slot = slot_of(ledger.newest(name))
    here = next(node for node in nodes if node.say("CLUSTER", "COUNTKEYSINSLOT", slot))
    there = next(node for node in nodes if node is not here)
    begin(slot, here, there)
    keys = here.say("CLUSTER", "GETKEYSINSLOT", slot, 100)
    move(here, there, [key for key in keys if key.endswith(b":log")])

    async def play() -> None:
        api = Wire(url)
        assert (await api.ask(ledger.ends(name)))[0] == 1  # it is sent there by ASK
        assert wire.ask(ledger.ends(name))[0] == 1
        with pytest.raises(Lost):
            wire.ask(add(name, 2))
        epoch, waiting = api.epoch, asyncio.create_task(api.ask(add(name, 2)))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        await asyncio.to_thread(move, here, there, keys)
        await asyncio.to_thread(end, slot, there, nodes)
        assert await waiting == Behind(1, 0)  # entry 1 is not folded
        assert api.epoch >= epoch
        forget(monkeypatch, url, before)
        assert (await api.ask(ledger.ends(name)))[0] == 1
        api.close()

    asyncio.run(play())
    forget(monkeypatch, url, before)
    assert wire.ask(ledger.ends(name))[0] == 1
    assert there.say("CLUSTER", "COUNTKEYSINSLOT", slot) == 2


def forget(monkeypatch, url: str, before: Map) -> None:
    """Whoever is asked where slots are has not heard of the move; only a MOVED tells."""
    routes = routes_of(url)
    routes.map, routes._moved = before, {}
    monkeypatch.setattr(Routes, "_look", lambda self: None)


def begin(slot: int, here, there) -> None:
    ids = {node: node.say("CLUSTER", "MYID").decode() for node in (here, there)}
    there.say("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[here])
    here.say("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[there])


def move(here, there, keys) -> None:
    here.say("MIGRATE", "127.0.0.1", there.port, "", 0, 5000, "KEYS", *keys)


def end(slot: int, there, nodes) -> None:
    id = there.say("CLUSTER", "MYID").decode()
    for node in (there, *(one for one in nodes if one is not there)):
        node.say("CLUSTER", "SETSLOT", slot, "NODE", id)


def test_the_patience_of_an_api_has_an_end(wire, url, nodes, monkeypatch):
    monkeypatch.setattr(routed, "PATIENCE", 0.3)
    name = NAMES[1]
    wire.ask(add(name))
    slot = slot_of(ledger.newest(name))
    here = next(node for node in nodes if node.say("CLUSTER", "COUNTKEYSINSLOT", slot))
    there = next(node for node in nodes if node is not here)
    begin(slot, here, there)
    move(here, there, [f"{{1}}:match:{name}:log"])

    async def play() -> None:
        api = Wire(url)
        with pytest.raises(Lost):
            await api.ask(add(name, 2))
        api.close()

    asyncio.run(play())
    move(here, there, here.say("CLUSTER", "GETKEYSINSLOT", slot, 100))
    end(slot, there, nodes)


def test_whoever_is_master_by_the_sentinels(servers, monkeypatch):
    """What is asked once the master is dead is answered by the next, and by no replica; memory of
    the first is dropped."""
    monkeypatch.setattr(routed, "PATIENCE", 60.0)
    master, [replica], watchers = servers.watched()
    url = f"redis+sentinel://{','.join(one.at for one in watchers)}/house"
    name, worker = NAMES[0], BlockingWire(url)

    async def play() -> None:
        api = Wire(url)
        assert isinstance(await api.ask(add(name)), Taken)
        assert worker.ask(ledger.ends(name))[0] == 1
        await asyncio.to_thread(until, lambda: replica.say("EXISTS", f"{{0}}:match:{name}:log"))
        epoch = api.epoch
        (master if master.holds("role:master") else replica).kill()
        with suppress(Lost):
            await api.ask(add(name, 2))
        assert api.epoch > epoch
        with suppress(Lost):
            worker.ask(ledger.ends(name))
        assert await api.ask(ledger.ends(NAMES[1])) == (0, 0)
        assert isinstance(await api.ask(add(NAMES[1])), Taken)
        api.close()

    asyncio.run(play())
    assert until(lambda: found(worker, name), 60) == 1
    worker.close()


def found(worker: BlockingWire, name: str) -> int:
    """Where a log ends; 0 while there is no master."""
    with suppress(Lost):
        return worker.ask(ledger.ends(name))[0]
    return 0


@pytest.mark.parametrize(
    ("ask", "error", "again"),
    [
        (ledger.newest(NAMES[0]), Lost("it went away"), True),
        (add(NAMES[0]), Lost("it went away"), False),  # it may be in the log
        (add(NAMES[0]), Away("no server"), True),
        (add(NAMES[0]), Refused("READONLY You can't write against a read only replica."), True),
        (add(NAMES[0]), Refused("OOM command not allowed"), False),
        (ledger.heard(0, b"9-0", 9, 5000), Lost("it went away"), False),  # from where on, is open
        (ledger.heard(0, b"9-0", 9, 5000), Refused("MOVED 1 127.0.0.1:1"), False),
    ],
)
def test_what_is_asked_again(monkeypatch, ask, error, again):
    """Only what surely was not done, or does nothing."""
    answers = [error, "answer"]

    async def told(self, url, ask, asking=False):
        if isinstance(answer := answers.pop(0), Exception):
            raise answer
        return answer

    monkeypatch.setattr(routed.RoutedWire, "_told", told)
    monkeypatch.setattr(Routes, "look", lambda self: None)
    wire = Wire("redis+cluster://127.0.0.1:1")
    if again:
        assert asyncio.run(wire.ask(ask)) == "answer"
    else:
        with pytest.raises((Lost, Refused)):
            asyncio.run(wire.ask(ask))


def test_where_no_server_is():
    """Nothing is known of them: that is no answer, not even of none."""
    url = f"redis+cluster://127.0.0.1:{free_port()}"
    with pytest.raises(Away):
        asyncio.run(Wire(url).everywhere(ledger.size()))
    with pytest.raises(Away):
        BlockingWire(url).everywhere(ledger.size())
    with pytest.raises(Away):
        BlockingWire(url).ask(ledger.clock(0))


def test_keys():
    assert keys_of(ledger.heard(3, b"0-0", 9, 5000)) == ("{3}:folded",)
    assert keys_of(ledger.clock(4)) == ("{4}",)
    assert slot_of(ledger.condition()) is None
    assert not crosses(ledger.all_newest([f"7-{c * 16}" for c in "ab"]))
    assert crosses(ledger.all_newest([f"{n}-{'a' * 16}" for n in (1, 2)]))


@pytest.mark.parametrize(
    "wrong",
    ["redis+cluster://", "redis+cluster://a/house", "redis+sentinel://a", "unix+cluster://a"],
)
def test_addresses_that_are_none(wrong):
    with pytest.raises(ValueError, match="sentinel"):
        Wire(wrong)
    with pytest.raises(ValueError, match="sentinel"):
        BlockingWire(wrong)


def test_addresses():
    named = Named.of("rediss+cluster://me:secret@a,b:7000")
    assert named.seeds == ("a:6379", "b:7000")
    assert named.url("c", 7001) == "rediss://me:secret@c:7001"
    assert Named.of("redis+sentinel://a/house").seeds == ("a:26379",)
