"""What an older release cannot read is left to the newer; what both can they fold by turns."""

from __future__ import annotations

import pytest

from engine import entries as e
from engine.match import Match
from engine.snapshot import load
from services import door, ledger
from tests.chaos.fake_server import FakeWire, Server
from tests.engine.logs import joined, offered, played
from tests.ledger.hands import M, N, write
from tests.rules import aces, older
from tests.workers.hall import Hall
from workers import fold, react


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(door, "COMMITS", False)
    return Server(monkeypatch)


@pytest.fixture
def hall(server) -> Hall:
    return Hall(server, FakeWire(server.store))


def table(server: Server, name: str) -> Match:
    """A match that waits for its first move, by the newest rules that this release has."""
    return write(server, name, offered(None, None, game="aces"), joined(0), joined(1))


def append(server: Server, name: str, entry: e.Entry) -> None:
    """Write an entry that nobody has folded yet."""
    seq, at = server.ask(ledger.ends(name))
    server.clock.sleep(1)
    assert isinstance(server.ask(ledger.append(name, seq, at, e.encode(entry))), ledger.Taken)


def test_the_older_leaves_what_the_newer_takes_over(server, become, monkeypatch):
    become(aces)
    table(server, M)
    append(server, M, played(0, "keep"))
    become(older)
    monkeypatch.setattr(fold, "BlockingWire", lambda url: server.folder.reads)
    monkeypatch.setattr(fold.Folder, "_survives", lambda _, todo: not fold.attempt("", todo.match))
    there = server.worker("older")
    server.work(there)
    for _ in range(fold.TRIES + 2):  # given to it again and again, it is tried in a child
        server.clock.sleep(3)
        server.fold(there, there.again())
    assert server.talk(door.readable(M)) is None
    assert server.ask(ledger.all_stuck(0)) == {}
    assert server.ask(ledger.last_facts(M)).seq == 3
    become(aces)
    server.finish()
    assert server.ask(ledger.last_facts(M)).seq == 4
    assert load(server.ask(ledger.newest(M))).game is aces


def test_both_fold_a_match_by_turns_whoever_saved_it(server, become):
    table(server, M)
    for release, entry in ((aces, played(0, "trade")), (older, played(1, "trade"))):
        saved = server.ask(ledger.newest(M))
        become(release)
        assert load(saved) is None, "its state has another layout"
        server.folder.book.clear()
        append(server, M, entry)
        server.work()
    match = server.talk(door.newest(M))
    assert (match.seq, match.over, match.offered.rules) == (5, True, 1)


def test_running_matches_go_on_by_their_rules_beside_new_ones(server, become):
    table(server, M)
    become(aces)
    server.folder.book.clear()  # a release is a process of its own
    assert table(server, N).offered.rules == 2
    for name, rules, game in ((M, 1, aces.v1), (N, 2, aces)):
        match = write(server, name, played(0, "keep"), played(1, "keep"))
        assert (match.offered.rules, match.game, match.over) == (rules, game, True)


def test_what_follows_from_a_match_is_left_to_who_can_read_it(hall, become):
    become(aces)
    newer = hall.react("newer")
    hall.write(M, offered(None, None, game="aces"))
    become(older)
    hall.hear(hall.reactor)
    assert hall.listed("open") == []
    hall.sleep(3)
    hall.reactor.again()
    become(aces)
    hall.sleep(3)
    newer.again()
    assert hall.listed("open") == [M]
    assert hall.server.run("XPENDING", "{0}:folded", "react")[0] == 0


def test_where_nobody_can_it_does_not_wait_for_ever(hall, become):
    become(aces)
    hall.write(M, offered(None, None, game="aces"))
    become(older)
    hall.hear()
    hall.sleep(react.FOREIGN / 1000 + 3)
    hall.reactor.again()
    assert hall.server.run("XPENDING", "{0}:folded", "react")[0] == 0
