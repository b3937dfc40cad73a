"""Are the other worlds of Flipology worlds, and other ones?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from engine.contract import Seat
from engine.dice import Dice
from engine.games import flipology
from engine.games.flipology.cards import CATS, CLEARING, SHY
from engine.games.flipology.facts import Flipped, Scavenged
from engine.games.flipology.moves import Arrange, Flip
from engine.games.flipology.pieces import MayScavenge, Row, Slot, State, TurnUpOneOrNone
from tests.games.flipology.pieces import pieces
from tests.games.flipology.positions import dealt, play, position, walk
from tests.games.flipology.redeal import disguise, redeal

MATCHES: list[tuple[int, int, dict[str, Any]]] = [
    (1, 2, {}),
    (2, 5, {}),
    (3, 8, {"moon": False}),
    (4, 3, {"match": "to100"}),
    (5, 2, {"variant": "great_tree"}),
    (6, 4, {"variant": "great_tree"}),
]
BACK = Slot(CLEARING)
OTHER = "B: (Ko8) (Sn3) (Ca6) (Su3) (Mo1) (Wi3) (Kw9)"
World = tuple[State, Seat | None, State]


def worlds(number: int, seats: int, options: dict[str, Any]) -> Iterator[World]:
    """Every state of a match at random, each viewer, and another world for it."""
    dice = Dice(b"redeal" + bytes(26), number)
    steps = (step.after for step in walk(number, seats, **options))
    for s in (dealt(seats, number, **options), *steps):
        for viewer in (*range(seats), None):
            yield s, viewer, redeal(s, viewer, dice)


def backs(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(tuple(slot if slot.up else BACK for slot in row) for row in rows)


def public(s: State) -> State:
    """What all see: how many cards there are, who is ready, and what lies face up."""
    return replace(
        s,
        deck=(CLEARING,) * len(s.deck),
        hands=tuple((CLEARING,) * len(hand) for hand in s.hands),
        plans=tuple((1,) * len(plan) for plan in s.plans),
        away=tuple((CLEARING,) * len(cards) for cards in s.away),
        rows=backs(s.rows),
        pile=tuple(sorted(*backs((s.pile,)))),
        past=backs(s.past),
    )


def known(s: State, viewer: Seat | None) -> list[Any]:
    """What this viewer sees besides: its own, what sun or crab show it, and what was scored."""
    top = s.owed[0] if s.owed else None
    scored = s.past if s.owed else s.rows
    seen: list[Any] = [[slot.card for slot in row if slot.card in SHY] for row in scored]
    if viewer is not None:
        seen += [part[viewer : viewer + 1] for part in (s.hands, s.plans, s.away)]
        seen += [s.rows[viewer :: s.seats], s.past[viewer :: s.seats]]
    if isinstance(top, TurnUpOneOrNone) and viewer == s.turn:
        seen += [s.at(cell) for cell in top.cells]
    if isinstance(top, MayScavenge) and viewer == top.seat:
        seen += s.pile
    return seen


@pytest.mark.parametrize(("number", "seats", "options"), MATCHES)
def test_redeal_is_a_world_the_viewer_cannot_tell_apart(number, seats, options) -> None:
    differ = total = 0
    for s, viewer, other in worlds(number, seats, options):
        assert pieces(other) == pieces(s)
        assert public(other) == public(s)
        assert known(other, viewer) == known(s, viewer)
        assert possible(other)
        differ += backs_of(other) != backs_of(s)
        total += 1
    assert differ > 0.9 * total


def backs_of(s: State) -> list[Any]:
    """What is hidden, but for the deck."""
    return [s.hands, s.plans, s.rows, s.pile, s.away, s.past]


def possible(s: State) -> bool:
    """Could the rules lead here?"""
    dealt = (*s.deck, *(card for cards in (*s.hands, *s.away) for card in cards))
    thrown = Counter(card for cards in s.away for card in cards)
    piled = Counter(slot.card for row in (s.pile, *s.found) for slot in row)
    before = Counter(slot.card for row in s.past for slot in row if slot.card != CLEARING)
    places = range(1, s.options.hand + 1)
    plans = [plan for plan in s.plans if plan]
    return (
        CLEARING not in dealt
        and thrown <= piled
        and before <= pieces(s)
        and s.pile == tuple(sorted(s.pile))
        and all(len(set(plan)) == s.options.width and set(plan) <= {*places} for plan in plans)
    )


@pytest.mark.parametrize("match", [MATCHES[3], MATCHES[5]], ids=["nature", "great_tree"])
def test_all_that_is_hidden_is_dealt_anew(match) -> None:
    found = list(worlds(*match))
    tree = match[2].get("variant") == "great_tree"
    for name in ("deck", "hands", "plans", "rows", "pile", *(() if tree else ("away", "past"))):
        had = [(getattr(s, name), getattr(other, name)) for s, _, other in found]
        some = [pair for pair in had if any(pair[0])]
        assert sum(one != two for one, two in some) > 0.5 * len(some), name


def test_a_face_that_the_trail_shows_stays() -> None:
    """R37: the dog turns up, wakes a monkey, which turns it down again."""
    row = "A: (Ca4) (Fr4) (Ha3) (Do5) (Mk2) Ca5 (Sl6)"
    s, _ = play(position(f"given nature seats=AB active=A\n{row}\n{OTHER}"), "flip A4", "target A5")
    assert Flipped("A4", None) in s.trail
    dice = Dice(bytes(32), 0)
    rows = [redeal(s, 1, dice).rows[0] for _ in range(50)]
    assert {row[3].card for row in rows} == {"Do5"}
    assert len({row[0].card for row in rows}) > 1


def test_what_is_turned_down_is_no_cat() -> None:
    row = "A: Fr4 (Ca4) (Ha3) (Do5) (Mk2) Ca5 (Sl6)"
    s, _ = play(position(f"given nature seats=AB active=A\n{row}\n{OTHER}"), "flip A1")
    dice = Dice(bytes(32), 0)
    seen = {redeal(s, None, dice).rows[0][0].card for _ in range(200)}
    assert not seen & CATS
    assert len(seen) > 5


def searched(pile: str, *, away: tuple[tuple[Any, ...], ...]) -> State:
    """The last turn is over, and the crab of A is shown this pile."""
    first = f"given nature seats=AB active=B start=A discard={pile}"
    s = position(
        f"{first}\nA: Hc2 (Fr4) (Ha3) (Do6) (Mk2) (Ca5) (Pa4)\n{OTHER.replace('(Ca6)', 'Hc2')}"
    )
    s, _ = play(replace(s, away=away, turns=5), "flip B1")
    assert s.owed == (MayScavenge(0), MayScavenge(1))
    return s


def test_whoever_searches_knows_the_pile_but_not_whose_it_was() -> None:
    s = searched("(Pn9),(Sl7),(Sl6),(Qu8),(Do5)", away=(("Pn9", "Sl7"), ("Sl6", "Qu8")))
    dice = Dice(bytes(32), 0)
    mine = [redeal(s, 0, dice) for _ in range(100)]
    assert {other.pile for other in mine} == {s.pile}
    assert {card for other in mine for card in other.away[1]} == {"Sl6", "Qu8", "Do5"}
    theirs = [redeal(s, 1, dice) for _ in range(100)]
    assert len({other.pile for other in theirs}) > 20
    assert all({"Sl6", "Qu8"} <= {slot.card for slot in other.pile} for other in theirs)


def test_nobody_knows_whose_of_two_alike_was_scavenged() -> None:
    s = searched("(Sl7),(Sl7),(Sl6),(Qu8)", away=(("Sl6", "Sl7"), ("Sl7", "Qu8")))
    s, _ = play(s, "scavenge Sl7 down")
    assert Scavenged(0, "Sl7", 7) in s.trail
    dice = Dice(bytes(32), 0)
    piles = [[slot.card for slot in redeal(s, 0, dice).pile] for _ in range(200)]
    assert all("Sl6" in pile for pile in piles)
    assert {"Sl7" in pile for pile in piles} == {True, False}


def test_a_face_up_one_is_scavenged_before_a_hidden_one_of_its_kind() -> None:
    """R38: while one lies there face up, all that was discarded of it is left."""
    s = searched("Sl7,Sl7,(Sl7),(Sl6),(Qu8),(Do5)", away=(("Sl6", "Sl7"), ("Do5", "Qu8")))
    s, _ = play(s, "scavenge Sl7 up")
    assert {Slot("Sl7"), Slot("Sl7", up=True)} <= set(s.pile)
    dice = Dice(bytes(32), 0)
    assert all(Slot("Sl7") in redeal(s, 0, dice).pile for _ in range(50))


def test_another_row_is_the_only_disguise() -> None:
    for options in ({}, {"variant": "great_tree"}):
        s = dealt(2, 1, **options)
        while options and flipology.allows(s, 0, Arrange((1, 2, 3, 4, 5))):
            s, _ = play(s, "regrow no")
        dice, move = Dice(bytes(32), 0), flipology.default(s, 0)
        for _ in range(50):
            other = disguise(s, 0, move, dice)
            assert other != move
            assert flipology.allows(s, 0, other) is None
    assert disguise(s, 0, Flip("A1"), Dice(bytes(32), 0)) == Flip("A1")
