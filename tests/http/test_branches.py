"""What if: a finished match goes on from any of its entries, against robots."""

from __future__ import annotations

from random import Random

import pytest

from services import ledger
from tests.http.feeds import NDJSON, heard
from tests.http.people import played, problem, table

KEY = {"idempotency-key": "what if"}


@pytest.fixture
def parent(make):
    match, seats = table(make, "high-card", 3, policy={"leave": "end"})
    played(match, seats, Random(1))
    return match, seats


def branch(who, match, seq=6, seat=2, headers=None, **more):
    asked = {"seq": seq, "seat": seat} | more
    return who.post(f"/matches/{match}/branch", json=asked, headers=headers)


def test_a_branch_goes_on_where_it_left_its_parent(make, parent, stage):
    match, seats = parent
    asker = make()
    made = branch(asker, match)
    assert made.status_code == 201
    seen, name = made.json()["look"], made.json()["look"]["match"]
    assert (seen["seq"], seen["viewer"], seen["status"]) == (7, 2, "running")
    old = seats[2].look(match, seq=6)
    assert (seen["view"], seen["to_act"], seen["commitment"]) == (
        (old["view"], old["to_act"], old["commitment"])
    )
    wire = stage.wire()
    assert wire.ask(ledger.log(name, 0, 6)) == wire.ask(ledger.log(match, 0, 6))
    assert asker.look(name) == seen
    moved = asker.play(name, {"type": "trade"}, 7)
    assert (moved.status_code, moved.json()["look"]["status"]) == (201, "over")


def test_it_names_nobody_and_shows_nothing_of_what_came_before(make, visitor, parent):
    match, seats = parent
    asker = make()
    name = branch(asker, match).json()["look"]["match"]
    stale = asker.play(name, {"type": "keep"}, 3)
    assert (problem(stale), stale.json()["missed"]) == ("412 stale", None)
    assert asker.play(name, {"type": "keep"}, 7).status_code == 201
    texts = [who.replay(name).text for who in (asker, visitor, seats[0])]
    texts += [visitor.see(name).text, visitor.see(name, seq=7).text]
    texts += [repr(heard(visitor, name, NDJSON, last)) for last in (None, 2, 6)]
    for text in texts:
        for player in (*seats, asker):
            assert player.id not in text
    for seq in range(1, 7):
        assert problem(visitor.see(name, seq=seq)) == "404 no-such-thing"
    assert visitor.replay(name).text.startswith('{"seq":7,')
    assert [frame.event for frame in heard(visitor, name, NDJSON, 2)] == ["reset", "look", "end"]
    assert problem(visitor.get(f"/matches/{name}/bundle")) == "404 no-such-thing"
    assert problem(asker.post(f"/matches/{name}/rematch")) == "404 no-such-thing"


def test_a_key_names_one_branch(make, parent):
    match, _ = parent
    asker = make()
    first, again = branch(asker, match, headers=KEY), branch(asker, match, headers=KEY)
    assert first.json()["look"]["match"] == again.json()["look"]["match"]
    assert problem(branch(asker, match, seat=1, headers=KEY)) == "422 key-reused"


def test_whence_one_can_branch(make, visitor, parent):
    match, seats = parent
    assert problem(branch(seats[0], match, 3)) == "422 refused"  # not dealt yet
    assert problem(branch(seats[0], match, 7)) == "422 refused"  # over
    assert problem(branch(seats[0], match, 8)) == "404 no-such-thing"
    assert problem(branch(seats[0], match, 6, 3)) == "422 refused"
    assert problem(branch(seats[0], match, 6, robots="genius")) == "422 invalid"
    assert problem(branch(visitor, match)) == "401 who-are-you"
    running, (ann, _) = table(make)
    assert problem(branch(ann, running, 3, 0)) == "409 not-over"
    closed, (bob, _) = table(make, policy={"watchers": "closed"})
    bob.post(f"/matches/{closed}/resign")
    assert problem(branch(make(), closed, 3, 0)) == "404 no-such-thing"
    assert branch(bob, closed, 3, 0).status_code == 201
