"""What effects do where the worked examples do not say."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from engine.contract import hear
from engine.games import flipology
from engine.games.flipology.board import board
from engine.games.flipology.effects import remove, swap
from engine.games.flipology.facts import (
    Declined,
    Flipped,
    Imitated,
    Passed,
    Picked,
    Removed,
    Stayed,
    Swapped,
    Woken,
)
from engine.games.flipology.pieces import Aim, Slot, TurnOne
from engine.games.flipology.reach import aims

from .positions import begun, play, position, public, refusal, rows

BLANK = "(Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8) (Sl6)"  # a row without effects
MONKEYS = """given greatTree seats=AB active=A
A1: (Mk2) (Mk3) (Ca4) (Ca5) (Ca6)
A2: (Mk2) (Mk3) (Ca4) (Ca5) (Ca6)
B1: (Pn9) (Kw9) (Ok9) (Qu8) (Cp8)
B2: (Sl6) (Sl7) (Ko8) (Sl6) (Pg8)"""


def table(*others: str, active: str = "A") -> str:
    """A nature position of these rows."""
    lines = [f"{seat}: {row}" for seat, row in zip("ABCDEFGH", others, strict=False)]
    seats = "ABCDEFGH"[: len(lines)]
    return "\n".join([f"given nature seats={seats} active={active}", *lines])


def woken(told: list) -> list[str]:
    return [f"{fact.kind}@{fact.cell}" for fact in public(told) if isinstance(fact, Woken)]


def over(s) -> bool:
    """Is the turn over?"""
    return s.owed == (TurnOne(),)


# The ring and the tree


@pytest.mark.parametrize(
    ("seats", "pairs"),
    [
        (2, "A1-B7 A7-B1"),
        (3, "A1-B7 A7-C1 B1-C7 B7-A1 C1-A7 C7-B1"),
        (8, "A1-B7 A7-H1 H1-A7"),
    ],
)
def test_row_ends_meet_round_the_table(seats: int, pairs: str) -> None:
    """R5"""
    ring = board("nature", seats, seats)
    for pair in pairs.split():
        one, two = pair.split("-")
        assert two in ring.beside[one]
        assert one in ring.beside[two]
    assert all(len(set(near)) == 2 for near in ring.beside.values())
    assert all(len(far) == 2 for far in ring.leaps.values())


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_leap_is_two_steps_and_no_less(seats: int, levels: int) -> None:
    """R19: also round a corner, and on a neighbour's side of the table."""
    tree = board("great_tree", seats, levels * seats)
    for cell, near in tree.beside.items():
        assert all(cell in tree.beside[other] for other in near)
        two = {end for step in near for end in tree.beside[step]} - {cell, *near}
        assert list(tree.leaps[cell]) == sorted(two)
    if levels > 1:
        assert "A2.2" in tree.leaps["A1.1"]  # one aside, one up
        assert "B2.5" in tree.leaps["A1.1"]  # and across


# Turning over


def test_an_effect_may_choose_what_is_up_and_turning_down_wakes_nothing() -> None:
    """R15, R16"""
    s, told = play(position(table("(Do5) Do6 (Pn9) (Kw9) (Ok9) (Qu8) (Cp8)", BLANK)), "flip A1")
    assert "A2" in begun(s)
    s, more = play(s, "target A2")
    assert rows(s)["A"].startswith("Do5 (Do6)")
    assert woken(told + more) == ["dog@A1"]
    assert over(s)


def test_a_cat_that_is_up_stays_whatever_names_it() -> None:
    """R9: a wind, a rain, a monkey, and a peek that turns one up for good."""
    s, told = play(position(table("(Wi3) Ca4 (Ca5) Pn9 (Kw9) (Ok9) (Qu8)", BLANK)), "flip A1")
    assert Stayed("A2") in public(told)
    assert rows(s)["A"] == "Wi3 Ca4 Ca5 (Pn9) Kw9 Ok9 Qu8"
    assert refusal(replace(s, turn=0), "flip A2") == "CAT_STAYS"  # R10


