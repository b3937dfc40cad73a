"""Who hears and sees what."""

from __future__ import annotations

from msgspec import json
from msgspec.structs import replace

from engine.contract import OPEN
from engine.games import flipology
from engine.games.flipology.facts import (
    Committed,
    Flipped,
    Imitated,
    Peeked,
    Removed,
    Swapped,
    Woken,
)
from engine.games.flipology.moves import Arrange
from engine.games.flipology.pieces import LayRow, Seen, Slot

from .positions import dealt, done, play, position, public, rows, walk

TABLE = """given nature seats=ABC active=A
A: (Mo1) (Su3) (Wo2) (Mk2) (Fr4) (Ca4) (Sl6)
B: (Pn9) Kw9 (Sl7) (Qu8) (Cp8) (Pg8) (Ko8)
C: (Do5) (Ok9) (Ha3) (Ca5) (Ca6) (Mk3) (Pa4)"""


def heard(told, viewer):
    return [fact for t in told for fact in t.heard_by(viewer)]


def test_a_hand_and_a_row_in_the_making_are_ones_own() -> None:
    """4.1, 3.1"""
    s = dealt(3)
    s, told = play(s, "arrange 9876543")  # of seat 0
    for viewer in (None, 1, 2):
        seen = flipology.view(s, viewer)
        assert [hand is not None for hand in seen.hands] == [viewer == seat for seat in range(3)]
        assert seen.plans[0] is None
        assert (seen.ready, seen.held) == ((True, False, False), (9, 9, 9))
        assert heard(told, viewer) == [Committed(0)]
    hand = s.hands[0]
    assert heard(told, 0) == [Committed(0, hand[8:1:-1], hand[:2])]
    assert flipology.view(s, 0).plans[0] == (9, 8, 7, 6, 5, 4, 3)
    s, _ = play(s, "arrange 1234567", "arrange 1234567")
    assert flipology.view(s, 0).away == (hand[:2], None, None)
    assert flipology.view(s, None).away == (None, None, None)
    assert (flipology.view(s, 0).pile, flipology.view(s, 0).piled) == ((), 6)
    assert flipology.view(s, OPEN).plans == ((), (), ())


def test_a_back_is_seen_by_whose_row_it_lies_in_now() -> None:
    """R27, R26: whatever was seen before; who gains it is told, nobody else."""
    s, told = play(position(TABLE), "flip A1", "target B1")
    assert heard(told, 0)[-1] == Swapped("A1", "B1", "Pn9")
    assert heard(told, 1)[-1] == heard(told, None)[-1] == Swapped("A1", "B1")
    assert rows(s, 0)["A"].startswith("(Pn9)")
    assert rows(s, 1)["A"] == "(??) " * 6 + "(??)"
    assert rows(s, 1)["B"].startswith("Mo1 Kw9 (Sl7)")


def test_a_mole_in_anothers_row_brings_its_back_to_that_seat() -> None:
    """R26: the active seat gains no look."""
    text = TABLE.replace("(Ca4) (Sl6)", "(Ca4) (Do5)").replace("C: (Do5)", "C: (Mo2)")
    s, told = play(position(text), "flip A7", "target C1", "target B3")
    assert heard(told, 2)[-1] == Swapped("C1", "B3", "Sl7")
    assert heard(told, 0)[-1] == heard(told, 1)[-1] == Swapped("C1", "B3")
    assert rows(s, 2)["C"].startswith("(Sl7)")
    assert rows(s, 0)["C"].startswith("(??)")


