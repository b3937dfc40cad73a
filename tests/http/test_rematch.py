"""The same match again, with the same players."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

from services import ledger
from tests.http.people import played, problem, table


def test_all_who_ask_get_the_same_match_and_nobody_else_sits_in_it(make, visitor):
    how = {"options": {"cards": 40}, "policy": {"leave": "random", "watchers": "invited"}}
    match, seats = table(make, "high-card", 3, **how)
    played(match, seats, Random(1))
    with ThreadPoolExecutor() as pool:
        asked = list(pool.map(lambda who: who.post(f"/matches/{match}/rematch"), seats))
    [name] = {answer.json()["look"]["match"] for answer in asked}
    assert name != match
    again, first = seats[0].look(name, seq=1), seats[0].look(match)
    assert again["options"] == first["options"]
    assert again["policy"] == first["policy"] | {"join": "invited"}
    assert seats[1].get(f"/matches/{match}/rematch").json() == {"match": name}
    assert problem(make().join(name)) == "403 not-yours"
    assert all(who.join(name).status_code == 201 for who in seats)
    assert seats[2].look(name)["status"] == "running"
    assert seats[2].post(f"/matches/{match}/rematch").json()["look"]["match"] == name
    assert seats[0].look(match) == first


def test_an_offer_to_the_invited_is_listed_for_them_alone(make, visitor, stage):
    match, seats = table(make)
    played(match, seats, Random(1))
    name = seats[0].post(f"/matches/{match}/rematch").json()["look"]["match"]

    stage.wire().ask(ledger.index("open", name, 1))  # as react would

    def lists(who) -> bool:
        found = who.get("/matches", params={"state": "open", "limit": 200}).json()["matches"]
        return name in [one["match"] for one in found]

    assert all(map(lists, seats))
    assert not lists(make())
    assert not lists(visitor)


def test_robots_sit_again_where_they_sat(make):
    ann = make()
    match = ann.offer(seats=[None, "random", "greedy"])
    ann.post(f"/matches/{match}/resign")
    name = ann.post(f"/matches/{match}/rematch").json()["look"]["match"]
    assert [place["robot"] for place in ann.look(name)["seats"]] == [None, "random", "greedy"]


def test_only_those_who_played_and_only_once_over(make, visitor):
    match, (ann, bob) = table(make)
    assert problem(ann.post(f"/matches/{match}/rematch")) == "409 not-over"
    assert problem(ann.get(f"/matches/{match}/rematch")) == "404 no-such-thing"
    bob.post(f"/matches/{match}/resign")
    assert problem(make().post(f"/matches/{match}/rematch")) == "403 not-yours"
    assert problem(visitor.post(f"/matches/{match}/rematch")) == "401 who-are-you"
    assert problem(visitor.get(f"/matches/{match}/rematch")) == "404 no-such-thing"
    name = ann.post(f"/matches/{match}/rematch").json()["look"]["match"]
    assert visitor.get(f"/matches/{match}/rematch").json() == {"match": name}


def test_who_was_invited_to_watch_watches_the_next_one_too(make, visitor):
    match, (ann, bob) = table(make, policy={"watchers": "invited"})
    eve = make()
    ann.post(f"/matches/{match}/invite", json={"player": eve.id})
    bob.post(f"/matches/{match}/resign")
    name = ann.post(f"/matches/{match}/rematch").json()["look"]["match"]
    assert eve.get(f"/matches/{match}/rematch").json() == {"match": name}
    assert problem(visitor.get(f"/matches/{match}/rematch")) == "404 no-such-thing"
    assert problem(eve.join(name)) == "403 not-yours", "to watch, not to play"
    assert [who.join(name).status_code for who in (ann, bob)] == [201, 201]
    assert eve.look(name)["viewer"] == "watcher"
    assert problem(visitor.see(name)) == "404 no-such-thing"
