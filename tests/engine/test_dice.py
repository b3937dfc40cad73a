import random
from hashlib import sha256

import pytest

from engine.dice import MOST, SPAN, Dice

SEEDS = [sha256(b"seed %d" % i).digest() for i in range(20)]


class Loaded(Dice):
    """Dice that give these draws first."""

    def __init__(self, *draws):
        super().__init__(bytes(32), 0)
        self._draws[:] = draws[::-1]


def naive(dice, items):
    """Fisher–Yates as docs/format.md has it, one `below` a step."""
    deck = list(items)
    for i in range(len(deck) - 1, 0, -1):
        j = dice.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def test_draws_are_the_blocks_in_order_none_skipped():
    seed, k = SEEDS[0], 7
    blocks = b"".join(sha256(seed + k.to_bytes(8) + i.to_bytes(8)).digest() for i in range(3))
    dice = Dice(seed, k)
    drawn = [dice.draw() for _ in range(12)]
    assert drawn == [int.from_bytes(blocks[i : i + 8]) for i in range(0, 96, 8)]


@pytest.mark.parametrize("seed", SEEDS)
def test_shuffled_is_the_naive_loop_and_leaves_the_dice_where_that_does(seed):
    for n in (0, 1, 2, 3, 5, 52, 108, 500):
        quick, slow = Dice(seed, n), Dice(seed, n)
        assert quick.below(9) == slow.below(9)
        assert quick.shuffled(range(n)) == naive(slow, range(n))
        assert quick.draw() == slow.draw()


def test_shuffled_rejects_what_below_rejects():
    unfair = [SPAN - 1, SPAN - SPAN % 7, SPAN - 2, SPAN - SPAN % 6]
    chance = random.Random(1)
    for _ in range(50):
        draws = [chance.choice([*unfair, chance.randrange(SPAN)]) for _ in range(40)]
        assert Loaded(*draws).shuffled(range(10)) == naive(Loaded(*draws), range(10))


def test_below_rejects_an_unfair_draw_and_no_other():
    fair = SPAN - SPAN % 6
    assert Loaded(fair, fair + 1, SPAN - 1, 8).below(6) == 2
    assert Loaded(fair - 1, 8).below(6) == 5


def test_below_one_draws_nothing():
    dice = Dice(SEEDS[0], 0)
    assert dice.below(1) == 0
    assert dice.shuffled("a") == ("a",)
    assert dice.shuffled("") == ()
    assert not dice.used
    dice.below(2)
    assert dice.used


@pytest.mark.parametrize("n", [2, 3, 6, 108, 1000, MOST - 1, MOST])
def test_below_is_in_range(n):
    dice = Dice(SEEDS[1], 3)
    assert all(0 <= dice.below(n) < n for _ in range(500))


@pytest.mark.parametrize("n", [0, -1, MOST + 1])
def test_below_has_limits(n):
    with pytest.raises(ValueError, match="sides"):
        Dice(SEEDS[0], 0).below(n)


def test_below_and_shuffled_are_about_fair():
    dice = Dice(SEEDS[2], 0)
    counts = [0] * 6
    for _ in range(6000):
        counts[dice.below(6)] += 1
    assert all(850 < count < 1150 for count in counts)
    orders = {}
    for _ in range(6000):
        order = dice.shuffled("abc")
        orders[order] = orders.get(order, 0) + 1
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_seed_and_k_both_matter():
    assert len({Dice(seed, k).draw() for seed in SEEDS for k in range(5)}) == 100