def test_the_sun_shows_to_the_active_seat_while_it_chooses() -> None:
    """R25"""
    s, told = play(position(TABLE), "flip A2", "peek B1,C1,B3")
    cells = ("B1", "B3", "C1")
    assert heard(told, 0)[-1] == Peeked(0, cells, ("Pn9", "Sl7", "Do5"))
    for viewer in (1, 2, None):
        assert heard(told, viewer)[-1] == Peeked(0, cells)
    assert rows(s, 0)["B"] == "(Pn9) Kw9 (Sl7) (??) (??) (??) (??)"
    assert rows(s, 0)["C"].startswith("(Do5) (??)")
    assert rows(s, None)["C"].startswith("(??) (??)")
    assert rows(s, 1)["C"].startswith("(??) (??)")
    assert rows(s, 2)["B"].startswith("(??) Kw9 (??)")
    assert s.trail[-1] == Peeked(0, cells)
    s, _ = play(s, "peekflip none")
    assert rows(s, 0)["B"] == "(??) Kw9 (??) (??) (??) (??) (??)"


def test_wolves_remove_a_back_unseen_and_a_face_for_all_to_see() -> None:
    """R23"""
    s, told = play(position(TABLE), "flip A3", "target C4")
    assert [heard(told, viewer)[-1] for viewer in (0, 1, 2, None)] == [Removed("C4", None)] * 4
    assert [flipology.view(s, viewer).pile for viewer in (0, 1, 2, None)] == [()] * 4
    assert flipology.view(s, None).piled == 1
    assert flipology.view(s, OPEN).pile == ("Ca5",)
    s, told = play(position(TABLE), "flip A3", "target B2")
    assert public(told)[-1] == Removed("B2", "Kw9")
    assert flipology.view(s, 2).pile == ("Kw9",)
    assert s.pile == (Slot("Kw9", up=True),)


def test_the_trail_keeps_what_all_heard_until_the_next_turn() -> None:
    """R37: also what turned up and down again at once."""
    text = """given nature seats=AB active=A
A: (Pn9) (Mk2) (Wi3) (Ca4) (Ca5) (Ca6) (Sl6)
B: (Ko8) Kw9 (Sl7) (Qu8) (Cp8) (Pg8) (Ko8)"""
    s, told = play(position(text), "flip A2")
    assert rows(s, 1)["A"] == "(??) (??) Wi3 Ca4 Ca5 Ca6 Sl6"
    assert list(s.trail) == public(told)
    assert Flipped("A1", "Pn9") in flipology.view(s, 1).trail
    assert Flipped("A1", None) in flipology.view(s, 1).trail
    s, told = play(s, "flip B2")
    assert s.trail == (Flipped("B2", None),)
    assert public(told) == [*s.trail]


def test_all_see_which_effect_goes_on() -> None:
    """3.4: prompts are public"""
    s = position(TABLE.replace("(Ca4) (Sl6)", "(Ca4) (Pa4)").replace("Kw9 (Sl7)", "Wo2 (Sl7)"))
    s, told = play(s, "flip A7", "imitate wolves")
    assert public(told) == [
        Flipped("A7", "Pa4"),
        Woken("A7", "parrot"),
        Imitated("A7", "wolves"),
    ]
    assert {flipology.view(s, viewer).owed for viewer in (0, 1, None)} == {s.owed}


def test_a_watcher_sees_what_every_seat_may_see() -> None:
    for number in range(6):
        for step in walk(number, **({"variant": "great_tree"} if number % 2 else {})):
            s = step.after
            watched = flipology.view(s, None)
            for seat in range(s.seats):
                mine = flipology.view(s, seat)
                for seen, row in zip(watched.rows, mine.rows, strict=True):
                    assert all(a in (b, Seen(None, b.up)) for a, b in zip(seen, row, strict=True))
                assert set(watched.pile) <= set(mine.pile)
            assert watched.hands == (None,) * s.seats
            everything = flipology.view(s, OPEN)
            assert not [card for row in everything.rows for card in row if card.card is None]


def test_a_view_holds_no_order_of_arrival() -> None:
    """R37"""
    s = replace(dealt(3), owed=(LayRow(),))
    row = Arrange((1, 2, 3, 4, 5, 6, 7))
    one, _ = done(done(s, 0, row)[0], 1, row)
    other, _ = done(done(s, 1, row)[0], 0, row)
    for viewer in (0, 1, 2, None):
        assert json.encode(flipology.view(one, viewer)) == json.encode(
            flipology.view(other, viewer)
        )
