"""The pieces of Goofspiel: no prize is in two places, no card twice in a hand, each bid is held."""

from collections import Counter

from goofspiel.rules import State


def pieces(state: State) -> Counter[tuple[str, int]]:
    held = [(f"seat {seat}", card) for seat, hand in enumerate(state.hands) for card in hand]
    found = Counter([("prize", prize) for prize in (*state.prizes, *state.deck)] + held)
    assert set(found.values()) <= {1}, found
    for hand, bid in zip(state.hands, state.bids, strict=True):
        assert bid is None or bid in hand
    return found
