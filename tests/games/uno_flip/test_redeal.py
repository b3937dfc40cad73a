"""Are the other worlds of UNO Flip worlds, and other ones?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from engine.contract import Seat, hear
from engine.dice import Dice
from engine.games import uno_flip
from engine.games.uno_flip import Options, State
from engine.games.uno_flip.cards import CARDS
from engine.games.uno_flip.facts import Challenged
from engine.games.uno_flip.pieces import Challenge, Draw, Keep, Play, PlayOrKeep, TakeOrChallenge
from engine.robots import stroll

from .positions import light
from .redeal import befores, convicts, disguise, guilty, marked, redeal, showing

SINGLE = Options(target="round")
CLOSED = Options(target="round", backs="closed", challenge_test="colour")
MATCHES = ((SINGLE, 2), (SINGLE, 5), (SINGLE, 10), (CLOSED, 3), (CLOSED, 7))
OTHER = {"light": "dark", "dark": "light"}


def played(options: Options, seats: int) -> Iterator[State]:
    """Some states of a match at random in which challenges are made and few cards drawn."""
    dice = Dice(b"played" + bytes(26), seats)
    s, _ = hear(uno_flip.setup(options, seats, dice))
    for i in range(400):
        rare = s.verdict or s.ended or (s.owed and isinstance(s.owed[0], TakeOrChallenge))
        if rare or i < 20 or i % 10 == 0 or s.over:
            yield s
        if s.over:
            return
        seat = uno_flip.to_act(s)[0]
        move = stroll(uno_flip, s, seat, dice)
        if isinstance(move, Draw) and dice.below(4):
            move = stroll(uno_flip, s, seat, dice)
        s, _ = hear(uno_flip.apply(s, seat, move, dice))


def cards(s: State) -> list[str]:
    return [card for zone in (*s.hands, s.draw, s.discards) for card in zone]


def known(s: State, viewer: Seat | None) -> Any:
    """All of a state that this viewer may know."""
    up, down = s.side, OTHER[s.side]
    hands: list[Any] = []
    for seat, hand in enumerate(s.hands):
        if seat == viewer:
            hands.append([showing(card, up) for card in hand])
        elif s.over:
            hands.append(sorted(showing(card, up) for card in hand))
        elif viewer is not None and s.options.backs == "open":
            hands.append(sorted(showing(card, down) for card in hand))
        else:
            hands.append(len(hand))
    seen = s.options.backs == "open" and not s.over
    pile = [showing(card, down) for card in s.draw[-1:]] if seen else None
    verdict = s.verdict
    if verdict and verdict.seat != viewer:
        verdict = replace(verdict, hand=())
    piles = len(s.draw), len(s.discards), showing(s.discards[-1], up), pile
    return replace(s, draw=(), discards=(), hands=(), verdict=verdict), hands, piles


def verdict_follows(s: State) -> bool:
    """Is the hand in the verdict the one that was held, and does it convict, or not, as it was?"""
    if s.verdict is None:
        return True
    held = s.hands[s.verdict.accused][: len(s.verdict.hand)]
    hand = sorted(showing(card, s.side) for card in held)
    may_be = {convicts(s.options, hand, *before) for before in befores(s)}
    return [*s.verdict.hand] == hand and s.verdict.guilty in may_be


@pytest.mark.parametrize(("options", "seats"), MATCHES)
def test_redeal_is_a_world_the_viewer_cannot_tell_apart(options: Options, seats: int) -> None:
    dice, count = Dice(b"redeal" + bytes(26), seats), Counter[str]()
    for s in played(options, seats):
        for viewer in (None, *range(seats)):
            other = redeal(s, viewer, dice)
            assert sorted(cards(other)) == sorted(CARDS)
            assert known(other, viewer) == known(s, viewer)
            assert known(other, None) == known(s, None)
            assert verdict_follows(other)
            if viewer in uno_flip.to_act(s):
                assert [*uno_flip.legal(other, viewer)] == [*uno_flip.legal(s, viewer)]
            changed = sum(a != b for a, b in zip(cards(s), cards(other), strict=True))
            count["all"] += 1
            count["shown"] += s.verdict is not None
            count["other"] += changed > 0
            count["few"] += 0 < changed < 5
            count["many"] += changed > 30
            count["next"] += s.draw[-1:] != other.draw[-1:]
            count["back"] += [*map(sorted, s.hands)] != [*map(sorted, other.hands)]
    assert count["shown"]
    assert count["other"] > 0.9 * count["all"]
    assert count["back"] > 0.5 * count["all"]
    assert min(count["few"], count["many"], count["next"]) > 0.1 * count["all"]


def worlds(s: State, viewer: Seat | None, n: int = 400) -> list[State]:
    dice = Dice(b"worlds" + bytes(26), 0)
    return [redeal(s, viewer, dice) for _ in range(n)]


def hands(s: State, viewer: Seat | None, of: Seat) -> set[str]:
    """The hands that a seat has in other worlds and in this one."""
    return {" ".join(sorted(world.hands[of])) for world in (*worlds(s, viewer), s)}


def test_an_owner_knows_the_live_faces_and_others_the_backs() -> None:
    s = light("Y9/P4 G3/KF")  # the other P4 is GS/P4, the other KF is W/KF
    assert hands(s, 0, of=0) == {
        " ".join(sorted(pair)) for pair in product(("Y9/P4", "Y9/T5"), ("G3/KF", "G3/P2"))
    }
    assert hands(s, 1, of=0) == {
        " ".join(sorted(pair)) for pair in product(("Y9/P4", "GS/P4"), ("G3/KF", "W/KF"))
    }
    assert len(hands(s, None, of=0)) > 100  # a watcher may be anyone, the owner too


def test_with_closed_backs_others_know_nothing() -> None:
    s = light("Y9/P4 G3/KF", backs="closed")
    assert len(hands(s, 1, of=0)) > 100
    assert len(hands(s, 0, of=0)) == 4


def test_cards_make_way_for_each_other_in_longer_cycles() -> None:
    """Seat 0 holds Y9 and sees P4: the other P4 can be there only if Y9 is another Y9."""
    s = light("Y9/P4")
    s = replace(s, hands=(("Y9/P4",), ("GS/P4",), s.hands[2]), draw=(*s.draw, "G1/O5", "Y1/KS"))
    s = replace(s, draw=tuple(card for card in s.draw if card not in ("GS/P4", "R2/OV")))
    s = replace(s, draw=(*s.draw[:-2], "R2/OV"))
    found = {(world.hands[0], world.hands[1]) for world in worlds(s, 0)}
    assert (("Y9/T5",), ("Y9/P4",)) in found
    assert all(h[0][0].startswith("Y9/") and h[1][0].endswith("/P4") for h in found)


def test_the_pile_keeps_its_back_and_hides_its_face() -> None:
    s = light("B7/O3 G3/KF")  # R7/P5 lies on top of the draw pile, R9/P5 at the other end
    assert {world.draw[-1] for world in worlds(s, 0)} == {"R7/P5", "R9/P5"}
    closed = light("B7/O3 G3/KF", backs="closed")
    assert len({world.draw[-1] for world in worlds(closed, 0)}) > 50
    changed = [world for world in worlds(closed, 0) if world.draw[-1] != closed.draw[-1]]
    assert sum(world.draw[:-1] != closed.draw[:-1] for world in changed) > 20
    assert sum(world.draw[-5:-1] == closed.draw[-5:-1] for world in changed) > 20


def accused(**options: Any) -> State:
    """Seat 0 has played W2 on B4, with a blue card in hand; seat 1 may challenge."""
    s = light("W2/O4 B9/O5 G3/KF", **options)
    s, _ = hear(uno_flip.apply(s, 0, Play("W2", colour="G"), Dice(bytes(32), 0)))
    return s


@pytest.mark.parametrize("backs", ["open", "closed"])
def test_guilt_may_be_otherwise_but_to_the_accused(backs: str) -> None:
    s = accused(backs=backs)
    assert guilty(s)
    for viewer in (1, 2, None):
        assert {guilty(world) for world in worlds(s, viewer, 100)} == {True, False}
    assert {guilty(world) for world in worlds(s, 0, 100)} == {True}
    under = {showing(world.discards[-2], s.side) for world in worlds(s, 1, 100)}
    assert under == {"B4"}


def test_a_verdict_stays_and_who_was_shown_the_hand_knows_it() -> None:
    s = accused(backs="closed")
    s, _ = hear(uno_flip.apply(s, 1, Challenge(), Dice(bytes(32), 0)))
    shown = Challenged(1, 0, guilty=True, hand=("B9", "G3"))
    assert s.verdict == shown
    assert {world.verdict for world in worlds(s, 0, 100)} == {shown}
    assert {world.verdict for world in worlds(s, 1, 100)} == {shown}
    assert {world.hands[0][:2] for world in worlds(s, 1, 100)} == {("B9/O5", "G3/KF")}
    for viewer in (2, None):
        verdicts = {world.verdict for world in worlds(s, viewer, 100)}
        assert len(verdicts) > 10
        assert {(v.guilty, len(v.hand)) for v in verdicts if v} == {(True, 2)}


def test_once_over_the_live_faces_stay_and_their_backs_do_not() -> None:
    s = light("B7/O3", target="round")
    s, _ = hear(uno_flip.apply(s, 0, Play("B7"), Dice(bytes(32), 0)))
    assert s.over
    for viewer in (0, 1, None):
        found = [world.hands[1] for world in worlds(s, viewer)]
        assert {" ".join(sorted(marked(card, "light") for card in hand)) for hand in found} == {
            "R2/ Y1/"
        }
        assert {frozenset(hand) for hand in found} == {
            frozenset(pair) for pair in product(("R2/OV", "R2/PD"), ("Y1/KS", "Y1/W"))
        }


def test_a_play_is_disguised_as_one_of_another_copy() -> None:
    dice, open_, closed = Dice(bytes(32), 0), {}, {"backs": "closed"}
    for hand, face, options, copy in (
        ("B7/O3 B7/OS G1/OF", "B7", closed, 2),
        ("B7/O3 B7/OS G1/OF", "B7", open_, 1),  # its back is seen to go
        ("BF/P6 BF/P7 G1/OF", "BF", open_, 2),  # all backs go
        ("B1/PS B1/PS G1/OF", "B1", open_, 2),  # the same back
        ("B7/O3 B9/O5 G1/OF", "B7", closed, 1),
    ):
        s = light(hand, **options)
        other = disguise(s, 0, Play(face), dice)
        assert other == Play(face, copy=copy)
        assert uno_flip.allows(s, 0, other) is None
        assert disguise(s, 0, other, dice) == Play(face)


def test_a_drawn_card_and_other_moves_are_what_they_are() -> None:
    dice, s = Dice(bytes(32), 0), light("B7/O3 B7/OS", backs="closed")
    for move in (Draw(), Keep(), Challenge()):
        assert disguise(s, 0, move, dice) == move
    drew = replace(s, owed=(PlayOrKeep(0, 1),))
    assert disguise(drew, 0, Play("B7"), dice) == Play("B7")
