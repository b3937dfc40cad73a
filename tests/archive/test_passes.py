"""Passes of the mover, by rq: called for where there is an archive, done where films are made."""

from __future__ import annotations

from engine import entries as e
from services import ledger
from tests.archive.matches import NAMES
from tests.engine.logs import dealt
from workers import archive, films, jobs


def test_a_pass_moves_what_is_due(hall, store, monkeypatch):
    hall.write(NAMES[0], *dealt(2), e.Resigned(0))
    monkeypatch.setattr(jobs, "bench", jobs.Bench(hall.wire))
    monkeypatch.setenv("TURNFOLD_ARCHIVE_AFTER", "0")
    archive.move()
    assert hall.wire.ask(ledger.archived(NAMES[0])) is None, "there is no archive"
    monkeypatch.setenv("TURNFOLD_ARCHIVE", store.where)
    archive.move()
    assert hall.wire.ask(ledger.archived(NAMES[0])) is not None


def test_react_calls_for_it_where_there_is_an_archive(store, monkeypatch):
    called = []
    monkeypatch.setattr(archive, "enqueued", lambda *call: called.append(call))
    archive.caller(None)()
    assert called == []
    monkeypatch.setenv("TURNFOLD_ARCHIVE", store.where)
    archive.caller(None)()
    [(_, work, args, _)] = called
    assert (work, args) == ("workers.archive.move", ())
    assert archive.QUEUE == films.QUEUE
