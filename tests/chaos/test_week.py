"""A week of play in fast-forward: people who dawdle, leave, return, vote and race their clocks,
give orders for later, hold tournaments and play again, while the processes that see to them die at
random.

TURNFOLD_LONG=1 plays more matches, from more seeds.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from engine import entries as e
from engine.match import Match
from services import finished, ledger, ratings
from services.notices import due
from services.notices.outbox import Name
from services.ratings import Result
from tests.chaos.fake_week import HOUR, SECOND, Week
from tests.chaos.people import People
from tests.chaos.told import Told
from workers.robots import waited_for

LONG = bool(os.environ.get("TURNFOLD_LONG"))
MATCHES, CONTESTS, SEEDS, DAYS = (200, 12, 5, 7) if LONG else (6, 1, 1, 7)
GRACE, SOON = 2 * SECOND, 5 * SECOND  # after a deadline: a move still counts; it is dealt with
CALLED = 60 * SECOND + SOON  # until a robot moves that has been called
DELAY, PATIENT = 60 * SECOND, 900 * SECOND  # until a turn is told; by when it must be
ENTRIES = ("Played", "Expired", "Resigned", "Stopped", "Proposed", "Answered", "Seated", "Claimed")
SEEN = ("reacts died", "met", "Entered", "over", "notices", *ENTRIES[:2])  # in any week
RARE = (
    *("apis died", "workers died", "senders died", "jobs died", "Repeated", "rated", *ENTRIES[2:]),
    *("taken back", "random robots", "greedy robots", "search robots", "rematches"),
    *("tournament over", "orders played", "withdrawn"),
)


def play(seed: int, monkeypatch) -> tuple[Week, People, list[Told]]:
    week = Week(seed, monkeypatch)
    people = People(week)
    people.plan(MATCHES, CONTESTS, DAYS)
    end = week.now + DAYS * 24 * HOUR
    for _ in range(3):
        week.at(
            week.chance.randrange(week.now, end), lambda: week.down(week.chance.choice((9, 1800)))
        )
    week.run(end)
    week.calm = True  # people sleep, and nobody dies any more
    week.nudge(60, 600, 1800, 3000)
    week.run(end + HOUR)
    week.count_all()
    return week, people, [Told(week, name) for name in (*people.games, *people.contests.names())]


def stood(week: Week, since: int, until: int) -> int:
    """For how long, between two times, nobody could see to a deadline."""
    time, at = 0, since
    for begun, ended in sorted(week.stood):
        begun, ended = max(begun, at), min(ended, until)
        if begun < ended:
            time, at = time + ended - begun, ended
    return time


def check_end(week: Week, told: Told) -> None:
    """It is over, or waits for whom it should, until a time to come if for any."""
    match = told.last
    if match.over:
        record = told.record
        assert finished.report(told.name, record).faults == ()
        return
    for seat, _ in waited_for(match):
        assert match.holders[seat].since_at + CALLED > week.now, "a robot owes a move"
    assert match.due is None or match.due + GRACE + SOON > week.now
    if match.state is None:
        assert match.due is not None
        assert any(holder.open for holder in match.holders)
        return
    since = {seat for seat, holder in enumerate(match.holders) if holder.since is not None}
    assert set(match.to_act) == since
    runs = match.offered.policy.clock is not None and match.paused is None
    for seat in since:
        assert runs == (match.deadline(seat) is not None)


def waits(week: Week, told: Told) -> Iterator[tuple[Match, int, int]]:
    """Each state, since when its deadline is known, and when the next one came."""
    due, known = None, 0
    for match, then in zip(told.matches, [*told.matches[1:], None], strict=True):
        if match.due != due:
            due, known = match.due, match.at
        yield match, known, week.now if then is None else then.at


def check_deadlines(week: Week, told: Told) -> int:
    """Nobody is out before the grace is over; nothing waits for long once it is. How long at most,
    in ms. A deadline may be over when it is made: who was late and then paused is so afterwards."""
    for before, entry, after in told.taken(e.Expired):
        assert before.deadline(entry.seat) + GRACE <= after.at, "too early"
    most = 0
    for match, known, at in waits(week, told):
        if match.due is not None and at > match.due + GRACE:
            since = max(match.due, known)
            late = at - max(match.due + GRACE, known) - stood(week, since, at)
            assert late <= SOON, f"entry {match.seq + 1} of {told.name} came {late} ms late"
            most = max(most, late)
    return most


def check_clocks(people: People, told: Told) -> None:
    """No clock runs while somebody is away, or all agreed to pause; none is below zero."""
    for match in told.matches:
        assert min(match.banks or (0,)) >= 0
        for holder, deadline in zip(match.holders, match.deadlines, strict=True):
            assert deadline is None or deadline >= holder.since_at
    for before, entry, after in told.taken(e.Expired):
        assert before.paused is None
        holder, policy = before.holders[entry.seat], before.offered.policy
        for since, until in people.away[holder.player]:
            at_home = after.at < since + GRACE + 2 * SOON or until < after.at
            assert at_home or policy.vacation is not e.UNSET, "expired while away"


def check_moves(people: People, tolds: dict[str, Told]) -> None:
    """What somebody was told is in the log is there, once."""
    for told in tolds.values():
        keys = Counter(entry.key for _, entry, _ in told.taken(e.Played) if entry.key)
        assert not keys or max(keys.values()) == 1
    for name, key, seq in people.told:
        assert tolds[name].entries[seq - 1].key == key


def check_notices(week: Week, tolds: dict[str, Told]) -> None:
    """Each is sent once; that it is somebody's turn, unless it was not any more before that."""
    sent = Counter(name for name, _ in week.post.got)
    for name, times in sent.items():
        assert times <= 1 + week.post.unsure[name], f"{name} was sent {times} times"
    at = dict(reversed(week.post.got))
    for told in tolds.values():
        for turn, until, deadline in told.turns():
            name = Name(told.name, turn.seat, turn.since, turn.player[:8], "turn")
            if name in at:
                assert turn.at + DELAY <= at.pop(name) <= (until or week.now) + SOON
                continue
            left = min(until or week.now, deadline or week.now) - turn.at
            assert left <= PATIENT + stood(week, turn.at, turn.at + left), f"{name} was not sent"
        for seat, player in due.left(told.last):
            name, since = Name(told.name, seat, told.last.seq, player[:8], "over"), told.last.at
            known = PATIENT + stood(week, since, week.now)
            assert at.pop(name, None) or week.now - since <= known, f"{name} was not sent"
    assert not [name for name in at if name.kind != "invited"], "told of what is not so"


