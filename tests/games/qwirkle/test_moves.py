"""Which moves there are, and those that robots and absent seats make."""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations, product
from random import Random

import pytest
from msgspec.structs import replace

from engine.contract import hear
from engine.dice import Dice
from engine.games import qwirkle
from engine.games.qwirkle import Move, No, Options, State, words
from engine.games.qwirkle.lines import Lay
from engine.games.qwirkle.pieces import Place, Swap

from .positions import OPENING, SEED, every, laid, one_of, play, points, position, table


@pytest.mark.parametrize(
    ("board", "text", "no"),
    [
        ("", "swap P1", No.OPENING_MUST_PLACE),  # before what is not held
        ("R1@0,0", "swap P1 P2 P3", No.NOT_IN_HAND),  # before the size of the bag
        ("R1@0,0", "P1@0,0", No.NOT_IN_HAND),
        ("R1@0,0", "R2@0,0 R3@0,0", No.SAME_CELL),
        ("R1@0,0", "R2@0,0 R3@3,3", No.OCCUPIED),
        ("R1@0,0", "R2@7,7 B4@8,9", No.NOT_IN_LINE),
        ("R1@0,0", "R2@7,7 B4@9,7", No.GAP),
        ("R1@0,0", "R2@7,7 B4@8,7", No.NOT_CONNECTED),
        ("R1@0,0", "R2@1,0 B4@2,0", No.BAD_LINE),
        ("", "R2@8,8", No.OPENING_NOT_MAX),
    ],
)
def test_the_first_reason_is_given(board: str, text: str, no: No) -> None:
    s = table(board, "G1 G2", "R2 R3 B4", "R5")
    assert play(s, f"0:{text}")[2] is no


@pytest.mark.parametrize("board", ["", "R1@0,0 R2@1,0", "R1@0,0 R3@1,1 R2@1,0 G3@1,2"])
@pytest.mark.parametrize("opening_max", [True, False])
@pytest.mark.parametrize("hand", ["R3 R4 B3", "R3 R3 R4", "B1 G1 R2"])
def test_growing_reaches_all_that_is_allowed(board: str, opening_max: bool, hand: str) -> None:
    s = table(board, "", hand, "R5", options=Options(opening_max=opening_max))
    spots = list(product(range(-2, 4), range(-2, 4)))
    brute = {
        Place(tuple(sorted(Lay(x, y, t) for (x, y), t in zip(cells, tiles, strict=True))))
        for n in (1, 2)
        for cells in combinations(spots, n)
        for tiles in set(permutations(s.hands[0], n))
    }
    reached = [move for move in every(s, 0) if isinstance(move, Place) and len(move.tiles) < 3]
    within = {m for m in reached if all((lay.x, lay.y) in spots for lay in m.tiles)}
    assert within == {move for move in brute if qwirkle.allows(s, 0, move) is None}
    assert len(set(map(words.write, reached))) == len(reached)


def test_what_could_not_be_begun_does_not_grow() -> None:
    s = table("R1@0,0", "G1 G2", "R3 R4 B4", "R5")
    for text in ("R4@2,0", "B4@1,0", "P1@1,0", "R3@1,0 B4@2,0", "swap P1", "swap R3 R4", "pass"):
        assert not list(qwirkle.grow(s, 0, words.read(text))), text
    opening = table("", "G1", "R3 R4 B4", "R5")
    assert not list(qwirkle.grow(opening, 0, words.read("R3@1,0")))


def test_swaps_are_all_sub_hands_that_the_bag_can_match() -> None:
    s = table("R1@0,0", "G1 G2", "B2 B2 P3", "R5")
    swaps = sorted(words.write(move) for move in every(s, 0) if isinstance(move, Swap))
    assert swaps == ["swap B2", "swap B2 B2", "swap B2 P3", "swap P3"]


def test_default_is_the_best_single_tile_or_one_tile_swapped() -> None:
    s = table("R1@0,0 R2@1,0", "G1", "R3 O1 G2", "R5")
    assert words.write(qwirkle.default(s, 0)) == "R3@-1,0"  # R16: 3 points, the first of equals
    s = table("R1@0,0 R2@1,0", "G1", "Y6 G5", "R5")
    assert words.write(qwirkle.default(s, 0)) == "swap G5"
    assert points(s, laid("R3@2,0")) == 3
    opening = qwirkle.default(position(OPENING), 0)
    assert words.write(opening) == "R6@0,-2 R3@0,-1 R1@0,0"


def brightest(s: State, seat: int) -> Move:
    """The beginning that looks best, and more of it while that looks better still."""
    better = partial(qwirkle.hint, qwirkle.view(s, seat), seat)
    more, move = list(qwirkle.legal(s, seat)), None
    while more:
        top = max(more, key=better)
        if move and better(move) >= better(top) and not qwirkle.allows(s, seat, move):
            return move
        move, more = top, list(qwirkle.grow(s, seat, top))
    assert move
    return move


def test_hints_beat_chance() -> None:
    won = 0
    for number in range(20):
        chance = Random(number)
        s, _ = hear(qwirkle.setup(Options(), 2, Dice(SEED, number)))
        while qwirkle.to_act(s):
            bright = s.turn == number % 2
            move = brightest(s, s.turn) if bright else one_of(s, s.turn, chance)
            s, _ = hear(qwirkle.apply(s, s.turn, move, Dice(SEED, number)))
        won += s.scores[number % 2] > s.scores[1 - number % 2]
    assert won >= 19


def test_hints_fear_a_line_of_five() -> None:
    s = table("R1@0,0 R2@1,0 R3@2,0 R4@3,0", "G1", "R5 B1", "R6")
    view = qwirkle.view(s, 0)
    five, pair = words.read("R5@4,0"), words.read("B1@0,1")
    assert qwirkle.hint(view, 0, five) < qwirkle.hint(view, 0, pair)
    known = replace(view, hands=(("R5", "R6"), None))
    assert qwirkle.hint(known, 0, five) > qwirkle.hint(view, 0, five)
