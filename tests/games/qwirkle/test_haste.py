"""What a robot that searches plays on with is what `hint` likes best."""

from __future__ import annotations

from engine.contract import hear
from engine.dice import Dice
from engine.games import qwirkle
from engine.games.qwirkle import Options, State
from engine.weighing import weighed

from .positions import SEED, table

ALL, EACH = 2_000, 3  # every move; every third position, for weighing takes long


def best(s: State) -> int:
    return max(worth for worth, _ in weighed(qwirkle, qwirkle.view(s, s.turn), s, s.turn, ALL))


def test_it_finds_what_hint_likes_best() -> None:
    dice, moves = Dice(SEED, 1), 0
    s, _ = hear(qwirkle.setup(Options(), 3, dice))
    while not s.over:
        view = qwirkle.view(s, s.turn)
        move = qwirkle.swift(view, s.turn)
        assert qwirkle.allows(s, s.turn, move) is None
        if s.board and moves % EACH == 0:
            assert qwirkle.hint(view, s.turn, move) == best(s)
        s, _ = hear(qwirkle.apply(s, s.turn, move, dice))
        moves += 1


def test_it_joins_no_lines_that_do_not_fit_each_other() -> None:
    """Two tiles between two lines: each fits its neighbours, and yet all six are no line."""
    s = table("R1@0,0 R2@1,0 R2@4,0 R3@5,0", "B6", "R4 R5", "B6")
    move = qwirkle.swift(qwirkle.view(s, 0), 0)
    assert qwirkle.allows(s, 0, move) is None
    assert qwirkle.hint(qwirkle.view(s, 0), 0, move) == best(s)


def test_where_nothing_fits_it_swaps_all_but_its_best_set() -> None:
    s = table("R1@0,0 R2@1,0", "P6 P6", "G3 G4 B5", "B6")
    assert qwirkle.words.write(qwirkle.swift(qwirkle.view(s, 0), 0)) == "swap B5"
