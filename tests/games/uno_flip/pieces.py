"""The pieces of UNO Flip: 112 cards, in the draw pile, in the discards and in hands."""

from collections import Counter

from engine.games.uno_flip import State
from engine.games.uno_flip.cards import CARDS


def pieces(state: State) -> Counter[str]:
    found = (
        Counter(state.draw) + Counter(state.discards) + sum(map(Counter, state.hands), Counter())
    )
    assert found == Counter(CARDS)
    return found
