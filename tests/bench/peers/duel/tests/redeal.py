"""The duel dealt anew: other states that a viewer cannot tell from this one.

Written from the rules (each seat knows its own hand and what was played), not from `view`.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import Seat
from engine.dice import Dice
from tests.bench.peers.duel.rules import CARDS, LOWEST, Hand, Move, State


def redeal(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Another state that fits what `viewer` may know: hands that it does not hold are any."""
    first, second = state.hands
    return replace(
        state,
        hands=(
            first if viewer == 0 else _hand(dice),
            second if viewer == 1 else _hand(dice),
        ),
    )


def disguise(state: State, seat: Seat, move: Move, dice: Dice) -> Move:
    """What others cannot tell from `move`: itself, for a card played is open."""
    return move


def _hand(dice: Dice) -> Hand:
    first, second, third = (LOWEST + dice.below(CARDS) for _ in range(3))
    return first, second, third
