"""Playthroughs: matches as text that people review. What was told is written as it is told now."""

import os

import pytest

from engine.catalogue import GAMES
from engine.playthrough import Unreadable, rewrite
from tests.games.matches import folder, games

SEVERAL = "write three playthroughs or more, as docs/games.md shows"
WIDTH = 100
FILES = {game.NAME: sorted(folder(game).glob("playthroughs/*.txt")) for game in GAMES.values()}
PATHS = [
    pytest.param(path, id=f"{game}/{path.stem}") for game, paths in FILES.items() for path in paths
]


@pytest.mark.parametrize("path", PATHS)
def test_playthrough(path):
    """After a change that is meant: once with TURNFOLD_REWRITE=1, and read the diff."""
    text = path.read_text()
    true = rewritten(path.name, text)
    if os.environ.get("TURNFOLD_REWRITE"):
        path.write_text(text := true)
    assert text == true, (
        f"{path.name}: this is not what is told now: write it anew (TURNFOLD_REWRITE=1), and read "
        "the diff"
    )


def rewritten(name: str, text: str) -> str:
    try:
        return rewrite(text)
    except Unreadable as error:
        raise AssertionError(f"{name}, {error}") from None


@pytest.mark.parametrize("path", PATHS)
def test_it_begins_with_what_to_look_at(path):
    text = path.read_text()
    fits = max(map(len, text.splitlines()), default=0) <= WIDTH
    what = f"a `#` comment on what to look at, in lines of at most {WIDTH} characters"
    assert (text[:2], fits) == ("# ", True), f"{path.name} must begin with {what}"


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
