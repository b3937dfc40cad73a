"""The deal, the course of a match, its end; what the examples do not show."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from engine.contract import OPEN, hear
from engine.dice import Dice
from engine.games import flipout
from engine.games.flipout import Options, words
from engine.games.flipout.cards import CARDS, KINDS, NAMED
from engine.games.flipout.facts import Began, Dealt, Uncovered
from engine.games.flipout.pieces import Last

from .pieces import pieces
from .positions import SEED, play, table, walk


def test_the_cards() -> None:
    """R1 R2: every pair of five colours, six times."""
    assert list(NAMED) == list("rgybp")
    assert sorted(KINDS) == sorted(a + b for i, a in enumerate("rgybp") for b in "rgybp"[i:])
    assert [CARDS[i : i + 6] for i in range(0, 90, 6)] == [(kind,) * 6 for kind in KINDS]


class Loaded(Dice):
    """Dice that say what they are told to, and leave the deck as it was."""

    def __init__(self, *rolls: int) -> None:
        super().__init__(SEED, 0)
        self.rolls = list(rolls)
        self.asked: list[Any] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.rolls.pop(0)

    def shuffled(self, items: Any) -> Any:
        self.asked.append("shuffle")
        return tuple(items)


def test_the_deal() -> None:
    """R3 R4 R5: lot, shuffle, coins from the top down; six cards each, from the starter on."""
    coins = [i % 2 for i in range(90)]
    dice = Loaded(2, *coins)
    s, told = hear(flipout.setup(Options(), 5, dice))
    assert dice.asked == [5, "shuffle", *[2] * 90]
    deck = [card[::-1] if coin else card for card, coin in zip(CARDS, coins, strict=True)]
    assert [s.holders[seat] for seat in (2, 3, 4, 0, 1)] == [
        tuple(deck[i : i + 6]) for i in range(0, 30, 6)
    ]
    assert (s.deck, s.turn) == (tuple(deck[30:]), 2)
    assert [t.fact for t in told] == [
        Began(2),
        *(Dealt(seat, ("??",) * 6) for seat in (2, 3, 4, 0, 1)),
        Uncovered(deck[30][1], 60),
    ]
    assert [f.faces for f in told[1].heard_by(2)] == [tuple(c[0] + "?" for c in deck[:6])]
    assert [f.faces for f in told[1].heard_by(0)] == [tuple("?" + c[1] for c in deck[:6])]


@pytest.mark.parametrize(("seats", "left"), [(2, 78), (3, 72), (4, 66), (5, 60)])
def test_cards_left_after_the_deal(seats: int, left: int) -> None:
    s, _ = hear(flipout.setup(Options(tokens=seats > 3), seats, Dice(SEED, seats)))
    assert len(s.deck) == left
    assert s.tokens == (3 if seats > 3 else 0,) * seats  # R14
    assert s.owed == ("act", "act")
    pieces(s)


@pytest.mark.parametrize("seed", range(8))
def test_whole_matches(seed: int) -> None:
    """90 cards at every moment, and all slots filled until the end."""
    steps = walk(seed, Options(tokens=seed % 2 > 0))
    for (before, _), (s, told) in pairwise(steps):
        assert pieces(s) <= pieces(before)
        assert told
        assert s.over or all("--" not in holder for holder in s.holders)
        assert s.last
        assert s.last.seat == before.turn
        assert (s.drawn is not None) == (s.owed[:1] == ("place",))
        if s.turn != before.turn:
            assert s.turn == (before.turn + 1) % len(s.holders)
            assert (s.owed, s.bought, s.took) == (("act", "act"), False, False)
    assert steps[-1][0].over == "the deck ran out"
    assert flipout.outcome(steps[-1][0])


A, B, C = "r/g r/b y/r p/g b/b g/y", "g/r y/p b/r p/p g/b y/g", "b/p p/y r/r y/y g/p b/g"


def test_a_turn_is_a_line() -> None:
    """R6: the turn passes after two actions, clockwise; R14: or three, if one is bought."""
    s = table("r/g y/b", A, B, C, active="C")
    s, _, no = play(s, "F A1 ; X B1-2")
    assert (s.turn, no) == (0, None)
    s, _, no = play(table("r/g y/b", A, B, tokens=1), "S A4=B2 ; D>4 ; + F A3")
    assert (s.turn, s.tokens, no) == (1, (0, 1), None)
    s, _, no = play(table("r/g y/b", A, B, tokens=1), "S A4=B2 ; D>4 ; .")
    assert (s.turn, s.tokens, no) == (1, (1, 1), None)


def test_the_last_move_is_as_all_write_it() -> None:
    s, _, _ = play(table("r/g y/b", A, B), "switch A6 A2")
    assert s.last == Last(0, words.read("X A2-6"))
    assert flipout.view(s, None).last == s.last


def test_watchers_see_no_face_of_a_holder() -> None:
    """R26, in every phase; R19: the others see what stands there now."""
    for s, _ in walk(3, Options(tokens=True)):
        seats = range(len(s.holders))
        watched = flipout.view(s, None)
        assert all(set(holder) <= {"??", "--"} for holder in watched.holders)
        assert watched.order is None
        for seat in seats:
            seen = flipout.view(s, seat)
            assert [card[1] for card in seen.holders[seat]] == [
                "-" if card == "--" else "?" for card in s.holders[seat]
            ]
            assert [card[0] for card in seen.holders[seat]] == [c[0] for c in s.holders[seat]]
            for other in seats:
                if other != seat:
                    assert [c[1] for c in seen.holders[other]] == [c[1] for c in s.holders[other]]
                    assert {c[0] for c in seen.holders[other]} <= set("?-")


def test_what_is_seen_once_it_is_over() -> None:
    """R28: no more than before, but for who may see all faces."""
    full = "g/b g/r g/y g/p r/y b/y"
    s, _, _ = play(table("y/b y/p", "b/p b/y b/r b/g y/g r/p", full), "C A1-4")
    assert s.over
    assert s.collected == ("B1", "B2", "B3", "B4")
    assert s.holders[1] == tuple(full.replace("/", "").split())
    assert s.piles == (("b",) * 4, ("g",) * 4)
    assert flipout.view(s, 0).holders[1] == ("?b", "?r", "?y", "?p", "?y", "?y")
    assert flipout.view(s, None).holders[1] == ("??",) * 6
    assert flipout.view(s, None).collected == s.collected
    assert flipout.view(s, OPEN).holders == s.holders
    assert flipout.view(s, OPEN).order == s.deck == ()
    assert not any(list(flipout.legal(s, seat)) for seat in (0, 1))


def test_equal_piles_share_their_place() -> None:
    """R22: first the cards, then most of one colour."""
    s = replace(table("r/g", A, B, C), owed=(), over="the deck ran out")
    for piles, places in (
        (("rrrr", "gggg", "bbb"), (1, 1, 3)),
        (("rrrrg", "ggggg", "bbb"), (2, 1, 3)),
        (("", "", ""), (1, 1, 1)),
        (("rrrrgggg", "yyyybbbbb", "ppppp"), (2, 1, 3)),
    ):
        outcome = flipout.outcome(replace(s, piles=tuple(map(tuple, piles))))
        assert outcome
        assert outcome.places == places
        assert outcome.scores == tuple(map(len, piles))


def test_an_absent_seat() -> None:
    """R25."""
    assert words.write(flipout.default(table("r/g", A, B), 0)) == "F A1"
    run = table("r/g", "y/r r/g r/b r/r r/y r/p", B, tokens=1)
    assert words.write(flipout.default(run, 0)) == "C A2-6"
    s, _, _ = play(run, "D")
    assert words.write(flipout.default(s, 0)) == ">6"
    s, _, _ = play(run, "F B1 ; F B1")
    assert words.write(flipout.default(s, 0)) == "."


def test_absent_seats_end_a_match() -> None:
    """R23: each has had twenty turns, and nothing has moved."""
    s = start = table("r/g y/b", A, B, C)
    turns = 0
    while flipout.to_act(s):
        turns += s.owed == ("act", "act")
        s, _ = hear(flipout.apply(s, s.turn, flipout.default(s, s.turn), Dice(SEED, 0)))
    assert turns == 60
    assert (s.holders, s.over) == (start.holders, "no progress")
