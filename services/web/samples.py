"""A picture of each game: a match between robots, some moves in, as one of its seats sees it."""

from __future__ import annotations

from functools import cache

from msgspec import Raw

from engine import entries as e
from engine.catalogue import GAMES
from engine.dice import Dice
from engine.fold import step
from engine.look import look
from engine.match import Line, Match, encode
from engine.robots import greedy
from services.web.drawing import picture
from services.web.readmes import title
from services.web.tongues import spoken

MOVES = 16  # at most
NAMES = "Ann", "Ben", "Cleo", "Dirk"


def sample(game: str) -> str:
    """The SVG; always the same for a release and a language."""
    return _sample(game, spoken())


@cache
def _sample(game: str, tongue: str) -> str:
    """In this tongue, which is spoken here."""
    match = _dealt(game)
    dice = Dice(bytes(32), 1)
    for _ in range(MOVES):
        seat = match.to_act[0]
        move = greedy(match.game, match.state, seat, dice)
        played = e.Played(seat, Raw(encode(move)), None)
        after, _ = step(match, Line(match.at, e.encode(played)))
        if after.over:
            break
        match = after
    return picture(look(match, 0, legal=False), NAMES[: len(match.holders)], (), title(game))


def _dealt(game: str) -> Match:
    rules = GAMES[game]
    options = rules.Options()
    seats = min(s for s in rules.seats(options) if s > 1)
    robot: e.ROBOTS = "greedy"
    policy = e.Policy(order="joined")
    offer = e.Offered(
        e.FORMAT, game, rules.RULES, Raw(encode(options)), None, (robot,) * seats, policy, "5e" * 32
    )
    match, _ = step(None, Line(0, e.encode(offer)))
    return match
