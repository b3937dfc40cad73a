"""What holds in every match (section 8 of the dossier), and how well the robot plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec import json
from msgspec.structs import replace

from engine.contract import OPEN, hear
from engine.dice import Dice
from engine.games import captain_flip
from engine.games.captain_flip import Options, State, rules
from engine.games.captain_flip.boards import PRINTED
from engine.games.captain_flip.facts import (
    ColumnCompleted,
    Drew,
    Gained,
    LastRound,
    MapMoved,
    Placed,
    TollPaid,
    TurnBegan,
    TurnEnded,
)
from engine.games.captain_flip.pieces import Draw, EndTurn, PayBonus, completed
from engine.robots import greedy, stroll

from .pieces import pieces
from .positions import SEED, play, table, walk

MATCHES = [
    (number, Options(board, "hidden" if number % 2 else "shown", solo), 1 if solo else 2 + number)
    for board in PRINTED
    for number in range(4)
    for solo in (False, True)
]


@pytest.mark.parametrize(("number", "options", "seats"), MATCHES)
def test_what_holds_in_every_match(number: int, options: Options, seats: int) -> None:
    last, facts = None, []
    for s, told, _ in walk(number, options, seats):
        pieces(s)
        heard = [t.fact for t in told]
        assert all(not t.to for t in told)  # nobody holds private information (section 4)
        if last is not None:
            assert_follows(last, s, heard)
        assert_stands(s)
        facts += heard
        last = s
    assert last is not None
    assert last.over
    began = Counter(fact.seat for fact in facts if isinstance(fact, TurnBegan))
    ended = Counter(fact.seat for fact in facts if isinstance(fact, TurnEnded))
    assert began == ended == dict.fromkeys(range(seats), last.round)  # 7
    four = [completed(last.layout, board) >= 4 for board in last.boards]
    assert sum(isinstance(fact, LastRound) for fact in facts) == any(four)


def assert_stands(s: State) -> None:
    for board in s.boards:
        for tiles, shaft in zip(board, s.layout.shafts, strict=True):
            assert len(tiles) <= len(shaft.spaces)  # 2: lowest spaces first, by its shape
    assert min(s.coins) >= 0  # 3
    if not s.over:
        assert list(captain_flip.legal(s, s.turn))  # 5
        assert all(not list(captain_flip.legal(s, n)) for n in range(len(s.boards)) if n != s.turn)
        assert not isinstance(s.owed[0], (Draw, PayBonus, EndTurn))  # at rest a question is on top
        assert all(isinstance(step, PayBonus) for step in s.owed[1:-1])
        assert isinstance(s.owed[-1], EndTurn)
    views = {json.encode(captain_flip.view(s, v)) for v in (None, *range(len(s.boards)))}
    assert len(views) == 1  # 8


def assert_follows(last: State, s: State, heard: list[object]) -> None:
    """Coins and the map change only as it was told; a round that goes on found room for it."""
    change = [now - before for now, before in zip(s.coins, last.coins, strict=True)]
    for fact in heard:
        match fact:
            case Gained(seat, coins):
                assert coins > 0
                change[seat] -= coins
            case TollPaid(seat):
                assert s.options.board == "D"
                change[seat] += 1
    assert not any(change)
    moved = [fact for fact in heard if isinstance(fact, MapMoved)]
    assert all(one.after == then.before for one, then in pairwise(moved))
    assert s.options.solo or all(fact.after is not None for fact in moved)  # 4
    assert s.map_holder == (moved[-1].after if moved else last.map_holder)
    laid = sum(map(len, (c for board in s.boards for c in board)))
    was = sum(map(len, (c for board in last.boards for c in board)))
    assert laid - was == sum(isinstance(fact, Placed) for fact in heard)
    assert len(last.bag) - len(s.bag) == sum(isinstance(fact, Drew) for fact in heard)
    full = sum(completed(s.layout, b) for b in s.boards) - sum(
        completed(s.layout, b) for b in last.boards
    )
    assert full == sum(isinstance(fact, ColumnCompleted) for fact in heard)
    if s.round > last.round:
        assert all(completed(s.layout, board) <= 3 for board in s.boards)  # 6
        assert all(sum(map(len, board)) <= 13 for board in s.boards)
        assert s.hand is not None


def test_backs_that_nobody_saw_change_nothing_that_is_seen() -> None:
    """8, in one line: turn every unseen back into another and no view can tell."""
    for s, _, _ in walk(3, Options("D"), 3):
        boards = tuple(
            tuple(tuple(t if t.seen else replace(t, back="?") for t in c) for c in board)
            for board in s.boards
        )
        hand = s.hand if s.hand is None or s.hand.seen else replace(s.hand, back="?")
        other = replace(s, boards=boards, hand=hand, bag=(None,) * len(s.bag))
        assert captain_flip.view(other, 0) == captain_flip.view(s, 0)
        assert "?" in str(captain_flip.view(other, OPEN)) or not s.boards[s.turn]


@pytest.mark.parametrize("board", "ABCD")
def test_the_oldest_box_first_comes_to_the_same(board: str, monkeypatch) -> None:
    """10 and R5: on boards A to D it cannot be told apart; on E it can (test_rules)."""
    options = [Options(board), Options(board, solo=True)]
    runs = [(n, options[n % 2], 1 if n % 2 else 2 + n % 4) for n in range(24)]
    honest = [walk(*run) for run in runs]
    monkeypatch.setattr(rules, "run", all_boxes_at_the_end(rules.run))
    for run, match in zip(runs, honest, strict=True):
        s, _ = hear(captain_flip.setup(run[1], run[2], Dice(SEED, run[0])))
        for _, _, move in match[1:]:
            assert captain_flip.allows(s, s.turn, move) is None
            s, _ = hear(captain_flip.apply(s, s.turn, move, Dice(SEED, 1)))
        assert (s.coins, s.map_holder, s.over) == (
            match[-1][0].coins,
            match[-1][0].map_holder,
            True,
        )


def all_boxes_at_the_end(honest):
    """Steps in another order: all else, then the boxes, the oldest first, then the turn's end."""

    def run(s: State):
        def late(step) -> int:
            return isinstance(step, PayBonus) + 2 * isinstance(step, EndTurn)

        boxes = [step for step in s.owed if isinstance(step, PayBonus)]
        # the newest is on top; sorting is stable, so they are put oldest first by hand
        rest = [step for step in s.owed if not late(step)]
        ends = [step for step in s.owed if isinstance(step, EndTurn)]
        if rest or not boxes:
            return (yield from honest(replace(s, owed=(*rest, *boxes, *ends))))
        return (yield from honest(replace(s, owed=(*boxes[::-1], *ends))))

    return run


