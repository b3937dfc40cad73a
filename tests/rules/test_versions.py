"""A game whose rules changed: what began by the old ones is for ever what it was."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from msgspec import json

from engine import catalogue
from engine import entries as e
from engine.audit import audit, opened
from engine.contract import Game
from engine.fold import fold, replay
from engine.match import encode
from engine.snapshot import load, save
from tests.engine.logs import dealt, lines, played, sealed
from tests.rules import aces, older

ACE = "be" * 32  # of an offer in which seat 0 is dealt a 1


def log() -> list[e.Entry]:
    """A match by the newest rules there are, in which seat 0 holds a 1."""
    table = dealt(2, game="aces", options={"cards": 20}, secret=ACE)
    return [*table, played(0, "keep"), played(1, "keep")]


def test_an_old_match_is_folded_to_the_same_bytes(become):
    old = lines(*log())
    before = [(match.head, encode(verdict)) for match, verdict in replay(old)]
    bundle = sealed(*log())
    become(aces)
    assert [(match.head, encode(verdict)) for match, verdict in replay(old)] == before
    assert audit(opened(bundle)).ok
    assert fold(old).outcome.places == (2, 1), "by rules 1 a 1 is the least"


def test_a_new_match_follows_the_new_rule(newer):
    match = fold(lines(*log()))
    assert (match.offered.rules, match.state.hands[0]) == (2, 1)
    assert match.outcome.places == (1, 2)
    assert audit(opened(sealed(*log()))).ok


def test_a_snapshot_goes_by_the_rules_and_by_the_layout(become):
    old = lines(*log())
    by_older = save(fold(old))
    become(aces)
    first = save(fold(old))
    assert load(by_older) is None, "its State was another"
    assert load(first) == fold(old)
    assert load(first).game is aces.v1
    second = save(fold(lines(*log())))
    assert load(second).game is aces
    assert json.decode(first)["schema"] != json.decode(second)["schema"]
    become(aces.v1)  # a release with the same layout that lacks rules 2
    assert load(second) is None
    as_first = json.encode(json.decode(second) | {"rules": 1})
    assert load(as_first) is None, "nor does it take it for one by its own"
    become(older)
    assert load(first) is None


def test_who_lacks_the_rules_leaves_the_match_to_others(become):
    become(aces)
    new = lines(*log())
    become(older)
    with pytest.raises(e.Unknown, match="aces by rules 2"):
        fold(new)


def test_each_version_has_moves_of_its_own(newer, monkeypatch):
    third = changed(aces, RULES=3, EARLIER=(aces, aces.v1), Move=aces.Options)
    monkeypatch.setitem(catalogue.GAMES, "aces", third)
    monkeypatch.setitem(catalogue.EARLIER, ("aces", 2), aces)
    assert [game.RULES for game in catalogue.versions("aces")] == [3, 2, 1]
    by_third = fold(lines(*log()))
    assert by_third.outcome is None, "there is no `keep` any more"
    monkeypatch.setitem(catalogue.GAMES, "aces", aces)
    assert fold(lines(*log())).outcome is not None


def test_only_what_it_was_is_earlier(monkeypatch):
    for old in (changed(aces, RULES=2), changed(aces, NAME="kings", RULES=1)):
        monkeypatch.setitem(sys.modules, "odd", changed(aces, EARLIER=(old,)))
        with pytest.raises(ValueError, match="is no earlier version of it"):
            catalogue.add("odd")
        assert "aces" not in catalogue.GAMES


def changed(game: Game, **names) -> Game:
    """A game with some of its names changed."""
    other = ModuleType(game.__name__)
    other.__dict__.update({**vars(game), **names})
    return other
