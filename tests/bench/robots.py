"""Search against greed: matches of two seats, who begins by turns, wins with a Wilson interval."""

from __future__ import annotations

from math import sqrt
from time import process_time
from typing import Any, NamedTuple

from engine.catalogue import GAMES
from engine.contract import Game, Outcome, Seat, hear
from engine.dice import Dice
from engine.robots import ROBOTS

MATCHES, QUICK = 100, 2
CLEARLY = 0.55  # of all matches: where the interval begins above it, search is clearly better
Z = 1.96  # 95 %


class Tally(NamedTuple):
    matches: int = 0
    won: float = 0  # a tie is half
    moves: int = 0
    seconds: float = 0  # of the processor, for these moves


def run(games: list[str], quick: bool) -> bool:
    """After each match how it stands, since these take long. True: clearly better everywhere."""
    clear = [measured(GAMES[name], QUICK if quick else MATCHES) for name in games]
    return all(clear)


def measured(game: Game, matches: int) -> bool:
    tally = Tally()
    for number in range(matches):
        seat = number % 2
        outcome, moves, seconds = played(game, number, seat)
        mine, other = outcome.places[seat], outcome.places[1 - seat]
        won = 0.5 * (mine <= other) + 0.5 * (mine < other)
        tally = Tally(number + 1, tally.won + won, tally.moves + moves, tally.seconds + seconds)
        print(told(game, tally), flush=True)
    return wilson(tally.won, tally.matches)[0] > CLEARLY


def played(game: Game, number: int, seat: Seat) -> tuple[Outcome, int, float]:
    """A match with search at this seat, how often it moved, and how long that took it."""
    dice, moves, seconds = Dice(number.to_bytes(32, "big"), 0), 0, 0.0
    state, _ = hear(game.setup(game.Options(), 2, dice))
    while (outcome := game.outcome(state)) is None:
        mover = game.to_act(state)[0]
        begun = process_time()
        move: Any = ROBOTS["search" if mover == seat else "greedy"](game, state, mover, dice)
        if mover == seat:
            moves, seconds = moves + 1, seconds + process_time() - begun
        state, _ = hear(game.apply(state, mover, move, dice))
    return outcome, moves, seconds


def wilson(won: float, n: int) -> tuple[float, float]:
    """The 95 % interval of the share that is won."""
    share, wide = won / n, Z * Z / n
    middle = share + wide / 2
    half = Z * sqrt(share * (1 - share) / n + wide / (4 * n))
    return (middle - half) / (1 + wide), (middle + half) / (1 + wide)


def told(game: Game, tally: Tally) -> str:
    low, high = wilson(tally.won, tally.matches)
    return (
        f"{game.NAME}: search won {tally.won:g} of {tally.matches},"
        f" {100 * tally.won / tally.matches:.0f} % ({100 * low:.0f} to {100 * high:.0f} %),"
        f" {1000 * tally.seconds / tally.moves:.0f} ms a move"
    )
