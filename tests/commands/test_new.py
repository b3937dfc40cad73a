"""`turnfold new` writes a game that can be played, where it is asked to, and never over another."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine.catalogue import GAMES
from engine.playthrough import rewrite
from services import skeleton
from services.cli import app


@pytest.fixture(autouse=True)
def restored(monkeypatch):
    """The catalogue, the path and the modules as they were."""
    games = dict(GAMES)
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield
    GAMES.clear()
    GAMES.update(games)
    for name in [name for name in sys.modules if name.split(".")[0] == "tea_party"]:
        del sys.modules[name]


def run(*words: object, text: str = ""):
    asked = [str(word) for word in words]
    return CliRunner().invoke(app, asked, input=text, env={"COLUMNS": "200"})


def test_a_game_elsewhere_is_playable_as_written(tmp_path):
    told = run("new", "tea-party", "--dir", tmp_path)
    assert told.exit_code == 0, told.output
    assert f"PYTHONPATH={tmp_path} TURNFOLD_GAMES=tea_party turnfold check tea-party" in told.output
    played = run("play", "tea-party", text="keep\n")
    assert "The match is over (highest card)" in played.output
    home = tmp_path / "tea_party"
    written = {str(path.relative_to(home)) for path in home.rglob("*.*") if path.is_file()}
    rules = {"__init__.py", "rules.py", "words.py", "README.md"}
    hooks = {f"tests/{name}.py" for name in ("pieces", "redeal", "leaks", "test_redeal")}
    assert rules | hooks | {"tests/examples.md", "tests/playthroughs/tutorial.txt"} <= written
    for path in (home / name for name in written if "__pycache__" not in name):
        text = path.read_text()
        assert not re.search(r"high.card|\bH\d", text.replace(skeleton.SO_FAR, ""), re.IGNORECASE)
        assert path.suffix != ".txt" or text == rewrite(text)
    assert "| T5 | an absent seat |" in (home / "README.md").read_text()


def test_one_of_ours_has_its_line_in_the_catalogue():
    written = skeleton._with_line(skeleton.CATALOGUE.read_text(), "engine.games.coup")
    assert written.splitlines().count("    engine.games.coup") == 1
    assert written.replace("    engine.games.coup\n", "") == skeleton.CATALOGUE.read_text()


@pytest.mark.parametrize("name", ["Chess", "a--b", "-a", "x1", "", "a_b", "../a", "a" * 31])
def test_what_is_no_name_is_refused(tmp_path, name):
    told = run("new", "--dir", tmp_path, "--", name)
    assert told.exit_code == 1
    assert "is no name of a game: small letters, with hyphens between words" in told.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("high-card", "There is a game high-card already."),
        ("class", "class is a word of Python"),
        ("string", "Python has a module string already"),
        ("tea-party", "is there already: nothing is overwritten."),
    ],
)
def test_nothing_is_overwritten_or_hidden(tmp_path, name, says):
    (tmp_path / "tea_party").mkdir()
    told = run("new", name, "--dir", tmp_path)
    assert told.exit_code == 1
    assert says in told.output
    assert list(tmp_path.iterdir()) == [tmp_path / "tea_party"]
    assert not list(Path(tmp_path, "tea_party").iterdir())


def test_without_the_tests_to_copy_it_says_where_to_go(monkeypatch, tmp_path):
    monkeypatch.setattr(skeleton, "TESTS", tmp_path / "none")
    told = run("new", "tea-party", "--dir", tmp_path)
    assert "run this from a checkout of Turnfold" in told.output
