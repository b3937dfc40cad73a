"""An entry appended along with what it gives."""

from __future__ import annotations

import pytest

from services import door, ledger
from services.ledger import Behind, Taken, Told
from tests.engine.logs import dealt
from tests.ledger.hands import M, append, done, grow, lines, play, write


def whole(server, seen: int, before: int, at: int, due: str = "+inf"):
    given = done(M, seen + 1, at, due=due)
    return server.ask(ledger.append(M, seen, before, b'{"n":%d}' % (seen + 1), given))


@pytest.mark.parametrize("off", [-1000, -1, 0, 1, 1000])
def test_it_is_told_at_once(server, off):
    before = grow(server, M, 3)
    server.clock.sleep(2)
    at = server.clock.ms + off
    assert whole(server, 3, before, at, due="7") == Taken(4, at, True)
    assert lines(server) == []
    assert server.ask(ledger.facts(M, 3)) == [Told(4, b"verdict 4", b"note 4")]
    assert server.ask(ledger.newest(M)) == b"now 4"
    assert server.ask(ledger.heard(0, b"0", 99, 0))[-1][1:] == (M, 4)
    assert server.run("ZSCORE", "{0}:live", M) == b"7"
    assert append(server, M, 4, at) == Taken(5, max(at, server.clock.ms))


@pytest.mark.parametrize("off", [-60_000, -1001, 1001, 300_000])
def test_a_clock_that_is_off_leaves_it_to_a_worker(server, off):
    before = grow(server, M, 3)
    server.clock.sleep(100)
    assert whole(server, 3, before, server.clock.ms + off) == Taken(4, server.clock.ms)
    assert [todo.seq for todo in lines(server)] == [4]
    assert server.ask(ledger.facts(M, 3)) == []


def test_time_does_not_go_back(server):
    before = grow(server, M, 3)
    assert whole(server, 3, before, before - 1) == Taken(4, before)
    assert [todo.seq for todo in lines(server)] == [4]


@pytest.mark.parametrize("seen", [0, 2, 4])
def test_only_after_the_exact_last_entry(server, seen):
    before = grow(server, M, 3)
    assert whole(server, seen, before, server.clock.ms) == Behind(3, 3)
    assert server.ask(ledger.facts(M, 3)) == []


def test_only_after_this_very_entry(server):
    before = grow(server, M, 3)
    assert whole(server, 3, before + 1, server.clock.ms) == Behind(3, 3)


def test_not_while_the_one_before_is_unfolded(server):
    before = grow(server, M, 3)
    at = append(server, M, 3, before).at
    assert whole(server, 4, at, server.clock.ms) == Behind(4, 3)


def test_what_is_due_is_written_when_it_changes(server):
    before = grow(server, M, 3)
    whole(server, 3, before, server.clock.ms, due="7")
    whole(server, 4, server.clock.ms, server.clock.ms, due="")
    assert server.run("ZSCORE", "{0}:live", M) == b"7"
    whole(server, 5, server.clock.ms, server.clock.ms, due="over")
    assert server.run("ZSCORE", "{0}:live", M) is None


@pytest.mark.parametrize("commits", [True], indirect=True)
def test_the_door_tells_what_a_worker_would(server, bells):
    write(server, M, *dealt(2, game=bells.NAME))
    answer = play(server, 0, "ring", 3)
    assert answer.folded
    assert lines(server) == []
    kept = server.ask(ledger.facts(M)), server.ask(ledger.newest(M))
    server.ask(ledger.rebuild(M))
    server.work()
    assert (server.ask(ledger.facts(M)), server.ask(ledger.newest(M))) == kept


@pytest.mark.parametrize("commits", [True], indirect=True)
def test_a_door_with_a_slow_clock_waits_for_the_worker(server, bells, monkeypatch):
    write(server, M, *dealt(2, game=bells.NAME))
    server.clock.sleep(90)
    monkeypatch.setattr(door, "now", lambda: server.clock.ms - 5000)
    answer = play(server, 0, "ring", 3)
    assert not answer.folded
    assert answer.match.at == server.clock.ms
    server.work()
    assert server.talk(door.newest(M)) == answer.match