def check_ratings(week: Week, tolds: list[Told]) -> int:
    """They are what results from the logs come to; how many there are."""
    results: dict[str, list[tuple[int, Result]]] = defaultdict(list)
    for told in tolds:
        if told.last.over and (result := ratings.result_of(told.name, told.last)):
            results[told.last.offered.game].append((ratings.known_at(told.last), result))
    for game, known in results.items():
        wanted = ratings.all_rated(known)
        players = sorted(wanted)
        found = week.server.ask(ratings.standings(game, players))
        assert dict(zip(players, found, strict=True)) == wanted, game
        assert week.server.ask(ratings.count_rated(game)) == len(wanted)
    return sum(map(len, results.values()))


def check(week: Week, people: People, tolds: list[Told]) -> Counter[str]:
    """All that must hold; what was seen."""
    seen = Counter(week.counts)
    for told in tolds:
        check_end(week, told)
        seen["ms late"] = max(seen["ms late"], check_deadlines(week, told))
        check_clocks(people, told)
        seen[told.last.status] += 1
        seen["entries"] += len(told.entries)
        seen.update(
            type(one).__name__ for kind in ENTRIES for _, one, _ in told.taken(getattr(e, kind))
        )
        seen["taken back"] += sum(isinstance(fact, e.MatchTakenBack) for fact in told.facts)
        seen.update(f"{holder.robot} robots" for holder in told.last.holders if holder.robot)
    named = {told.name: told for told in tolds}
    check_moves(people, named)
    check_notices(week, named)
    seen += people.contests.check(named) + people.planners.check(named)
    seen["notices"] = len(week.post.got)
    seen["rated"] = check_ratings(week, tolds)
    assert week.server.run("XLEN", "{0}:unfolded") == 0
    assert week.server.ask(ledger.all_stuck(0)) == {}
    return seen


@pytest.mark.parametrize("seed", range(2, 2 + SEEDS))
def test_a_week_ends_in_order(seed, monkeypatch):
    with monkeypatch.context() as patch:
        seen = check(*play(seed, patch))
    print(dict(seen))
    for kind in (*SEEN, *(RARE if MATCHES >= 200 else ())):
        assert seen[kind], f"no {kind}: {seen}"
