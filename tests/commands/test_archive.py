"""`turnfold archive` and the commands that read what has left the server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from contextlib import closing, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from msgspec import json
from typer.testing import CliRunner

from engine import entries as e
from engine.fold import replay
from engine.match import Line
from services import door, finished, ledger
from services.archive import mover
from services.archive.proof import Found
from services.archive.shelf import Shelf, path_of
from services.archive.store import Store
from services.cli import app
from services.wire import BlockingWire
from tests.archive.matches import NAMES
from tests.commands.documents import DOCS
from tests.commands.processes import ROOT, TURNFOLD
from tests.engine.logs import dealt

SECTION = (DOCS / "operators.md").read_text().partition("\n## Archive\n")[2].partition("\n## ")[0]
ENDED = [*dealt(2), e.Resigned(0)]
SECOND = 1000  # ms; they ended soon after 1970


@pytest.fixture
def folder(tmp_path) -> str:
    return str(tmp_path / "archive")


@pytest.fixture
def run(alone, redis, folder, monkeypatch):
    monkeypatch.setenv("TURNFOLD_ARCHIVE", folder)
    monkeypatch.setenv("TURNFOLD_REDIS", alone.url)

    def one(*words: str, **env: str):
        return CliRunner().invoke(app, [*words], env={"COLUMNS": "200", **env})

    return one


@pytest.fixture
def wire(alone, folder):
    with closing(BlockingWire(alone.url, Shelf(Store(folder)))) as wire:
        yield wire


def withdrawn(wire: BlockingWire, *names: str) -> None:
    """Matches that are over."""
    for name in names:
        lines = [Line(SECOND * n, e.encode(entry)) for n, entry in enumerate(ENDED)]
        match, verdict = list(replay(lines))[-1]
        assert wire.ask(ledger.copy(lines, door.done(name, None, match, verdict)))


def test_it_moves_and_operators_read_on(run, wire, folder):
    withdrawn(wire, *NAMES[:2])
    words = (["matches", "list"], ["matches", "show", NAMES[0]], ["matches", "audit"])
    before = [run(*line).output for line in words]
    done = run("archive", "--days", "999999")
    assert done.output.startswith(f"0 matches moved to {folder}, 0 bytes.")
    done = run("archive", "--days", "0")
    assert re.match(rf"2 matches moved to {folder}, \d+ bytes\.", done.output)
    assert [run(*line).output for line in words] == before
    assert "2 of 2 finished matches are true" in before[2]
    assert "is in the archive" in run("rebuild", NAMES[0]).output
    export = folder + ".json"
    assert run("matches", "export", NAMES[0], export).exit_code == 0
    assert "True: it folds" in run("audit", export).output


def test_without_an_archive_it_says_so(run, wire):
    withdrawn(wire, NAMES[0])
    assert "There is no archive" in run("archive", TURNFOLD_ARCHIVE="").output
    said = run("archive", TURNFOLD_ARCHIVE="wrong://x")
    assert (said.exit_code, "is no folder and no object store" in said.output) == (1, True)
    assert "takes a number of days" in run("archive", TURNFOLD_ARCHIVE_AFTER="soon").output
    assert wire.ask(ledger.archived(NAMES[0])) is None


def test_a_damaged_archive_is_named(run, wire, folder):
    withdrawn(wire, NAMES[0])
    run("archive", "--days", "0")
    os.rename(folder, folder + "-away")
    done = run("matches", "show", NAMES[0])
    assert (done.exit_code, "The archive cannot be asked" in done.output) == (1, True)


def test_kill_9_while_it_moves(run, alone, wire, folder):
    """On a real server and a real disk: wherever it is, nothing is lost."""
    names = [f"0-{'a' * 14}{a}{b}" for a in "abc" for b in "abcdefgh"]
    withdrawn(wire, *names)
    before = {name: whole(wire, name) for name in names}
    left = names
    while len(left) == len(names):
        words = [*TURNFOLD, "archive", "--days", "0", "--redis", alone.url]
        process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)
        try:
            while process.poll() is None and not wire.ask(ledger.count_archived(0)):
                pass
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        left = [name for name in names if wire.ask(ledger.archived(name)) is None]
        assert {name: whole(wire, name) for name in names} == before
    mover.move(wire, Store(folder), 0)
    assert all(wire.ask(ledger.archived(name)) for name in names)
    assert {name: whole(wire, name) for name in names} == before


def whole(wire: BlockingWire, name: str) -> bytes:
    return finished.bundle(name, wire.talk(finished.record(name)))


def test_it_proves_that_all_is_there(run, alone, wire, folder):
    withdrawn(wire, *NAMES[:2])
    run("archive", "--days", "0")
    done = run("verify-archive", "--redis", alone.url)
    assert (done.exit_code, "True: 2 matches as they were" in done.output) == (0, True)
    [head] = re.findall("Head: (1:[0-9a-f]{64})", done.output)
    assert run("verify-archive", folder, "--head", head, TURNFOLD_ARCHIVE="").exit_code == 0
    assert run("verify-archive", "--head", "1:" + "0" * 64).exit_code == 1
    os.unlink(os.path.join(folder, path_of(NAMES[0])))
    done = run("verify-archive")
    assert (done.exit_code, f"(missing): {NAMES[0]}" in done.output) == (1, True)
    said = json.decode(run("verify-archive", "--json").output, type=Found)
    assert (said.ok, said.matches, said.faults[0].kind) == (False, 1, "missing")


def test_the_doctor_sees_what_cannot_be_read(run, wire, folder):
    assert "archive   0 matches" in run("doctor").output
    withdrawn(wire, NAMES[0])
    run("archive", "--days", "0")
    assert "✓ archive   1 matches have left for it." in run("doctor").output
    assert "and none is named" in run("doctor", TURNFOLD_ARCHIVE="").output
    os.rename(folder, folder + "-away")
    assert "does not answer" in run("doctor").output
    os.mkdir(folder)
    assert f"{folder} is empty" in run("doctor").output


def test_an_object_of_it_is_audited_and_told_as_it_is(run, wire, folder):
    withdrawn(wire, NAMES[0])
    run("archive", "--days", "0")
    file = os.path.join(folder, path_of(NAMES[0]))
    assert run("audit", file).output.startswith("high-card, rules 1, match 0-a")
    assert run("replay", file).exit_code == 0


def test_a_bundle_is_imported(run, redis, wire, folder, tmp_path):
    """From a file, from an archive, from another house."""
    withdrawn(wire, NAMES[0])
    bundle = whole(wire, NAMES[0])
    (tmp_path / "file").write_bytes(bundle)
    run("archive", "--days", "0")
    [packed] = (tmp_path / "archive" / "matches").rglob("*.zst")
    with served(tmp_path) as url:
        for where in (tmp_path / "file", packed, packed.as_uri(), f"{url}/file"):
            redis.flushall()
            done = run("import", str(where))
            assert (done.exit_code, done.output) == (0, f"{NAMES[0]} is there.\n")
            assert run("import", str(where)).output == f"{NAMES[0]} was there already.\n"
            assert whole(wire, NAMES[0]) == bundle
        redis.flushall()
        for where in (f"{url}/none", "none", "s3://none", "x://y", str(DOCS / "format.md")):
            done = run("import", where, str(tmp_path / "file"))
            assert (done.exit_code, where in done.output) == (1, True)
            assert NAMES[0] in done.output


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *said) -> None:
        pass


@contextmanager
def served(folder: Path):
    """The files of a folder, over HTTP."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def test_what_is_no_archive(run, wire, folder, tmp_path):
    for words in (["verify-archive"], ["verify-archive", "wrong://x"]):
        assert run(*words).exit_code == 2
    assert "there is no such folder" in run("verify-archive").output
    assert not os.path.exists(folder)
    assert run("verify-archive", TURNFOLD_ARCHIVE="").exit_code == 2
    withdrawn(wire, NAMES[0])
    run("archive", "--days", "0")
    assert "takes N:HEX" in run("verify-archive", "--head", "x").output
    assert run("verify-archive", "--redis", "unix:///none").exit_code == 2


def test_the_commands_in_the_docs(run, wire):
    withdrawn(wire, NAMES[0])
    run("archive", "--days", "0")
    blocks = re.findall(r"```console\n(.*?)```", SECTION, re.DOTALL)
    lines = [line.split() for block in blocks for line in block.splitlines()]
    assert len(lines) >= 2
    for words in lines:
        assert run(*words[1:]).exit_code == 0, words
