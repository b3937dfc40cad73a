"""Clocks and who is absent, by their numbers in docs/requirements.md."""

from __future__ import annotations

import time

import pytest
from msgspec import UNSET, Raw, json

from engine import entries as e
from engine.catalogue import GAMES
from engine.look import look
from engine.match import encode
from services import door, ledger, roll
from services.agreements import claiming
from tests.chaos.fake_server import FakeWire, Server
from tests.engine.logs import joined, played, player
from tests.http.people import problem, table
from tests.workers.hall import Hall, M, N
from tests.workers.hall import table as dealt
from workers.clocks import GRACE

CLOCK = {"clock": {"type": "move", "seconds": 60}}
BANK = {"clock": {"type": "bank", "seconds": 60, "increment": 20, "cap": 70}}


@pytest.fixture
def hall(monkeypatch) -> Hall:
    server = Server(monkeypatch)
    return Hall(server, FakeWire(server.store))


@pytest.mark.parametrize(
    ("game", "expiry"), [("captain-flip", "default"), ("qwirkle", "default"), ("qwirkle", "greedy")]
)
def test_r12_when_time_is_up_a_move_is_made_as_the_table_agreed(hall, game, expiry):
    hall.write(M, *dealt(game=game, expiry=expiry, **CLOCK))
    before = hall.match(M)
    [seat] = before.to_act
    hall.tick(63)
    entry, match = hall.entry(M), hall.match(M)
    assert (entry.seat, match.seq) == (seat, before.seq + 1)
    if expiry == "default":
        assert bytes(entry.move) == encode(GAMES[game].default(before.state, seat))
    assert (match.over, match.holders[seat].gone) == (False, None)
    assert match.state != before.state


def test_r13_a_clock_is_per_move_or_a_bank_with_an_increment_and_a_cap(hall):
    hall.write(M, *dealt(**BANK))
    begun = hall.match(M).at
    assert hall.match(M).deadlines == (begun + 60_000, None)
    hall.sleep(4)
    hall.write(M, played(0, "trade"))  # after 5 s: 55 and 20 are more than the cap
    match = hall.match(M)
    assert match.banks == (70_000, 60_000)
    assert match.deadlines == (None, match.at + 60_000)


def test_r13_an_empty_bank_is_told_by_itself(hall):
    hall.write(M, *dealt(**BANK))
    hall.tick(61)
    assert hall.match(M).seq == 3
    hall.tick(2)
    assert (hall.entry(M), hall.match(M).outcome.why) == (e.Expired(0), "expired")


def test_r13_downtime_is_taken_off_no_bank(hall):
    hall.write(M, *dealt(**BANK))
    hall.sleep(4)
    hall.away(40)
    hall.write(M, played(0, "trade"))  # before react has said a word of it
    hall.tick()
    assert hall.match(M).banks[0] == 70_000


def test_r16_a_clock_rings_within_its_bound_and_nobody_need_look(hall):
    """A react looks once a second: two seconds after the deadline, and five more at the most."""
    hall.write(M, *dealt(**CLOCK))
    deadline = hall.match(M).deadline(0)
    while not hall.match(M).over:
        hall.tick(1)
    assert GRACE <= hall.match(M).at - deadline <= GRACE + 5000


def test_r17_what_ends_a_match_ends_its_clocks(hall):
    for end in (e.Resigned(1), e.Aborted("operator")):
        name = M[:-1] + str("ab"[isinstance(end, e.Aborted)])
        hall.write(name, *dealt(**BANK), end)
        match = hall.match(name)
        assert (match.deadlines, match.due) == ((None, None), None)
        assert look(match, 0).to_act == ()
        seq = match.seq
        hall.tick(3600)
        assert hall.match(name).seq == seq
    assert hall.server.ask(ledger.due(0, 2**53, 10)) == []


def test_r18_a_deadline_is_a_time_and_its_grace_is_documented(hall):
    hall.write(M, *dealt(**CLOCK))
    dealt_at = hall.match(M).at
    assert json.decode(encode(look(hall.match(M), 0)))["deadline"] == [dealt_at + 60_000, None]
    hall.tick(61)  # within the grace
    hall.write(M, played(0, "keep"))
    assert not hall.match(M).over


def test_r19_expiry_gives_a_right_to_claim_and_ends_nothing(hall):
    hall.write(M, *dealt(n=3, expiry="claim", **CLOCK))
    hall.tick(3600)
    match = hall.match(M)
    assert (hall.entry(M), match.seq, match.over) == (e.Expired(0), 5, False)
    assert look(match, 1).claimable == (0,)
    own = hall.server.talk(claiming(M, player(0)))
    assert isinstance(own, door.NotAllowed), "nobody claims their own seat"
    assert isinstance(hall.server.talk(claiming(M, player(2))), door.Entered)
    hall.server.work()
    assert (hall.entry(M), hall.match(M).outcome.places) == (e.Claimed(0, 2), (3, 1, 1))


def test_r19_a_move_after_the_expiry_and_before_a_claim_counts(hall):
    hall.write(M, *dealt(expiry="claim", **CLOCK))
    hall.tick(3600)
    hall.write(M, played(0, "keep"))
    claimed = hall.server.talk(claiming(M, player(1), 0))
    assert isinstance(claimed, door.NotAllowed)
    assert claimed.refused.code == "NO_CLAIM"


