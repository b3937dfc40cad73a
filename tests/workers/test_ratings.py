"""React notes what rated matches come to, once it may be known, and has it counted."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine import entries as e
from services import ratings
from services.ratings import Result
from tests.chaos.fake_server import FakeWire, Server
from tests.engine.logs import dealt, player
from tests.workers.hall import Hall, M, N

ANN, BOB = player(0), player(1)


@pytest.fixture
def hall(monkeypatch) -> Hall:
    server = Server(monkeypatch)
    return Hall(server, FakeWire(server.store))


def standings(hall: Hall) -> dict[str, ratings.Standing]:
    hall.hear()
    hall.sleep(ratings.SETTLED / 1000 + 1)
    hall.reactor.results.due()
    known = hall.server.ask(ratings.standings("high-card", (ANN, BOB)))
    return {p: one for p, one in zip((ANN, BOB), known, strict=True) if one is not None}


def match(hall: Hall, *more: e.Entry, name: str = M, **policy) -> None:
    hall.write(name, *dealt(**policy), *more)


def test_a_rated_match_counts_once_for_all_who_played(hall):
    match(hall, e.Resigned(0), rated=True)
    wanted = ratings.rated({}, Result(M, (ANN, BOB), (2, 1)))
    assert standings(hall) == wanted
    assert standings(hall) == wanted
    match(hall, e.Resigned(0), rated=True, name=N)
    assert {one.matches for one in standings(hall).values()} == {2}


@pytest.mark.parametrize(
    ("policy", "last"),
    [
        ({"rated": False}, e.Resigned(0)),
        ({"rated": True}, e.Aborted("operator")),
        ({"rated": True}, None),
    ],
)
def test_nothing_else_counts(hall, policy, last):
    match(hall, *filter(None, [last]), **policy)
    assert standings(hall) == {}


def test_a_seat_that_the_table_gave_away_makes_it_count_for_nobody(hall):
    given = e.Proposed(0, e.Replace(1, robot="greedy")), e.Answered(1, 4, True)
    match(hall, *given, e.Resigned(0), rated=True)
    assert hall.match(M).over
    assert standings(hall) == {}


def test_a_match_alone_counts_for_nobody_and_keeps_no_other_from_it(hall):
    alone = {"game": "captain-flip", "options": {"solo": True}}
    hall.write(M, *dealt(1, rated=True, **alone), e.Resigned(0))
    hall.hear()
    assert hall.match(M).outcome is not None
    match = hall.match(M)
    assert ratings.result_of(M, match) is None
    assert hall.server.ask(ratings.count_results("captain-flip")) == 0


def test_who_left_is_last_whatever_the_robot_made_of_the_seat(hall):
    match(hall, e.Resigned(0), rated=True, leave="greedy")
    now = hall.match(M)
    outcome = ratings.ranked((9, 1), "won")
    result = ratings.result_of(M, replace(now, outcome=outcome))
    assert result == Result(M, (ANN, BOB), (2, 1))


def test_where_watchers_are_late_so_is_what_it_came_to(hall):
    match(hall, e.Resigned(0), rated=True, late={"type": "seconds", "n": 60})
    assert standings(hall) == {}
    hall.sleep(60)
    hall.reactor.again()
    assert standings(hall)
