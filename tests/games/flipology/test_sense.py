"""The greedy robot has sense, and beats the random one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.contract import hear
from engine.dice import Dice
from engine.games import flipology
from engine.games.flipology import Options, words
from engine.games.flipology.moves import Arrange
from engine.robots import ROBOTS, greedy
from engine.weighing import every

from .positions import SEED, dealt, play, position


def best(s) -> str:
    seat = flipology.to_act(s)[0]
    return words.write(greedy(flipology, s, seat, Dice(SEED, 1)))


def table(a: str, b: str) -> str:
    return f"given nature seats=AB active=A\nA: {a}\nB: {b}"


BACKS = "(Do5) " * 7


def test_it_opens_high_cards_and_keeps_sloths_down() -> None:
    s = position(table("(Pn9) (Ca4) (Sl7) (Ko8) Do5 Do6 Fr4", BACKS))
    assert best(s) == "flip A1"
    s = position(table("Pn9 (Ca4) (Sl7) Ko8 Do5 Do6 Fr4", BACKS))
    assert best(s) == "flip A4"


def test_it_aims_dogs_and_hawks_at_opponents() -> None:
    s, _ = play(position(table("(Do5) Pn9 Kw9 Ok9 Ca4 Ca5 Ca6", BACKS[6:] + "Cp8")), "flip A1")
    assert best(s) == "target B7"
    s, _ = play(position(table("(Ha3) Pn9 Kw9 Ok9 Ca4 Ca5 Ca6", BACKS[6:] + "Cp8")), "flip A1")
    assert best(s) == "target B7"


def test_it_does_not_aim_at_its_own() -> None:
    s, _ = play(position(table("(Do5) Pn9 Kw9 Ok9 Ca4 Ca5 Ca6", BACKS)), "flip A1")
    assert best(s) == "target B7"
    s, _ = play(position(table("(Mo1) Pn9 Kw9 Ok9 Ca4 Ca5 Ca6", BACKS[6:] + "Cp8")), "flip A1")
    assert best(s) == "target B7"
    s, _ = play(position(table("(Wo2) Pn9 Kw9 Ok9 Ca4 Ca5 Ca6", BACKS[6:] + "Cp8")), "flip A1")
    assert best(s) == "target B7"


def test_it_knows_the_moon() -> None:
    """Under it, or about to be, the lowest score wins."""
    s = position(table("(Mn7) (Ca4) Pn9 Kw9 Ca5 Ca6 Ok9", BACKS))
    assert best(s) == "flip A2"
    s = position(table("(Mn7) (Ca4) (Pn9) (Kw9) (Ca5) (Ca6) (Ok9)", "Pn9 Kw9 Ok9 Qu8 Cp8 Do6 Do6"))
    assert best(s) == "flip A1"


def test_it_judges_every_move_in_every_place() -> None:
    s = dealt(2)
    hand = ("Mn7", "Pn9", "Do6", "Mo1", "Hc2", "Kw9", "Ca6", "Sl7", "Ko8")
    view = flipology.view(replace(s, hands=(hand, s.hands[1])), 0)
    keeps = Arrange((2, 3, 4, 6, 7, 8, 9))  # not the moon, nor the crab
    for other in ((1, 2, 3, 4, 6, 7, 8), (5, 2, 3, 4, 6, 7, 8), (1, 3, 4, 6, 7, 8, 9)):
        assert flipology.hint(view, 0, keeps) > flipology.hint(view, 0, Arrange(other))
    for text in ("flip A1", "target H7", "peek A1", "imitate dog", "scavenge Sl7", "pass"):
        assert isinstance(flipology.hint(view, 0, words.read(text)), int)


@pytest.mark.parametrize("options", [{}, {"variant": "great_tree"}], ids=["nature", "tree"])
def test_greedy_beats_random(options: dict[str, str]) -> None:
    """In two-seat matches, at least four of five; a shared win is half a win."""
    won = sum(duel(number, **options) for number in range(12))
    assert won >= 12 * 0.8


def duel(number: int, **options: str) -> float:
    seat, dice = number % 2, Dice(number.to_bytes(32), 0)
    s, _ = hear(flipology.setup(Options(**options), 2, dice))
    while waiting := flipology.to_act(s):
        mover = waiting[0]
        robot = ROBOTS["greedy" if mover == seat else "random"]
        s, _ = hear(flipology.apply(s, mover, robot(flipology, s, mover, dice), dice))
    places = flipology.outcome(s).places
    return 0.0 if places[seat] > 1 else 1.0 if places[1 - seat] > 1 else 0.5


def test_all_moves_of_a_turn_are_weighed() -> None:
    s = position(table("(Su3) Pn9 Kw9 Ok9 Ca4 Ca5 Ca6", BACKS))
    s, _ = play(s, "flip A1")
    assert len(list(every(flipology, s, 0))) == 35
