"""Finished matches folded by other rules: which entry differs, what is illegal, who scores what."""

from __future__ import annotations

import gzip

import pytest
from msgspec import json

from engine import catalogue
from engine.audit import NoBundle, opened
from engine.catalogue import GAMES
from engine.games import high_card
from engine.refold import refold, said
from tests.corpus.__main__ import MATCHES
from tests.engine.logs import played, sealed
from tests.rules import aces
from tests.rules.test_versions import changed, log


def by_rules_1(become):
    """A match of an older release, in this one that has rules 2 too."""
    bundle = sealed(*log())
    become(aces)
    return opened(bundle)


def test_it_says_who_would_have_won(become):
    found = refold(by_rules_1(become), 2)
    assert (found.rules, found.first.seq, found.illegal, found.ends) == ((1, 2), 5, (), True)
    assert said(found.first.was) == said(found.first.now) == "kept, shown, match.over"
    assert [(one.seat, one.score, one.place) for one in found.scores] == [
        (0, (1, 1), (2, 1)),
        (1, (14, 14), (1, 2)),
    ]
    assert not found.same


def test_by_its_own_rules_nothing_differs(become):
    file = by_rules_1(become)
    assert refold(file).same
    assert refold(file, 1).same


def test_what_became_illegal_and_what_follows_from_it(become, monkeypatch):
    file = by_rules_1(become)
    none = changed(aces, RULES=2, allows=lambda s, seat, move: high_card.No.NOT_YOUR_TURN)
    monkeypatch.setitem(catalogue.GAMES, "aces", none)
    found = refold(file, 2)
    assert [one.seq for one in found.illegal] == [4, 5]
    assert said(found.first.now) == "refused, NOT_YOUR_TURN (H2)"
    assert not found.ends
    assert [one.place for one in found.scores] == [(2, None), (1, None)]


def test_what_was_refused_and_is_allowed(become, monkeypatch):
    table = [*log()]
    table.insert(-1, played(0, "keep"))  # again: off turn
    bundle = sealed(*table)
    become(changed(aces, allows=lambda s, seat, move: None))
    found = refold(opened(bundle), 2)
    assert [one.seq for one in found.allowed] == [5]


def test_rules_that_this_release_lacks_are_no_answer(newer):
    with pytest.raises(NoBundle, match="aces by rules 3"):
        refold(opened(sealed(*log())), 3)


@pytest.mark.parametrize("verdict", [b"7", b"{}", b'{"type":"refused"}', b'{"type":"accepted"}'])
def test_a_verdict_that_is_none_differs(newer, verdict):
    raw = json.decode(sealed(*log()))
    raw["entries"][3]["verdict"] = json.decode(verdict)
    found = refold(opened(json.encode(raw)))
    assert found.first.seq == 4
    assert said(found.first.was) == "nothing"


def test_the_corpus_is_the_same_by_the_rules_it_has():
    for name in GAMES:
        path = min(MATCHES.glob(f"{name}-*"), key=lambda one: one.stat().st_size)
        assert refold(opened(gzip.decompress(path.read_bytes()))).same
