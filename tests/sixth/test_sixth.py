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
from tests.web.test_pages import Surfer

HERE = Path(__file__).parent
HOME = HERE / "letters"
GUEST = {VARIABLE: "letters", "PYTHONPATH": str(HERE)}
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
    told = run("check", "letters", **GUEST, TURNFOLD_SEEDS="3")
    assert re.fullmatch(r"letters passes all \d{3} tests\.\n", told.stdout), told.stdout


CARDS = ("guard", "priest", "baron", "maid", "prince", "king", "countess", "princess")


def test_it_is_played_in_the_terminal():
    """Whatever we hold, one of these lines plays it; all others are refused."""
    plays = [f"play {card}{at}" for card in CARDS for at in ("", " 0", " 1")]
    plays += ["play guard 0 king", "play guard 1 king"]
    lines = ["?", "play princess 1", *plays * 80]  # 13 rounds at most, of 6 turns
    told = run("play", "letters", "--set", "favours=7", text="\n".join(lines), **GUEST)
    assert told.returncode == 0, told.stderr
    assert re.search("^You may: play ", told.stdout, re.M)
    assert re.search(r"\((NOT_HELD, L2|NO_TARGET_NEEDED, L4)\)", told.stdout)
    assert "The match is over (most favours)" in told.stdout


def test_it_is_played_over_http_and_audited(url):
    with Client.register(url, "Ann") as ann, Client.register(url, "Bo") as bo:
        match = ann.offer("letters", 2, {"favours": 1}, {"order": "joined"}).match
        ann.join(match)
        bo.join(match)
        while (look := ann.look(match)).outcome is None:
            client = (ann, bo)[look.to_act[0]]
            look = client.look(match)
            client.play(look, ready(client, look))
        assert look.outcome.why == "most favours"
        assert max(look.outcome.scores) == 1
        assert ann.audit(match).ok


def ready(client: Client, look) -> object:
    """The first move there is, grown until it may be played: a card, a seat and a guess."""
    choice = look.legal[0]
    while not choice.ready:
        choice = client.grow(look, choice.move)[0]
    return choice.move


def test_its_rules_are_published(url):
    assert "# Letters, as we play it" in httpx.get(f"{url}/games/letters").json()["text"]


def test_it_is_on_the_page_and_drawn_as_its_words_show_it(url):
    with Surfer(url) as surfer:
        front = surfer.get("/").text
        assert "Letters" in front
        assert "Of two cards play one" in front
        name = surfer.offer("letters", open="0", robots="1", shuffled="")
        text = surfer.my_turn(name)
        assert re.search(r"\d+ in the deck; without \w+ \w+ \w+", text)
        while 'id="play"' not in text:  # a card, then a seat, then a guess, each on a page
            move = re.search(r'id="m-[^"]*" name="move" value="(play [^"]+)"', text).group(1)
            text = surfer.get(f"/table/{name}", params={"move": [move]}).text
        assert surfer.send_form(f"/table/{name}/moves", text).status_code == 200
        until(lambda: "plays a" in surfer.get(f"/table/{name}").text)


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
