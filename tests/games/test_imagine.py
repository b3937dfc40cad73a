"""Games that a robot can search: worlds that look like the view, and moves by the view alone."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import pytest

from engine.catalogue import GAMES
from engine.contract import hear, paired, whole
from engine.dice import Dice
from engine.match import Match
from engine.robots import ROBOTS, searching, stroll
from engine.search import WIDTH, best_half, search, surest
from tests.games.matches import every_seat, hook, places

SEARCHED = [game for game in GAMES.values() if hasattr(game, "imagine")]
searched = pytest.mark.parametrize("game", SEARCHED, ids=lambda game: game.NAME)
SEEDS, FURTHER, PLAYED = (1, 2, 4), 8, 90


def running(game, seed, some) -> list[Match]:
    return [match for match, _ in places(game, seed, some) if game.outcome(match.state) is None]


@searched
@pytest.mark.parametrize("seed", SEEDS)
def test_an_imagined_world_looks_like_the_view_and_plays_on(game, seed):
    dice = Dice(bytes(32), seed)
    for match in running(game, seed, 3):
        for seat in every_seat(match):
            view = game.view(match.state, seat)
            world = game.imagine(view, seat, dice)
            assert game.view(world, seat) == view
            assert game.to_act(world) == game.to_act(match.state)
            assert list(game.legal(world, seat)) == list(game.legal(match.state, seat))
            assert len(game.prospects(world)) == len(match.holders)
        for _ in range(FURTHER):
            if waiting := game.to_act(world):
                move = stroll(game, world, waiting[0], dice)
                world, _ = hear(game.apply(world, waiting[0], move, dice))


@searched
def test_search_finds_the_same_move_whatever_is_hidden(game):
    dice, apart = Dice(bytes(32), 1), False
    for match in running(game, 3, 2)[-1:]:
        seat = game.to_act(match.state)[0]
        other = hook(game, "redeal").redeal(match.state, seat, dice)
        apart |= other != match.state
        moves = [searched_in(game, state, seat) for state in (match.state, other)]
        assert moves[0] == moves[1]
        assert game.allows(match.state, seat, moves[0]) is None
    assert apart


def searched_in(game, state, seat):
    clock = count()
    return searching(game, state, seat, Dice(bytes(32), 9), lambda: next(clock) > PLAYED)


def test_out_of_time_it_plays_what_looks_best():
    game = GAMES["flipout"]
    state, _ = hear(game.setup(game.Options(), 2, Dice(bytes(32), 2)))
    seat, late = state.turn, iter([False] * 3 + [True] * 1000)
    move = search(game, game.view(state, seat), seat, Dice(bytes(32), 9), late=lambda: next(late))
    assert move == search(game, game.view(state, seat), seat, Dice(bytes(32), 9), nodes=0)


def test_it_leaves_what_looks_best_only_for_what_is_surely_better():
    sure, lucky = [[0, 3, 4]] * 4 + [[0, 2, -9]], [[0, 9], [0, -5], [0, 1], [0, 0], [0, 2]]
    assert surest(sure, 3) == 1
    assert surest(sure[1:], 3) == 0  # too few worlds
    assert surest(lucky, 2) == 0
    assert best_half(sure, 3) == [0, 1]


def test_what_looks_worst_is_played_if_it_leads_farthest():
    """A game of one move, a number: the lower the better, thinks its hint; wrongly."""

    def apply(state, seat, move, dice):
        yield from ()
        return move

    game = SimpleNamespace(
        words=SimpleNamespace(write=str),
        legal=lambda state, seat: range(WIDTH),
        grow=whole,
        allows=lambda state, seat, move: None,
        apply=apply,
        to_act=lambda state: (0,) if state is None else (),
        hint=lambda view, seat, move: -move,
        imagine=lambda view, seat, dice: None,
        prospects=lambda state: (state,),
    )
    assert search(game, None, 0, Dice(bytes(32), 1)) == WIDTH - 1


def test_a_swift_move_may_be_played():
    for game in SEARCHED:
        for match in running(game, 2, 3) if hasattr(game, "swift") else ():
            (seat, *_), state = game.to_act(match.state), match.state
            move = game.swift(game.view(state, seat), seat)
            assert game.allows(state, seat, move) is None


def test_a_game_that_cannot_be_imagined_is_played_greedily():
    game = GAMES["high-card"]
    state, _ = hear(game.setup(game.Options(), 2, Dice(bytes(32), 2)))
    moves = [ROBOTS[robot](game, state, 0, Dice(bytes(32), 3)) for robot in ("search", "greedy")]
    assert moves[0] == moves[1]


def test_what_is_paired_makes_way():
    assert paired(["a", "b"], ["ab", "a"], lambda one, two: one in two) == [1, 0]
    assert paired(["a", "b"], ["ab", "c"], lambda one, two: one in two) is None
