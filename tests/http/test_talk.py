"""What is said at a match: who may read it, who may say it, who need not."""

from __future__ import annotations

import pytest

from services import talk
from tests.http.feeds import NDJSON, Reading, frames, opened
from tests.http.people import problem, table

CHAT = {"chat": "all"}


def say(who, match: str, text: str = "Hello"):
    return who.post(f"/matches/{match}/talk", json={"text": text})


def read(who, match: str, room: str | None = None):
    return who.get(f"/matches/{match}/talk", params={"room": room} if room else {})


def texts(who, match: str, room: str | None = None) -> list[str]:
    return [one["text"] for one in read(who, match, room).json()]


def test_off_unless_the_table_wants_it(make):
    match, (ann, _) = table(make)
    assert problem(say(ann, match)) == "404 no-such-thing"
    assert problem(read(ann, match)) == "404 no-such-thing"
    match, (ann, _) = table(make, policy={"chat": "seats"})
    assert say(ann, match).status_code == 201
    assert problem(say(make(), match)) == "404 no-such-thing"


def test_table_and_watchers_are_apart_until_the_end(make, visitor):
    match, (ann, bob) = table(make, policy=CHAT)
    cas, dee = make(), make()
    assert say(ann, match, "at the table").status_code == 201
    assert say(cas, match, "she bluffs").status_code == 201
    for player in (ann, bob):
        assert texts(player, match) == ["at the table"]
        assert problem(read(player, match, "watchers")) == "403 not-yours"
    for watcher in (cas, dee, visitor):
        assert texts(watcher, match) == ["she bluffs"]
        assert problem(read(watcher, match, "table")) == "403 not-yours"
    assert problem(say(visitor, match)) == "401 who-are-you"
    bob.post(f"/matches/{match}/resign")
    for anybody in (ann, cas, visitor):
        assert texts(anybody, match, "table") == ["at the table"]
        assert texts(anybody, match, "watchers") == ["she bluffs"]


def test_who_sees_all_hands_says_nothing(make):
    match, (ann, bob) = table(make, policy=CHAT)
    cas = make()
    ann.post(f"/matches/{match}/invite", json={"player": cas.id})
    for player in (ann, bob):
        assert say(cas, match).status_code == 201
        player.post(f"/matches/{match}/admit", json={"player": cas.id})
    assert problem(say(cas, match)) == "403 not-yours"
    ann.post(f"/matches/{match}/resign")
    assert say(cas, match).status_code == 201


def test_it_is_no_part_of_the_log(make):
    match, (ann, bob) = table(make, policy=CHAT)
    say(ann, match, "psst")
    assert ann.look(match)["seq"] == 3
    bob.post(f"/matches/{match}/resign")
    assert b"psst" not in ann.get(f"/matches/{match}/bundle").content


def test_what_was_said_since(make):
    match, (ann, bob) = table(make, policy=CHAT)
    first, *_ = [say(ann, match, f"{i}").json() for i in range(4)]
    found = bob.get(f"/matches/{match}/talk", params={"after": first["id"], "limit": 2}).json()
    assert [one["text"] for one in found] == ["1", "2"]
    assert [one["player"] for one in found] == [ann.id] * 2
    assert problem(bob.get(f"/matches/{match}/talk?after=x")) == "400 bad-request"


@pytest.mark.parametrize("text", ["", "   ", "\n", "\x00", "\x1b[2J", "x" * 501, None])
def test_nothing_that_is_none(make, text):
    match, (ann, _) = table(make, policy=CHAT)
    assert problem(say(ann, match, text)) == "422 invalid"
    assert texts(ann, match) == []


def test_feeds_say_that_there_is_news_to_whom_it_is_for(make, visitor):
    match, (ann, bob) = table(make, policy=CHAT)
    with opened(bob, match, NDJSON) as one, opened(visitor, match, NDJSON) as other:
        at_table, watching = (frames(feed, Reading(NDJSON)) for feed in (one, other))
        assert [next(at_table).event, next(watching).event] == ["look", "look"]
        assert say(make(), match).status_code == say(ann, match).status_code == 201
        assert next(one for one in at_table if one.event == "talk").data == {"room": "table"}
        assert next(one for one in watching if one.event == "talk").data == {"room": "watchers"}


def test_blocked_players_are_not_read_and_sit_elsewhere(make):
    match, (ann, bob) = table(make, policy=CHAT)
    say(bob, match)
    assert ann.put(f"/players/me/blocks/{bob.id}").status_code == 204
    assert ann.get("/players/me/blocks").json() == {"players": [bob.id]}
    assert (texts(ann, match), texts(bob, match)) == ([], ["Hello"])
    assert problem(bob.join(ann.offer())) == "403 apart"
    assert problem(ann.join(bob.offer())) == "403 apart"
    assert make().join(ann.offer()).status_code == 201
    assert ann.delete(f"/players/me/blocks/{bob.id}").status_code == 204
    assert bob.join(ann.offer()).status_code == 201
    assert texts(ann, match) == ["Hello"]
    assert problem(ann.put(f"/players/me/blocks/{ann.id}")) == "404 no-such-thing"


def test_a_report_keeps_what_was_said(make, stage):
    match, (ann, bob) = table(make, policy=CHAT)
    id = say(bob, match, "rude").json()["id"]
    report = {"room": "table", "why": "rude"}
    assert ann.post(f"/matches/{match}/talk/{id}/report", json=report).status_code == 204
    wire = stage.wire()
    found = [one for _, one in wire.walk(talk.reports) if one.match == match]
    assert [(one.message.text, one.message.player, one.by) for one in found] == [
        ("rude", bob.id, ann.id)
    ]
    assert wire.talk(talk.take_away(match, "table", id))
    assert texts(ann, match) == []
    wire.ask(talk.silence(bob.id, 60))
    silent = say(bob, match)
    assert wire.ask(talk.unsilence(bob.id))
    wire.close()
    assert say(bob, match).status_code == 201
    assert problem(silent) == "429 too-many"
    assert 0 < int(silent.headers["retry-after"]) <= 60
    nothing = ann.post(f"/matches/{match}/talk/{id}/report", json=report)
    assert problem(nothing) == "404 no-such-thing"


def test_who_talks_without_end_has_to_wait(make, stage):
    api = stage.api(TURNFOLD_LIMITS="messages=2").ready()
    match, (ann, bob) = table(make, policy=CHAT)
    with ann.at(api.base) as here:
        assert [say(here, match).status_code for _ in range(2)] == [201, 201]
        fast = say(here, match)
        assert problem(fast) == "429 too-many"
        assert 0 < int(fast.headers["retry-after"]) <= 31
    with bob.at(api.base) as here:
        assert say(here, match).status_code == 201
    api.stop()
