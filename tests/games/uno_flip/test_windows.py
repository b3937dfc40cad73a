"""UNO: when a seat may be caught, and what a catch costs."""

from __future__ import annotations

from msgspec.structs import replace

from engine.games.uno_flip import No, Options
from engine.games.uno_flip.facts import Caught, Drew, Miscaught
from engine.games.uno_flip.pieces import NameColour, PlayOrDraw, PlayOrKeep, TakeOrChallenge

from .positions import (
    DRY,
    TWO,
    heard,
    light,
    no,
    play,
    position,
    sizes,
)


def test_the_window_stays_open_while_its_owner_acts() -> None:  # R10
    s = position(TWO.format("BS/K9 G3/KF"))
    s, _, _ = play(s, "0:BS")
    assert (s.window, s.called, s.owed) == (0, False, (PlayOrDraw(0),))
    assert no(s, "0:uno ; 1:catch 0") is No.NO_CATCH
    drew, _, _ = play(s, "0:draw")
    assert drew.window is None  # R24
    assert no(drew, "1:catch 0") is No.NO_CATCH


def test_the_window_stays_open_when_its_owner_finds_nothing_to_draw() -> None:  # R10
    s = position(DRY.replace("BF/P6 R1/K3", "BS/K9 R1/K3"))
    s = replace(s, hands=(("R1/K3",), s.hands[1]), window=0)
    s, _, _ = play(s, "0:draw")
    assert (s.window, s.owed, s.fails) == (0, (PlayOrDraw(1),), 1)
    caught, told, _ = play(s, "1:catch 0")  # and there is nothing to pay with
    assert heard(told, None) == [Caught(0, 1)]
    assert (sizes(caught)[0], caught.window, caught.owed) == (1, None, s.owed)


def test_naming_a_colour_does_not_shut_ones_own_window() -> None:
    s = light("BF/P6 R1/K3")
    s = replace(s, discards=("BV/W", *s.discards), draw=tuple(c for c in s.draw if c != "BV/W"))
    s, _, _ = play(s, "0:BF")
    assert s.owed == (NameColour(0), PlayOrDraw(1))
    s, _, _ = play(s, "0:col=T")
    assert s.window == 0
    assert no(s, "2:catch 0") is None
    assert no(s, "1:draw ; 2:catch 0") is No.NO_CATCH


def test_who_comes_down_to_one_card_again_calls_again() -> None:  # R24
    s = position(TWO.format("B7/O3 G3/KF"))
    s, _, _ = play(s, "0:B7! ; 1:B8 ; 0:draw ; 0:keep ; 1:draw ; 1:keep")
    assert (s.window, s.called) == (None, False)
    s = replace(s, colour="G")
    s, _, _ = play(s, "0:G3")
    assert (s.window, s.called) == (0, False)


def test_a_catch_while_a_challenge_is_open() -> None:  # R25
    s = light("W2/O4 B9/O5")
    s, _, _ = play(s, "0:W2=G")
    asked = TakeOrChallenge(1, 0, 1, "B4", "B")
    assert s.owed == (asked,)
    s, _, _ = play(s, "2:catch 0")
    assert s.owed == (asked,)
    assert sizes(s) == [3, 2, 2]
    s, told, _ = play(s, "1:chal")
    assert heard(told, 1)[0].hand == ("B9",)
    assert sizes(s) == [5, 2, 2]
    bluffed = light("W2/O4 R1/K3")  # what is drawn as a penalty does not convict
    bluffed = replace(bluffed, draw=(*bluffed.draw, "B9/O5"))
    _, told, _ = play(bluffed, "0:W2=G ; 2:catch 0 ; 1:chal")
    assert not heard(told[-2:], 1)[0].guilty


def test_a_wrong_catch_has_a_price_where_agreed() -> None:  # R35
    free = light("B7/O3 G3/KF R1/K3")
    assert no(free, "2:catch 0") is No.NO_CATCH
    s = replace(free, options=Options(false_catch_penalty=2))
    after, told, _ = play(s, "2:catch 0")
    assert heard(told, 0) == [Miscaught(0, 2), Drew(2, 2, backs=("O1", "P5"))]
    assert sizes(after) == [3, 2, 4]
    assert after.owed == s.owed
    for text in ("2:catch 2", "2:catch 3", "2:catch 9"):
        assert no(s, text) is No.NO_CATCH
    dry = position(DRY, false_catch_penalty=1)
    assert no(dry, "1:catch 0") is No.NO_CATCH
    assert no(replace(dry, discards=(*dry.discards, "Y1/KS")), "1:catch 0") is None


def test_a_wrong_catch_between_drawing_and_playing() -> None:
    s = light("B9/O5 R1/K3", false_catch_penalty=2)
    s = replace(s, draw=(*s.draw[:-1], "B7/O3"))
    s, _, _ = play(s, "0:draw ; 0:catch 1")
    assert s.owed == (PlayOrKeep(0, 2),)
    assert sizes(s)[0] == 5
    assert no(s, "0:B9") is No.DRAWN_ONLY
    s, _, _ = play(s, "0:B7")
    assert s.discards[-1] == "B7/O3"
    assert sizes(s)[0] == 4


def test_a_wrong_catch_shuts_the_window_of_who_pays() -> None:
    s, _, _ = play(light("B7/O3 G3/KF", false_catch_penalty=1), "0:B7")
    assert s.window == 0
    s, _, _ = play(s, "0:catch 1")
    assert (s.window, sizes(s)[0]) == (None, 2)
