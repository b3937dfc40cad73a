"""Secrecy face by face: two cards are exchanged, and who may not see that cannot tell.

Done at every step of the worked examples, so in every phase, after a flip, after a challenge,
after a reshuffle and at the end of a round. `knows` is section 4 of the dossier.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace

from engine.contract import Told, Viewer, hear
from engine.dice import Dice
from engine.games import uno_flip
from engine.games.uno_flip import Move, State, words
from tests.games.sabotage import plant

from .leaks import SUBTLE
from .positions import SEED, heard, position, read
from .test_examples import BLOCKS

SWAPS = 150
TEXTS = "draw keep take chal uno col=G W2=G WC=K B7 K3"
JUDGED = [words.read(text) for text in TEXTS.split()]
Zones = dict[Any, list[str]]


def knows(s: State, viewer: Viewer) -> Any:
    """All that section 4 grants a viewer, as one value."""
    front = 0 if s.side == "light" else 1
    seat = viewer if isinstance(viewer, int) and not s.over else None
    open_ = s.options.backs == "open" and not s.over
    backs = [sorted(card.split("/")[1 - front] for card in hand) for hand in s.hands]
    return (
        (s.dealer, s.round, s.side, s.way, s.colour, s.owed, s.window, s.called, s.fails),
        (s.scores, s.over, s.blocked, s.returned, len(s.draw), len(s.discards)),
        [len(hand) for hand in s.hands],
        s.discards[-1].split("/")[front],
        s.draw[-1].split("/")[1 - front] if s.draw and open_ else None,
        None if seat is None else [card.split("/")[front] for card in s.hands[seat]],
        None if seat is None or not open_ else backs[:seat] + backs[seat + 1 :],
        s.verdict and (s.verdict.guilty, s.verdict.hand if viewer == s.verdict.seat else ()),
        s.ended,
    )


def exchanged(s: State, one: tuple[Any, int], two: tuple[Any, int]) -> State:
    zones: Zones = {"draw": list(s.draw), "discards": list(s.discards)}
    zones |= {seat: list(hand) for seat, hand in enumerate(s.hands)}
    (a, i), (b, j) = one, two
    zones[a][i], zones[b][j] = zones[b][j], zones[a][i]
    hands = tuple(tuple(zones[seat]) for seat in range(len(s.hands)))
    return replace(s, draw=tuple(zones["draw"]), discards=tuple(zones["discards"]), hands=hands)


def pairs(s: State, chance: Random) -> Iterator[State]:
    """Other states; half of the time, one of the cards is among those that matter most."""
    spots = [("draw", i) for i in range(len(s.draw))]
    spots += [("discards", i) for i in range(len(s.discards))]
    hands = [(seat, i) for seat, hand in enumerate(s.hands) for i in range(len(hand))]
    near = [*hands, ("draw", len(s.draw) - 1), ("discards", len(s.discards) - 1)]
    near = [spot for spot in near if spot[1] >= 0]
    for i in range(SWAPS):
        yield exchanged(
            s, chance.choice(near if i % 2 else spots + hands), chance.choice(spots + hands)
        )


@cache
def moments() -> tuple[tuple[State, int, Move], ...]:
    """Every position of the worked examples, with the move that follows."""
    found: dict[str, tuple[State, int, Move]] = {}
    for name, given, moves, expect in BLOCKS:
        if moves.startswith("(") or "err=" in expect or "phase=OPEN" in given:
            continue
        s = position(given, backs="open" if int(name[1:]) % 3 else "closed")
        for command in moves.split(" ; "):
            seat, _, text = command.partition(":")
            move = read(s, text)
            found.setdefault(repr((s, move)), (s, int(seat), move))
            s, _ = done(s, int(seat), move)
            if s.ended:
                break
    return tuple(found.values())


def done(s: State, seat: int, move: Move) -> tuple[State, tuple[Told, ...]]:
    return hear(uno_flip.apply(s, seat, move, Dice(SEED, 1)))


def sees(s: State, viewer: Viewer) -> bytes:
    """All that a look holds of this."""
    moves = list(uno_flip.legal(s, viewer)) if isinstance(viewer, int) else []
    grown = [list(uno_flip.grow(s, viewer, move)) for move in moves if isinstance(viewer, int)]
    said = [uno_flip.allows(s, viewer, move) for move in JUDGED if isinstance(viewer, int)]
    return json.encode((uno_flip.view(s, viewer), moves, grown, [no and no.name for no in said]))


def leak(moment: tuple[State, int, Move], chance: Random) -> str | None:
    """How a viewer could tell two states apart that it may not, if it could."""
    s, seat, move = moment
    after, told = done(s, seat, move)
    for other in pairs(s, chance):
        fits = uno_flip.allows(other, seat, move) is None
        other_after, other_told = done(other, seat, move) if fits else (None, ())
        for viewer in (None, *range(len(s.hands))):
            alike = knows(s, viewer) == knows(other, viewer)
            if alike != (sees(s, viewer) == sees(other, viewer)):
                return f"the look of {viewer} before {move}"
            if not alike or other_after is None:
                continue
            alike = knows(after, viewer) == knows(other_after, viewer)
            if alike != (sees(after, viewer) == sees(other_after, viewer)):
                return f"the look of {viewer} after {move}"
            if alike != (heard(told, viewer) == heard(other_told, viewer)):
                return f"what {viewer} hears of {move}"
    return None


@pytest.mark.parametrize("number", range(len(moments())))
def test_who_may_not_see_cannot_tell(number: int) -> None:
    assert leak(moments()[number], Random(number)) is None


@pytest.mark.parametrize("leaks", SUBTLE, ids=[leaks.says for leaks in SUBTLE])
def test_a_subtle_leak_is_caught(leaks: Any) -> None:
    with plant(uno_flip, leaks):
        assert any(leak(moment, Random(i)) for i, moment in enumerate(moments()))
