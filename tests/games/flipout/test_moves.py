"""The list of moves: all that is allowed and nothing else, piece by piece, and few at a time."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from engine.games import flipout
from engine.games.flipout import Move, No, State, words
from engine.games.flipout.cards import CELLS
from engine.games.flipout.pieces import (
    Draw,
    End,
    Flip,
    Place,
    Score,
    Swap,
    SwapPairs,
    Swipe,
    Switch,
    Third,
)

from .positions import every, play, table, walk

ALL = [cell for cells in CELLS for cell in cells]
SLOTS = (1, 2, 3, 4, 5, 6)
TURN = "F A1 ; F A1"
A, B, C = "r/g r/b y/r p/g b/b b/y", "g/r y/p b/y p/y g/y y/g", "b/p p/y r/r y/y g/p b/g"


def moves() -> list[Move]:
    """Every move that there is, ordered pairs included."""
    return [
        *map(Flip, ALL),
        *(kind(pair) for kind in (Switch, Swap, SwapPairs) for pair in product(ALL, ALL)),
        *(kind(cell, slot) for kind in (Score, Swipe) for cell in ALL for slot in SLOTS),
        *map(Place, SLOTS),
        Draw(),
        Third(),
        End(),
    ]


@cache
def positions() -> list[State]:
    two = table("r/g y/b", A, B, tokens=1)
    run = table("r/g", "r/g r/b r/r r/y r/p r/g", B, C)
    drawn, done, over = (play(s, text)[0] for s, text in ((two, "D"), (two, TURN), (run, "C A1-4")))
    later = [s for s, _ in walk(3)[20:40:10]]
    return [two, drawn, done, run, over, table("(empty)", A, B), *later]


@pytest.mark.parametrize("number", range(8))
def test_all_that_is_allowed_is_reached_and_nothing_else(number: int) -> None:
    s = positions()[number]
    for seat in range(len(s.holders)):
        allowed = {words.write(m) for m in moves() if flipout.allows(s, seat, m) is None}
        reached = [words.write(move) for move in every(s, seat)]
        assert len(reached) == len(set(reached))
        assert set(reached) == allowed
        assert bool(allowed) == (seat in flipout.to_act(s))


def test_a_look_stays_small() -> None:
    """With five seats there are more than two hundred moves; a look lists the beginnings."""
    s = table("r/g", A, B, B, B, B)
    assert len(flipout.legal(s, 0)) == 30 + 30 + 6 + 2
    assert len(every(s, 0)) == 30 + 75 + 144 + 2 * 8
    assert len(list(flipout.grow(s, 0, words.read("S A1")))) == 24
    assert [words.write(m) for m in flipout.grow(s, 0, words.read("X B3"))] == [
        "X B1-3",
        "X B2-3",
        "X B3-4",
        "X B3-5",
        "X B3-6",
    ]


def test_a_pair_is_begun_only_if_there_is_another_to_swap_it_for() -> None:
    """R9."""
    lone = table("r/g", A, "g/r y/p b/y p/g g/y y/g")
    assert "SS A1" not in map(words.write, flipout.legal(lone, 0))
    assert flipout.allows(lone, 0, words.read("SS A1")) is No.UNFINISHED
    assert not list(flipout.grow(lone, 0, words.read("SS A1")))
    both = table("r/g", A, B)
    assert [words.write(m) for m in flipout.grow(both, 0, words.read("SS A1"))] == [
        "SS A1=B3",
        "SS A1=B4",
    ]


@pytest.mark.parametrize(
    "text", ["X C1", "S B1", "SS A2", "SS A6", "X A1-2", "S A1=B1", "F A1", "C A1-4", "D", ">1"]
)
def test_what_cannot_be_begun_does_not_grow(text: str) -> None:
    s = table("r/g y/b", A, B)
    assert not list(flipout.grow(s, 0, words.read(text)))
    assert not list(flipout.grow(s, 1, words.read(text)))


def test_a_switch_is_the_same_either_way() -> None:
    """R7."""
    s = table("r/g y/b", A, B)
    assert play(s, "switch A5 A2") == play(s, "switch A2 A5")
    assert words.write(Switch(("A5", "A2"))) == "X A2-5"


def test_whose_turn_it_is_comes_first() -> None:
    """R6."""
    s = table("r/g y/b", A, B)
    for move in moves():
        assert flipout.allows(s, 1, move) is No.NOT_YOUR_TURN
