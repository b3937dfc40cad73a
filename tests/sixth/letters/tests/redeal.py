"""Letters dealt anew: other states that a viewer cannot tell from this one.

Written from the rules (6: each seat knows its own card and those it saw; the last hands are
shown if the deck was empty), not from `view`.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import Seat
from engine.dice import Dice
from letters.rules import Move, State


def redeal(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Another state that fits what `viewer` may know: what it may not is dealt anew.

    Of the cards in hand a coin says which, so that often one alone is another.
    """
    pool = [*state.deck, *(() if state.aside is None else (state.aside,))]
    fixed: list[list[int | None]] = []
    for seat, hand in enumerate(state.hands):
        seen = None if viewer is None else state.known[viewer][seat]
        row: list[int | None] = []
        for i, card in enumerate(hand):
            sure = seat == viewer or state.shown or (i == 0 and seen is not None)
            row.append(card if sure or dice.below(2) == 0 else None)
            pool += [] if row[i] else [card]
        fixed.append(row)
    dealt = list(dice.shuffled(pool))
    hands = tuple(tuple(dealt.pop() if x is None else x for x in row) for row in fixed)
    aside = None if state.aside is None else dealt.pop()
    known = tuple(
        tuple(
            None if card is None else card if a == viewer or card in hand else hand[0]
            for card, hand in zip(row, hands, strict=True)
        )
        for a, row in enumerate(state.known)
    )
    return replace(
        state,
        hands=hands,
        known=known,
        deck=tuple(dealt),
        aside=aside,
        recalled=recalled(state, viewer, dice),
    )


def recalled(state: State, viewer: Seat | None, dice: Dice) -> tuple[tuple[int | None, ...], ...]:
    """The last hand of the round before may have been any, unless this viewer saw it."""
    if state.last is None:
        return ()
    mine = state.last.hands if viewer is None else state.recalled[viewer]
    other = 1 + dice.below(8)
    return tuple(
        tuple(other if card is not None and mine[b] is None else card for b, card in enumerate(row))
        for row in state.recalled
    )


def disguise(state: State, seat: Seat, move: Move, dice: Dice) -> Move:
    """What others cannot tell from `move`: itself, for a move of this game hides nothing."""
    return move
