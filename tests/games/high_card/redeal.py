"""High card dealt anew: other states that a viewer cannot tell from this one.

Written from the rules (each seat knows its own card; hands are shown when all have had their
turn; the deck never is), not from `view`. Cards traded away are in no state and stay out.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import Seat
from engine.dice import Dice
from engine.games.high_card.rules import Move, State


def redeal(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Another state that fits what `viewer` may know: what it may not is dealt anew."""
    if state.turn >= len(state.hands):  # over: all cards were shown
        return replace(state, deck=dice.shuffled(state.deck))
    hidden = [seat for seat in range(len(state.hands)) if seat != viewer]
    pool = dice.shuffled((*state.deck, *(state.hands[seat] for seat in hidden)))
    hands = list(state.hands)
    for seat, card in zip(hidden, pool, strict=False):
        hands[seat] = card
    return replace(state, hands=tuple(hands), deck=pool[len(hidden) :])


def disguise(state: State, seat: Seat, move: Move, dice: Dice) -> Move:
    """What others cannot tell from `move`: itself, for a move of this game hides nothing."""
    return move
