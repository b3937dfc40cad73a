"""The pieces of UNO Flip: 112 cards, in the draw pile, in the discards and in hands."""

from collections import Counter
from itertools import chain

from engine.games.uno_flip import State
from engine.games.uno_flip.cards import CARDS

ALL = sorted(CARDS)


def pieces(state: State) -> Counter[str]:
    found = sorted(chain(state.draw, state.discards, *state.hands))
    assert found == ALL
    return Counter(found)
