"""The pieces of Qwirkle: three tiles of each of 36 kinds, on the board, in the bag and in hands."""

from collections import Counter
from itertools import chain

from engine.games.qwirkle.pieces import State


def pieces(state: State) -> Counter[str]:
    laid = [lay.tile for lay in state.board]
    found = Counter(chain(laid, state.bag, *state.hands))
    assert set(found.values()) == {3}, found
    assert len(found) == 36
    return found