def test_r19_a_claim_over_http(make, visitor):
    match, (ann, _) = table(make, policy={"expiry": "claim"} | CLOCK)
    claims = [who.post(f"/matches/{match}/claim", json={}) for who in (ann, make(), visitor)]
    assert [problem(claim) for claim in claims] == [
        "422 refused",
        "403 not-yours",
        "401 who-are-you",
    ]
    assert claims[0].json()["code"] == "NO_CLAIM"


def test_r21_repeated_absence_shortens_the_wait_after_a_warning(hall):
    """A two-minute clock; who lets it run out twice in a row has one, until it moves by itself."""
    clock, absent = {"type": "move", "seconds": 120}, {"after": 2, "seconds": 60}
    hall.write(M, *dealt(game="qwirkle", expiry="default", clock=clock, absent=absent))
    hall.tick(123)
    [warned] = (place for place in look(hall.match(M), None).seats if place.missed)
    assert warned.missed == 1
    for _ in range(3):
        hall.tick(123)
    match = hall.match(M)
    [seat] = match.to_act
    assert match.deadlines[seat] == match.at + 60_000
    assert [place.missed for place in look(match, 0).seats] == [2, 2]
    move = Raw(encode(match.game.default(match.state, seat)))
    hall.write(M, e.Played(seat, move, None))
    assert look(hall.match(M), None).seats[seat].missed is UNSET
    hall.tick(63)
    assert hall.match(M).deadlines[seat] == hall.match(M).at + 120_000


# Vacations

DAY = 86_400_000  # ms
DAYS = {"clock": {"type": "move", "seconds": 86_400}}


def go_away(hall: Hall, n: int, days: float, most: int = 30) -> int | None:
    """Player n says so; a react hears of it."""
    until = hall.clock.ms + int(days * DAY)
    said = hall.server.talk(roll.vacation(player(n), hall.clock.ms, until, most))
    hear_of_vacations(hall)
    return said


def hear_of_vacations(hall: Hall) -> None:
    hall.tick()
    hall.reactor.hear_of_vacations()
    hall.server.work()
    hall.hear()


def test_r14_a_vacation_stops_ones_clocks_everywhere_and_all_see_it(hall):
    hall.write(M, *dealt(**DAYS))
    hall.write(N, *dealt(**DAYS))
    hall.hear()
    deadlines = [hall.match(name).deadlines[0] for name in (M, N)]
    until = go_away(hall, 0, 3)
    for name, deadline in zip((M, N), deadlines, strict=True):
        match, entry = hall.match(name), hall.entry(name)
        assert (entry.why, entry.seat, entry.until) == ("vacation", 0, until)
        assert match.deadlines[0] == deadline + until - match.at
        assert look(match, None).seats[0].away == until
    seq = hall.match(M).seq
    hear_of_vacations(hall)
    assert hall.match(M).seq == seq, "said once"
    later = M[:-1] + "z"
    hall.write(later, *dealt(**DAYS))
    hall.hear()
    assert hall.entry(later).until == until, "in a match that is dealt afterwards, too"


def test_r14_a_react_that_was_away_says_it_afterwards(hall):
    hall.write(M, *dealt(**DAYS))
    hall.hear()
    until = hall.clock.ms + 3 * DAY
    hall.server.talk(roll.vacation(player(0), hall.clock.ms, until, 30))
    hall.reactor = hall.react("another")
    hear_of_vacations(hall)
    assert hall.entry(M).until == until


def test_r14_on_a_day_of_rest_no_clock_runs(hall):
    rest = [(hall.clock.ms // DAY + 3 + ahead) % 7 for ahead in (1, 2)]
    hall.write(M, *dealt(rest=rest, **DAYS))
    match = hall.match(M)
    assert match.deadlines[0] == match.at + 3 * DAY
    assert look(match, 1).policy.rest == tuple(rest)


def test_r14_a_vacation_over_http(make, visitor):
    ann, now = make(), time.time_ns() // 1_000_000
    away = ann.post("/players/me/vacation", json={"until": now + 3 * DAY})
    assert (away.status_code, away.json()["away"]) == (200, now + 3 * DAY)
    assert ann.get("/players/me").json()["away"] == now + 3 * DAY
    for until in (now - DAY, now + 400 * DAY):
        refused = ann.post("/players/me/vacation", json={"until": until})
        assert problem(refused) == "422 invalid"
    asked = visitor.post("/players/me/vacation", json={"until": now + DAY})
    assert problem(asked) == "401 who-are-you"


def test_r15_a_table_can_forbid_or_limit_vacations(hall):
    hall.write(M, *dealt(vacation=0, **DAYS))
    hall.write(N, *dealt(vacation=2, **DAYS))
    hall.hear()
    go_away(hall, 0, 5)
    assert hall.entry(M) == joined(1)
    assert hall.entry(N).until - hall.match(N).at <= 2 * DAY


def test_r22_days_away_are_counted_per_person_and_year(hall):
    hall.write(M, *dealt(**DAYS))
    hall.hear()
    assert go_away(hall, 0, 3.5, most=6), "four begun days"
    assert go_away(hall, 0, 3, most=6), "no longer than it was: free"
    assert go_away(hall, 0, 5.5, most=6), "two more"
    until = hall.match(M).holders[0].away[-1][1]
    assert go_away(hall, 0, 6.5, most=6) is None
    assert hall.match(M).holders[0].away[-1][1] == until
    assert go_away(hall, 1, 6, most=6), "and another's are another's"
    hall.server.talk(roll.delete_player(player(0)))
    assert hall.server.ask(roll.away_until(player(0))) is None
