"""Dry piles, the ends of rounds and matches, seats that are absent, robots."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from engine import entries as e
from engine.contract import OPEN, Outcome, hear
from engine.dice import Dice
from engine.fold import fold
from engine.games import uno_flip
from engine.games.uno_flip import Options, words
from engine.games.uno_flip.facts import Dealt, Passed, RoundEnded
from engine.games.uno_flip.pieces import PlayOrDraw
from engine.look import heard as facts
from tests.games.matches import robot_match

from .pieces import pieces
from .positions import (
    DRY,
    LIGHT,
    OPENING,
    SEED,
    heard,
    light,
    match,
    play,
    position,
    sizes,
)


def test_a_draw_that_finds_nothing_passes() -> None:  # R9
    s, told, _ = play(position(DRY), "0:draw")
    assert heard(told, None) == [Passed(0)]
    s, _, _ = play(s, "1:B5")
    assert s.fails == 0
    s, _, _ = play(position(DRY, scoring="low", target=9999), "0:draw ; 1:draw")
    assert s.ended is not None
    assert s.ended.out is None
    assert s.scores == (120 + 21, 80 + sum(s.ended.points[1:]))


def test_forced_draws_stop_short() -> None:
    s = light("BD/K6 R1/K3 R5/K2")
    s = replace(s, draw=(), discards=("B4/TD",))
    s, _, _ = play(s, "0:BD")
    assert sizes(s) == [2, 3, 2]  # what lay under the top
    s = replace(light("W2/O4 R1/K3 R5/K2"), draw=(), discards=("B4/TD",))
    s, _, _ = play(s, "0:W2=G ; 1:chal")
    assert sizes(s) == [2, 3, 2]
    assert s.owed == (PlayOrDraw(2),)


def test_a_single_round() -> None:  # R36
    s, _, _ = play(position(DRY, target="round"), "0:draw ; 1:draw")
    assert uno_flip.outcome(s) == Outcome((1, 2), (120, 80), "a single round")
    blocked = position(DRY.replace("sc 120 80", "sc 0 0"), target="round")
    s, _, _ = play(blocked, "0:draw ; 1:draw")
    assert uno_flip.outcome(s) == Outcome((1, 1), (0, 0), "a single round")
    assert uno_flip.to_act(s) == ()


def test_equal_low_scores_share_the_win() -> None:  # R14
    s = position(LIGHT.format("B7/O3") + "\nsc 0 0 498", scoring="low")
    s, _, _ = play(s, "0:B7")
    assert uno_flip.outcome(s) == Outcome((1, 2, 3), (0, 3, 501), "500 points")
    s = position(LIGHT.format("B7/O3") + "\nsc 3 0 498", scoring="low")
    assert uno_flip.outcome(play(s, "0:B7")[0]) == Outcome((1, 1, 3), (3, 3, 501), "500 points")


def test_reaching_the_target_exactly_is_enough() -> None:  # R27
    for before, over in ((493, ""), (494, "500 points")):
        s = position(LIGHT.format("B7/O3") + f"\nsc {before} 0 0")
        assert play(s, "0:B7")[0].over == over


def test_the_next_round_is_dealt_in_the_same_step() -> None:
    s, _ = hear(uno_flip.apply(light("B7/O3"), 0, words.read("B7"), Dice(SEED, 1)))
    assert (s.round, s.dealer, s.scores) == (2, 0, (6, 0, 0))
    assert sum(sizes(s)) in (21, 22)
    assert s.ended is not None
    assert s.ended.hands == ((), ("R2", "Y1"), ("Y2", "G1"))
    for viewer in (0, None):
        assert uno_flip.view(s, viewer).ended == s.ended
    after, _ = hear(
        uno_flip.apply(s, s.owed[0].seat, uno_flip.default(s, s.owed[0].seat), Dice(SEED, 2))
    )
    assert after.ended is None


@pytest.mark.parametrize("scoring", ["winner", "low"])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_whole_match_to_500(scoring: Any, seats: int) -> None:  # R23, R27
    """Round upon round in one log: each is dealt by the entry that ends the one before."""
    raw = Raw(e.encode(Options(scoring=scoring)))
    args = ("uno-flip", uno_flip.RULES, raw, None, (None,) * seats, e.Policy(), "0" * 64)
    offered = e.Offered(e.FORMAT, *args)
    dealers, points = [], 0
    steps = list(robot_match(uno_flip, offered, "greedy", scoring))
    for _, now, verdict in steps:
        pieces(now.state)  # all there, each once
        for fact in facts(verdict, None):
            if isinstance(fact, Dealt):
                dealers.append(fact.dealer)
            if isinstance(fact, RoundEnded):
                points += sum(fact.points)
                assert fact.scores == now.state.scores
        assert len(dealers) == now.state.round
    assert dealers == [(dealers[0] + i) % seats for i in range(len(dealers))]
    assert len(dealers) > 3
    end = steps[-1].match
    assert end.outcome is not None
    assert (end.outcome.why, sum(end.outcome.scores)) == ("500 points", points)
    best = max if scoring == "winner" else min
    winners = [place == 1 for place in end.outcome.places]
    assert winners == [score == best(end.outcome.scores) for score in end.outcome.scores]
    assert fold(line for line, _, _ in steps) == end


def test_what_an_absent_seat_does() -> None:  # R29
    s = light("B9/O5 W2/O4")
    assert words.write(uno_flip.default(s, 0)) == "draw"
    drew, _, _ = play(s, "0:draw")
    assert words.write(uno_flip.default(drew, 0)) == "keep"
    played, _, _ = play(s, "0:W2=G")
    assert words.write(uno_flip.default(played, 1)) == "take"
    named, _, _ = play(position(OPENING.format("W/K5")), "open")
    assert words.write(uno_flip.default(named, 0)) == "col=R"
    assert words.write(uno_flip.default(replace(s, blocked=1), 0)) == "B9"
    wild = replace(light("R6/KS W2/O4"), blocked=1)
    assert words.write(uno_flip.default(wild, 0)) == "W2=R"
    stuck = replace(light("R6/KS R1/K3"), blocked=1)
    assert words.write(uno_flip.default(stuck, 0)) == "draw"


@pytest.mark.parametrize("scoring", ["winner", "low"])
@pytest.mark.parametrize("seats", [2, 5, 10])
def test_a_table_that_nobody_comes_back_to_has_an_end(scoring: Any, seats: int) -> None:  # R29
    s, _ = hear(uno_flip.setup(Options(scoring=scoring), seats, Dice(SEED, 1)))
    for k in range(3_000):
        if not uno_flip.to_act(s):
            break
        seat = uno_flip.to_act(s)[0]
        move = uno_flip.default(s, seat)
        assert uno_flip.allows(s, seat, move) is None
        s, _ = hear(uno_flip.apply(s, seat, move, Dice(SEED, k)))
    assert s.over


def test_greedy_beats_random() -> None:
    won = 0
    for number in range(16):
        *_, (s, _, _) = match(number, 2, "greedy random" if number % 2 else "random greedy")
        outcome = uno_flip.outcome(s)
        won += outcome is not None and outcome.places[1 - number % 2] == 1
    assert won >= 13


def test_any_card_drawn_ends_a_row_of_fails() -> None:  # R9
    s, _, _ = play(replace(light("B9/O5 R1/K3"), fails=2), "0:draw")
    assert s.fails == 0


def test_once_over_all_see_all_hands_as_they_were_counted() -> None:
    s = position(LIGHT.format("BD/K6") + "\nsc 490 0 0")
    s, _, _ = play(s, "0:BD")
    assert s.over == "500 points"
    for viewer in (None, 0, 1, 2):
        seen = uno_flip.view(s, viewer)
        assert seen.hands == ((), ("R2", "R7", "Y1"), ("Y2", "G1"))
        assert seen.backs == (None, None, None)
        assert seen.pile is None
    whole = uno_flip.view(s, OPEN)
    assert whole.hands[1] == ("R2", "Y1", "R7")
    assert whole.backs[1] == ("OV", "KS", "P5")
    assert whole.pile == "O1"
    assert whole.piles == (s.draw, s.discards)
