"""What moves on a drawn board: what the last entry changed, and nothing for who wants no motion."""

from __future__ import annotations

import re

import pytest

from engine.catalogue import GAMES
from engine.look import heard, look
from services.web import boards
from services.web.drawing import board
from tests.games.matches import random_match
from tests.http.people import Player

MOVES = 40  # looked at, of a match
HEARD = """window.motions = 0;
addEventListener("animationstart", (event) => event.target.closest("#board") && motions++);
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) { motions++; return animate.apply(this, how); };"""


@pytest.mark.parametrize("game", boards.BOARDS)
def test_what_moved_comes_from_somewhere_on_the_board(game):
    moving = 0
    for step in random_match(GAMES[game], 1)[:MOVES]:
        for viewer in (0, None) if step.match.state else ():
            seats = [str(seat) for seat in range(len(step.match.holders))]
            news = heard(step.verdict, viewer)
            drawn = str(board(look(step.match, viewer, "0-match"), seats, news).drawn)
            places = re.findall(r'data-at="([^"]*)"', drawn)
            assert len(places) == len({*places})
            origins = re.findall(r'data-from="([^"]*)"', drawn)
            assert {*origins} <= {*places}
            moving += len(origins) + len(re.findall(r'class="[^"]*(?:fresh|turned)', drawn))
    assert moving


def test_nothing_moves_for_who_wants_no_motion(visit, base):
    with Player(base) as ann, Player(base) as ben:
        name = ann.offer("high-card", policy={"order": "joined"})
        ben.join(name)
        ann.play(name, {"type": "trade"}, 3)
        ben.play(name, {"type": "keep"}, 4)
    moved = {}
    for wish in ("no-preference", "reduce"):
        eve = visit(reduced_motion=wish)
        eve.context.add_init_script(HEARD)
        eve.page.goto(f"/table/{name}/replay?seq=3&as=watcher")
        for entry in (4, 5):
            eve.page.locator("#next").click()
            eve.page.locator(f"#moment p[data-seq='{entry}']").wait_for()
        if wish == "no-preference":
            eve.page.wait_for_function("motions > 2")  # a card from the deck, two turned over
        moved[wish] = eve.page.evaluate("motions")
    assert moved["no-preference"] > moved["reduce"] == 0