CATS = """given greatTree seats=AB active=A
A1: (Pn9) (Kw9) (Ok9) (Qu8) (Cp8)
A2: Ca4 Ca4 Ca5 Ca5 Ca6
B1: (Mk2) (Mk3) (Sn3) (Sn4) (Do5)
B2: (Mk2) (Mk3) (Sn3) (Sn4) (Do5)"""


def test_a_row_of_cats_passes() -> None:
    """R10"""
    s = replace(position(CATS), trail=(Flipped("B2.1", None),))
    assert [flipology.words.write(move) for move in flipology.legal(s, 0)] == ["pass"]
    assert refusal(s, "flip A2.1") == "CAT_STAYS"
    assert refusal(s, "flip A1.1") == "NOT_YOUR_ROW"
    assert flipology.default(s, 0) == flipology.words.read("pass")
    s, told = play(s, "pass")
    assert public(told) == [Passed(0)] == [*s.trail]
    assert s.turn == 1
    assert refusal(s, "pass") == "CAN_FLIP"


def test_what_rain_sun_and_wind_turn_up_does_not_act() -> None:
    """R11"""
    s = position(table("(Su3) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", "(Do5) " * 7))
    s, told = play(s, "flip A1", "peek B1,B2,B3", "peekflip B2")
    assert woken(told) == ["sun@A1"]
    assert over(s)
    s = position(table("(Ra3) (Do5) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", "(Do5) " * 7))
    s, told = play(s, "flip A1", "target A2", "target B4")
    assert woken(told) == ["rain@A1"]
    assert over(s)


def test_an_effect_cannot_be_declined() -> None:
    """R12, R18: not even where only one choice is left."""
    s, _ = play(position(table("(Do5) Ca4 (Pn9) (Kw9) (Ok9) (Qu8) (Cp8)", BLANK)), "flip A1")
    assert refusal(s, "pass") == refusal(s, "flip A3") == "NOT_ASKED"
    s = position(table("(Pa4) Do5 (Pn9) (Kw9) (Ok9) (Qu8) (Cp8)", BLANK))
    s, _ = play(s, "flip A1")
    assert begun(s) == ["dog"]
    assert refusal(s, "imitate snake") == "NOT_UP"


@pytest.mark.parametrize(
    ("row", "texts"),
    [
        ("(Do5) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", ["target A1"]),
        ("(Sn3) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", ["target A1"]),
        ("(Mo1) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", ["target A1"]),
        ("(Wo2) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", ["target A1"]),
        ("(Ra3) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", ["target A1"]),
    ],
)
def test_no_effect_chooses_its_own_card(row: str, texts: list[str]) -> None:
    """R14"""
    s, _ = play(position(table(row, BLANK)), "flip A1")
    assert [refusal(s, text) for text in texts] == ["SOURCE"]
    assert "A1" not in begun(s)


# The loop guard


def test_a_card_acts_three_times_a_turn_and_no_more() -> None:
    """R17: four monkeys in a square of the Great Tree."""
    s, told = play(position(MONKEYS), "flip A2.1", "targets A2.2,B2.5")
    lap = ["targets A1.2,A2.1", "targets A1.1,A2.2"]
    s, more = play(s, *(lap * 5))
    assert Counter(woken(told + more)) == Counter(
        {"monkey@A2.1": 3, "monkey@A2.2": 3, "monkey@A1.2": 3, "monkey@A1.1": 3}
    )
    s, last = play(s, "targets A1.2,A2.1")
    assert Flipped("A2.1", "Mk2") in public(last)
    assert woken(last) == []
    assert over(s)
    assert s.acted == ()  # and the next turn counts anew


def test_a_card_that_may_act_no_more_is_not_picked() -> None:
    """R17, R21: it does not count among the two that a monkey wakes."""
    s = position(table("(Mk2) (Do5) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8)", "(Fr4) " * 7))
    tired = replace(s, acted=("A2",) * 3)
    assert isinstance(play(s, "flip A1")[0].owed[0], flipology.pieces.UseOneOf)
    s, told = play(tired, "flip A1")
    assert woken(told) == ["monkey@A1", "frog@B7"]
    assert rows(s)["A"].startswith("Mk2 Do5")


