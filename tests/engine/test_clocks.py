"""Time that no clock counts: `stopped`, and what it does to deadlines."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from msgspec import json

from engine import entries as e
from engine.look import look, news, note
from engine.match import Accepted, Match, Refused
from engine.sentences import utc
from engine.snapshot import load, save
from tests.engine.logs import SECOND, START, after, dealt, joined, offered, played, sealed, then
from tests.engine.test_audit import audited, in_entry, kept_of, kinds
from tests.engine.test_branch import branched

CLOCK = {"clock": {"type": "move", "seconds": 60}}
HOUR = START + 3600 * SECOND  # when what follows a small log is written


def stopped(since: float, until: float) -> e.Stopped:
    """In seconds after the offer."""
    return e.Stopped(START + int(since * SECOND), START + int(until * SECOND), "downtime")


def stop(match: Match, *stretches: tuple[float, float]) -> Match:
    """The match once these are taken off its clocks, each of which is accepted."""
    for stretch in stretches:
        match, verdict = then(match, stopped(*stretch), HOUR)
        assert isinstance(verdict, Accepted), verdict
    return match


def left(match: Match) -> list[float | None]:
    """The deadline of each seat, in seconds after the offer."""
    seats = range(len(match.holders))
    return [at and (at - START) / SECOND for at in map(match.deadline, seats)]


def test_a_deadline_moves_by_what_lies_after_its_wait_began(bells):
    """Seat 1 is waited for since second 2, seat 0 since second 3."""
    match = after(*dealt(2, game="bells", **CLOCK), played(0, "tap"))
    assert left(match) == [63, 62]
    assert left(stop(match, (10, 15))) == [68, 67]
    assert left(stop(match, (1, 15))) == [75, 75]
    assert left(stop(match, (2.5, 3.5))) == [63.5, 63]
    assert left(stop(match, (2.5, 2.75))) == [63, 62.25]


@pytest.mark.parametrize("stops", list(permutations([(10, 20), (15, 30), (40, 50), (9, 11)])))
def test_time_that_several_name_is_counted_once(stops):
    assert left(stop(after(*dealt(**CLOCK)), *stops)) == [62 + 21 + 10, None]


def test_who_begins_to_wait_afterwards_has_the_time_of_the_table_and_no_more():
    match = stop(after(*dealt(**CLOCK)), (10, 70))
    match, _ = then(match, played(0, "keep"), START + 100 * SECOND)
    assert left(match) == [None, 160]
    assert left(stop(match, (90, 105))) == [None, 165]


def test_an_offer_lapses_later():
    match = stop(after(offered(fill=60), joined(0)), (0, 10), (20, 30), (25, 35))
    assert match.lapses == START + 85 * SECOND
    assert code(match, e.Aborted("unfilled"), START + 85 * SECOND - 1) == "TOO_EARLY"
    assert code(match, e.Aborted("unfilled"), START + 85 * SECOND) is None


def test_what_stood_still_before_the_deal_is_no_seats():
    match = stop(after(offered(**CLOCK), joined(0)), (0, 10))
    match, _ = then(match, joined(1), START + 5 * SECOND)
    assert left(match) == [70, None], "the deal lies within it"
    match, _ = then(stop(after(offered(**CLOCK), joined(0)), (0, 1)), joined(1), HOUR)
    assert left(match) == [3660, None]


def test_nobody_is_out_before_the_moved_deadline():
    match = stop(after(*dealt(**CLOCK)), (10, 70))
    assert code(match, e.Expired(0), START + 122 * SECOND - 1) == "TOO_EARLY"
    assert code(match, e.Expired(0), START + 122 * SECOND) is None


def code(match: Match, entry: e.Entry, at: int = HOUR) -> str | None:
    """What it is refused for."""
    verdict = then(match, entry, at)[1]
    return verdict.code if isinstance(verdict, Refused) else None


TABLE, STOP = dealt(**CLOCK), stopped(10, 20)
REFUSALS = [
    ([offered(), e.Aborted("operator"), STOP], "OVER"),
    ([*TABLE, e.Resigned(0), STOP], "OVER"),
    ([*TABLE, stopped(-1, 20)], "NO_TIME"),
    ([*TABLE, stopped(20, 20)], "NO_TIME"),
    ([*TABLE, stopped(20, 10)], "NO_TIME"),
    ([*TABLE, stopped(10, 3600.001)], "TOO_EARLY"),
    ([*dealt(), STOP], "NO_CLOCK"),
    ([*TABLE, stopped(0, 2)], "NO_CLOCK"),
    ([*dealt(leave="random", **CLOCK), e.Resigned(0), STOP], "NO_CLOCK"),
    ([*dealt(3, **CLOCK), branched(4), STOP], "NO_CLOCK"),
]


@pytest.mark.parametrize(("log", "why"), REFUSALS)
def test_what_is_no_time_that_a_clock_has_counted(log, why):
    assert code(after(*log[:-1]), log[-1]) == why


@pytest.mark.parametrize("again", [(10, 20), (15, 30), (10, 30), (29, 30), (0, 1)])
def test_what_has_been_counted_is_refused(again):
    for log in (TABLE, [offered()]):
        match = stop(after(*log), (0, 20), (15, 30))
        assert code(match, stopped(*again)) == "NO_CLOCK"
        assert then(match, stopped(*again), HOUR)[0].stops == match.stops


def test_everybody_is_told():
    match, verdict = then(after(*TABLE), stopped(10, 70), HOUR)
    told = e.MatchStopped(START + 10 * SECOND, START + 70 * SECOND, "downtime")
    for viewer in (0, 1, None):
        heard = news(note(match), verdict, viewer)
        assert heard.facts == (told,)
        assert heard.deadline == look(match, viewer).deadline == (START + 122 * SECOND, None)


@pytest.mark.parametrize(
    ("at", "says"),
    [
        (0, "1970-01-01 00:00:00 UTC"),
        (951_868_799_999, "2000-02-29 23:59:59 UTC"),
        (951_868_800_000, "2000-03-01 00:00:00 UTC"),
        (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
        (1_735_689_599_000, "2024-12-31 23:59:59 UTC"),
        (2**53, "287396-10-12 08:59:00 UTC"),
    ],
)
def test_any_time_can_be_said(at, says):
    assert utc(at) == says


def test_nothing_but_clocks_changes():
    before = after(*TABLE, played(0, "trade"))
    match = stop(before, (10, 20))
    assert (match.state, match.rolls, match.holders) == (before.state, before.rolls, before.holders)
    assert (match.to_act, match.status) == (before.to_act, "running")
    assert load(save(match)) == match


def test_a_match_remembers_no_more_stops_than_its_clocks_need():
    match = after(*TABLE)
    for n in range(50):
        match = stop(match, (2 + 10 * n, 3 + 10 * n))
        match, _ = then(match, e.Invited(0, "a" * 16), START + (5 + 10 * n) * SECOND)
    assert len(match.stops) == 50, "one seat has waited all the while"
    match, _ = then(match, played(0, "keep"), START + 1000 * SECOND)
    assert stop(match, (1010, 1020)).stops == ((START + 1_010_000, START + 1_020_000),)


@pytest.mark.parametrize("seed", range(10))
def test_whatever_happens_each_deadline_moves_by_all_that_stood_still_since(bells, seed):
    """Against a count, second by second, of what any entry so far has named."""
    chance = Random(seed)
    for _ in range(20):
        match, still = after(*dealt(3, game="bells", **CLOCK)), set[int]()
        for at in range(40, 52):
            since, until = sorted(chance.randrange(40) for _ in range(2))
            move = played(chance.randrange(3), chance.choice(["tap", "rest", "wake"]))
            entry = chance.choice([stopped(since, until), move])
            match, verdict = then(match, entry, START + at * SECOND)
            if isinstance(entry, e.Stopped) and isinstance(verdict, Accepted):
                still |= set(range(since, until))
            begun = [(holder.since_at - START) // SECOND for holder in match.holders]
            assert left(match) == [
                begun[seat] + 60 + len(still & {*range(begun[seat], 60)}) if waits else None
                for seat, waits in enumerate(holder.since for holder in match.holders)
            ]


STOPPED = [*TABLE, stopped(2.5, 3), played(0, "trade"), played(1, "trade")]


def test_a_bundle_with_a_stop_is_true_and_a_forged_one_is_found():
    raw = sealed(*STOPPED)
    assert audited(raw).ok
    for old, new in ((f"{START + 2500}", f"{START + 2000}"), ("downtime", "uptimes!")):
        tree = json.decode(raw)
        in_entry(4, old, new)(tree)
        fault = audited(json.encode(tree)).faults[0]
        assert (fault.seq, fault.kind) == (4, "head" if old.isdecimal() else "unknown")
    tree = json.decode(raw)
    tree["entries"][3]["verdict"]["told"][0]["fact"]["until"] += 1000
    assert kinds(audited(json.encode(tree))) == ["verdict"]


@pytest.mark.parametrize("forged", [[], [stopped(2, 3)], [stopped(2.5, 3), stopped(2, 3)]])
def test_a_stop_that_is_forged_whole_is_found_by_a_kept_head(forged):
    raw = sealed(*TABLE, *forged, *STOPPED[4:])
    assert audited(raw).ok
    assert "kept-head" in kinds(audited(raw, **kept_of(*STOPPED)))
