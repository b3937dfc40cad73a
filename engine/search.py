"""A robot that searches: it tries its best moves in worlds that it imagines, and plays them on.

It is given what its seat sees, and no state: each world is dealt by the game's `imagine` from that
view. All moves still in question are tried in the same worlds with the same dice, so that luck
falls on them alike; after each stage the worse half is dropped. Of the rest it plays another than
what looked best at first only if the worlds agree well enough that it is better.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from engine.contract import Seat, hear
from engine.dice import Dice
from engine.weighing import best, weighed

NODES = 2_000  # moves weighed for one decision, beside its own
LISTED = 2_000  # its own moves that are weighed; then the best of them are tried
WIDTH = 8
LEAST = 5  # worlds that can speak against what looks best
FEW = 60  # moves weighed for a move played on
SWIFT = 15  # what such a move costs where the game finds it by itself


class Spent(Exception):
    """There are no nodes left, or there is no time."""


class Purse:
    """What may still be spent."""

    def __init__(self, nodes: int, late: Callable[[], bool]) -> None:
        self.left, self._late = nodes, late

    def pay(self, nodes: int) -> None:
        self.left -= nodes
        if self.left < 0 or self._late():
            raise Spent


def never() -> bool:
    return False


def search(
    game: Any,
    view: Any,
    seat: Seat,
    dice: Dice,
    nodes: int = NODES,
    late: Callable[[], bool] = never,
) -> Any:
    """A move for the seat that sees `view`; the same for the same dice, if it is never late.

    `game` offers `hint`, `imagine`, `prospects` and perhaps `swift`.
    """
    moves, leads = promising(game, view, seat, dice), list[list[int]]()
    stages = (len(moves) - 1).bit_length()
    for stage in range(stages):
        if stage:
            kept = best_half(leads, len(moves))
            moves, leads = [moves[i] for i in kept], [[row[i] for i in kept] for row in leads]
        leads += compared(game, view, seat, moves, dice, Purse(nodes // stages, late))
    return moves[surest(leads, len(moves))]


def promising(game: Any, view: Any, seat: Seat, dice: Dice) -> list[Any]:
    """The moves that look best, best first. Which there are, any world that fits can tell."""
    state = game.imagine(view, seat, dice)
    listed = dice.shuffled(weighed(game, view, state, seat, LISTED))
    return [move for _, move in sorted(listed, key=lambda one: -one[0])[:WIDTH]]


def compared(
    game: Any, view: Any, seat: Seat, moves: list[Any], dice: Dice, purse: Purse
) -> list[list[int]]:
    """What each move led to in a world, for as many worlds as can be paid."""
    rows = []
    for k in count():
        world, seed = game.imagine(view, seat, dice), drawn(dice)
        try:
            rows.append([led(game, world, seat, move, Dice(seed, k), purse) for move in moves])
        except Spent:
            return rows
    raise AssertionError


def best_half(leads: list[list[int]], size: int) -> list[int]:
    """The first move, which looked best, and of the others the half that led farthest."""
    totals = [sum(row[i] for row in leads) for i in range(size)]
    others = sorted(range(1, size), key=totals.__getitem__, reverse=True)
    return [0, *others[: (size - 1) // 2]]


def surest(leads: list[list[int]], size: int) -> int:
    """The move that led farthest, if it led farther than the first by more than a standard error.

    That is one of their difference, world by world. Else the first: a `hint` knows something too.
    """
    best, most = 0, 0
    for i in range(1, size):
        ahead = [row[i] - row[0] for row in leads]
        total, squares, n = sum(ahead), sum(x * x for x in ahead), len(ahead)
        if n >= LEAST and total > most and total * total * (n + 1) > n * squares:
            best, most = i, total
    return best


def drawn(dice: Dice) -> bytes:
    return b"".join(dice.draw().to_bytes(8, "big") for _ in range(4))


def led(game: Any, state: Any, seat: Seat, move: Any, dice: Dice, purse: Purse) -> int:
    """How far the seat is ahead after this move, once it is its turn again."""
    purse.pay(1)
    state, _ = hear(game.apply(state, seat, move, dice))
    mover = seat
    while acting := game.to_act(state):
        if mover not in acting and (mover := acting[0]) == seat:
            break
        move = played(game, state, mover, dice, purse)
        state, _ = hear(game.apply(state, mover, move, dice))
    return lead(game.prospects(state), seat)


def played(game: Any, state: Any, seat: Seat, dice: Dice, purse: Purse) -> Any:
    """What greed would play here."""
    view = game.view(state, seat)
    if hasattr(game, "swift"):
        purse.pay(SWIFT)
        return game.swift(view, seat)
    moves = weighed(game, view, state, seat, FEW)
    purse.pay(len(moves) + 1)
    return best(moves, dice)


def lead(prospects: tuple[int, ...], seat: Seat) -> int:
    """Over the best of the others, if there are any."""
    others = prospects[:seat] + prospects[seat + 1 :]
    return prospects[seat] - max(others, default=0)
