"""Robots' jobs, which may run twice and late."""

from __future__ import annotations

import pytest
from rq.job import validate_job_id

from engine import entries as e
from services import door, ledger
from services.wire import Lost
from tests.engine.logs import offered, played
from tests.workers.hall import M, table
from workers import jobs


@pytest.fixture
def bench(hall, monkeypatch):
    monkeypatch.setattr(jobs, "bench", jobs.Bench(hall.wire))
    monkeypatch.setattr(jobs, "TRIES", (0.0, 0.0, 0.0))
    return hall


def move(hall, *args):
    jobs.move(*args)
    hall.server.work()


def test_a_robot_moves(bench):
    bench.write(M, offered("random", "greedy"))
    move(bench, M, 0, 1)
    assert bench.match(M).seq == 2
    entry = bench.entry(M)
    assert (entry.seat, entry.key) == (0, None)  # keys are for players to choose
    move(bench, M, 1, 2)
    assert bench.match(M).over


def test_a_job_that_runs_twice_moves_once(bench):
    bench.write(M, offered("random", "random", "random"))
    for _ in range(3):
        move(bench, M, 0, 1)
    assert bench.match(M).seq == 2


def test_two_jobs_at_once_move_once(bench, monkeypatch):
    bench.write(M, offered("random", "random", "random"))
    chosen = jobs.choose

    def choose(match, seat):
        if match.seq == 1 and not bench.calls:
            bench.calls.append("the other")
            move(bench, M, 0, 1)  # while this one thinks
        return chosen(match, seat)

    monkeypatch.setattr(jobs, "choose", choose)
    move(bench, M, 0, 1)
    assert bench.match(M).seq == 2


def test_a_job_too_late_or_for_a_player_does_nothing(bench):
    bench.write(M, *table(None, "random"))
    move(bench, M, 0, 2)
    move(bench, M, 1, 1)
    move(bench, "0-" + "x" * 16, 0, 1)
    assert bench.match(M).seq == 2
    bench.write(M, played(0, "keep"), e.Resigned(0))
    move(bench, M, 1, 3)
    assert bench.match(M).seq == 4


def test_a_robot_that_took_over_a_seat_moves(bench):
    bench.write(M, *table(leave="greedy"), e.Resigned(0))
    move(bench, M, 0, 3)
    assert bench.match(M).seq == 5


def test_a_job_waits_out_a_server_that_comes_back(bench, monkeypatch):
    bench.write(M, offered("random", "random"))
    newest, lost = door.newest, iter([True, True])

    def away(name):
        if next(lost, False):
            raise Lost("away")
        return newest(name)

    monkeypatch.setattr(door, "newest", away)
    move(bench, M, 0, 1)
    monkeypatch.undo()
    assert bench.server.ask(ledger.ends(M))[0] == 2


def test_a_robot_seems_to_think(bench, monkeypatch):
    slept = []
    monkeypatch.setattr(jobs.time, "sleep", slept.append)
    bench.write(M, offered("random", "random"))
    jobs.bench.delay = 0.5
    move(bench, M, 0, 1)
    assert slept[1:] == [pytest.approx(0.5)]
    slept.clear()
    bench.clock.sleep(10)
    move(bench, M, 1, 2)
    assert [s for s in slept if s] == []


def test_ids_of_jobs_are_what_rq_takes():
    validate_job_id(f"{M}-0-12-3")