def table_of(seed: int, board: str) -> Iterator[tuple[int, int]]:
    """One match of a greedy and a random robot: the greedy one's place, and the other's."""
    kinds = (greedy, stroll) if seed % 2 else (stroll, greedy)
    dice = Dice(seed.to_bytes(32), 0)
    s, _ = hear(captain_flip.setup(Options(board), 2, dice))
    while captain_flip.to_act(s):
        move = kinds[s.turn](captain_flip, s, s.turn, dice)
        s, _ = hear(captain_flip.apply(s, s.turn, move, dice))
    places = captain_flip.outcome(s).places
    yield places[kinds.index(greedy)], places[kinds.index(stroll)]


def test_greedy_beats_random() -> None:
    found = [place for n in range(40) for place in table_of(n, "ABCDE"[n % 5])]
    assert sum(mine == 1 < other for mine, other in found) >= 32


def liked(s: State) -> str:
    return captain_flip.words.write(greedy(captain_flip, s, s.turn, Dice(SEED, 1)))


def test_greedy_shuns_the_third_gunner_and_turns_it_away() -> None:
    s = table("A 1 1 0,0", "p1 Gs Gl / - / - / - / -", "bag Gs Kc")
    assert liked(s) == "F"
    s = table("A 1 1 0,0", "p1 Gs / Gl Lw / - / - / Gk", "bag Mw Kc")
    for _ in range(2):
        s, _, no = play(s, liked(s))
        assert no is None
    assert (s.turn, captain_flip.view(s, None).scores[0].gunners) == (1, 2)


def best_column(s: State) -> str:
    view, columns = captain_flip.view(s, s.turn), list(captain_flip.legal(s, s.turn))[1:]
    return max(columns, key=lambda move: captain_flip.hint(view, s.turn, move)).column


def test_greedy_counts_columns_and_takes_what_boxes_give() -> None:
    s = table("A 1 1 0,0", "p1 Sl / - / Sw / - / -", "bag Sk Kc")
    assert best_column(s) in "bde"  # a third column of Swabbies
    s = table("A 1 1 0,0", "p1 - / - / - / - / Sl Wl", "bag Nk Ls")
    assert best_column(s) == "e"
    s = table("A 1 1 0,0", "p1 - / Sl Wl / - / - / Sn", "bag Nk Ls")
    assert best_column(s) == "b"  # the map
    s = table("A 1 1 0,0", "p1 Lg Kw / Lc / - / - / -", "bag Wk Ls")
    assert best_column(s) in "cde"  # the Lookout on b1 stays uppermost
