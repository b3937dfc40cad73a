"""Options, turns and ends, and what holds in every match."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest
from msgspec.structs import replace

from engine.contract import hear, ranked
from engine.dice import Dice
from engine.games import qwirkle
from engine.games.qwirkle import No, Options, State
from engine.games.qwirkle.lines import TILES, chart
from engine.games.qwirkle.pieces import Drew, Last, Passed, Swap, WentOut

from .positions import OPENING, SEED, every, laid, play, position, table, walk

SQUARE = " ".join(f"{c}{n + 1}@{n},{y}" for y, c in enumerate("ROYGBP") for n in range(6))


def test_options_carry_their_limits() -> None:
    read = msgspec.json.Decoder(Options).decode
    assert read(b'{"end_bonus":20,"qwirkle_bonus":0}') == Options(end_bonus=20, qwirkle_bonus=0)
    wrong = (b'{"end_bonus":21}', b'{"qwirkle_bonus":-1}', b'{"stall_limit":101}', b'{"bonus":1}')
    for raw in wrong:
        with pytest.raises(msgspec.ValidationError):
            read(raw)
    assert qwirkle.seats(Options()) == range(2, 7)


def test_the_opening_may_be_smaller_where_agreed() -> None:
    s = position(OPENING, Options(opening_max=False))
    assert play(s, "0:R1@0,0 R3@1,0")[2] is None
    assert play(s, "0:R1@1,0 R3@2,0")[2] is No.OPENING_OFF_ORIGIN
    assert play(s, "0:swap B2")[2] is No.OPENING_MUST_PLACE
    assert {len(move.tiles) for move in every(s, 0)} == {1, 2, 3}


def test_bonuses_are_options() -> None:
    options = Options(end_bonus=20, qwirkle_bonus=1)
    s = table("R1@0,0 R2@1,0 R3@2,0 R4@3,0 R5@4,0", "", "R6", "O1", options=options)
    assert play(s, "0:R6@5,0")[0].scores == (6 + 1 + 20, 0)


def test_stall_limit_counts_rounds_of_swaps_in_a_row() -> None:
    s = table("R1@0,0", "G1 " * 3, "R2 R3", "R4", options=Options(stall_limit=2))
    s, _, _ = play(s, "0:swap R2 ; 1:swap R4 ; 0:swap R3")
    assert qwirkle.outcome(s) is None
    assert s.swaps == 3
    ended, _, _ = play(s, f"1:swap {s.hands[1][0]}")
    assert qwirkle.outcome(ended) == ranked((0, 0), "stalled")  # R9: no bonus
    placed, _, _ = play(replace(s, hands=(s.hands[0], ("R4",))), "1:R4@1,0")
    assert placed.swaps == 0


def test_not_your_turn_comes_first() -> None:
    s = position(OPENING)
    assert {play(s, f"1:{text}")[2] for text in ("pass", "swap P1", "P1@9,9")} == {No.NOT_YOUR_TURN}
    assert not list(qwirkle.legal(s, 1))
    over = replace(s, over="blocked")
    assert play(over, "0:R1@0,0")[2] is No.NOT_YOUR_TURN
    assert not list(qwirkle.legal(over, 0))


def test_nothing_fits_though_the_bag_is_not_empty() -> None:
    s = table(SQUARE.rpartition(" ")[0], "R1 R2 " * 3, "P6 R1", "R2 O3")
    s, told, _ = play(s, "0:P6@5,5")
    assert qwirkle.outcome(s) == ranked((24, 0), "blocked")  # R9
    assert not [fact for fact in told if isinstance(fact, WentOut)]
    assert len(s.bag) == 1


def test_going_out_comes_before_being_blocked() -> None:
    s = table(SQUARE.rpartition(" ")[0], "", "P6", "R2 O3")
    assert qwirkle.outcome(play(s, "0:P6@5,5")[0]) == ranked((30, 0), "went out")  # R11


def test_all_who_cannot_place_are_passed_over() -> None:
    s = table("R1@0,0 R2@1,0", "", "R3 R4 R5", "G5 G6", "B5")
    s, told, _ = play(s, "0:R3@2,0")
    assert [fact for fact in told if isinstance(fact, Passed)] == [Passed(1), Passed(2)]  # R8
    assert s.turn == 0
    assert s.last == Last(0, laid("R3@2,0"), 3, passed=(1, 2))
    assert not [move for move in qwirkle.legal(s, 0) if isinstance(move, Swap)]


def test_the_bag_gives_what_it_has() -> None:
    s, told, _ = play(table("R1@0,0", "G1 B2", "R3 R4 R5 G4", "O2"), "0:R3@1,0 R4@2,0 R5@3,0")
    assert Drew(0, 2) in told  # R12
    assert s.hands[0] == ("G4", "B2", "G1")


def test_the_largest_set_starts_and_ties_go_to_the_lowest_seat() -> None:
    for number in range(20):
        s, told = hear(qwirkle.setup(Options(), 4, Dice(SEED, number)))
        best = qwirkle.view(s, None).announced
        assert s.turn == best.index(max(best))  # R3
        assert [t.fact.best for t in told[-4:]] == list(best)


@pytest.mark.parametrize("number", range(8))
def test_what_holds_in_every_match(number: int) -> None:
    for s, _ in walk(number):
        tiles = [*s.bag, *(lay.tile for lay in s.board), *(t for hand in s.hands for t in hand)]
        assert sorted(tiles) == sorted(TILES)
        drawn = chart(s.board)
        assert (s.chart.tiles, s.chart.room) == (drawn.tiles, drawn.room)
        assert all(len(line) < 7 for line in runs(s))
        assert msgspec.json.decode(msgspec.json.encode(s), type=State) == s
        for seat in qwirkle.to_act(s):
            assert list(qwirkle.legal(s, seat)) == list(qwirkle.legal(replace(s), seat))
            assert qwirkle.allows(s, seat, qwirkle.default(s, seat)) is None


def runs(s: State) -> list[list[str]]:
    """Every maximal run of the board, found without the geometry of the game."""
    at = {(lay.x, lay.y): lay.tile for lay in s.board}
    found = []
    for (x, y), (dx, dy) in product(at, ((1, 0), (0, 1))):
        if (x - dx, y - dy) not in at:
            line = []
            while (x, y) in at:
                line.append(at[x, y])
                x, y = x + dx, y + dy
            assert len(set(line)) == len(line)
            assert len({t[0] for t in line}) == 1 or len({t[1] for t in line}) == 1
            found.append(line)
    return found