def test_the_count_follows_the_card() -> None:
    """R17: traded places, it goes along; removed, it is gone with the card."""
    s = position(table("Mo1 (Do5) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8)", "(Fr4) " * 7))
    s = replace(s, acted=("A1", "A2", "A2", "B1"))
    after, _ = hear(swap(s, "A1", "A2"))
    assert after.acted == ("A2", "A1", "A1", "B1")
    after, _ = hear(swap(s, "A1", "B1"))
    assert after.acted == ("B1", "A2", "A2", "A1")
    after, _ = hear(remove(s, "A2"))
    assert after.acted == ("A1", "B1")
    tired, _ = hear(swap(replace(s, acted=("A2",) * 3), "A1", "A2"))
    assert flipology.effects.acts(turned_up(tired, "A1"), "A1") is False
    assert flipology.effects.acts(turned_up(s, "A2"), "A2") is True


def turned_up(s, cell: str):
    r, i = s.board.at[cell]
    row = list(s.rows[r])
    row[i] = Slot(row[i].card, up=True)
    return replace(s, rows=(*s.rows[:r], tuple(row), *s.rows[r + 1 :]))


def test_a_parrot_counts_for_itself() -> None:
    """R17, R22"""
    s = position(table("(Pa4) Do6 (Pn9) (Kw9) (Ok9) (Qu8) (Cp8)", BLANK))
    s, told = play(s, "flip A1")
    assert s.acted == ("A1",)
    s, more = play(s, "imitate dog")
    assert s.acted == ("A1",)
    assert public(more) == [Imitated("A1", "dog")]
    assert woken(told + more) == ["parrot@A1"]


# Hawks and monkeys


def test_a_hawk_reaches_opponents_of_whoever_acts() -> None:
    """R8, R20: woken in a row of B, it reaches C alone; among two seats, nobody. (R13)"""
    dog = "(Do5) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)"
    hawk = "(Sl6) (Sl7) (Ko8) (Sl6) (Sl7) (Ko8) (Ha3)"
    s, _ = play(position(table(dog, hawk, "(Fr4) " * 7)), "flip A1", "target B7")
    assert flipology.to_act(s) == (0,)
    assert {cell[0] for cell in begun(s)} == {"C"}
    assert refusal(s, "target A3") == refusal(s, "target B3") == "OUT_OF_REACH"
    s, told = play(position(table(dog, hawk)), "flip A1", "target B7")
    assert woken(told) == ["dog@A1", "hawk@B7"]
    assert over(s)


def test_a_hawk_flips_and_removes_nothing() -> None:
    """R20b"""
    s = position(table("(Ha3) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", BLANK))
    s, _ = play(s, "flip A1", "target B1")
    assert rows(s)["B"].startswith("Pn9 ")
    assert s.clearings == 6


def test_what_will_have_no_choice_may_be_picked() -> None:
    """R21: a hawk in another's row, where only two play."""
    s = position(table("(Mk2) (Do5) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8)", "(Pn9) " * 6 + "(Ha3)"))
    s, _ = play(s, "flip A1")
    assert begun(s) == ["B7", "A2"]
    assert refusal(s, "pick B1") == "OUT_OF_REACH"
    s, told = play(s, "pick B7")
    assert public(told) == [Picked("B7"), Woken("B7", "hawk")]
    assert over(s)


def test_a_monkey_of_the_first_level_has_no_choice_but_names_it() -> None:
    """R18: two neighbours, one pair."""
    s = position(
        "given greatTree seats=AB active=A\n"
        "A1: (Mk2) (Pn9) (Kw9) (Ok9) (Qu8)\nB1: (Sl6) (Sl7) (Ko8) (Cp8) (Pg8)"
    )
    s, _ = play(s, "flip A1.1")
    assert begun(s) == ["A1.2,B1.5"]
    assert refusal(s, "targets A1.2,A1.1") == "SOURCE"
    assert refusal(s, "targets A1.2,A1.3") == "OUT_OF_REACH"
    assert refusal(s, "targets A1.2,A1.2") == "CELL_TWICE"
    assert refusal(s, "targets A1.2,C1.2") == "NO_SUCH_CELL"


