"""SIGTERM: an api finishes what it was asked, a worker what it has in hand, and both end."""

from __future__ import annotations

import signal
import socket
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from engine import entries as e
from services import ledger
from services.notices import outbox
from services.wire import Refused
from tests.engine.logs import offered
from tests.http.feeds import Reading, frames, opened
from tests.http.people import Player, Visitor
from tests.http.stage import Stage, until
from workers import fold
from workers.ending import Ending

BODY = b'{"name":"Ann"}'


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A house of its own, with nobody in it."""
    with Stage(tmp_path_factory.mktemp("place")) as stage:
        yield stage


def test_an_api_finishes_what_it_was_asked_and_tells_its_feeds(place):
    api = place.api(TURNFOLD_GRACE="60").ready()
    at = urlsplit(api.base)
    head = f"POST /players HTTP/1.1\r\nhost: {at.netloc}\r\ncontent-type: application/json\r\n"
    with Player(api.base) as ann, closing(socket.create_connection((at.hostname, at.port))) as slow:
        match = ann.offer()
        with opened(ann, match, "application/x-ndjson") as feed:
            told = frames(feed, Reading("application/x-ndjson"))
            assert next(told).event == "look"
            slow.sendall(f"{head}content-length: {len(BODY)}\r\n\r\n".encode() + BODY[:5])
            with Visitor(api.base) as other:  # once this is answered, that has arrived
                assert other.get("/healthz").status_code == 200
            api.child.terminate()
            assert [one.event for one in told if one.event != "beat"] == []  # it ends, and well
        assert api.child.poll() is None
        slow.sendall(BODY[5:])
        answer = b""
        while more := slow.recv(65536):
            answer += more
    assert answer.startswith(b"HTTP/1.1 201 ")
    assert b'"token":"tf_' in answer
    assert api.child.wait(60) in (0, -signal.SIGTERM)  # uvicorn ends by the signal that it was sent


def test_workers_end_when_they_are_told(place):
    def at_work(stream: str, group: str) -> bool:
        try:
            return bool(wire.ask(ledger.consumers(0, stream, group)))
        except Refused:
            return False

    names = ("workers.fold", "workers.react", "workers.jobs", "workers.notify")
    workers = [place.worker(name) for name in names]
    with closing(place.wire()) as wire:
        until(lambda: at_work("unfolded", "fold") and at_work("folded", "react"), 60)
        until(lambda: wire.ask(outbox.vapid()), 60)
        until(lambda: wire.ask(ledger.Ask(("SCARD", "rq:workers:robots"), int)), 60)
    for worker in workers:
        worker.child.terminate()
    assert [worker.child.wait(60) for worker in workers] == [0, 0, 0, 0]


def test_a_fold_worker_leaves_nothing_that_it_has_taken(place, monkeypatch):
    """Told while it folds: what it took is committed, what it did not take stays a line."""
    ending = Ending()
    monkeypatch.setattr(fold, "ending", ending)
    monkeypatch.setattr(fold, "BATCH", 4)
    loop, folded = fold.Loop(place.server.url, 0), fold.Folder.folded

    def told(folder, lines):
        ending.told = True
        return folded(folder, lines)

    monkeypatch.setattr(fold.Folder, "folded", told)
    names = [f"0-{letter * 16}" for letter in "abcdefgh"]
    with closing(place.wire()) as wire:
        for name in names:
            wire.ask(ledger.append(name, 0, 0, e.encode(offered())))
        loop.run()
        assert wire.ask(ledger.taken(0, "unfolded", "fold")) is None
        assert sum(wire.ask(ledger.newest(name)) is not None for name in names) == 4
        assert wire.ask(ledger.length(0, "unfolded")) == 4


def test_who_only_waits_ends_at_once(monkeypatch):
    left, ending, before = [], Ending(), signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(Ending, "leave", lambda ending: left.append(ending))
    ending.begin()
    try:
        signal.raise_signal(signal.SIGTERM)
        assert (ending.told, left) == (True, [])
        with ending:
            signal.raise_signal(signal.SIGTERM)
        assert left == [ending]
    finally:
        signal.signal(signal.SIGTERM, before)
