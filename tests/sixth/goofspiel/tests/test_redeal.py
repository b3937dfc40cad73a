"""Are the other worlds of Goofspiel worlds, and other ones?"""

from __future__ import annotations

from engine.dice import Dice
from goofspiel.rules import Bid, State
from goofspiel.tests.redeal import disguise, redeal

HAND = tuple(range(1, 14))
DECK = (9, 3, 12, 5, 1, 13, 8)
MIDDLE = State((HAND,) * 3, (4, None, 7), (10,), DECK, (0, 0, 0))


def test_redeal_is_a_world_the_viewer_cannot_tell_apart() -> None:
    dice = Dice(bytes(32), 1)
    for viewer in (0, 1, 2, None):
        worlds = [redeal(MIDDLE, viewer, dice) for _ in range(20)]
        for other in worlds:
            assert sorted(other.deck) == sorted(DECK)
            assert [bid is None for bid in other.bids] == [False, True, False]
            assert (other.hands, other.prizes, other.scores) == ((HAND,) * 3, (10,), (0, 0, 0))
        for seat in (0, 2):
            known = {other.bids[seat] for other in worlds} == {MIDDLE.bids[seat]}
            assert known == (seat == viewer)


def test_a_bid_could_be_another_until_it_opens_all() -> None:
    dice = Dice(bytes(32), 2)
    first = State((HAND,) * 2, (None, None), (10,), DECK, (0, 0))
    assert len({disguise(first, 0, Bid(3), dice).card for _ in range(60)}) > 8
    assert disguise(MIDDLE, 1, Bid(3), dice) == Bid(3)
