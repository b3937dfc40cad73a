"""Robots: whoever must move without a person. They choose among the moves of their seat alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.contract import Game, Seat
from engine.dice import Dice
from engine.search import never, search
from engine.weighing import best, pick, weighed

MANY = 2_000  # moves that a greedy robot weighs before it takes the best so far


def stroll(game: Game, state: Any, seat: Seat, dice: Dice) -> Any:
    """An allowed move at random: begin anywhere, then add any one piece or, if it may, stop.

    Every allowed move can come up, but not evenly: what is reached in many ways comes up more.
    Where a seat has several kinds of move the kind is drawn first.
    """
    kinds: dict[type, list[Any]] = {}
    for move in game.legal(state, seat):
        kinds.setdefault(type(move), []).append(move)
    move = pick(pick(list(kinds.values()), dice), dice)
    while True:
        ways = list(game.grow(state, seat, move))
        if game.allows(state, seat, move) is None:
            ways.append(move)
        assert ways, f"`legal`, `grow`: a dead end: {move} cannot grow, nor be played"
        longer = pick(ways, dice)
        if longer is move:
            return move
        move = longer


def greedy(game: Game, state: Any, seat: Seat, dice: Dice) -> Any:
    """The move that its game's `hint` likes best; at random where it gives none, or several."""
    if not hasattr(game, "hint"):
        return stroll(game, state, seat, dice)
    return best(weighed(game, game.view(state, seat), state, seat, MANY), dice)


def searching(
    game: Game, state: Any, seat: Seat, dice: Dice, late: Callable[[], bool] = never
) -> Any:
    """What search finds from what the seat sees, and nothing else; greedy where it cannot imagine.

    It ends sooner once it is `late`.
    """
    if not hasattr(game, "imagine"):
        return greedy(game, state, seat, dice)
    return search(game, game.view(state, seat), seat, dice, late=late)


ROBOTS: dict[str, Callable[[Game, Any, Seat, Dice], Any]] = {
    "random": stroll,
    "greedy": greedy,
    "search": searching,
}
