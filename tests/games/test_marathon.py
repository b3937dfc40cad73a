"""Many matches of robots, played to their end: none stalls, and nothing is refused on the way.

A share of them here; TURNFOLD_LONG=1 plays 10,000 random and 2,000 greedy matches of each game.
"""

from __future__ import annotations

import os
import random
from collections import deque

import pytest

from tests.games.matches import games, random_offer, robot_match

CHUNKS = 10
RANDOM, GREEDY = (10_000, 2_000) if os.environ.get("TURNFOLD_LONG") else (20, 10)


@games
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(("robot", "matches"), [("random", RANDOM), ("greedy", GREEDY)])
def test_matches_end(game, robot, matches, chunk):
    for number in range(chunk, matches, CHUNKS):
        seed = f"{robot} {number}"
        chance = random.Random(seed)
        offered = random_offer(game, chance.randrange(10**6), chance)
        (last,) = deque(robot_match(game, offered, robot, seed), maxlen=1)
        assert last.match.over, f"{seed} is not over after {last.match.seq} entries"
