"""The pieces of FlipOut: 90 cards; in a pile a card has no other side any more."""

from collections import Counter

from engine.games.flipout.cards import CELLS, GAP
from engine.games.flipout.pieces import State


def pieces(state: State) -> Counter[str]:
    """The cards that still have two sides, however they lie; with the piles they are 90."""
    standing = [
        card
        for cells, holder in zip(CELLS, state.holders, strict=False)
        for cell, card in zip(cells, holder, strict=True)
        if card != GAP and cell not in state.collected
    ]
    drawn = [state.drawn] if state.drawn else []
    found = Counter("".join(sorted(card)) for card in (*state.deck, *standing, *drawn))
    assert found.total() + sum(map(len, state.piles)) == 90
    assert all(n <= 6 for n in found.values())
    assert len(found) <= 15
    return found