# Parrots


def test_what_a_parrot_may_copy() -> None:
    """R22: animals with an effect that are up anywhere, in the order of the rules."""
    up = "Wo2 Sn3 Mk2 Mo1 Ha3 Fr4 Do5"
    s, _ = play(position(table("(Pa4) Hc2 Pa4 Ra3 Su3 Wi3 Mn7", up, BLANK)), "flip A1")
    assert begun(s) == ["dog", "frog", "hawk", "mole", "monkey", "snake", "wolves"]
    s, _ = play(position(table("(Pa4) (Do5) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", BLANK)), "flip A1")
    assert over(s)  # R13
    assert refusal(replace(s, turn=0), "imitate dog") == "NOT_ASKED"


def test_a_parrot_copies_what_has_just_woken_it() -> None:
    """R22, from its own place: as a snake, in the row it lies in."""
    dog = "(Do5) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)"
    s, _ = play(position(table(dog, "(Sl6) " * 6 + "(Pa4)")), "flip A1", "target B7")
    assert begun(s) == ["dog"]
    s, _ = play(s, "imitate dog")
    assert begun(s) == ["B6", "A1"]


def test_a_parrot_as_wolves_without_clearings_does_nothing() -> None:
    """R22, R23"""
    s = position(table("(Pa4) Wo2 (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", BLANK))
    s, _ = play(replace(s, clearings=0), "flip A1")
    assert begun(s) == ["wolves"]
    s, told = play(s, "imitate wolves")
    assert public(told) == [Imitated("A1", "wolves")]
    assert over(s)


# Wolves and Clearings


def test_wolves_without_clearings_do_nothing() -> None:
    """R23, R13"""
    s = position(table("(Wo2) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", BLANK))
    s, told = play(replace(s, clearings=0), "flip A1")
    assert woken(told) == ["wolves@A1"]
    assert over(s)


def test_a_clearing_that_lies_face_down_may_be_named() -> None:
    """R23b: it looks like any back; another takes its place, and it is gone unseen."""
    s = position(table("(Wo2) Cl0 (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", "(Cl0) " + BLANK[6:]))
    s, _ = play(replace(s, clearings=4), "flip A1")
    assert refusal(s, "target A2") == "CLEARING"
    s, told = play(s, "target B1")
    assert public(told) == [Removed("B1", None)]
    assert (s.clearings, s.pile) == (3, (Slot("Cl0", up=False),))
    assert rows(s)["B"].startswith("Cl0 ")
    assert flipology.view(s, 1).pile == ()


def test_what_wolves_may_choose_depends_on_no_back() -> None:
    """R23b, R27"""
    backs = ("Pn9", "Cl0", "Ca4", "Wo2", "Sl6")
    rows_ = [f"(Wo2) ({back}) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)" for back in backs]
    lists = [begun(play(position(table(row, BLANK)), "flip A1")[0]) for row in rows_]
    assert lists == [lists[0]] * len(backs)
    assert len(lists[0]) == 13


def test_a_clearing_may_be_flipped_and_is_nothing() -> None:
    """R23: it is worth 0 either way, has no effect and is no animal."""
    s = position(table("Cl0 (Do5) Pn9 (Ok9) (Qu8) (Cp8) (Pg8)", BLANK))
    assert flipology.scores.scores(s)[0] == 9
    s, told = play(s, "flip A1")
    assert public(told) == [Flipped("A1", None)]
    s, told = play(replace(s, turn=0), "flip A1")
    assert public(told) == [Flipped("A1", "Cl0")]
    assert flipology.scores.result(s).animals[0] == 1


# Mole, rain and sun


