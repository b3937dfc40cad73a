"""A robot that searches: it tries its best moves in worlds that it imagines, and plays them on.

It is given what its seat sees, and no state: each world is dealt by the game's `imagine` from that
view. All moves still in question are tried in the same worlds with the same dice, so that luck
falls on them alike; after each stage the worse half is dropped.
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
WIDTH = 12
FEW = 150  # moves weighed for a move played on


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

    `game` offers `hint`, `imagine` and `prospects`.
    """
    moves = promising(game, view, seat, dice)
    stages = len(moves).bit_length()
    for _ in range(stages):
        if len(moves) == 1:
            break
        totals = compared(game, view, seat, moves, dice, Purse(nodes // stages, late))
        order = sorted(range(len(moves)), key=totals.__getitem__, reverse=True)
        moves = [moves[i] for i in order[: (len(moves) + 1) // 2]]
    return moves[0]


def promising(game: Any, view: Any, seat: Seat, dice: Dice) -> list[Any]:
    """The moves that look best, best first. Which there are, any world that fits can tell."""
    state = game.imagine(view, seat, dice)
    listed = dice.shuffled(weighed(game, view, state, seat, LISTED))
    return [move for _, move in sorted(listed, key=lambda one: -one[0])[:WIDTH]]


def compared(
    game: Any, view: Any, seat: Seat, moves: list[Any], dice: Dice, purse: Purse
) -> list[int]:
    """What each move led to, over as many worlds as can be paid; each had the same."""
    totals = [0] * len(moves)
    for k in count():
        world, seed = game.imagine(view, seat, dice), drawn(dice)
        try:
            leads = [led(game, world, seat, move, Dice(seed, k), purse) for move in moves]
        except Spent:
            break
        totals = [total + lead for total, lead in zip(totals, leads, strict=True)]
    return totals


def drawn(dice: Dice) -> bytes:
    return b"".join(dice.draw().to_bytes(8, "big") for _ in range(4))


def led(game: Any, state: Any, seat: Seat, move: Any, dice: Dice, purse: Purse) -> int:
    """How far the seat is ahead after this move, once each seat has had a turn and it another."""
    purse.pay(1)
    state, _ = hear(game.apply(state, seat, move, dice))
    mover, turns = seat, 1 + len(game.prospects(state))
    while (acting := game.to_act(state)) and turns:
        if mover not in acting:
            mover, turns = acting[0], turns - 1
            continue
        move = played(game, state, mover, dice, purse)
        state, _ = hear(game.apply(state, mover, move, dice))
    return lead(game.prospects(state), seat)


def played(game: Any, state: Any, seat: Seat, dice: Dice, purse: Purse) -> Any:
    """What greed would play here."""
    moves = weighed(game, game.view(state, seat), state, seat, FEW)
    purse.pay(len(moves) + 1)
    return best(moves, dice)


def lead(prospects: tuple[int, ...], seat: Seat) -> int:
    """Over the best of the others, if there are any."""
    others = prospects[:seat] + prospects[seat + 1 :]
    return prospects[seat] - max(others, default=0)
