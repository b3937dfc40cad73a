"""Taking back: an entry by which the match stands as it did, where nothing came to light."""

from __future__ import annotations

import pytest

from engine import entries as e
from engine.look import look
from engine.match import Accepted, Match
from engine.snapshot import load, save
from tests.engine.bells import Done
from tests.engine.logs import SECOND, START, after, dealt, played, player, sealed, then
from tests.engine.test_audit import audited
from tests.engine.test_clocks import CLOCK, HOUR, code, left
from tests.engine.test_votes import agreed, said, tags

TABLE = dealt(3)  # of High card; seat 0 is waited for, seq 4
KEPT = [*TABLE, played(0, "keep")]


def test_the_match_stands_as_it_did_and_the_log_goes_on():
    before, kept = after(*TABLE), after(*KEPT)
    assert [look(kept, viewer).back for viewer in (0, 1, None)] == [(5,)] * 3
    match = said(kept, e.Proposed(0, e.Back(5)), e.Answered(1, 6, True))
    match, verdict = then(match, e.Answered(2, 6, True))
    assert tags(verdict) == ["answered", "taken-back"]
    assert (match.state, match.rolls, match.to_act) == (before.state, before.rolls, (0,))
    assert (match.seq, match.holders[0].since) == (8, 8)
    assert load(save(match)) == match
    assert said(match, played(0, "trade")).to_act == (1,)


def test_taking_back_can_be_taken_back():
    kept = after(*KEPT)
    match = agreed(kept, e.Back(5))
    again = agreed(match, e.Back(match.seq))
    assert (again.state, again.to_act) == (kept.state, (1,))
    assert agreed(again, e.Back(again.seq)).state == match.state


def test_several_moves_at_once():
    match = after(*KEPT, played(1, "keep"))
    assert look(match, 2).back == (5, 6)
    match = agreed(match, e.Back(5))
    assert (match.to_act, look(match, 2).back) == ((0,), (match.seq,))


@pytest.mark.parametrize("move", ["trade", "keep"])
def test_there_is_no_way_back_behind_what_came_to_light(move):
    log = [*TABLE, played(0, "keep"), played(1, "trade")]
    match = after(*log)
    assert look(match, 0).back == ()
    for to in (4, 5, 6, 7):
        assert code(match, e.Proposed(0, e.Back(to))) == "NO_WAY_BACK"
    over = said(match, played(2, move))  # all cards are shown
    assert (over.over, look(over, 0).back) == (True, ())


def test_neither_chance_nor_what_one_alone_is_told_can_be_taken_back(bells, monkeypatch):
    monkeypatch.setattr(bells, "PLAIN", (Done,), raising=False)
    ring = after(*dealt(2, game="bells"), played(0, "ring"))
    assert (ring.rolls, look(ring, 0).back) == (1, ())
    tap = said(ring, played(0, "tap"))
    assert look(tap, 0).back == (), "each tap is told to its seat in a fact of its own"


def test_a_move_by_anybody_ends_the_proposal():
    match = said(after(*KEPT), e.Proposed(0, e.Back(5)))
    match, verdict = then(match, played(1, "keep"))
    assert (tags(verdict), match.vote) == (["kept", "lapsed"], None)
    assert code(match, e.Answered(1, 6, True)) == "NO_VOTE"


def test_clocks_begin_anew():
    match = after(*dealt(2, **CLOCK), played(0, "keep"))
    match = said(match, e.Proposed(0, e.Back(4)))
    match = said(match, e.Answered(1, 5, True), at=START + 40 * SECOND)
    assert left(match) == [100, None]


def test_who_comes_or_goes_ends_it():
    match = after(*dealt(3, leave="random"), played(0, "keep"))
    assert look(said(match, e.Resigned(2)), 0).back == ()
    assert look(agreed(match, e.Replace(0, robot="random")), 0).back == ()
    new = player(9)
    match = said(agreed(match, e.Replace(2, player=new)), e.Seated(2, new), at=HOUR)
    assert look(match, 0).back == (), "it has seen a hand"


def test_not_more_than_some_moves_are_kept():
    match = after(*dealt(10), *(played(n, "keep") for n in range(9)))
    assert look(match, None).back == tuple(range(13, 21))


def test_a_bundle_with_it_is_audited():
    log = [*dealt(2), played(0, "keep"), e.Proposed(0, e.Back(4)), e.Answered(1, 5, True)]
    assert audited(sealed(*log, played(0, "trade"), played(1, "keep"))).ok


REFUSALS = [([*TABLE, e.Proposed(0, e.Back(4))], "NO_WAY_BACK")]


def test_before_the_first_move_there_is_nothing_to_take_back():
    for log, why in REFUSALS:
        match: Match = after(*log[:-1])
        assert code(match, log[-1]) == why
        assert isinstance(then(match, played(0, "keep"))[1], Accepted)
