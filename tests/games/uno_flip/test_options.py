"""What each option changes, and the cards turned up."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.contract import hear
from engine.dice import Dice
from engine.games import uno_flip
from engine.games.uno_flip import No, Options, words
from engine.games.uno_flip.cards import FACE
from engine.games.uno_flip.facts import Caught, Drew, TurnedUp
from engine.games.uno_flip.pieces import DrawTwo, NameColour, PlayOrDraw
from engine.games.uno_flip.rounds import turn_up

from .positions import (
    OPENING,
    SEED,
    TWO,
    dark,
    heard,
    light,
    match,
    no,
    play,
    position,
    sizes,
)


def test_options_carry_their_limits() -> None:
    read = msgspec.json.Decoder(Options).decode
    assert read(b'{"target":"round"}').target == "round"
    assert read(b'{"target":9999,"uno_penalty":0,"false_catch_penalty":2}').target == 9999
    wrong = ['{"target":0}', '{"target":10000}', '{"target":"two"}', '{"uno_penalty":5}']
    wrong += ['{"false_catch_penalty":3}', '{"scoring":"high"}', '{"stacking":true}']
    for text in wrong:
        with pytest.raises(msgspec.ValidationError):
            read(text.encode())
    assert uno_flip.seats(Options()) == range(2, 11)


def test_without_challenges_an_honest_wild_draw_is_paid_at_once() -> None:
    s, _, _ = play(light("W2/O4 R1/K3 G3/KF", challenges=False), "0:W2=Y")
    assert sizes(s) == [2, 4, 2]
    assert s.owed == (PlayOrDraw(2),)
    s, _, _ = play(dark("G6/WC R1/K3 G3/KF", challenges=False), "0:WC=P")
    assert sizes(s) == [2, 3, 2]  # P5 at once
    assert s.owed == (PlayOrDraw(2),)
    bluff = light("W2/O4 R4/OF G3/KF", challenges=False)
    assert no(bluff, "0:W2=Y") is No.WILD_DRAW_RESTRICTED
    assert words.read("W2") not in uno_flip.legal(bluff, 0)
    assert not list(uno_flip.grow(bluff, 0, words.read("W2")))
    by_colour = replace(bluff, options=Options(challenges=False, challenge_test="colour"))
    assert no(by_colour, "0:W2=Y") is None


@pytest.mark.parametrize(("penalty", "size"), [("colour", 6), ("two", 4)])
def test_a_guilty_wild_draw_color(penalty: Any, size: int) -> None:  # R2
    s = dark("G6/WC R5/T5 G3/KF", guilty_draw_color=penalty)
    s = replace(s, draw=("Y8/K1", "G9/OD", "R7/O1", "R7/P5"))
    s, _, _ = play(s, "0:WC=K ; 1:chal")
    assert sizes(s) == [size, 2, 2]
    assert s.owed == (PlayOrDraw(1),)
    assert s.colour == "K"  # R26


def test_an_innocent_wild_draw_color_costs_two_more() -> None:
    s, told, _ = play(dark("G6/WC R1/K3 G3/KF"), "0:WC=O ; 1:chal")
    assert sizes(s) == [2, 6, 2]  # P5, O1, then two
    assert s.owed == (PlayOrDraw(2),)
    drew = [fact for fact in heard(told, 1) if isinstance(fact, Drew)]
    assert drew == [Drew(1, 4, faces=("P5", "O1", "OD", "P5"))]


def test_nobody_needs_to_call_where_agreed() -> None:
    s = position(TWO.format("B7/O3 G3/KF"), uno_call=False)
    assert no(s, "0:B7!") is No.UNO_NOT_APPLICABLE  # R38
    after, _, _ = play(s, "0:B7")
    assert after.window is None
    assert no(after, "1:catch 0") is No.NO_CATCH
    assert no(after, "0:uno") is No.NO_WINDOW


@pytest.mark.parametrize("penalty", range(5))
def test_the_penalty_for_a_forgotten_call(penalty: int) -> None:
    s = position(TWO.format("B7/O3 G3/KF"), uno_penalty=penalty)
    s, told, _ = play(s, "0:B7 ; 1:catch 0")
    assert sizes(s) == [1 + penalty, 3]
    assert heard(told, None)[1] == Caught(0, 1)
    assert s.window is None
    assert no(s, "1:catch 0") is No.NO_CATCH


@pytest.mark.parametrize(("who", "chooser"), [("dealer", 0), ("left", 1)])
def test_who_names_the_colour_of_a_wild_turned_up(who: Any, chooser: int) -> None:  # R5, R7
    s, _, _ = play(position(OPENING.format("W/K5"), opening_wild=who), "open")
    assert s.owed == (NameColour(chooser), PlayOrDraw(1))
    assert s.colour is None
    s, _, _ = play(s, f"{chooser}:col=Y")
    assert (s.colour, s.owed) == ("Y", (PlayOrDraw(1),))
    s, told, _ = play(position(OPENING.format("GF/WC"), opening_wild=who), "open")
    assert s.owed == (NameColour(chooser), PlayOrDraw(1))
    assert (s.side, s.colour, sizes(s)) == ("dark", None, [1, 1, 1])
    assert heard(told, None)[1] == TurnedUp("GF", over="WC")
    assert no(s, f"{chooser}:col=Y") is No.BAD_COLOUR
    assert no(s, f"{chooser}:col=K") is None


def test_a_wild_draw_two_turned_up_goes_back() -> None:  # R16
    s = position(OPENING.format("W2/K2"))
    s, told = hear(turn_up(s, Dice(SEED, 5)))
    assert s.returned == 1
    assert heard(told, None)[1].returned == 1
    before = position(OPENING.format("W2/K2")).draw
    shuffled = Dice(SEED, 5).shuffled(before)  # as it lies, the card on top
    assert (s.discards, *s.draw) == ((shuffled[-1],), *shuffled[:-1])
    assert uno_flip.view(s, None).returned == 1
    after, _ = hear(uno_flip.apply(s, s.owed[0].seat, words.read("draw"), Dice(SEED, 6)))
    assert after.returned == 0


@pytest.mark.parametrize(("who", "chooser"), [("dealer", 0), ("left", 1)])
def test_a_wild_draw_two_turned_up_acts_where_agreed(who: Any, chooser: int) -> None:  # R16, R37
    s = position(OPENING.format("W2/K2"), opening_w2="act", opening_wild=who)
    s, _, _ = play(s, "open")
    assert s.owed == (NameColour(chooser), DrawTwo(1), PlayOrDraw(2))
    assert sizes(s) == [1, 1, 1]
    s, _, _ = play(s, f"{chooser}:col=B")
    assert s.owed == (PlayOrDraw(2),)
    assert sizes(s) == [1, 3, 1]
    assert s.hands[1][1:] == ("Y8/K1", "R9/P5")


@pytest.mark.parametrize(
    ("card", "turn", "way"), [("GD/O6", 0, 1), ("GS/O9", 0, 1), ("GV/K7", 0, -1)]
)
def test_openings_of_two(card: str, turn: int, way: int) -> None:
    text = f"n=2 side=L dir=+ dealer=0 phase=OPEN\ndraw * R9/P5 {card}\nh0 R1/K3\nh1 R2/OV"
    s, _, _ = play(position(text), "open")
    assert (s.owed, s.way, s.window) == ((PlayOrDraw(turn),), way, None)


def test_any_seat_may_deal_first() -> None:  # R22
    dealt = [hear(uno_flip.setup(Options(), 4, Dice(SEED, k)))[0].dealer for k in range(40)]
    assert set(dealt) == {0, 1, 2, 3}


def test_a_new_round_begins_light_and_clockwise() -> None:  # R23
    begun = [s for s, _, _ in match(1, 3) if s.ended and not s.over]
    assert len(begun) > 2
    for s in begun:
        top = FACE["light"][s.discards[-1]]
        assert s.side == ("dark" if top[1] == "F" else "light")
        assert s.way == (-1 if top[1] == "V" else 1)
        assert (s.window, s.fails, s.verdict) == (None, 0, None)
        assert sum(sizes(s)) in (21, 22)
    assert [s.dealer for s in begun] == [(begun[0].dealer + i) % 3 for i in range(len(begun))]
    assert [s.round for s in begun] == list(range(2, len(begun) + 2))
