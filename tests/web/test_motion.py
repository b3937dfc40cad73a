"""What moves on a drawn board is what the last entry changed."""

from __future__ import annotations

import re

import pytest

from engine.catalogue import GAMES
from engine.look import heard, look
from services.web import boards
from services.web.drawing import board
from tests.games.matches import random_match

MOVES = 40  # looked at, of a match


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
