"""Set-up, options, refusals and steps due, where no worked example shows them."""

from __future__ import annotations

import msgspec
import pytest

from engine.contract import hear
from engine.dice import Dice
from engine.games import captain_flip
from engine.games.captain_flip import No, Options
from engine.games.captain_flip.facts import (
    ColumnCompleted,
    Drew,
    Gained,
    MapMoved,
    NothingDrawn,
    TurnBegan,
    TurnEnded,
)
from engine.games.captain_flip.moves import default
from engine.games.captain_flip.pieces import TILES, Flip, FlipBeside, Place, Target

from .positions import SEED, begun, board, of, offered, over, phase, play, table

# Options and set-up


def test_options_carry_their_limits() -> None:
    read = msgspec.json.Decoder(Options).decode
    assert read(b'{"board":"E","seen_backs":"hidden","solo":true}') == Options("E", "hidden", True)
    for raw in (b'{"board":"F"}', b'{"seen_backs":true}', b'{"solo":1}', b'{"seenBacks":"shown"}'):
        with pytest.raises(msgspec.ValidationError):
            read(raw)
    assert captain_flip.seats(Options()) == range(2, 6)  # R30: the same for all counts
    assert captain_flip.seats(Options(solo=True)) == range(1, 2)  # R29


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_set_up_draws_in_the_order_of_section_2(seats: int) -> None:
    for k in range(20):
        s, told = hear(captain_flip.setup(Options(solo=seats == 1), seats, Dice(SEED, k)))
        dice = Dice(SEED, k)
        first, deck = dice.below(seats), list(range(72))  # R27
        for i in range(71, 0, -1):
            j = dice.below(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        bag = [(TILES[i].up, TILES[i].back)[:: 1 - 2 * dice.below(2)] for i in deck]  # R1
        assert (s.first, s.turn, s.map_holder) == (first, first, None)  # R26
        assert [(t.up, t.back) for t in (s.hand, *s.bag)] == bag
        assert s.boards == (((),) * 5,) * seats
        assert s.coins == (0,) * seats
        assert [t.fact for t in told] == [TurnBegan(first, 1), Drew(first, bag[0][0])]


# Moves


def test_refusals_and_their_order() -> None:
    """R38."""
    s = table("A 1 1 0,0", "p1 Sl Lw / - / - / - / -", "bag Gs Kc")
    assert captain_flip.allows(s, 1, Flip()) is No.NOT_YOUR_TURN
    assert captain_flip.allows(s, 1, Target("a5")) is No.NOT_YOUR_TURN
    assert play(s, "@a1")[2] is No.NO_TARGET_OWED
    assert play(s, "@a5")[2] is No.NO_TARGET_OWED
    assert play(s, "a")[2] is No.COLUMN_FULL
    assert play(s, "F F")[2] is No.FLIPPED_ALREADY
    s, _, _ = play(table("A 1 1 0,0", "p1 Sl / Lw / - / - / -", "bag Mk Gs"), "a")
    assert s.owed[0] == FlipBeside("a2")
    assert {play(s, text)[2] for text in ("F", "b")} == {No.TARGET_OWED}  # R6, R33
    assert play(s, "@a3")[2] is No.NO_SUCH_SPACE
    assert play(s, "@c1")[2] is No.NO_TILE_THERE
    assert play(s, "@b2")[2] is No.NO_TILE_THERE  # adjacent, but empty
    assert play(s, "@b1")[2] is No.NOT_ADJACENT  # diagonal
    assert play(s, "@a2")[2] is No.NOT_ADJACENT  # R31
    assert offered(s) == ["@a1"]  # R32: one choice is a move all the same
    ended = over(s)
    assert not list(captain_flip.legal(ended, 0))
    assert captain_flip.allows(ended, 0, Flip()) is No.NOT_YOUR_TURN
    poor = table("D 1 1 0,0", "p1 Sl / - / - / - / -", "bag Gs Kc")
    assert play(poor, "e")[2] is No.NO_COIN  # R13
    assert play(table("D 1 1 1,0", "p1 - / - / - / - / Sl"), "e")[2] is No.COLUMN_FULL


def test_the_toll_is_each_seats_own_matter() -> None:
    s = table("D 1 1 0,1", "bag Gs Kc")
    assert offered(s) == ["F", "a", "b", "c", "d"]
    s, _, _ = play(s, "a")
    assert "e" in offered(s)
    s, told, _ = play(s, "e")
    assert s.coins == (5, 1)  # R13: paid 1, then the Cook alone in its row
    assert ColumnCompleted(1, "e") in told


def test_the_default_keeps_and_takes_what_comes_first() -> None:
    s = table("D 1 1 0,0", "p1 Sl Lw Wk / - / - / - / -", "bag Ms Kc")
    assert default(s, 0) == Place("b")  # R36
    s, _, _ = play(s, "c")
    s = table("A 1 1 0,0", "p1 Sl / Lw / - / - / -", "bag Ms Kc")
    s, _, _ = play(s, "a")
    assert default(s, 0) == Target("a1")


# Steps due


def test_the_box_pays_though_the_tile_is_no_longer_what_was_placed() -> None:
    s = table("A 1 1 0,0", "p1 - / - / - / - / Sl Sm", "bag Mg Lk")
    s, told, no = play(s, "e @e2 @e3")
    assert no is None
    assert s.boards[0] == board("- / - / - / - / Sl Ms* Gm*")
    assert s.coins == (1 + 1 + 5 + 3, 0)  # R10: e3 was a Monkey when it was placed
    assert [fact.why for fact in of(told, Gained)] == ["monkey", "monkey", "gunner", "bonus"]


def test_the_map_stays_when_its_cartographer_is_flipped_away() -> None:
    head = "board A; seats 2; first 1; active 1; map 1; coins 0 0"
    s, told, _ = play(begun(f"{head}\np1 Cs / - / - / - / -\nbag Mk Lk"), "a @a1")
    assert s.map_holder == 0  # R9
    assert not of(told, MapMoved)


def test_two_monkeys_take_turns_as_deep_as_they_go() -> None:
    """R7: each uncovered Monkey flips a neighbour of its own space, the first Monkey too."""
    s = table("A 1 1 0,0", "p1 Sm / Lm / - / - / -", "bag Ms Wm Lk")
    s, _, _ = play(s, "a @a1")
    assert offered(s) == ["@a2", "@b1"]
    s, _, _ = play(s, "@b1")
    assert s.owed[0] == FlipBeside("b1")
    assert offered(s) == ["@a1"]
    s, _, _ = play(s, "@a1")
    assert s.boards[0] == board("Sm* Ms / Ml* / - / - / -")
    assert s.coins[0] == 3
    assert s.turn == 1


def test_a_parrot_that_comes_up_on_a_full_board_draws_nothing() -> None:
    full = "p1 Sl Wk / Np Lw Ks / Sw Sk Lg Nl Wg / Sp Lc / Wc Sg"
    s, told, _ = play(table("A 1 2 0,0", full, "bag Mk Gl"), "e @d3")
    assert of(told, NothingDrawn) == [NothingDrawn(0, "no_space")]  # R11
    assert s.coins[0] == 1 + 3  # the box over e is paid after that
    assert s.over


def test_a_turn_with_an_empty_bag_is_but_its_end() -> None:
    s = begun("board A; seats 3; first 1; active 1; map 2; coins 0 0 0\nbag Sl end")
    s, told, _ = play(s, "a")
    assert s.over
    assert s.coins == (0, 1, 0)  # R12: the map pays its seat
    assert of(told, NothingDrawn) == [NothingDrawn(1, "empty_bag"), NothingDrawn(2, "empty_bag")]
    assert of(told, TurnEnded) == [TurnEnded(0), TurnEnded(1), TurnEnded(2)]


def test_the_map_pays_in_the_last_turn_and_in_that_it_was_taken() -> None:
    rows = "p1 Sl Wk / Np Lw / - / Sg Lc / Wc Sp Kc"
    s = table("A 1 2 0,0", rows, "bag Lk Wn")
    s, told, _ = play(s, "b")
    assert s.over
    assert s.coins == (1, 0)  # R22
    assert Gained(0, 1, "map") in told


def test_there_are_always_coins_enough() -> None:
    s = begun("board A; seats 2; first 1; active 1; map 1; coins 500 0\nbag Gs Kc")
    assert play(s, "c")[0].coins == (506, 0)  # R23: the box at the table holds some 180


# Board E (R28)


def test_the_flip_of_board_e_takes_any_tile_and_must_be_taken() -> None:
    s = table("E 1 1 0,0", "p1 Gs / - / Sg Wk / - / -", "bag Nl Ks")
    s, _, _ = play(s, "c")
    assert (phase(s), offered(s)) == ("EFLIP", ["@a1", "@c1", "@c2", "@c3"])
    assert {play(s, text)[2] for text in ("F", "a")} == {No.TARGET_OWED}
    assert play(s, "@e1")[2] is No.NO_SUCH_SPACE
    assert play(s, "@d1")[2] is No.NO_TILE_THERE
    s, _, _ = play(s, "@a1")
    assert s.boards[0] == board("Sg* / - / Sg Wk Nl / - / -")  # a Gunner turned away, unmonkeyed


def test_the_boxes_of_board_e_judge_what_lies_there_when_they_are_due() -> None:
    twins = table("E 1 1 0,0", "p1 - / - / Sg Sk / - / -", "bag Nl Ks")
    assert play(twins, "c")[0].turn == 1  # not all different: no flip
    s = table("E 1 1 0,0", "p1 - / Sl / - / - / -", "bag Sw Ks")
    s, told, _ = play(s, "b")
    assert of(told, MapMoved) == [MapMoved(None, 0)]
    s = table("E 1 1 0,0", "p1 - / Sl / - / - / -", "bag Ws Ks")
    assert not of(play(s, "b")[1], MapMoved)
    s = table("E 1 1 0,0", "p1 - / Ml / - / - / -", "bag Ml Ks")  # alike, until the flip
    s, told, _ = play(s, "b @b1")
    assert not of(told, MapMoved)
    s = table("E 1 1 0,0", "p1 - / - / - / Sl Sw / -", "bag Lk Ks")
    assert play(s, "d")[0].turn == 1


def test_the_draw_of_board_e_is_void_with_an_empty_bag() -> None:
    s = begun("board E; seats 2; first 1; active 1; map -; coins 0 0\n"
              "p1 - / - / - / Sl Sw / -\nbag Sk end")  # fmt: skip
    s, told, _ = play(s, "d")
    assert NothingDrawn(0, "empty_bag") in told


def test_on_board_e_it_matters_that_the_innermost_comes_first() -> None:
    """R5: a Parrot fills column c; its extra tile is played before the column is judged."""
    s = table("E 1 1 0,0", "p1 - / - / Sg Wk / - / -", "bag Pk Sm Lg")
    s, _, _ = play(s, "c")
    assert (phase(s), s.owed[1].space) == ("DECIDE", "c3")
    s, _, _ = play(s, "a")
    assert phase(s) == "EFLIP"
    assert "@a1" in offered(s)  # so the tile placed meanwhile can be flipped
    s = table("E 1 1 0,0", "p1 - / - / Sg Wk / Sl Sw / -", "bag Pk Sk Lg Nw")
    s, _, _ = play(s, "c d")
    assert [(phase(s), s.owed[0].by), s.owed[1].space] == [("DECIDE", "d3"), "c3"]
    assert phase(play(s, "a")[0]) == "EFLIP"  # of two boxes, that of the newer tile came first
