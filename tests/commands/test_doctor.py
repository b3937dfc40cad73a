"""`turnfold doctor`: each thing that can be wrong is found, named, and comes with what to do."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec import json
from typer.testing import CliRunner

from services import doctor, ledger
from services.cli import app
from services.doctor import Patient, examine
from services.wire import BlockingWire
from tests.commands.processes import soon

CHECKS = {"folder", "disk", "server", "log", "memory", "clock"} | {
    *("fold 0", "react 0", "api 0", "rules 0", "stuck", "jobs")
}


def run(*words: object):
    return CliRunner().invoke(app, ["doctor", *map(str, words)], env={"COLUMNS": "200"})


@pytest.fixture
def found(alone):
    """The findings at the lonely server, by check."""

    def look() -> dict[str, doctor.Finding]:
        with closing(BlockingWire(alone.url)) as wire:
            patient = Patient(wire, alone.url, 1, alone.folder)
            return {one.check: one for one in examine(patient)}

    return look


def test_all_is_well(house):
    soon(lambda: run("--data", house.data).exit_code == 0)
    done = run("--data", house.data)
    lines = done.output.splitlines()
    assert len(lines) == len(CHECKS)
    assert all(line.startswith("✓ ") for line in lines), done.output
    report = json.decode(run("--data", house.data, "--json").output)
    assert report["ok"] is True
    assert {one["check"] for one in report["findings"]} == CHECKS
    assert run("--redis", house.redis).output.count("✓") == len(CHECKS) - 2


def test_no_server(tmp_path):
    done = run("--data", tmp_path / "none")
    assert done.exit_code == 1
    assert "There is no folder" in done.output
    assert "✗ server    It does not answer" in done.output
    assert "→ Start `turnfold serve`" in done.output
    assert "Traceback" not in done.output
    assert run("--redis", "http://x").exit_code == 1


def test_nobody_works(found):
    said = found()
    for check in ("fold 0", "react 0", "api 0", "jobs"):
        assert said[check].state == "bad"
        assert "Start `turnfold " in said[check].todo
    assert said["stuck"].state == said["rules 0"].state == "ok"


@pytest.mark.parametrize(
    ("setting", "value", "check", "says"),
    [
        ("appendonly", "no", "log", "The append-only file is off."),
        ("maxmemory-policy", "allkeys-lru", "memory", "maxmemory-policy is allkeys-lru."),
        ("maxmemory", "1000000", "memory", "of 1 MiB"),
    ],
)
def test_settings_of_the_server(found, redis, setting, value, check, says):
    before = redis.config_get(setting)[setting]
    redis.config_set(setting, value)
    try:
        said = found()[check]
    finally:
        redis.config_set(setting, before)
    assert said.state != "ok"
    assert says in said.says
    assert said.todo
    assert found()[check].state == "ok"


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ({"redis_version": "6.0.16"}, "It speaks Redis 6.0.16."),
        ({}, "It speaks Redis 0."),
    ],
)
def test_an_old_server(condition, says):
    said = doctor._version(condition)
    assert (said.state, said.says) == ("bad", says)


@pytest.mark.parametrize("what", ["aof_last_write_status", "aof_last_bgrewrite_status"])
def test_a_log_that_cannot_be_written(what):
    fine = {"aof_enabled": "1", "aof_last_write_status": "ok", "aof_last_bgrewrite_status": "ok"}
    assert doctor._log(fine).state == "ok"
    said = doctor._log(fine | {what: "err"})
    assert (said.state, what in said.says) == ("bad", True)


def test_clocks_that_differ(found, monkeypatch):
    real = time.time
    monkeypatch.setattr(doctor.time, "time", lambda: real() - 3)
    said = found()["clock"]
    assert (said.state, "differ by 3.0 s" in said.says) == ("warn", True)


def test_a_folder_that_others_can_read(alone, found):
    path = alone.folder / "copy"
    path.write_text("secrets")
    path.chmod(0o640)
    said = found()["folder"]
    path.unlink()
    assert (said.state, str(path) in said.says) == ("bad", True)
    assert said.todo.startswith("chmod ")


def test_files_that_the_server_takes_away_meanwhile(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "rglob", lambda folder, _: [folder / "temp-rewriteaof-1.aof"])
    assert [path for path, _ in doctor._files(tmp_path)] == [tmp_path]


def test_a_disk_that_is_nearly_full(found, monkeypatch):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: SimpleNamespace(free=9))
    assert found()["disk"].state == "bad"


def test_a_line_that_waits(alone, found, redis):
    with closing(BlockingWire(alone.url)) as wire:
        wire.ask(ledger.groups(0)[0])
        wire.ask(ledger.todo(0, "worker", 1, None))
        assert found()["fold 0"].state == "ok"
        redis.xadd("{0}:unfolded", {"m": "x"}, id=f"{int((time.time() - 20) * 1000)}-0")
        assert found()["fold 0"].state == "warn"
        wire.ask(ledger.todo(0, "worker", 1, None))
    assert "1 fold worker at work; the oldest line waits 2" in found()["fold 0"].says


def test_an_api_that_has_gone(found, redis):
    redis.set("{0}:alive", int((time.time() - 7200) * 1000))
    said = found()["api 0"]
    assert (said.state, "No api was there for 72" in said.says) == ("bad", True)


def test_matches_of_another_release(found, redis):
    entry = b'{"type":"offered","format":9,"game":"chess","rules":1}'
    redis.xadd("{0}:match:0-aaaaaaaaaaaaaaaa:log", {"at": 1, "=": entry}, id="1-0")
    redis.zadd("{0}:live", {"0-aaaaaaaaaaaaaaaa": 1})
    said = found()["rules 0"]
    assert said.state == "bad"
    assert "qwirkle" in said.todo


def test_stuck_matches(found, redis):
    redis.hset("{0}:stuck", "0-aaaaaaaaaaaaaaaa", json.encode(ledger.Stuck(3, "0.0.1", "x")))
    said = found()["stuck"]
    assert (said.state, said.says) == ("bad", "1 stuck: 0-aaaaaaaaaaaaaaaa")


def test_jobs_that_are_elsewhere(house):
    done = run("--data", house.data, "--jobs-redis", "redis://127.0.0.1:1")
    assert done.exit_code == 1
    assert "✗ jobs      The jobs' server does not answer" in done.output
