"""Who may watch, how late they are, and whom a table lets in."""

from __future__ import annotations

import time

import pytest

from tests.http.feeds import NDJSON, SSE, Listener, heard
from tests.http.people import problem, table

KEEP = {"type": "keep"}
BOTH = pytest.mark.parametrize("kind", [SSE, NDJSON])
LATE = {"policy": {"late": {"type": "entries", "n": 2}}}
ONE = {"type": "choose", "number": 1}


def chosen(match, seats, times: int = 1) -> None:
    for _ in range(times):
        for player in seats:
            assert player.play(match, ONE, player.look(match)["seq"]).status_code == 201


def test_a_late_watcher_is_told_how_late_and_which_version(make, visitor):
    match, seats = table(make, "together", options={"rounds": 3}, **LATE)
    chosen(match, seats, 2)
    seen = visitor.see(match)
    assert seen.json()["seq"] == 5
    assert seen.json()["policy"]["late"] == {"type": "entries", "n": 2}
    assert seen.headers["etag"] == '"5"'
    assert seen.headers["turnfold-late"] == visitor.replay(match).headers["turnfold-late"]
    assert seen.headers["turnfold-late"] == "2 entries"
    assert seen.json() == seats[0].look(match, seq=5, **{"as": "watcher"})
    assert problem(visitor.see(match, seq=6)) == "404 no-such-thing"
    assert "turnfold-late" not in seats[0].see(match).headers
    chosen(match, seats)
    assert visitor.look(match)["status"] == "over"
    assert visitor.get(f"/matches/{match}/bundle").status_code == 200


def test_the_deal_is_late_too(make, visitor):
    match, seats = table(make, "together", **LATE)
    assert (visitor.look(match)["seq"], visitor.look(match)["status"]) == (2, "open")
    assert problem(make().join(match)) == "409 not-open"
    chosen(match, seats[:1])
    assert visitor.look(match)["status"] == "open"


@BOTH
def test_a_late_feed_goes_on_as_the_match_does_and_ends_with_it(make, visitor, kind):
    match, seats = table(make, "together", options={"rounds": 3}, **LATE)
    chosen(match, seats)
    late, prompt = Listener(visitor, match, kind), Listener(seats[0], match, kind)
    chosen(match, seats, 2)
    ids = [frame.id for frame in late.all()]
    assert ids == [3, *range(4, 10), None]
    assert late.all()[0].data == seats[0].look(match, seq=3, **{"as": "watcher"})
    assert [frame.id for frame in prompt.all()] == [5, *range(6, 10), None]
    assert [frame.id for frame in heard(visitor, match, kind, 7)] == [8, 9, None]


@BOTH
def test_by_seconds_a_late_feed_follows_by_the_clock(make, visitor, kind):
    late = {"policy": {"late": {"type": "seconds", "n": 1}}}
    match, seats = table(make, "together", **late)
    feed = Listener(visitor, match, kind)
    chosen(match, seats)
    found = feed.all()
    assert [frame.id for frame in found[-4:]] == [3, 4, 5, None]
    assert found[-2].data["at"] + 1000 <= time.time() * 1000
    assert visitor.look(match)["status"] == "over"


def test_more_than_the_ledger_keeps_is_folded_again_for_who_is_that_late(make, visitor):
    late = {"policy": {"late": {"type": "entries", "n": 300}}}
    match, (ann,) = table(make, "together", 1, options={"rounds": 320}, **late)
    seq = 2
    while seq < 310:
        seq = ann.play(match, ONE, seq).json()["seq"]
    feed = Listener(visitor, match, NDJSON, after=5)
    ann.post(f"/matches/{match}/resign")
    assert [frame.id for frame in feed.all()] == [*range(6, 312), None]


@BOTH
def test_a_feed_of_an_offer_closes_at_the_deal_for_whom_it_is_not_for(make, visitor, kind):
    ann, bob = make(), make()
    match = ann.offer(policy={"watchers": "closed"})
    feeds = [Listener(who, match, kind) for who in (visitor, ann)]
    bob.join(match)
    assert [frame.id for frame in feeds[0].all()] == [2]
    assert problem(visitor.get(f"/matches/{match}/feed")) == "404 no-such-thing"
    ann.post(f"/matches/{match}/resign")
    assert [frame.id for frame in feeds[1].all()] == [2, 3, 4, None]


@BOTH
def test_who_gives_up_a_seat_hears_no_more_than_other_watchers(make, kind):
    match, (ann, bob) = table(
        make, policy={"watchers": "closed", "leave": "random"} | LATE["policy"]
    )
    feed = Listener(ann, match, kind)
    ann.post(f"/matches/{match}/resign")
    assert [frame.id for frame in feed.all()] == [3]
    assert (ann.look(match)["seq"], ann.look(match)["viewer"]) == (2, "watcher")
    assert bob.look(match)["seq"] == 4
    assert problem(ann.play(match, KEEP, 4)) == "403 not-yours"


def test_a_private_match_opens_to_its_players_alone(make, visitor):
    match, (ann, bob) = table(make, policy={"watchers": "closed"})
    ann.play(match, KEEP, 3)
    bob.play(match, KEEP, 4)
    for what in ("look", "replay", "bundle", "feed"):
        assert problem(visitor.get(f"/matches/{match}/{what}")) == "404 no-such-thing"
        assert ann.get(f"/matches/{match}/{what}").status_code == 200


