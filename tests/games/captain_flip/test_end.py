"""The end of a match: when it comes, what boards are worth, who wins."""

from __future__ import annotations

from engine.contract import Outcome
from engine.games import captain_flip
from engine.games.captain_flip.facts import (
    LastRound,
    MapMoved,
)
from engine.games.captain_flip.scoring import rank

from .positions import begun, of, over, play, position


def test_a_seat_in_the_middle_of_the_round_ends_it_for_none_before_the_last() -> None:
    """#2: the seats after it still play, those before it do not (T51 is missing)."""
    head = "board A; seats 3; first 3; active 1; map -; coins 0 0 0"
    rows = "p1 Sl Wk / Np Lw / - / Sg Lc / Wc Sp Kc\nbag Lk Wn Ws"
    s, told, _ = play(begun(f"{head}\n{rows}"), "b")
    assert of(told, LastRound) == [LastRound(0)]
    assert (s.turn, s.over) == (1, False)
    s, told, _ = play(s, "a")
    assert s.over
    assert not of(told, LastRound)
    assert captain_flip.to_act(s) == ()


def test_a_fifth_column_and_another_seats_fourth_are_no_news() -> None:
    rows = "Sl Wk / Np Lw / - / Sg Lc / Wc Sp Kc"
    given = "board A; seats 2; first 1; active 1; map -; coins 0 0"
    s = begun(f"{given}\np1 {rows}\np2 Sk Wl / Nk Lp / - / Gs Lg / Wp Sw Kp\nbag Lk Wn Ws")
    s, told, _ = play(s, "b b")
    assert of(told, LastRound) == [LastRound(0)]
    assert s.over


def test_a_bag_that_is_empty_ends_the_round_not_the_turn() -> None:
    s = begun("board A; seats 2; first 1; active 1; map -; coins 0 0\nbag Sl Lk end")
    s, _, _ = play(s, "a")
    assert not s.over
    s, _, _ = play(s, "a")
    assert s.over  # R12


def end(*boards: str, coins: str, map_: str = "-", extra: str = "") -> Outcome:
    rows = "\n".join(f"p{n} {row}" for n, row in enumerate(boards, 1))
    head = f"board A; seats {len(boards)}; first 1; active 1; map {map_}; coins {coins}{extra}"
    outcome = captain_flip.outcome(over(position(f"{head}\n{rows}")))
    assert outcome is not None
    return outcome


NONE, BOMBS = "- / - / - / - / -", "Gs Gl / Gk / - / - / -"
BOMBS_2 = "Gw Gn / Gc / - / - / -"


def test_places_and_what_decided() -> None:
    assert end(NONE, NONE, coins="3 5") == Outcome((2, 1), (3, 5), "highest total")
    assert end(NONE, NONE, coins="5 5") == Outcome((1, 1), (5, 5), "equal totals")
    tied = end(NONE, NONE, NONE, NONE, coins="5 5 7 5", map_="2")
    assert tied == Outcome((3, 2, 1, 3), (5, 5, 7, 5), "highest total")  # R21
    by_map = end(NONE, NONE, NONE, coins="5 5 5", map_="2")
    assert by_map == Outcome((2, 1, 2), (5, 5, 5), "equal totals, and the map")
    elsewhere = end(NONE, NONE, NONE, coins="5 5 4", map_="3")
    assert elsewhere == Outcome((1, 1, 3), (5, 5, 4), "equal totals")


def test_who_is_out_is_last_with_all_who_are() -> None:
    """R19, #1: whatever their coins, and with the map in hand."""
    outcome = end(BOMBS, NONE, BOMBS_2, NONE, coins="90 0 80 1", map_="1")
    assert outcome == Outcome((3, 2, 3, 1), (90, 0, 80, 1), "highest total")
    tied = end(BOMBS, NONE, NONE, coins="5 5 5", map_="1")
    assert tied == Outcome((3, 1, 1), (5, 5, 5), "equal totals")


def test_nobody_wins_where_all_are_out() -> None:
    """R19, R37: nobody comes first."""
    assert end(BOMBS, BOMBS_2, coins="9 3") == Outcome((2, 2), (9, 3), "three Gunners")


def test_two_gunners_are_not_three() -> None:
    """#1 (T48 is missing)."""
    assert end("Gs Gl / - / - / - / -", NONE, coins="1 0").places == (1, 2)


def test_alone() -> None:
    """R29: a rank by the total, none with three Gunners; the floor of R20 holds."""
    assert end(NONE, coins="54", extra="; solo") == Outcome((1,), (54,), "solo: Bosun")
    assert end(BOMBS, coins="54", extra="; solo") == Outcome((2,), (54,), "three Gunners")
    low = end("Ps / - / - / - / -", coins="0", extra="; solo")
    assert low == Outcome((1,), (0,), "solo: Castaway")
    steps = [rank(n) for n in (30, 31, 40, 41, 50, 51, 55, 56, 60, 61)]
    assert steps == [
        "Castaway",
        *["Oarsman"] * 2,
        *["Helmsman"] * 2,
        *["Bosun"] * 2,
        *["Commodore"] * 2,
        "Terror of the Tides",
    ]


def test_alone_the_match_ends_with_the_turn_of_the_fourth_column() -> None:
    s = begun("board A; solo; seats 1; first 1; active 1; map 1; coins 0\n"
              "p1 Sl Wk / Np Lw / - / Sg Lc / Wc Sp Kc\nbag Pk Wn Ws")  # fmt: skip
    s, _, _ = play(s, "b")
    assert not s.over  # R24: the Parrot's tile first
    s, told, _ = play(s, "c")
    assert s.over
    assert MapMoved(0, None) in told  # R29: the box over b puts it back
    assert s.coins == (0,)


def test_grey_boxes_need_three_alike_and_five_different() -> None:
    """#12, R15 (T40 is missing): a pair among five, two of three, or a column not full pay none."""
    head = "board C; seats 2; first 1; active 1; map -; coins 0 0"
    for row in ("- / Sl Sw Wk / - / Np Kg Cw Pm Nl / -", "- / Sl Sw / - / Np Kg Cw Pm / -"):
        s = over(position(f"{head}\np1 {row}"))
        assert captain_flip.view(s, None).scores[0].columns == 0
