"""What is told of a card is what the look after it shows, for every viewer and in every phase."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.contract import OPEN, Told, Viewer
from engine.games import flipout
from engine.games.flipout import Options, State
from engine.games.flipout.cards import AT, CELLS, Cell, Seen
from engine.games.flipout.facts import Dealt, Drew, Fact, Flipped, Refilled, Swapped, Uncovered
from engine.games.flipout.pieces import Place
from tests.games.flipout.leaks import FACES
from tests.games.sabotage import Leak, plant

from .positions import walk

SEEDS = range(4)  # 2 to 5 seats


def fits(s: State, told: tuple[Told, ...], viewer: Viewer) -> bool:
    """Does each fact say what this viewer sees now, and no fact more? (R17 R18 R19 R26)"""
    view = flipout.view(s, viewer)
    facts = [fact for one in told for fact in one.heard_by(viewer)]
    faces = [pair for fact in facts for pair in shown(fact)]
    tops = [(fact.top, fact.deck) for fact in facts if isinstance(fact, Uncovered)]
    return (
        all(face == view.holders[AT[cell][0]][AT[cell][1]] for cell, face in faces)
        and tops in ([], [(view.top, view.deck)])
        and all(fact.face == view.drawn for fact in facts if isinstance(fact, Drew))
    )


def shown(fact: Fact) -> Iterator[tuple[Cell, Seen]]:
    """The cells of holders that a fact speaks of, with their faces."""
    match fact:
        case Dealt(seat, faces):
            yield from zip(CELLS[seat], faces, strict=True)
        case Flipped(_, cell, face):
            yield cell, face
        case Swapped(_, own, others, faces):
            yield from zip(own + others, faces, strict=True)
        case Refilled(_, cells, faces):
            yield from zip(cells, faces, strict=True)


def news(before: State | None, s: State, viewer: Viewer) -> set[Cell]:
    """The cells whose face this viewer did not see where it now is."""
    if before is None:
        return {cell for cells in CELLS[: len(s.holders)] for cell in cells}
    old, new = flipout.view(before, viewer), flipout.view(s, viewer)
    return {
        cell
        for cells, was, now in zip(CELLS, old.holders, new.holders, strict=False)
        for cell, one, two in zip(cells, was, now, strict=False)
        if one != two and two != "--"
    }


def all_fit(seed: int) -> bool:
    steps = walk.__wrapped__(seed, Options(tokens=seed % 2 > 0))
    return all(
        fits(s, told, viewer) for s, told in steps for viewer in (None, *range(len(s.holders)))
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_facts_say_what_looks_show(seed: int) -> None:
    assert all_fit(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_look_newly_shows_a_fact_said(seed: int) -> None:
    """A switch, a placed card and a pair of swapped cards show their owners nothing new."""
    before = None
    for s, told in walk(seed):
        for viewer in range(len(s.holders)):
            heard = [f for one in told for f in one.heard_by(viewer)]
            said = {cell for fact in heard for cell, _ in shown(fact)}
            last = s.last.move if s.last else None
            known = set(getattr(last, "cells", ()))  # a switch
            if isinstance(last, Place) and before:
                known = {CELLS[before.turn][last.slot - 1]}
            assert news(before, s, viewer) <= said | known
        before = s


@pytest.mark.parametrize("leak", FACES, ids=[leak.says for leak in FACES])
def test_a_planted_leak_is_caught(leak: Leak) -> None:
    with plant(flipout, leak):
        assert not all(all_fit(seed) for seed in SEEDS)
    assert all_fit(0)


def test_open_hears_every_version_once() -> None:
    """R26: with three seats a swap has four viewpoints."""
    swaps = [t for s, told in walk(1) for t in told if isinstance(t.fact, Swapped)]
    assert swaps
    assert max(len(t.heard_by(OPEN)) for t in swaps) == 4
    for t in swaps:
        assert len(t.to) == 3
        assert set(t.fact.faces) == {"??"}
