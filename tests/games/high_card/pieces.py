"""The pieces of High card: no card is in two places. What is traded away leaves the game."""

from collections import Counter

from engine.games.high_card.rules import State


def pieces(state: State) -> Counter[int]:
    found = Counter((*state.hands, *state.deck))
    assert set(found.values()) == {1}, found
    return found
