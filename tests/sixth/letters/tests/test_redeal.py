"""Are the other worlds of Letters worlds, and other ones?"""

from __future__ import annotations

from collections.abc import Iterator

from engine.contract import hear
from engine.dice import Dice
from letters.rules import Options, State, Use, apply, default, setup, to_act
from letters.tests.pieces import pieces
from letters.tests.redeal import disguise, redeal


def played(seats: int) -> Iterator[State]:
    dice = Dice(bytes(32), 0)
    s, _ = hear(setup(Options(), seats, dice))
    while to_act(s):
        yield s
        s, _ = hear(apply(s, s.turn, default(s, s.turn), dice))
    yield s


def test_redeal_is_a_world_the_viewer_cannot_tell_apart() -> None:
    dice, differ = Dice(bytes(32), 1), 0
    for s in played(3):
        for viewer in (0, 1, 2, None):
            other = redeal(s, viewer, dice)
            assert pieces(other) == pieces(s)
            assert list(map(len, other.hands)) == list(map(len, s.hands))
            if viewer is not None:
                assert other.hands[viewer] == s.hands[viewer]
                assert other.known[viewer] == s.known[viewer]
                for card, hand in zip(s.known[viewer], other.hands, strict=True):
                    assert card is None or card in hand
            differ += other != s
    assert differ > 20


def test_a_move_hides_nothing() -> None:
    s = next(played(2))
    assert disguise(s, 0, Use(4), Dice(bytes(32), 0)) == Use(4)
