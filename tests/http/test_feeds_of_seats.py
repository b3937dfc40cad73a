"""What feeds tell when a seat goes to another: who is whom from there on, live and on return."""

from __future__ import annotations

import pytest

from services import door
from tests.http.feeds import NDJSON, SSE, Frame, Listener, Reading, frames, opened
from tests.http.overdue import overdue
from tests.http.people import Player, table

BOTH = pytest.mark.parametrize("kind", [SSE, NDJSON])
TRADE = {"type": "trade"}


def agreed(what: dict, match: str, by: Player, *others: Player) -> None:
    """Proposed, and all the others say yes."""
    made = by.post(f"/matches/{match}/propose", json={"what": what})
    assert made.status_code == 201, made.text
    for one in others:
        reply = {"to": made.json()["seq"], "yes": True}
        assert one.post(f"/matches/{match}/answer", json=reply).status_code == 201


def told(feed: list[Frame]) -> dict[int, list[dict]]:
    """The facts of each entry."""
    return {one.id: one.data["facts"] for one in feed if one.event == "entry"}


def returned(who, match: str, kind: str, last: int, until: int) -> list[Frame]:
    """What somebody gets who comes back with this id, as far as an entry."""
    found: list[Frame] = []
    with opened(who, match, kind, last) as response:
        for frame in frames(response, Reading(kind)):
            found.append(frame)
            if frame.id == until:
                return found
    return found


@BOTH
def test_who_takes_a_seat_hears_as_that_seat_and_who_had_it_as_a_watcher(make, visitor, kind):
    match, (ann, bob, cem) = table(make, n=3)
    dan = make()
    people = (ann, bob, cem, dan, visitor)
    feeds = [Listener(who, match, kind) for who in people]
    agreed({"type": "replace", "seat": 0, "player": dan.id}, match, bob, cem, ann)
    seated = dan.post(f"/matches/{match}/return").json()["seq"]
    traded = dan.play(match, TRADE, seated).json()["seq"]
    back = {
        (n, last): returned(who, match, kind, last, traded)
        for n, who in enumerate(people)
        for last in (seated - 2, seated - 1, seated)
    }
    cem.post(f"/matches/{match}/resign")
    live = [feed.all() for feed in feeds]
    replaced = {"type": "match.replaced", "seat": 0, "player": dan.id, "robot": None}
    for heard in map(told, live):
        assert heard[seated - 1][1:] == [replaced]
        assert heard[seated] == [{"type": "match.seated", "seat": 0, "player": dan.id}]
    cards = [told(feed)[traded][0]["card"] for feed in live]
    assert cards.pop(3), "the new player's own card"
    assert cards == [None] * 4
    for (n, last), found in back.items():
        missed = [one for one in live[n] if one.id and last < one.id <= traded]
        assert found == missed, f"person {n} came back with {last}"


def number(n: int) -> dict:
    return {"type": "choose", "number": n}


@BOTH
@pytest.mark.parametrize("lost", ["claimed", "replaced"])
def test_who_loses_a_seat_hears_as_a_watcher_until_it_comes_back(make, visitor, stage, kind, lost):
    people = ann, bob, cem, _ = make(), make(), make(), visitor
    wire = stage.wire()
    match = overdue(wire, ann.id, bob.id, cem.id)
    feeds = [Listener(who, match, kind) for who in people]
    if lost == "claimed":
        assert bob.post(f"/matches/{match}/claim", json={}).status_code == 201
    else:
        agreed({"type": "replace", "seat": 0, "robot": "random"}, match, bob, cem)
    gone = bob.look(match)["seq"]
    wire.talk(door.play(match, None, 0, b'{"type":"choose","number":7}', None, gone))
    wire.close()
    for n, who in ((1, bob), (2, cem)):
        assert who.play(match, number(n), gone).status_code == 201
    seated = ann.post(f"/matches/{match}/return").json()["seq"]
    own = ann.play(match, number(3), seated).json()["seq"]
    back = {
        (n, last): returned(who, match, kind, last, own)
        for n, who in enumerate(people)
        for last in (gone - 1, gone, seated - 1, seated)
    }
    agreed({"type": "end"}, match, ann, bob, cem)
    live = [feed.all() for feed in feeds]
    for heard in map(told, live):
        assert heard[gone][-1]["type"] == f"match.{lost}"
        assert heard[seated] == [{"type": "match.seated", "seat": 0, "player": ann.id}]
    assert [told(feed)[gone + 1][0]["number"] for feed in live] == [None] * 4, "a robot's"
    assert [told(feed)[own][0]["number"] for feed in live] == [3, None, None, None]
    for (n, last), found in back.items():
        missed = [one for one in live[n] if one.id and last < one.id <= own]
        if n == 0 and last <= gone:  # it is her seat again: what it heard meanwhile is hers
            assert told(found)[gone + 1][0]["number"] == 7
            found, missed = ([one for one in all if one.id != gone + 1] for all in (found, missed))
        assert found == missed, f"person {n} came back with {last}"
