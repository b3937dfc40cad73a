"""The pieces of Flipology: the cards of its deck, wherever they lie, and six Clearings."""

from collections import Counter
from itertools import chain

from engine.games.flipology.cards import CLEARING, CLEARINGS, deck
from engine.games.flipology.pieces import State
from engine.games.flipology.rules import left_out


def pieces(state: State) -> Counter[str]:
    found = Counter(chain(state.deck, *state.hands))
    for row in (*state.rows, state.pile, *state.found):
        found.update(slot.card for slot in row)
    found[CLEARING] += state.clearings
    assert found == Counter(deck(left_out(state.options))) + Counter({CLEARING: CLEARINGS})
    return found
