"""Which card is played, what is refused first, and what a card does."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.dice import Dice
from engine.games import uno_flip
from engine.games.uno_flip import No, words
from engine.games.uno_flip.facts import Drew, Reshuffled
from engine.games.uno_flip.pieces import PlayOrDraw

from .positions import (
    SEED,
    dark,
    heard,
    light,
    no,
    play,
    sizes,
)


def test_which_of_equal_cards() -> None:  # R15
    s = light("B1/PS W/K5 R1/P2 W/KF R1/K3 W/T3")
    s = replace(s, colour="R")
    for text, card in [("R1", "R1/P2"), ("R1#2", "R1/K3"), ("W=G", "W/K5"), ("W#3=G", "W/T3")]:
        assert play(s, f"0:{text}")[0].discards[-1] == card
    assert no(s, "0:R1#3") is No.NOT_IN_HAND
    grown = [words.write(m) for m in uno_flip.grow(s, 0, words.read("W#2"))]
    assert grown == ["W#2=R", "W#2=Y", "W#2=G", "W#2=B"]
    grown = [words.write(m) for m in uno_flip.grow(s, 0, words.read("W"))]
    assert grown == ["W#2", "W#3", "W=R", "W=Y", "W=G", "W=B"]
    assert [words.write(m) for m in uno_flip.grow(s, 0, words.read("R1"))] == ["R1#2"]


def test_the_drawn_card_is_named_by_its_face_alone() -> None:  # R30
    s = light("B1/PS B9/O5", backs="open")
    s = replace(s, draw=(*s.draw[:-1], "B1/PS"))
    s, _, _ = play(s, "0:draw")
    assert no(s, "0:B1#2") is No.DRAWN_ONLY
    assert list(uno_flip.grow(s, 0, words.read("B1"))) == []
    s, _, _ = play(s, "0:B1")
    assert s.hands[0] == ("B1/PS", "B9/O5")


def test_uno_is_called_with_any_card() -> None:
    s = light("W2/O4 R1/K3")
    assert [words.write(m) for m in uno_flip.grow(s, 0, words.read("W2"))][-1] == "W2!"
    assert no(s, "0:W2!") is No.COLOUR_NEEDED
    after, _, _ = play(s, "0:W2=B!")  # R20
    assert (after.window, after.called) == (0, True)
    assert no(after, "0:uno") is No.NO_WINDOW


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1:draw", No.NOT_YOUR_TURN),
        ("1:B9=K!", No.NOT_YOUR_TURN),
        ("1:uno", No.NO_WINDOW),
        ("0:catch 1", No.NO_CATCH),
        ("0:keep", No.PHASE),
        ("0:take", No.PHASE),
        ("0:chal", No.PHASE),
        ("0:col=R", No.PHASE),
        ("0:K5=K!", No.NOT_IN_HAND),
        ("0:R6=K!", No.NO_MATCH),
        ("0:W2=K!", No.WILD_DRAW_RESTRICTED),
        ("0:B9=B!", No.NO_COLOUR_ALLOWED),
        ("0:W=K!", No.BAD_COLOUR),
        ("0:W!", No.UNO_NOT_APPLICABLE),
        ("0:W", No.COLOUR_NEEDED),
        ("0:W=B", None),
    ],
)
def test_the_first_reason_is_given(text: str, why: No | None) -> None:  # R34
    s = light("B9/O5 R6/KS W/K5 W2/O4", challenges=False)
    assert no(s, text) is why


def test_after_the_end_nothing_is_allowed() -> None:
    s = replace(light("B9/O5"), owed=(), over="500 points")
    for text in ("0:B9", "0:draw", "1:uno", "1:catch 0"):
        assert no(s, text) is No.OVER
    assert not [m for seat in range(3) for m in uno_flip.legal(s, seat)]


def test_skip_everyone_gives_a_whole_turn() -> None:  # R28
    s, _, _ = play(replace(dark("B1/PS R5/K2 Y3/P1"), colour="P"), "0:PS")
    assert s.owed == (PlayOrDraw(0),)
    s, _, _ = play(s, "0:draw ; 0:keep")
    assert s.owed == (PlayOrDraw(1),)


def test_wild_draw_color_when_no_such_card_is_left() -> None:  # R8
    s = dark("G6/WC R1/K3 G3/KF")
    s = replace(s, draw=("R9/P5", "G9/OD"), discards=("R7/O1", *s.discards))
    s, told, _ = play(s, "0:WC=T ; 1:take")
    assert sizes(s) == [2, 6, 2]  # the pile, then what was under the top
    assert [f.count for f in heard(told, None) if isinstance(f, Reshuffled | Drew)] == [2, 4]
    assert s.owed == (PlayOrDraw(2),)
    assert (s.draw, s.discards[-1]) == ((), "G6/WC")


def test_a_reshuffle_leaves_the_top_its_colour_and_the_side() -> None:  # R17, R33
    s = light("R1/K3 G3/KF")
    s = replace(s, draw=(), discards=("R9/P5", "Y9/P4", "W/K5"), colour="B")
    s, _, _ = play(s, "0:draw", Dice(SEED, 9))
    assert s.discards == ("W/K5",)
    assert (s.colour, s.side) == ("B", "light")
    assert (*s.draw, s.hands[0][-1]) == Dice(SEED, 9).shuffled(("R9/P5", "Y9/P4"))


def test_a_flip_reverses_every_pile_but_no_hand() -> None:  # R18
    s = light("BF/P6 R1/K3 R5/K2")
    after, _, _ = play(s, "0:BF")
    assert after.draw == s.draw[::-1]
    assert after.discards == ("BF/P6", "B4/TD")
    assert after.hands == (("R1/K3", "R5/K2"), *s.hands[1:])


def test_a_last_wild_draw_color_is_paid_at_once() -> None:  # R13, R31, R39
    s, told, _ = play(dark("G6/WC"), "0:WC=O")
    assert s.ended is not None
    assert s.ended.hands == ((), ("KS", "O1", "OV", "P5"), ("T1", "O5"))
    assert heard(told, 1)[1] == Drew(1, 2)  # which is said with the hands
    assert s.scores == (30 + 20 + 1 + 5 + 1 + 5, 0, 0)


def test_a_last_flip_counts_the_other_side() -> None:  # R11
    s, _, _ = play(light("BF/P6"), "0:BF")
    assert s.ended is not None
    assert (s.ended.side, s.ended.top) == ("dark", "TD")
    assert s.scores == (20 + 30 + 1 + 5, 0, 0)


def test_the_two_of_a_wild_draw_two_is_no_number() -> None:
    s = light("R2/PD Y2/T8 G3/KF")
    s = replace(s, discards=(*s.discards, "W2/O4"), colour="G")
    assert no(s, "0:R2") is No.NO_MATCH
    assert no(s, "0:G3") is None


def test_which_of_two_equal_flips_is_heard_by_nobody() -> None:
    """All they could tell it by is gone: the backs that they saw are live now."""
    s = light("BF/P6 BF/P7 R1/K3")
    one, two = (play(s, f"0:{text}") for text in ("BF", "BF#2"))
    assert one[0].hands != two[0].hands
    for viewer in (1, 2, None):
        assert heard(one[1], viewer) == heard(two[1], viewer)
        assert uno_flip.view(one[0], viewer) == uno_flip.view(two[0], viewer)
    assert heard(one[1], 0) != heard(two[1], 0)
