"""Who hears and sees what, and how it is said."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.contract import OPEN, hear
from engine.dice import Dice
from engine.games import qwirkle
from engine.games.qwirkle import words
from engine.games.qwirkle.pieces import Drew, Last, Swapped

from .positions import OPENING, SEED, every, play, position, table, walk

NAMES = ["Ann", "Bob", "Cem", "Dee", "Eve", "Fay"]


def test_only_the_seat_itself_hears_and_sees_its_tiles() -> None:
    s = table("R1@0,0", "G1 B2 P3 R4", "R3 R4 B2", "O2 Y3", "G6")
    after, told = hear(qwirkle.apply(s, 0, words.read("swap R3 B2"), Dice(SEED, 1)))
    own = [fact for t in told for fact in t.heard_by(0)]
    assert own == [Swapped(0, 2, ("B2", "R3")), Drew(0, 2, ("R4", "P3"))]
    for viewer in (1, 2, None):
        assert [f for t in told for f in t.heard_by(viewer)] == [Swapped(0, 2), Drew(0, 2)]
    assert qwirkle.view(after, 1).hands == (None, ("O2", "Y3"), None)
    assert qwirkle.view(after, None).hands == (None, None, None)
    assert qwirkle.view(after, OPEN).hands == after.hands
    assert qwirkle.view(after, None).last == Last(0, swapped=2)


@pytest.mark.parametrize("number", range(3))
def test_facts_tell_a_seat_its_hand_and_everyone_the_counts(number: int) -> None:
    mine, held = Counter[str](), Counter[int]()
    for s, told in walk(number):
        for fact in (fact for t in told for fact in t.heard_by(0)):
            match fact:
                case Drew(seat, count, tiles):
                    held[seat] += count
                    mine.update(tiles)
                case Swapped(seat, count, tiles):
                    held[seat] -= count
                    mine.subtract(tiles)
        if s.last and s.last.tiles:
            held[s.last.seat] -= len(s.last.tiles)
            mine.subtract(lay.tile for lay in s.last.tiles if s.last.seat == 0)
        assert +mine == Counter(s.hands[0])
        assert tuple(held[seat] for seat in range(len(s.hands))) == qwirkle.view(s, None).held


def test_moves_are_read_as_they_are_written() -> None:
    s = table("R1@0,0 R3@1,0", "G1 G2", "R4 B3 B1 P6", "R5")
    for move in every(s, 0):
        assert words.read(words.write(move)) == move
    assert words.write(words.read("R3@1,0 B2@-1,0  R1@0,0")) == "B2@-1,0 R1@0,0 R3@1,0"
    assert words.write(words.read("swap Y5 B2")) == "swap B2 Y5"
    assert words.write(words.read("pass")) == "pass"


@pytest.mark.parametrize(
    "text",
    ["", "fly", "swap", "R1", "R7@0,0", "R1@0", "R1@108,0", "swap Q1", "pass R1", "@,", "??"],
)
def test_what_is_no_move_is_told_the_form(text: str) -> None:
    with pytest.raises(ValueError, match="as in `R1@0,0 R3@1,0`"):
        words.read(text)


def test_every_fact_is_said() -> None:
    told = [t for number in range(4) for _, told in walk(number) for t in told]
    said = {words.say(fact).sentence(NAMES) for t in told for fact in t.heard_by(OPEN)}
    assert any(line.startswith("Ann lays ") and " + " in line for line in said)
    assert all(line.endswith(".") for line in said)


def test_the_table_is_shown() -> None:
    s = table("R1@0,0 R3@1,0", "Y2 G1 B2 P3 O4 Y6", "B1 Y5", "O2")
    s, _, _ = play(s, "0:B1@0,-1")
    assert words.show(qwirkle.view(s, 0), NAMES[:2]).splitlines() == [
        "       0   1",
        "  -1  B1   .",
        "   0  R1  R3",
        "Ann laid B1@0,-1 for 2",
        "Ann holds Y5 Y6 O4 P3 B2 G1",
        "unseen R232333 O333233 Y333322 G233333 B223333 P332333",
        "bag 1; Ann 2, Bob 0; Bob to move",
    ]
    opening = words.show(qwirkle.view(position(OPENING), None), NAMES[:2])
    assert opening.endswith("bag 3; Ann 0, Bob 0; Ann to move, the largest set is 3")
