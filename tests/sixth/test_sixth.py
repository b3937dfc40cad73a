"""A game of one folder, written by docs/games.md alone, is tested, playable, served and drawn.

Nothing of Turnfold names it: `TURNFOLD_GAMES` does, as it would for anybody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from engine.catalogue import GAMES
from services.client import Client
from services.guests import VARIABLE, invite
from services.serve import Stack
from tests.commands.processes import ROOT, run

HERE = Path(__file__).parent
HOME = HERE / "goofspiel"
GUEST = {VARIABLE: "goofspiel", "PYTHONPATH": str(HERE)}
PAGE = (ROOT / "docs/games.md").read_text()


@pytest.fixture
def goofspiel(monkeypatch) -> Iterator[None]:
    """The catalogue of this process, and of those it starts, with the game."""
    monkeypatch.setenv(VARIABLE, "goofspiel")
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    before = dict(GAMES)
    invite()
    yield
    GAMES.clear()
    GAMES.update(before)


def test_it_passes_all_that_is_asked_of_a_game():
    told = run("check", "goofspiel", **GUEST)
    assert re.fullmatch(r"goofspiel passes all \d{3} tests\.\n", told.stdout), told.stdout


def test_it_is_played_in_the_terminal():
    bids = "\n".join(f"bid {card}" for card in (3, 3, 1, 5, 2, 4))
    told = run("play", "goofspiel", "--set", "cards=5", text=f"?\n{bids}\n", **GUEST)
    assert told.returncode == 0, told.stderr
    assert "You may: bid 1, bid 2, bid 3, bid 4, bid 5\n" in told.stdout
    assert "You do not hold this card. (NOT_IN_HAND, G1)" in told.stdout
    assert "The match is over (most points)" in told.stdout


def test_it_is_played_over_http_and_audited(goofspiel, tmp_path):
    with up(tmp_path) as url, Client.register(url, "Ann") as ann, Client.register(url, "Bo") as bo:
        match = ann.offer("goofspiel", 2, {"cards": 5}, {"order": "joined"}).match
        ann.join(match)
        bo.join(match)
        for low in range(5):  # both are waited for at once; the first bids its cards upwards
            for client, mine in ((ann, 0), (bo, 4 - low)):
                look = client.my_turn(match)
                client.play(look, look.legal[mine].move)
        over = bo.look(match)
        assert over.outcome.why == "most points"
        assert sum(over.outcome.scores) <= 15
        assert ann.audit(match).ok
        rules = httpx.get(f"{url}/games/goofspiel").json()
        assert "# Goofspiel, as we play it" in rules["text"]


@contextmanager
def up(folder: Path) -> Iterator[str]:
    """All of Turnfold, on a folder of its own; its processes have the game by the environment."""
    stack = Stack(folder, port=0, say=lambda _: None)
    try:
        stack.start()
        yield stack.url
    finally:
        stack.stop()


def test_the_page_says_how_many_lines_it_has():
    lines = {
        "rules and words": [*HOME.glob("*.py")],
        "README": [HOME / "README.md"],
        "tests": [*HOME.glob("tests/*.py"), HOME / "tests/examples.md"],
        "playthroughs": [*HOME.glob("tests/playthroughs/*.txt")],
    }
    for what, paths in lines.items():
        count = sum(len(path.read_text().splitlines()) for path in paths)
        assert f"| {what} | {count} |" in PAGE
