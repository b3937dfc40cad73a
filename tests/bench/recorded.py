"""Recorded random matches: seats held by players, a clock, moves strolled. Always the same."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import NamedTuple

from msgspec import Raw, convert

from engine import entries as e
from engine.catalogue import GAMES
from engine.dice import Dice
from engine.fold import step
from engine.match import Line, Match
from engine.robots import stroll

START = 1_700_000_000_000
POLICY = e.Policy(clock=e.PerMove(86_400), order="joined")
LIMIT = 5_000
BRIEF = {"uno-flip": {"target": "round"}}  # chance alone hardly ends a match to 500 points


class Recorded(NamedTuple):
    """A whole log, and the match as it was dealt: what follows is `log[dealt.seq:]`."""

    log: tuple[Line, ...]
    dealt: Match
    end: Match


@cache
def recorded(game: str, seed: int) -> Recorded:
    rules, chance, dice = GAMES[game], Random(f"{game} {seed}"), Dice(bytes(32), seed)
    options = convert(BRIEF.get(game, {}), rules.Options)
    n = chance.choice(rules.seats(options))
    raw, secret = Raw(e.encode(options)), chance.randbytes(32).hex()
    offer = e.Offered(e.FORMAT, game, rules.RULES, raw, None, (None,) * n, POLICY, secret)
    log = [Line(START, e.encode(offer))]
    match, _ = step(None, log[0])

    def put(entry: e.Entry) -> Match:
        log.append(Line(match.at + chance.randrange(60_000), e.encode(entry)))
        return step(match, log[-1])[0]

    for chair in range(n):
        match = put(e.Joined(chair, player(chair), chance.randbytes(32).hex()))
    dealt = match
    while not match.over and len(log) < LIMIT:
        seat = match.to_act[0]
        move = stroll(rules, match.state, seat, dice)
        match = put(e.Played(seat, Raw(e.encode(move)), chance.randbytes(16).hex()))
    return Recorded(tuple(log), dealt, match)


def player(n: int) -> str:
    return chr(ord("a") + n // 8 % 26) * 15 + chr(ord("a") + n % 8)


def many(game: str, quick: bool) -> list[Recorded]:
    few = {"high-card": 200, "qwirkle": 12}.get(game, 12)
    return [recorded(game, seed) for seed in range(few // 4 if quick else few)]
