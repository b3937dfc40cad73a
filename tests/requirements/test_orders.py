"""Orders for later, by the numbers in docs/requirements.md."""

from __future__ import annotations

import pytest
from msgspec import Raw, json

from services import orders
from services.orders import Order
from services.wire import BlockingWire
from tests.engine.logs import dealt, player
from tests.http.people import Player, problem, table
from tests.http.worlds import NAME, differs, sent, world

KEEP, TRADE = {"type": "keep"}, {"type": "trade"}


@pytest.fixture
def run(stage):
    """What a job does that react calls."""
    wire = stage.wire()
    yield lambda match, who: wire.talk(orders.play(match, who.id))
    wire.close()


def order(who: Player, match: str, move: dict, **more):
    return who.post(f"/matches/{match}/orders", json={"move": move, "confirm": True} | more)


def mine(who: Player, match: str) -> dict:
    return who.get(f"/matches/{match}/orders").json()


def test_r27_orders_are_given_seen_by_their_owner_played_and_shown_as_such(make, run):
    match, (ann, bob) = table(make)
    given = order(bob, match, TRADE, **{"if": {"type": "traded", "seat": 0}})
    assert given.status_code == 201
    order(bob, match, KEEP)
    assert [(one["move"], one["if"]) for one in mine(bob, match)["orders"]] == [
        (TRADE, {"type": "traded", "seat": 0}),
        (KEEP, None),
    ]
    assert mine(ann, match) == {"orders": [], "played": []}
    run(match, bob)
    assert bob.look(match)["seq"] == 3, "it is not Bob's turn"
    ann.play(match, TRADE, 3)
    run(match, bob)
    look = ann.look(match)
    assert (look["status"], look["seq"]) == ("over", 5)
    assert mine(bob, match) == {"orders": [], "played": [5]}
    log = json.decode(ann.get(f"/matches/{match}/bundle").content)["entries"]
    assert b"played" in json.encode(log[-1]), "an ordinary entry"


def test_r27_what_is_refused_says_why_to_its_owner(make, visitor, run):
    match, (ann, bob) = table(make)
    assert problem(visitor.get(f"/matches/{match}/orders")) == "401 who-are-you"
    assert problem(order(make(), match, KEEP)) == "403 not-yours"
    assert problem(order(bob, match, {"type": "fly"})) == "422 invalid"
    for _ in range(orders.MOST):
        assert order(bob, match, KEEP).status_code == 201
    assert problem(order(bob, match, KEEP)) == "429 too-many"
    opened = ann.offer()
    assert problem(order(ann, opened, KEEP)) == "422 refused"
    ann.play(match, KEEP, 3)
    bob.play(match, KEEP, 4)
    assert mine(bob, match) == {"orders": [], "played": []}
    assert problem(order(bob, match, KEEP)) == "409 over"


def test_r27_a_retry_is_no_second_order(make):
    match, (_, bob) = table(make)
    asked = {"json": {"move": KEEP, "confirm": True}, "headers": {"idempotency-key": "k"}}
    for _ in range(2):
        assert bob.post(f"/matches/{match}/orders", **asked).status_code == 201
    assert len(mine(bob, match)["orders"]) == 1


def test_r27_an_order_that_waits_changes_nothing_of_what_others_are_sent(stage, make, visitor):
    db = stage.server.url
    urls = [world(db, place, zip((3, 2, 1), dealt(), strict=True)) for place in (5, 6)]
    wire = BlockingWire(urls[0])
    given = Order("a", 1, 3, Raw(b'{"type":"keep"}'))
    assert wire.talk(orders.give(NAME, player(1), given)).waiting == (given,)
    wire.close()
    for who in (2, None):
        assert differs(*(sent(url, who) for url in urls)) == ""
    match, (ann, bob) = table(make)
    asked = [f"/matches/{match}/{what}" for what in ("look", "replay", "orders", "notes")]
    before = [ann.get(path).content for path in asked]
    order(bob, match, KEEP)
    assert [ann.get(path).content for path in asked] == before


def test_r28_an_order_is_confirmed_and_so_is_taking_it_back(make, run):
    match, (ann, bob) = table(make)
    where = f"/matches/{match}/orders"
    for body in ({"move": KEEP}, {"move": KEEP, "confirm": False}):
        hasty = bob.post(where, json=body)
        assert problem(hasty) == "422 invalid"
        assert "confirm" in hasty.json()["detail"]
    [given] = order(bob, match, KEEP).json()["orders"]
    where = f"{where}/{given['id']}"
    assert problem(bob.delete(where)) == "422 invalid"
    assert problem(ann.delete(f"{where}?confirm=true")) == "404 no-such-thing"
    assert mine(bob, match)["orders"] == [given]
    assert bob.delete(f"{where}?confirm=true").status_code == 204
    assert problem(bob.delete(f"{where}?confirm=true")) == "404 no-such-thing"
    ann.play(match, KEEP, 3)
    run(match, bob)
    assert bob.look(match)["seq"] == 4


def test_r28_orders_go_with_the_account(make, stage):
    match, (_, bob) = table(make)
    order(bob, match, KEEP)
    assert bob.delete(f"/players/me?confirm={bob.id}").status_code == 204
    wire = stage.wire()
    assert wire.talk(orders.of(bob.id, match)) == orders.NONE
    late = Order("late", 1, 3, Raw(b'{"type":"keep"}'))
    assert wire.talk(orders.give(match, bob.id, late)) is None
    assert wire.talk(orders.of(bob.id, match)) == orders.NONE
    wire.close()
