"""What a table agrees on: an end, a pause, somebody else for a seat."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import entries as e
from engine.look import look
from engine.match import Accepted, Match, seed_of
from engine.snapshot import load, save
from tests.engine.logs import (
    SECOND,
    START,
    after,
    dealt,
    joined,
    offered,
    played,
    player,
    sealed,
    then,
)
from tests.engine.test_audit import audited
from tests.engine.test_branch import branched
from tests.engine.test_clocks import CLOCK, HOUR, code, left, stopped

BANK = {"clock": {"type": "bank", "seconds": 100, "increment": 0, "cap": 100}}
END, PAUSE, NEW = e.End(), e.Pause(), player(9)
ROBOT, OTHER = e.Replace(1, robot="greedy"), e.Replace(1, player=NEW)
TABLE = dealt(3, **CLOCK)  # seat 0 is waited for since entry 4, second 3


def said(match: Match, *entries: e.Entry, at: int | None = None) -> Match:
    """The match after these, all of which are accepted."""
    for entry in entries:
        match, verdict = then(match, entry, at)
        assert isinstance(verdict, Accepted), (entry, verdict)
    return match


def tags(verdict) -> list[str]:
    return [one.fact.__struct_config__.tag.removeprefix("match.") for one in verdict.told]


def agreed(match: Match, what: e.What, by: int = 0) -> Match:
    """The match once all have agreed."""
    match = said(match, e.Proposed(by, what))
    while match.vote is not None:
        waits = look(match, None).proposal.waits
        match = said(match, e.Answered(waits[0], match.vote.seq, True))
    return match


def test_it_is_done_when_the_last_has_agreed_and_all_see_how_it_stands():
    match, verdict = then(after(*TABLE), e.Proposed(0, END))
    assert tags(verdict) == ["proposed"]
    for viewer in (0, 1, None):
        seen = look(match, viewer).proposal
        assert (seen.seq, seen.seat, seen.what, seen.yes, seen.waits) == (5, 0, END, (0,), (1, 2))
    match = said(match, e.Answered(2, 5, True))
    assert look(match, 1).proposal.waits == (1,)
    assert load(save(match)) == match
    match, verdict = then(match, e.Answered(1, 5, True))
    assert tags(verdict) == ["answered", "aborted"]
    assert (match.aborted, match.outcome, match.deadlines) == ("agreed", None, (None,) * 3)
    assert look(match, 0).proposal is None


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_no_by_anybody_is_the_end_of_it(seat):
    match = said(after(*TABLE), e.Proposed(0, END))
    match, verdict = then(match, e.Answered(seat, 5, False))
    assert (tags(verdict), match.vote, match.over) == (["answered"], None, False)
    assert code(match, e.Answered(1, 5, True)) == "NO_VOTE"
    assert said(match, e.Proposed(1, END)).vote.seq == 7


def test_robots_agree_to_anything():
    match = after(offered(None, "greedy", **CLOCK), joined(0))
    assert said(match, e.Proposed(0, END)).aborted == "agreed"


def test_moves_go_on_meanwhile_and_who_leaves_ends_it():
    match = said(after(*dealt(3, leave="random")), e.Proposed(0, END), played(0, "keep"))
    assert match.vote.seq == 5
    match, verdict = then(match, e.Resigned(1))
    assert (tags(verdict), match.vote) == (["resigned", "lapsed"], None)


def test_an_agreed_end_is_in_a_bundle_and_audited():
    table = dealt(2)
    report = audited(sealed(*table, e.Proposed(0, END), e.Answered(1, 4, True)))
    assert (report.ok, report.aborted, report.places) == (True, "agreed", ())


# Pauses


def test_no_clock_runs_in_a_pause_and_all_run_on_after_it(bells):
    match = after(*dealt(2, game="bells", **CLOCK))  # both since second 2
    match = agreed(match, PAUSE)  # at second 4
    assert (left(match), match.due) == ([None, None], None)
    assert look(match, None).paused == START + 4 * SECOND
    assert code(match, e.Expired(0)) == "TOO_EARLY"
    assert code(match, stopped(5, 6)) == "NO_CLOCK"
    assert load(save(match)) == match
    match = said(match, played(0, "tap"), at=START + 50 * SECOND)
    match = said(match, e.Resumed(1), at=START + 104 * SECOND)
    assert left(match) == [164, 162], "a wait that began within the pause has its whole time"
    assert code(match, stopped(50, 60)) == "NO_CLOCK", "that stood still already"
    assert look(match, 0).paused is None


def test_a_bank_pays_nothing_for_a_pause():
    match = agreed(after(*dealt(2, **BANK)), PAUSE)  # second 4, waited for since 2
    assert match.banks == (100_000, 100_000)
    moved = said(match, played(0, "trade"), at=START + 50 * SECOND)
    assert moved.banks == (98_000, 100_000)
    assert said(moved, e.Resumed(0), at=START + 60 * SECOND).banks == (98_000, 100_000)


# Somebody else for a seat


def test_a_robot_takes_a_seat_and_its_player_comes_back_to_it():
    match = agreed(after(*TABLE), e.Replace(0, robot="greedy"))
    seen = look(match, 1).seats[0]
    assert (seen.player, seen.robot, seen.gone) == (player(0), "greedy", "replaced")
    assert left(match) == [None] * 3
    match, verdict = then(match, e.Seated(0, player(0)), HOUR)
    assert tags(verdict) == ["seated"]
    seen = look(match, 1).seats[0]
    assert (seen.player, seen.robot, seen.gone) == (player(0), None, None)
    assert left(match) == [3660, None, None], "fresh time"


def test_a_player_takes_a_seat_with_fresh_time_as_it_is():
    before = after(*dealt(3, **BANK))
    match = agreed(before, e.Replace(0, player=NEW))
    assert [(one.seat, one.player) for one in look(match, None).promised] == [(0, NEW)]
    assert match.holders[0].player == player(0), "until then it stays whose it was"
    match = said(match, e.Seated(0, NEW), at=HOUR)
    holder = match.holders[0]
    assert (holder.player, holder.robot, holder.gone, holder.keys) == (NEW, None, None, ())
    assert (match.state, match.rolls, match.promised) == (before.state, before.rolls, ())
    assert (left(match), match.banks) == ([3700, None, None], (100_000,) * 3)
    assert seed_of(match) == match.seed, "the deal stays that of those who joined"
    assert code(match, e.Seated(0, player(0))) == "NOT_INVITED", "somebody else holds it"


def test_who_ran_out_of_time_comes_back_and_who_resigned_does_not():
    table = dealt(3, leave="greedy", **CLOCK)
    out = said(after(*table), e.Expired(0), at=HOUR)
    assert said(out, e.Seated(0, player(0))).holders[0].robot is None
    out = said(after(*table), e.Resigned(0))
    assert code(out, e.Seated(0, player(0))) == "NOT_INVITED"
    assert code(out, e.Proposed(0, END)) == "NOT_SEATED"


def test_who_is_to_go_agrees_too_unless_its_time_is_up():
    match = said(after(*dealt(3, expiry="claim", **CLOCK)), e.Proposed(1, e.Replace(0, NEW)))
    assert look(match, None).proposal.waits == (0, 2)
    match = said(match, e.Answered(1, 5, False))
    match = said(said(match, e.Expired(0), at=HOUR), e.Proposed(1, e.Replace(0, robot="random")))
    assert look(match, None).proposal.waits == (2,)
    match = said(match, e.Answered(2, 8, True))
    assert (match.holders[0].robot, look(match, 1).claimable) == ("random", ())


def test_a_seat_goes_to_nobody_who_knows_what_others_hide():
    match = agreed(after(*TABLE), e.Replace(0, player=NEW))
    match = said(match, e.Seated(0, NEW))
    assert code(match, e.Proposed(1, e.Replace(1, player=player(0)))) == "A_PLAYER"
    assert code(match, e.Proposed(1, e.Replace(1, player=NEW))) == "A_PLAYER"
    guest = said(after(*TABLE), e.Invited(0, NEW), e.Admitted(0, NEW))
    assert code(guest, e.Proposed(1, OTHER)) == "LET_IN"
    promised = agreed(after(*TABLE), OTHER)
    late = said(promised, e.Invited(0, NEW), e.Admitted(0, NEW))
    assert code(late, e.Seated(1, NEW)) == "LET_IN"


def test_a_branch_has_none_of_it():
    match = said(agreed(after(*TABLE), PAUSE), e.Proposed(0, END))
    match = said(match, branched(match.seq))
    assert (match.vote, match.paused, match.promised) == (None, None, ())


OPEN = [*TABLE, e.Proposed(0, END)]
PAUSED = [*dealt(**CLOCK), e.Proposed(0, PAUSE), e.Answered(1, 4, True)]
REFUSALS = [
    ([offered(), e.Proposed(0, END)], "NOT_DEALT"),
    ([*TABLE, e.Proposed(3, END)], "NO_SUCH_SEAT"),
    ([offered(None, "greedy"), joined(0), e.Proposed(1, END)], "NOT_SEATED"),
    ([*OPEN, e.Proposed(1, PAUSE)], "VOTE_OPEN"),
    ([*OPEN, e.Answered(1, 4, True)], "NO_VOTE"),
    ([*TABLE, e.Answered(1, 5, True)], "NO_VOTE"),
    ([*OPEN, e.Answered(0, 5, True)], "ANSWERED"),
    ([*OPEN, e.Answered(3, 5, True)], "NO_SUCH_SEAT"),
    ([*TABLE, e.Resumed(0)], "NO_CLOCK"),
    ([*TABLE, e.Seated(1, NEW)], "NOT_INVITED"),
    ([*TABLE, e.Seated(1, player(1))], "NOT_INVITED"),
    ([*dealt(), e.Proposed(0, PAUSE)], "NO_CLOCK"),
    ([*dealt(vacation=0, **CLOCK), e.Proposed(0, PAUSE)], "NO_VACATION"),
    ([*TABLE, e.Proposed(0, e.Replace(7, NEW))], "NO_SUCH_SEAT"),
    ([*TABLE, e.Proposed(0, e.Replace(1, player(2)))], "A_PLAYER"),
    ([offered(None, "greedy"), joined(0), e.Proposed(0, ROBOT)], "NOT_SEATED"),
    ([*OPEN, e.Answered(1, 5, True), e.Answered(2, 5, True), e.Proposed(0, END)], "OVER"),
    ([*PAUSED, e.Proposed(0, PAUSE)], "PAUSED"),
]


REFUSED_WHERE_DEALS_ARE_SHARED = ["SAME_DEAL"]


@pytest.mark.parametrize(("log", "why"), REFUSALS)
def test_what_cannot_be_agreed_on(log, why):
    assert code(after(*log[:-1]), log[-1]) == why


def test_a_seat_goes_to_one_alone():
    for both in ({}, {"player": NEW, "robot": "greedy"}):
        with pytest.raises(ValueError, match="player or to a robot"):
            e.Replace(0, **both)


def test_where_others_are_dealt_the_same_nobody_new_sits_down_and_no_clock_stands_still():
    first, *rest = dealt(3, **CLOCK)
    match = after(replace(first, tournament=player(8)), *rest)
    for what in (PAUSE, OTHER):
        assert [code(match, e.Proposed(0, what))] == REFUSED_WHERE_DEALS_ARE_SHARED
    assert agreed(match, END).over
    assert agreed(match, ROBOT).holders[1].robot
    assert match.shared
    assert not said(match, branched(match.seq)).shared
