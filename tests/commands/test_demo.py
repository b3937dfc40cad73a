"""`turnfold demo`: everything at once, over HTTP."""

from __future__ import annotations

from engine.catalogue import GAMES
from tests.commands.processes import run


def test_clients_play_every_game_and_audit_it(tmp_path):
    done = run("demo", TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr[-2000:]
    for game in GAMES:
        assert f"\n{game}: " in f"\n{done.stdout}"
    assert done.stdout.count("audit   true") == len(GAMES)
    assert list(tmp_path.iterdir()) == []


def test_an_api_that_is_not_there_is_named():
    done = run("demo", "--url", "http://127.0.0.1:1")
    assert done.returncode == 1
    assert done.stderr.startswith("The api does not answer: ")
