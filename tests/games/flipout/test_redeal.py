"""Are the other worlds of FlipOut worlds, and other ones?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from engine.contract import hear
from engine.dice import Dice
from engine.games import flipout
from engine.games.flipout.cards import AT, CARDS
from engine.games.flipout.pieces import Draw, End, Flip, Options, Place, Score, State, Swap, Swipe
from tests.games.flipout.redeal import disguise, redeal

MATCHES = ((2, False), (2, True), (3, False), (4, True), (5, False))


def played(seats: int, tokens: bool = False) -> Iterator[State]:
    """Every state of a match that takes each set it can, so that it sees piles and an end."""
    dice = Dice(b"played" + bytes(26), 2 * seats + tokens)
    s, _ = hear(flipout.setup(Options(tokens), seats, dice))
    while not s.over:
        yield s
        moves = list(flipout.legal(s, s.turn))
        moves = [move for move in moves if isinstance(move, Score | Swipe)] or moves
        move = moves[dice.below(len(moves))]
        while more := list(flipout.grow(s, s.turn, move)):
            move = more[dice.below(len(more))]
        s, _ = hear(flipout.apply(s, s.turn, move, dice))
    yield s


def kind(card: str) -> str:
    return min(card, card[::-1])


def kinds(s: State) -> Counter[str]:
    held = [card for holder in s.holders for card in holder if card != "--"]
    cards = (*held, *s.deck, *([s.drawn] if s.drawn else []))
    return Counter(map(kind, cards))


def is_whole(s: State) -> bool:
    """Are there 90 cards, if those in the piles have the right other sides?"""
    away = Counter(map(kind, CARDS)) - kinds(s)
    taken = Counter(colour for pile in s.piles for colour in pile)
    taken.subtract(s.holders[seat][i][0] for seat, i in (AT[cell] for cell in s.collected))
    groups = [set(group) for n in range(1, 6) for group in combinations("rgybp", n)]
    return (
        kinds(s).total() + away.total() == len(CARDS)  # so none is there too often
        and away.total() == taken.total()
        and all(
            sum(taken[colour] for colour in group)
            <= sum(n for card, n in away.items() if group & set(card))
            for group in groups
        )
    )


def known(s: State, viewer: int | None) -> Any:
    """What is left of it when all is left out that this viewer may not know."""
    holders = [
        [
            (
                card[0] if seat == viewer or "ABCDE"[seat] + str(i) in s.collected else "?",
                card[1] if viewer is not None and seat != viewer else "?",
                card == "--",
            )
            for i, card in enumerate(holder, 1)
        ]
        for seat, holder in enumerate(s.holders)
    ]
    drawn = s.drawn and (s.drawn if viewer == s.turn else s.drawn[1])
    deck = len(s.deck), [card[1] for card in s.deck[:1]]
    return replace(s, deck=(), holders=(), drawn=None), holders, drawn, deck


def differing(one: State, two: State) -> int:
    """How many cards are not the same."""
    rows = [(*(c for h in s.holders for c in h), *s.deck, s.drawn) for s in (one, two)]
    return sum(a != b for a, b in zip(*rows, strict=True))


def made(**change: Any) -> State:
    """An early state of two seats, changed."""
    return replace(next(played(2)), **change)


@pytest.mark.parametrize(("seats", "tokens"), MATCHES)
def test_redeal_is_a_world_the_viewer_cannot_tell_apart(seats: int, tokens: bool) -> None:
    dice = Dice(b"redeal" + bytes(26), seats)
    little = differ = total = 0
    for s in played(seats, tokens):
        assert is_whole(s)
        for viewer in (*range(seats), None):
            other = redeal(s, viewer, dice)
            assert is_whole(other)
            assert known(other, viewer) == known(s, viewer)
            cards = differing(s, other)
            differ += cards > 0
            little += 0 < cards <= 3
            total += 1
    assert differ > 0.95 * total
    assert 0.15 * total < little < 0.6 * total  # for full redeals drown small leaks


def worlds(s: State, viewer: int | None, n: int = 400) -> list[State]:
    dice = Dice(b"worlds" + bytes(26), 0)
    return [redeal(s, viewer, dice) for _ in range(n)]


def test_whatever_is_hidden_may_be_any_colour() -> None:
    s = made()
    for viewer, rows in ((0, "10"), (1, "01"), (None, "")):
        others = worlds(s, viewer)
        for seat in (0, 1):
            for i in range(6):
                for side in (0, 1):
                    found = {other.holders[seat][i][side] for other in others}
                    hidden = not rows or int(rows[seat]) == side
                    assert len(found) == (5 if hidden else 1), (viewer, seat, i, side)
        assert len({other.deck[0][0] for other in others}) == 5
        assert len({other.deck[0][1] for other in others}) == 1
        for card in (1, -1):
            assert len({other.deck[card] for other in others}) > 18  # of 25


def test_only_who_drew_knows_what_lay_down() -> None:
    s = next(s for s in played(2) if s.drawn)
    for viewer in (0, 1, None):
        found = {other.drawn for other in worlds(s, viewer)}
        assert len(found) == (1 if viewer == s.turn else 5)


def test_other_sides_in_piles_may_come_back() -> None:
    s = next(s for s in played(2) if sum(map(len, s.piles)) > 8)
    assert any(kinds(other) != kinds(s) for other in worlds(s, None, 20))


def test_the_coming_card_is_often_the_same() -> None:
    s = made()
    same = sum(other.deck[0] == s.deck[0] for other in worlds(s, 0))
    assert 100 < same < 320


def test_at_the_end_everybody_has_collected_its_longest_set() -> None:
    over = [s for seats, tokens in MATCHES for s in played(seats, tokens) if s.over]
    state = made(
        holders=(("rg", "rb", "rp", "ry", "bg", "py"), ("yb", "bp", "yy", "gg", "pb", "rr")),
        piles=(("r",) * 4, ()),
        owed=(),
        over="no progress",
        collected=("A1", "A2", "A3", "A4"),
    )
    for s in (*over, state):
        for viewer in (*range(len(s.holders)), None):
            for other in worlds(s, viewer, 60):
                for seat, holder in enumerate(other.holders):
                    row = "".join(card[0] for card in holder)
                    had = sum(AT[cell][0] == seat for cell in s.collected)
                    assert had == max([n for n in (4, 5, 6) for c in "rgybp" if c * n in row] + [0])
                assert known(other, viewer) == known(s, viewer)


@pytest.mark.parametrize(
    "move", [Flip("B1"), Swap(("A1", "B2")), Score("A1", 4), Draw(), Place(3), End()]
)
def test_a_move_hides_nothing(move: Any) -> None:
    assert disguise(made(), 0, move, Dice(bytes(32), 0)) == move
