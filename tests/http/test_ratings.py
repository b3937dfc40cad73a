"""The ladder of a game, over HTTP."""

from __future__ import annotations

import pytest

from services import ratings
from services.ratings import Result, all_rated
from services.wire import converse
from tests.http.people import problem

GAME = "flipology"  # nobody else rates it on this stage


@pytest.fixture
def three(make, stage):
    """Ann has won twice, against Bob, who has won once, against Cas."""
    ann, bob, cas = make(name="Ann"), make(name="Bob"), make(name="Cas")
    results = [
        (1, Result("0-" + "a" * 16, (ann.id, bob.id), (1, 2))),
        (2, Result("0-" + "b" * 16, (bob.id, ann.id), (2, 1))),
        (3, Result("0-" + "c" * 16, (bob.id, cas.id), (1, 2))),
    ]
    wire = stage.wire()
    wire.ask(ratings.Ask(("DEL", *(ratings._key(GAME, what) for what in KEYS)), bool))
    for at, result in results:
        wire.ask(ratings.add(GAME, at, result))
    assert converse(ratings.count(GAME, 10**9), wire.ask) == 3
    wire.close()
    return (ann, bob, cas), all_rated(results)


KEYS = ("results", "upto", "standings", "board")


def test_best_first_in_pages(three, visitor):
    (ann, bob, cas), wanted = three
    first = visitor.get(f"/games/{GAME}/ratings", params={"limit": 2}).json()
    assert (first["matches"], first["next"]) == (3, 2)
    rest = visitor.get(f"/games/{GAME}/ratings", params={"after": 2}).json()
    rows = [*first["players"], *rest["players"]]
    assert [(row["place"], row["player"]) for row in rows] == [
        *((1, ann.id), (2, bob.id), (3, cas.id))
    ]
    assert [row["rating"] for row in rows] == [wanted[one.id].rating for one in (ann, bob, cas)]
    assert [(row["matches"], row["wins"]) for row in rows] == [(2, 2), (3, 1), (1, 0)]
    assert rest["next"] is None


def test_ones_own(three):
    (_, bob, _), wanted = three
    [row] = bob.get("/players/me/ratings").json()
    assert (row["game"], row["place"], row["mu"]) == (GAME, 2, wanted[bob.id].mu)
    assert bob.get(f"/players/{bob.id}/ratings").json() == [row]


def test_which_seat_wins(three, visitor):
    said = visitor.get(f"/games/{GAME}/statistics").json()
    assert (said["matches"], said["players"]) == (3, 3)
    assert said["by_seats"] == [{"seats": 2, "matches": 3, "firsts": [2, 1]}]


def test_who_deletes_the_account_is_off_the_ladder(three, visitor):
    (ann, bob, cas), _ = three
    ann.delete("/players/me", params={"confirm": ann.id})
    rows = visitor.get(f"/games/{GAME}/ratings").json()["players"]
    assert [row["player"] for row in rows] == [bob.id, cas.id]
    assert problem(visitor.get(f"/players/{ann.id}/ratings")) == "404 no-such-thing"


def test_a_rated_match_is_among_people(make):
    ann = make()
    asked = {"game": "high-card", "seats": [None, "greedy"], "policy": {"rated": True}}
    assert problem(ann.post("/matches", json=asked)) == "422 invalid"
    match = ann.offer(policy={"rated": True})
    assert ann.look(match)["policy"]["rated"] is True
