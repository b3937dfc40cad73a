"""The pieces of Letters: the sixteen cards, wherever they lie."""

from collections import Counter

from letters.rules import CARDS, State


def pieces(state: State) -> Counter[int]:
    aside = () if state.aside is None else (state.aside,)
    found = Counter((*sum(state.hands + state.piles, ()), *state.deck, *aside, *state.open))
    assert found == Counter(CARDS), found
    return found
