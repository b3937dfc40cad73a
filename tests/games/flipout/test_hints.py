"""The greedy robot: no genius, but one that a family would sit down with."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.contract import hear
from engine.dice import Dice
from engine.games import flipout
from engine.games.flipout import Options, State, words
from engine.robots import ROBOTS

from .positions import SEED, every, play, table

A, B = "r/g r/b y/r p/g b/b g/y", "g/r y/p b/r p/p g/b y/g"


def match(number: int, *robots: str) -> State:
    dice = Dice(SEED, number)
    s, _ = hear(flipout.setup(Options(tokens=number % 3 == 0), len(robots), dice))
    while flipout.to_act(s):
        move = ROBOTS[robots[s.turn]](flipout, s, s.turn, dice)
        s, _ = hear(flipout.apply(s, s.turn, move, dice))
    return s


def test_it_beats_chance() -> None:
    won = 0
    for number in range(10):
        seat = number % 2
        robots = ("greedy", "random") if seat == 0 else ("random", "greedy")
        outcome = flipout.outcome(match(number, *robots))
        assert outcome
        won += outcome.places[seat] < outcome.places[1 - seat]
    assert won >= 9


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_among_themselves_they_use_up_the_deck(seats: int) -> None:
    s = match(100 + seats, *["greedy"] * seats)
    assert s.over == "the deck ran out"
    assert sum(map(len, s.piles)) > 90 - 6 * seats - 6


def best(s: State) -> set[str]:
    view = flipout.view(s, s.turn)
    worth = {words.write(m): flipout.hint(view, s.turn, m) for m in every(s, s.turn)}
    return {text for text, n in worth.items() if n == max(worth.values())}


def test_it_takes_the_largest_set() -> None:
    deck = " ".join(["r/g"] * 12)
    s = table(deck, "y/r r/g r/b r/r r/y r/p", "g/y r/y b/y p/y y/b g/b")
    assert best(s) == {"C A2-6"}
    assert best(replace(s, holders=(tuple(["rg", "gr"] * 3), s.holders[1]))) == {"W B1-4"}


def test_it_completes_a_set_at_once() -> None:
    """In one action that it can see, and rather by one that shows nobody anything."""
    s = table("y/g y/b", "r/g r/b r/y g/b b/b r/y", "g/b y/p b/y p/p g/b y/g")
    assert best(s) == {"X A4-6"}
    s = table("y/g y/b", "r/g r/b r/y g/b b/b p/y", "g/b y/p b/y p/p g/b y/r", active="A")
    assert best(s) == {"S A4=B6"}


def test_it_leaves_nothing_for_others_to_swipe() -> None:
    """With its last action, a third seat would take what it lined up in another's holder."""
    rows = "r/g g/b b/y p/r y/p r/p", "g/b b/y p/y r/y r/b g/y", "g/p y/g p/b r/r b/g y/r"
    assert all(text != "X B1-6" for text in best(table("y/g y/b", *rows, actions=1)))
    view = flipout.view(table("y/g y/b", *rows, actions=1), 0)
    assert flipout.hint(view, 0, words.read("X B1-6")) < 0
    alone = flipout.view(table("y/g y/b", *rows[:2], actions=1), 0)
    assert flipout.hint(alone, 0, words.read("X B1-6")) > 0


def test_it_does_not_end_a_match_that_it_would_lose() -> None:
    s = table("y/g", "r/g r/b r/y r/p b/b p/y", "g/b y/p b/y p/p g/b y/g")
    assert best(s) == {"C A1-4"}
    behind = replace(s, piles=((), ("b",) * 5))
    assert "C A1-4" not in best(behind)


def test_it_flips_no_card_back() -> None:
    s, _, _ = play(table("y/g y/b", A, B), "F A6")
    assert flipout.hint(flipout.view(s, 0), 0, words.read("F A6")) < -100


def test_it_buys_an_action_to_take_a_set() -> None:
    s, _, _ = play(table("y/g " * 7, "r/g r/b r/y r/p b/b p/y", B, tokens=1), "F B1 ; F B1")
    assert best(s) == {"+"}
    s, _, _ = play(table("y/g " * 7, A, B, tokens=1), "F B1 ; F B1")
    assert best(s) == {"."}
