"""Robots: whoever must move without a person. They choose among the moves of their seat alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeVar

from engine.contract import Game, Seat
from engine.dice import Dice

T = TypeVar("T")
MANY = 2_000  # moves that a greedy robot weighs before it takes the best so far


def every(game: Game, state: Any, seat: Seat) -> Iterator[Any]:
    """Each allowed move once, up to how it is written; best for positions that have few."""
    seen: set[str] = set()
    front = list(game.legal(state, seat))[::-1]
    while front:
        move = front.pop()
        if (text := game.words.write(move)) in seen:
            continue
        seen.add(text)
        if game.allows(state, seat, move) is None:
            yield move
        front += game.grow(state, seat, move)


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
    hint = getattr(game, "hint", None)
    if hint is None:
        return stroll(game, state, seat, dice)
    view = game.view(state, seat)
    weighed = [(hint(view, seat, move), move) for move in islice(every(game, state, seat), MANY)]
    best = max(worth for worth, _ in weighed)
    return pick([move for worth, move in weighed if worth == best], dice)


def pick(items: list[T], dice: Dice) -> T:
    return items[dice.below(len(items))]


ROBOTS: dict[str, Callable[[Game, Any, Seat, Dice], Any]] = {"random": stroll, "greedy": greedy}
