"""Playthroughs: matches as text that people review. What was told is written as it is told now."""

import os

import pytest

from engine.catalogue import GAMES
from engine.playthrough import rewrite
from tests.games.matches import folder, games

SEVERAL = "write three playthroughs or more, as docs/games.md shows"
FILES = {game.NAME: sorted(folder(game).glob("playthroughs/*.txt")) for game in GAMES.values()}
PATHS = [
    pytest.param(path, id=f"{game}/{path.stem}") for game, paths in FILES.items() for path in paths
]


@pytest.mark.parametrize("path", PATHS)
def test_playthrough(path):
    """After a change that is meant: once with TURNFOLD_REWRITE=1, and read the diff."""
    text = path.read_text()
    if os.environ.get("TURNFOLD_REWRITE"):
        path.write_text(text := rewrite(text))
    assert text == rewrite(text), "this is not what is told now: write it anew, and read the diff"


@pytest.mark.parametrize("path", PATHS)
def test_it_begins_with_what_to_look_at(path):
    assert path.read_text().startswith("# ")
    assert all(len(line) <= 100 for line in path.read_text().splitlines())


@games
def test_what_is_no_longer_true_is_noticed(game):
    assert FILES[game.NAME], SEVERAL
    text = FILES[game.NAME][0].read_text()
    told = [line for line in text.splitlines() if line.startswith((" ", "="))]
    assert len(told) > 5, "a playthrough of hardly anything: play on until something happens"
    for line in told[:50]:
        other = text.replace(line, f"{line[:-1]}?", 1)
        assert rewrite(other) == text != other


@games
def test_there_are_several(game):
    assert len(FILES[game.NAME]) >= 3, SEVERAL
