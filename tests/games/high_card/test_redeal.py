"""Are the other worlds of High card worlds, and other ones?"""

from __future__ import annotations

from collections.abc import Iterator

from engine.contract import hear
from engine.dice import Dice
from engine.games.high_card.rules import Keep, Options, State, Trade, apply, setup
from tests.games.high_card.redeal import disguise, redeal


def played(seats: int, seed: int) -> Iterator[State]:
    """Every state of a match in which the coin decides."""
    dice = Dice(bytes(31) + bytes([seed]), 0)
    s, _ = hear(setup(Options(), seats, dice))
    while s.turn < seats:
        yield s
        s, _ = hear(apply(s, s.turn, (Keep(), Trade())[dice.below(2)], dice))
    yield s


def test_redeal_is_a_world_the_viewer_cannot_tell_apart() -> None:
    dice, states = Dice(bytes(32), 1), list(played(4, 1))
    for s in states:
        for viewer in (0, 1, 2, 3, None):
            other = redeal(s, viewer, dice)
            assert sorted(other.hands + other.deck) == sorted(s.hands + s.deck)
            assert (len(other.hands), other.turn) == (4, s.turn)
            assert other.deck != s.deck
            if viewer is not None:
                assert other.hands[viewer] == s.hands[viewer]
            assert (other.hands == s.hands) == (s.turn == 4)  # in the end all cards are shown


def test_a_move_hides_nothing() -> None:
    s = next(played(2, 1))
    assert disguise(s, 0, Trade(), Dice(bytes(32), 0)) == Trade()
