"""The pieces of Captain Flip: two tiles of each pair of characters, wherever they are."""

from collections import Counter

from engine.games.captain_flip.pieces import State


def pieces(state: State) -> Counter[str]:
    laid = [tile for board in state.boards for column in board for tile in column]
    hand = [] if state.hand is None else [state.hand]
    found = Counter("".join(sorted(t.up + t.back)) for t in (*state.bag, *laid, *hand))
    assert set(found.values()) == {2}, found
    assert len(found) == 36
    return found