def test_a_mole_wakes_nothing_and_keeps_facings() -> None:
    """R26"""
    s = position(table("(Mo1) Do5 (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", BLANK))
    s, told = play(s, "flip A1", "target A2")
    assert public(told)[-1] == Swapped("A1", "A2")
    assert rows(s)["A"].startswith("Do5 Mo1 (Kw9)")
    assert woken(told) == ["mole@A1"]
    assert over(s)


def test_a_mole_reaches_lower_levels() -> None:
    """R26, in the Great Tree"""
    s = position(CATS.replace("A2: Ca4", "A2: (Mo1)"))
    s, _ = play(s, "flip A2.1", "target B1.5")
    assert rows(s)["B1"].endswith("Mo1")
    assert rows(s)["A2"].startswith("(Do5)")


def test_rain_in_another_row_falls_on_every_row() -> None:
    """R24, R8: one card in each row, and in its own not the rain itself."""
    dog = "(Do5) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)"
    s = position(table(dog, "(Sl6) " * 6 + "(Ra3)", "(Fr4) " * 7))
    s, _ = play(s, "flip A1", "target B7")
    assert flipology.to_act(s) == (0,)
    assert len(begun(s)) == 7 + 6 + 7
    assert refusal(s, "target B7") == "SOURCE"
    s, _ = play(s, "target B1", "target C7")
    assert refusal(s, "target B2") == refusal(s, "target C7") == "RAINED"
    assert refusal(s, "target D1") == "NO_SUCH_CELL"
    s, _ = play(s, "target A1")
    assert over(s)


def test_the_sun_looks_at_opponents_of_whoever_acts() -> None:
    """R25, R8: also when it lies in another's row."""
    dog = "(Do5) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)"
    s = position(table(dog, "(Sl6) " * 6 + "(Su3)", "(Fr4) " * 7))
    s, _ = play(s, "flip A1", "target B7")
    assert {cell[0] for cell in begun(s)} == {"B", "C"}
    assert refusal(s, "peek B1,C1") == "TOO_FEW"
    assert refusal(s, "peek B1,B1,C1") == "CELL_TWICE"
    assert refusal(s, "peek A2,B1,C1") == "OUT_OF_REACH"
    assert refusal(s, "peek B7,B1,C1") == "SOURCE"
    for part in ("peek A2", "peek B7", "peek B1,B1", "peek B1,C1,C2"):
        assert not list(flipology.grow(s, 0, flipology.words.read(part)))
    assert len(list(flipology.grow(s, 0, flipology.words.read("peek C1")))) == 6 + 7 - 1
    s, _ = play(s, "peek C7,B1,C1")
    assert begun(s) == ["B1", "C1", "C7", "none"]
    assert refusal(s, "peekflip C2") == "OUT_OF_REACH"
    s, told = play(s, "peekflip none")
    assert public(told) == [Declined(0)]
    assert over(s)


def test_the_sun_of_another_seat() -> None:
    """R25"""
    s = position(table("(Pn9) " * 7, "(Su3) (Ca4) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", active="B"))
    s, _ = play(s, "flip B1")
    assert {cell[0] for cell in begun(s)} == {"A"}


def test_a_sun_without_backs_does_nothing() -> None:
    """R25, R13"""
    up = BLANK.replace("(", "").replace(")", "")
    s, told = play(position(table("(Su3) (Pn9) (Kw9) (Ok9) (Qu8) (Cp8) (Pg8)", up)), "flip A1")
    assert woken(told) == ["sun@A1"]
    assert over(s)


def test_the_sun_of_the_tree_reaches_all_levels() -> None:
    """R25"""
    s, _ = play(position(CATS.replace("A2: Ca4", "A2: (Su3)")), "flip A2.1")
    assert len(begun(s)) == 10


def test_every_aim_leaves_out_its_source() -> None:
    """R14, whatever the kind"""
    s = position(MONKEYS)
    for kind in ("dog", "frog", "hawk", "snake", "mole", "wolves"):
        for cell in s.board.at:
            assert cell not in aims(s, Aim(kind, cell))
