"""Days on which nobody need play: a table's weekends, a player's vacation."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest
from msgspec import UNSET, ValidationError, convert

from engine import entries as e
from engine import match as match_module
from engine.look import look
from engine.match import DAY, Accepted, Match
from engine.sentences import say_ours
from engine.snapshot import load, save
from tests.engine.logs import SECOND, START, after, dealt, joined, offered, played, then
from tests.engine.test_branch import branched
from tests.engine.test_clocks import code

HOUR = 3_600_000  # ms
MOVE = {"clock": {"type": "move", "seconds": 86_400}}
BANK = {"clock": {"type": "bank", "seconds": 86_400, "increment": 0, "cap": 86_400}}
DEALT = START + 2 * SECOND  # a Tuesday, 22:13:22 UTC; the seats of these logs wait since then


def away(seat: int, since: float, until: float) -> e.Stopped:
    """In days after the deal."""
    return e.Stopped(DEALT + int(since * DAY), DEALT + int(until * DAY), "vacation", seat)


def gone(match: Match, seat: int, until: float, at: float = 0) -> Match:
    """The match once this seat is away, from `at` on."""
    match, verdict = then(match, away(seat, at, until), max(match.at, DEALT + int(at * DAY)))
    assert isinstance(verdict, Accepted), verdict
    return match


def left(match: Match) -> list[float | None]:
    """The deadline of each seat, in days after the deal."""
    return [due and (due - DEALT) / DAY for due in match.deadlines]


# Weekends


@pytest.mark.parametrize("clock", [MOVE, BANK])
def test_no_clock_runs_on_a_day_of_rest(clock):
    assert datetime.fromtimestamp(DEALT / 1000, UTC).weekday() == 1
    assert left(after(*dealt(**clock))) == [1, None]
    for rest, days in (([2], 2), ([2, 3], 3), ([3], 1), ([5, 6], 1), ([0, 2, 3, 4, 5, 6], 7)):
        assert left(after(*dealt(rest=rest, **clock))) == [days, None], rest
    since = datetime.fromtimestamp(DEALT / 1000, UTC).replace(hour=0, minute=0, second=0)
    today = (DEALT - since.timestamp() * 1000) / DAY
    assert left(after(*dealt(rest=[1], **clock))) == [pytest.approx(2 - today), None]


def test_a_bank_pays_nothing_for_a_day_of_rest():
    match = after(*dealt(2, rest=[2], **BANK))
    match, _ = then(match, played(0, "trade"), DEALT + int(1.5 * DAY))
    assert match.banks == (DAY // 2, DAY)


def test_a_week_without_a_day_to_play_is_none():
    for rest in (list(range(7)), [7], [-1]):
        with pytest.raises(ValidationError):
            convert({"rest": rest}, e.Policy)


# Vacations


@pytest.mark.parametrize("clock", [MOVE, BANK])
def test_the_clock_of_who_is_away_stands_still_and_no_other(bells, clock):
    match = after(*dealt(2, game="bells", **clock))
    assert left(gone(match, 0, 3)) == [4, 1]
    assert left(gone(gone(match, 0, 3), 0, 5)) == [6, 1], "longer"
    assert left(gone(gone(match, 0, 3), 1, 2)) == [4, 3]
    assert left(gone(match, 0, 3, at=0.5)) == [3.5, 1], "not before it was said"
    assert code(gone(match, 0, 3), away(0, 1, 3), DEALT + DAY) == "NO_CLOCK"


def test_it_counts_with_downtime_and_weekends_once(bells):
    match = after(*dealt(2, game="bells", rest=[3], **MOVE))
    assert left(gone(match, 0, 2.5)) == [3.5, 1 + 0], "most of the day of rest lies within"
    match = gone(after(*dealt(2, game="bells", **MOVE)), 0, 2)
    match, _ = then(match, e.Invited(0, "a" * 16), DEALT + 3 * DAY)
    stopped = e.Stopped(DEALT + DAY, DEALT + int(2.5 * DAY), "downtime")
    assert left(then(match, stopped, DEALT + 3 * DAY)[0]) == [3.5, 2.5]


def test_a_vacation_that_begins_after_the_deadline_moves_nothing():
    match = after(*dealt(**MOVE))
    assert left(gone(match, 0, 5, at=1.5)) == [1, None]


def test_a_bank_pays_nothing_for_a_vacation():
    match = gone(after(*dealt(2, **BANK)), 0, 3)
    match, _ = then(match, played(0, "trade"), DEALT + int(3.25 * DAY))
    assert match.banks == (3 * DAY // 4, DAY)


def test_a_table_can_forbid_or_limit_it():
    assert code(after(*dealt(vacation=0, **MOVE)), away(0, 0, 1), DEALT) == "NO_VACATION"
    match = after(*dealt(vacation=3, **MOVE))
    assert code(match, away(0, 0, 3.1), DEALT) == "NO_VACATION"
    match = gone(match, 0, 2)
    assert left(match) == [3, None]
    assert code(match, away(0, 2.5, 3.6), DEALT + int(2.5 * DAY)) == "NO_VACATION"
    assert code(match, away(0, 2.5, 3.5), DEALT + int(2.5 * DAY)) is None


def test_all_see_it():
    match = after(*dealt(**MOVE))
    match, verdict = then(match, away(1, -1, 3), DEALT + SECOND)
    told = e.MatchStopped(DEALT + SECOND, DEALT + 3 * DAY, "vacation", 1)
    assert [one.fact for one in verdict.told] == [told]
    says = say_ours(told).sentence(["Ann", "Ben"])
    assert says == "Ben is on vacation until 2023-11-17 22:13:22 UTC: its clock stands still."
    for viewer in (0, 1, None):
        places = look(match, viewer).seats
        assert [place.away for place in places] == [UNSET, DEALT + 3 * DAY]
    assert load(save(match)) == match
    back, _ = then(match, played(0, "trade"), DEALT + 3 * DAY)
    assert look(back, 0).seats[1].away is UNSET


TABLE = dealt(**MOVE)
REFUSALS = [
    ([*dealt(), away(0, 0, 1)], "NO_CLOCK"),
    ([*TABLE, branched(3), away(0, 0, 1)], "NOT_SEATED"),
    ([offered(None, "greedy", **MOVE), joined(0), away(1, 0, 1)], "NOT_SEATED"),
    ([*TABLE, away(2, 0, 1)], "NO_SUCH_SEAT"),
    ([offered(**MOVE), away(0, 0, 1)], "NOT_DEALT"),
    ([*TABLE, away(0, 0, 0)], "NO_TIME"),
    ([*TABLE, e.Stopped(DEALT, DEALT + DAY, "vacation")], "NO_TIME"),
    ([*TABLE, e.Stopped(START, DEALT, "downtime", 0)], "NO_TIME"),
    ([*TABLE, e.Resigned(0), away(1, 0, 1)], "OVER"),
    ([*dealt(vacation=0, **MOVE), away(0, 0, 1)], "NO_VACATION"),
]


@pytest.mark.parametrize(("log", "why"), REFUSALS)
def test_what_is_no_vacation(log, why):
    assert code(after(*log[:-1]), log[-1], max(DEALT, START + len(log) * SECOND)) == why


@pytest.mark.parametrize("seed", range(20))
def test_however_it_is_mixed_a_clock_runs_while_nothing_holds_it(seed):
    """Against a count, in steps of ten minutes."""
    chance, step = Random(seed), HOUR // 6
    rest = chance.sample(range(7), chance.randrange(4))
    match, free = after(*dealt(rest=rest, **MOVE)), set[int]()
    begun = chance.randrange(10)
    for _ in range(2):
        ended = begun + chance.randrange(1, 60)
        vacation = away(0, begun / 24, ended / 24)
        match, _ = then(match, vacation, max(match.at, DEALT + begun * HOUR))
        free |= set(range(begun, ended))
        begun += chance.randrange(20)
    due, ran = match.deadlines[0], 0
    for at in range(DEALT, due, step):
        weekday, hour = (at // DAY + 3) % 7, (at - DEALT) // HOUR
        ran += weekday not in rest and hour not in free
    assert abs(ran * step - DAY) <= 8 * step, "a step at each edge"


# What a forged log may say


FAR = 2**53 - 1  # ms: the latest time that can be written


@pytest.mark.parametrize("rest", [[2], [0, 1, 2, 3, 4, 5]])
def test_no_time_however_long_is_counted_day_by_day(rest, monkeypatch):
    """A bundle of a few lines would keep an auditor busy for hours."""
    walked = _walking(monkeypatch)
    match = after(*dealt(rest=rest, **BANK))
    then(match, played(0, "keep"), FAR)
    down, verdict = then(match, e.Stopped(DEALT + HOUR, FAR - 1, "downtime"), FAR)
    assert isinstance(verdict, Accepted)
    assert [due and due > FAR for due in down.deadlines] == [True, None]
    assert len(walked) < 1000


def _walking(monkeypatch) -> list[object]:
    """The days that are walked from here on."""
    walked: list[object] = []
    real = match_module._rest

    def rest(*args):
        for day in real(*args):
            walked.append(day)
            assert len(walked) < 1000, "day by day"
            yield day

    monkeypatch.setattr(match_module, "_rest", rest)
    return walked


def test_whole_weeks_are_counted_as_their_days_would_be():
    draw = Random(8)
    for _ in range(300):
        days = tuple(draw.sample(range(7), draw.randrange(7)))
        since = draw.randrange(-30 * DAY, 30 * DAY)
        until = since + draw.randrange(40 * DAY)
        one_by_one = sum(
            max(0, min(until, (day + 1) * DAY) - max(since, day * DAY))
            for day in range(-31, 72)
            if (day + 3) % 7 in days
        )
        assert match_module._rested(since, until, days) == one_by_one
