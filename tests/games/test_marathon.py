"""Many matches of robots, played to their end: none stalls, and nothing is refused on the way.

A share of them here; TURNFOLD_LONG=1 plays 10,000 random and 2,000 greedy matches of each game.
"""

from __future__ import annotations

import os
import random

import pytest
from msgspec.structs import replace

from engine import entries as e
from engine.dice import Dice
from engine.fold import step
from engine.match import Accepted, Line
from engine.robots import ROBOTS
from tests.games.matches import LIMIT, command, drawn, games, random_offer

CHUNKS = 10
RANDOM, GREEDY = (10_000, 2_000) if os.environ.get("TURNFOLD_LONG") else (40, 10)


@games
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(("robot", "matches"), [("random", RANDOM), ("greedy", GREEDY)])
def test_matches_end(game, robot, matches, chunk):
    for seed in range(chunk, matches, CHUNKS):
        entries = played(game, robot, f"{robot} {seed}")
        assert entries < LIMIT, f"seed {seed} is not over"


def played(game, robot: str, seed: str) -> int:
    """The entries of a match of robots of one kind, with random options."""
    chance, dice = random.Random(seed), Dice(bytes.fromhex(drawn(seed)), 0)
    offered = random_offer(game, chance.randrange(10**6), chance)
    raw = e.encode(replace(offered, seats=(robot,) * len(offered.seats)))
    match, verdict = step(None, Line(1, raw))
    while not match.over and match.seq < LIMIT:
        seat = chance.choice(match.to_act)
        move = ROBOTS[robot](game, match.state, seat, dice)
        match, verdict = step(match, Line(match.at + 1, e.encode(command(seat, move))))
        assert isinstance(verdict, Accepted), verdict
    return match.seq