def test_the_invited_may_watch(make, visitor):
    match, (ann, _) = table(make, policy={"watchers": "invited"})
    guest = make()
    assert problem(guest.see(match)) == "404 no-such-thing"
    first = ann.post(f"/matches/{match}/invite", json={"player": guest.id})
    again = ann.post(f"/matches/{match}/invite", json={"player": guest.id})
    assert (first.status_code, first.json()) == (201, again.json())
    invited = {"type": "match.invited", "seat": ann.look(match)["viewer"], "player": guest.id}
    assert first.json()["facts"] == [invited]
    assert guest.look(match)["viewer"] == "watcher"
    assert problem(visitor.see(match)) == "404 no-such-thing"
    assert problem(guest.post(f"/matches/{match}/invite", json={"player": guest.id})) == (
        "403 not-yours"
    )


def test_an_offer_to_the_invited(make):
    ann, bob, eve = make(), make(), make()
    match = ann.offer(policy={"join": "invited"})
    assert problem(eve.join(match)) == "403 not-yours"
    assert ann.post(f"/matches/{match}/invite", json={"player": bob.id}).status_code == 201
    assert bob.join(match).status_code == 201


def test_all_seats_together_show_a_guest_all_faces(make):
    match, seats = table(make, "high-card", 3)
    guest = make()
    admit = {"json": {"player": guest.id}}
    assert problem(seats[0].post(f"/matches/{match}/admit", **admit)) == "403 not-yours"
    seats[0].post(f"/matches/{match}/invite", **admit)
    for player in seats:
        assert guest.look(match)["viewer"] == "watcher"
        assert problem(guest.see(match, **{"as": "open"})) == "403 not-yours"
        first = player.post(f"/matches/{match}/admit", **admit)
        assert player.post(f"/matches/{match}/admit", **admit).json() == first.json()
    seen = guest.look(match)
    assert seen["viewer"] == "open"
    assert seen["view"] != guest.look(match, **{"as": "watcher"})["view"]
    assert guest.replay(match).text.count('"viewer":"open"') == seen["seq"]
    feed = Listener(guest, match, NDJSON)
    seats[0].play(match, {"type": "trade"}, seen["seq"])
    seats[0].post(f"/matches/{match}/resign")
    traded = feed.all()[1].data["facts"]
    assert [fact["card"] is None for fact in traded] == [False, True]
    assert problem(guest.see(match, **{"as": "0"})) == "200"


def test_an_invitation_is_seen_and_taken_back(make):
    ann, bob, eve = make(), make(), make()
    match = ann.offer(policy={"join": "invited"})
    for guest in (bob, eve):
        ann.post(f"/matches/{match}/invite", json={"player": guest.id})
    [first, second] = ann.get(f"/matches/{match}/guests").json()
    assert first == {"player": bob.id, "seq": 3, "admitted": []}
    assert second["player"] == eve.id
    assert problem(bob.get(f"/matches/{match}/guests")) == "403 not-yours"
    body = {"json": {"player": eve.id}}
    assert problem(bob.post(f"/matches/{match}/uninvite", **body)) == "403 not-yours"
    taken = ann.post(f"/matches/{match}/uninvite", **body)
    uninvited = {"type": "match.uninvited", "seat": 0, "player": eve.id}
    assert (taken.status_code, taken.json()["facts"]) == (201, [uninvited])
    again = ann.post(f"/matches/{match}/uninvite", **body)
    assert (problem(again), again.json()["code"]) == ("422 refused", "NO_GUEST")
    assert problem(eve.join(match)) == "403 not-yours"
    assert bob.join(match).status_code == 201
    assert bob.get(f"/matches/{match}/guests").json() == []
    used = ann.post(f"/matches/{match}/uninvite", json={"player": bob.id})
    assert (problem(used), used.json()["code"]) == ("422 refused", "A_PLAYER")


@BOTH
@pytest.mark.parametrize("late", [{}, LATE["policy"]])
@pytest.mark.parametrize("query", [{}, {"as": "watcher"}])
def test_who_is_not_invited_any_more_hears_no_more(make, kind, late, query):
    match, (ann, bob) = table(make, policy={"watchers": "invited"} | late)
    guest, other = make(), make()
    for one in (guest, other):
        ann.post(f"/matches/{match}/invite", json={"player": one.id})
    feeds = [Listener(one, match, kind, **query) for one in (guest, other)]
    assert bob.post(f"/matches/{match}/uninvite", json={"player": guest.id}).status_code == 201
    assert problem(guest.see(match)) == "404 no-such-thing"
    ann.play(match, KEEP, 6)
    bob.play(match, KEEP, 7)
    assert [frame.event for frame in feeds[1].all()][-1] == "end"
    heard_of = [fact["type"] for frame in feeds[0].all() for fact in frame.data.get("facts", [])]
    assert {"match.uninvited", "kept"}.isdisjoint(heard_of)
    assert feeds[0].all()[-1].event != "end"


@pytest.mark.parametrize(
    ("body", "what"),
    [({}, "422 invalid"), ({"player": "x"}, "422 invalid"), ({"player": "a" * 16}, "422 invalid")],
)
def test_nobody_is_no_guest(make, body, what):
    match, (ann, _) = table(make)
    assert problem(ann.post(f"/matches/{match}/invite", json=body)) == what
