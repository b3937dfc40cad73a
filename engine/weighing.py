"""The moves of a seat one by one, and what its game's `hint` thinks of each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeVar

from engine.contract import Game, Seat
from engine.dice import Dice

T = TypeVar("T")
Weighed = list[tuple[int, Any]]  # moves after what they are worth


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


def weighed(game: Any, view: Any, state: Any, seat: Seat, most: int) -> Weighed:
    """So many of the moves of a seat that sees `view`, of a game that gives hints."""
    return [(game.hint(view, seat, move), move) for move in islice(every(game, state, seat), most)]


def best(moves: Weighed, dice: Dice) -> Any:
    """The move that is worth most, or one of several that are."""
    most = max(worth for worth, _ in moves)
    return pick([move for worth, move in moves if worth == most], dice)


def pick(items: list[T], dice: Dice) -> T:
    return items[dice.below(len(items))]
