"""Are the other worlds of Qwirkle worlds, and other ones?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import convert
from msgspec.structs import replace

from engine.contract import hear
from engine.dice import Dice
from engine.games import qwirkle
from engine.games.qwirkle.pieces import Last, Lay, Options, Place, State, Swap, Tile
from tests.games.qwirkle.redeal import COPIES, KINDS, best, disguise, fitting, passed, redeal

HANDS = (
    "R1 O2 Y3 G4 B5 P6",
    "R1 R2 Y3 Y4 B5 B6",
    "R1 R2 R3 G1 B2 P3",
    "R1 R2 R3 R4 G1 B2",
    "R1 R2 R3 R4 R5 G1",
    "R1 R2 R3 R4 R5 R6",
)


def played(seats: int, seed: int) -> Iterator[State]:
    """Every state of a match at random, which seldom swaps and so sees its end."""
    dice = Dice(bytes(31) + bytes([seed]), 0)
    s, _ = hear(qwirkle.setup(Options(), seats, dice))
    while not s.over:
        yield s
        kind = Place if dice.below(8) else Swap
        moves = list(qwirkle.legal(s, s.turn))
        moves = [move for move in moves if isinstance(move, kind)] or moves
        move = moves[dice.below(len(moves))]
        while more := list(qwirkle.grow(s, s.turn, move)):
            if dice.below(3) == 0 and qwirkle.allows(s, s.turn, move) is None:
                break
            move = more[dice.below(len(more))]
        s, _ = hear(qwirkle.apply(s, s.turn, move, dice))
    yield s


def tiles(s: State) -> list[str]:
    return sorted((*s.bag, *(t for hand in s.hands for t in hand), *(lay.tile for lay in s.board)))


def sizes(s: State) -> list[int]:
    return [len(s.bag), *map(len, s.hands)]


def public(s: State) -> State:
    return replace(s, bag=(), hands=())


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (2, 2), (3, 3), (4, 4), (6, 5), (6, 6)])
def test_redeal_is_a_world_the_viewer_cannot_tell_apart(seats: int, seed: int) -> None:
    dice = Dice(b"redeal" + bytes(26), seed)
    differ = total = 0
    for s in played(seats, seed):
        fit = fitting(s.board)
        for viewer in (*range(seats), None):
            other = redeal(s, viewer, dice)
            assert tiles(other) == tiles(s) == sorted(KINDS * COPIES)
            assert (sizes(other), public(other)) == (sizes(s), public(s))
            if viewer is not None:
                assert other.hands[viewer] == s.hands[viewer]
            if not s.board:
                assert [*map(best, other.hands)] == [*map(best, s.hands)]
            if not s.bag and not s.over:
                assert not fit.isdisjoint(other.hands[s.turn])
                assert all(fit.isdisjoint(other.hands[seat]) for seat in passed(s))
            differ += [*map(sorted, other.hands)] != [*map(sorted, s.hands)]
            total += 1
    assert differ > 0.8 * total  # with the bag empty a viewer of two seats knows all


def test_with_the_bag_empty_a_seat_of_two_knows_the_other_hand() -> None:
    end = [s for s in played(2, 1) if not s.bag]
    assert end
    for s in end:
        other = redeal(s, 0, Dice(bytes(32), 0))
        assert sorted(other.hands[1]) == sorted(s.hands[1])


def test_who_was_passed_over_can_place_in_no_world() -> None:
    s = State(
        options=Options(),
        bag=(),
        hands=(("R4", "O1"), ("G5", "B5"), ("G6", "P1"), ("Y6", "P5")),
        scores=(0, 0, 0, 0),
        turn=2,
        board=(Lay(0, 0, "R1"), Lay(1, 0, "R2"), Lay(2, 0, "R3")),
        last=Last(seat=0, tiles=(Lay(2, 0, "R3"),), points=3, passed=(1,)),
    )
    dice = Dice(bytes(32), 0)
    seen = {tuple(sorted(redeal(s, 3, dice).hands[1])) for _ in range(200)}
    assert seen == {("B5", "G5"), ("B5", "G6"), ("G5", "G6")}


@pytest.mark.parametrize("most", range(1, 7))
def test_announced_numbers_stay_even_rare_ones(most: int) -> None:
    hand = convert(HANDS[most - 1].split(), list[Tile])
    pool = list(KINDS * COPIES)
    for tile in hand:
        pool.remove(tile)
    s = State(
        options=Options(),
        bag=tuple(pool[6:]),
        hands=(tuple(hand), tuple(pool[:6])),
        scores=(0, 0),
        turn=0,
    )
    assert best(hand) == most
    dice = Dice(bytes(32), most)
    others = [redeal(s, 1, dice) for _ in range(20)]
    assert {best(other.hands[0]) for other in others} == {most}
    assert len({tuple(sorted(other.hands[0])) for other in others}) > 5


def test_a_swap_is_disguised_as_another_of_as_many_tiles() -> None:
    s = next(s for s in played(2, 1) if s.board)
    dice, hand = Dice(bytes(32), 0), s.hands[s.turn]
    for n in range(1, 6):
        move = Swap(hand[:n])
        other = disguise(s, s.turn, move, dice)
        assert isinstance(other, Swap)
        assert len(other.tiles) == n
        assert sorted(other.tiles) != sorted(move.tiles)
        assert qwirkle.allows(s, s.turn, other) is None
    assert disguise(s, s.turn, Swap(hand), dice) == Swap(hand)
