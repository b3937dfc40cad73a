"""Goofspiel dealt anew: other states that a viewer cannot tell from this one.

Written from the rules (a bid is known to its seat alone until all are opened, and any card of its
hand could be it; the order of the prizes nobody knows), not from `view`.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import Seat
from engine.dice import Dice
from goofspiel.rules import Bid, Move, State


def redeal(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Another state that fits what `viewer` may know: what it may not is dealt anew."""
    bids = tuple(
        bid if bid is None or seat == viewer else any_of(state.hands[seat], dice)
        for seat, bid in enumerate(state.bids)
    )
    deck = dice.shuffled(state.deck) if dice.below(3) else state.deck  # now and then bids alone
    return replace(state, bids=bids, deck=deck)


def disguise(state: State, seat: Seat, move: Move, dice: Dice) -> Move:
    """What others cannot tell from `move`: any bid, but for the last, which opens them all."""
    last = state.bids.count(None) == 1
    return move if last else Bid(any_of(state.hands[seat], dice))


def any_of(hand: tuple[int, ...], dice: Dice) -> int:
    return hand[dice.below(len(hand))]
