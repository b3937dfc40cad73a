"""A game of one folder, written by docs/games.md alone, is tested, playable, served and drawn.

Nothing of Turnfold names it: `TURNFOLD_GAMES` does, as it would for anybody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from engine.catalogue import GAMES
from services.client import Client
from services.guests import VARIABLE, invite
from services.serve import Stack
from tests.commands.processes import ROOT, run
from tests.http.stage import until
from tests.web.test_pages import Surfer, name_of

HERE = Path(__file__).parent
HOME = HERE / "goofspiel"
GUEST = {VARIABLE: "goofspiel", "PYTHONPATH": str(HERE)}
PAGE = (ROOT / "docs/games.md").read_text()


@pytest.fixture(scope="module")
def url(tmp_path_factory) -> Iterator[str]:
    """All of Turnfold, whose processes have the game by the environment, as this one has it."""
    before, folder = dict(GAMES), tmp_path_factory.mktemp("house")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in GUEST.items():
            patch.setenv(name, value)
        invite()
        stack = Stack(folder, port=0, say=lambda _: None)
        try:
            stack.start()
            yield stack.url
        finally:
            stack.stop()
            GAMES.clear()
            GAMES.update(before)


def test_it_passes_all_that_is_asked_of_a_game():
    told = run("check", "goofspiel", **GUEST)
    assert re.fullmatch(r"goofspiel passes all \d{3} tests\.\n", told.stdout), told.stdout


def test_it_is_played_in_the_terminal():
    bids = "\n".join(f"bid {card}" for card in (3, 3, 1, 5, 2, 4))
    told = run("play", "goofspiel", "--set", "cards=5", text=f"?\n{bids}\n", **GUEST)
    assert told.returncode == 0, told.stderr
    assert "You may: bid 1|2|3|4|5\n" in told.stdout
    assert "You do not hold this card. (NOT_IN_HAND, G1)" in told.stdout
    assert "The match is over (most points)" in told.stdout


def test_it_is_played_over_http_and_audited(url):
    with Client.register(url, "Ann") as ann, Client.register(url, "Bo") as bo:
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


def test_its_rules_are_published(url):
    assert "# Goofspiel, as we play it" in httpx.get(f"{url}/games/goofspiel").json()["text"]


def test_it_is_on_the_page_and_drawn_as_its_words_show_it(url):
    with Surfer(url) as surfer:
        front = surfer.get("/").text
        assert "Goofspiel" in front
        assert "Each seat bids a card of its hand" in front
        name = name_of(surfer.play("goofspiel"))
        text = surfer.my_turn(name)
        assert re.search(r"On the table: \d+; 12 prizes to come", text)
        bid = re.search(r'id="m-[^"]*" name="move" value="(bid \d+)"', text).group(1)
        text = surfer.get(f"/table/{name}", params={"move": [bid]}).text
        assert surfer.send_form(f"/table/{name}/moves", text).status_code == 200
        until(lambda: "The bids are" in surfer.get(f"/table/{name}").text)


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
