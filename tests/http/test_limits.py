"""What one client may ask and hold; what it is told beyond that."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from random import Random
from unittest.mock import patch

import httpx
import pytest

from services import limits
from services.api import make_app
from services.ledger import Ask
from services.limits import DEFAULT, OFF, Limits, Rate, address_of
from services.settings import Settings
from tests.http.feeds import opened
from tests.http.people import Player, Visitor, problem
from tests.http.stage import until

DOCS = Path(__file__).parent.parent.parent / "docs" / "limits.md"
HIGH_CARD = {"game": "high-card", "seats": [None, None]}


def test_a_rate_is_an_average_with_a_burst():
    rate = Rate(2, 5)
    assert [rate.wait("ann", 100.0) for _ in range(5)] == [0.0] * 5
    assert rate.wait("ann", 100.0) == pytest.approx(0.5)
    assert rate.wait("ann", 100.3) == pytest.approx(0.2)
    assert rate.wait("bob", 100.3) == 0.0
    assert rate.wait("ann", 100.51) == 0.0
    assert rate.wait("ann", 100.51) == pytest.approx(0.49)
    assert [rate.wait("ann", 1000.0) for _ in range(5)] == [0.0] * 5


def test_over_a_long_time_nobody_gets_more_than_the_rate():
    chance, rate, now, taken = Random(1), Rate(10, 20), 0.0, 0
    while now < 100:
        now += chance.expovariate(50)
        taken += not rate.wait("ann", now)
    assert 1000 <= taken <= 1020


def test_no_rate_is_no_limit():
    rate = Rate(0, 0)
    assert [rate.wait("ann", 1.0) for _ in range(1000)] == [0.0] * 1000


def test_who_has_rested_is_forgotten(monkeypatch):
    monkeypatch.setattr(limits, "CLIENTS", 100)
    rate = Rate(1, 1)
    for n in range(100):
        rate.wait(str(n), 0.0)
    rate.wait("ann", 5.0)
    assert len(rate._free) == 1
    assert rate.wait("ann", 5.0) == pytest.approx(1.0)
    for n in range(200):
        rate.wait(str(n), 5.0)
    assert len(rate._free) <= 100


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", DEFAULT),
        ("off", OFF),
        ("requests=7", Limits(requests=7)),
        ("requests=7, feeds=0", Limits(requests=7, feeds=0)),
        ("all_feeds=9 tokens=1", Limits(all_feeds=9, tokens=1)),
    ],
)
def test_limits_are_named(text, found):
    assert limits.read(text) == found


@pytest.mark.parametrize("text", ["on", "requests", "requests=x", "requests=-1", "wishes=3"])
def test_what_is_no_limit(text):
    with pytest.raises(ValueError, match="requests, burst, accounts"):
        limits.read(text)


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_of_an_address_a_household_is_one_client(host, client):
    assert address_of((host, 1)) == client


def test_a_socket_file_has_no_address():
    assert address_of(None) == "local"


def test_the_documents_name_the_limits(document, visitor):
    assert all(line in DOCS.read_text() for line in limits.said(DEFAULT))
    assert all(line in document.said["info"]["description"] for line in limits.said(OFF))


def asked(*from_: str, token: str | None = None, route: str = "/games", method: str = "GET"):
    """Statuses of requests from these addresses, to an api that takes three at once; no time
    passes meanwhile, however slow we are."""

    async def ask() -> list[httpx.Response]:
        front = make_app("unix:///nowhere", settings=Settings(Limits(requests=1, burst=3)))
        front.house.callers.known = {"t": "ann"}.get
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        answers = []
        for host in from_:
            transport = httpx.ASGITransport(front, client=(host, 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
                answers.append(await client.request(method, route, headers=headers))
        return answers

    with patch("services.front.monotonic", return_value=100.0):
        return asyncio.run(ask())


def test_too_many_requests_of_an_address():
    answers = asked("a", "a", "a", "a", "b")
    assert [problem(answer) for answer in answers] == ["200"] * 3 + ["429 too-many", "200"]
    assert answers[3].headers["retry-after"] == "1"
    assert answers[3].headers["x-request-id"]
    assert "wait" in answers[3].json()["detail"].lower()


@pytest.mark.parametrize("route", ["/games", "/matches/0-aaaaaaaaaaaaaaaa/feed", "/nope"])
def test_a_player_is_one_client_wherever_it_is(route):
    statuses = [answer.status_code for answer in asked("a", "b", "c", "d", token="t", route=route)]
    assert 429 not in statuses[:3]
    assert statuses[3] == 429


def test_moves_are_counted_too():
    route = "/matches/0-aaaaaaaaaaaaaaaa/moves"
    answers = asked("a", "b", "c", "d", token="t", route=route, method="POST")
    assert [answer.status_code for answer in answers] == [503, 503, 503, 429]


def test_a_token_of_nobody_counts_for_its_address():
    answers = asked("a", "a", "a", "a", token="nobodys", route="/nope")
    assert [problem(answer) for answer in answers] == ["404 no-such-thing"] * 3 + ["429 too-many"]


@pytest.fixture(scope="module")
def strict(stage) -> str:
    """An api with low limits, behind a proxy on this machine."""
    few = "requests=0 accounts=2 feeds=2 all_feeds=5 offers=2 seats=3 tokens=2"
    return stage.api(TURNFOLD_LIMITS=few, TURNFOLD_TRUSTED_PROXY="127.0.0.1").ready().base


@pytest.fixture
def sit(make, strict):
    """Makes players who know both apis: the second is the strict one."""

    def one() -> tuple[Player, Visitor]:
        player = make()
        return player, rooms.enter_context(player.at(strict))

    with ExitStack() as rooms:
        yield one


def refused(answer: httpx.Response, *words: str) -> None:
    assert answer.status_code == 429
    assert problem(answer) == "429 too-many"
    assert int(answer.headers["retry-after"]) >= 1
    assert all(word in answer.json()["detail"] for word in words)


def new_player(base: str, of: str, name: str = "Ann") -> httpx.Response:
    forwarded = {"x-forwarded-for": of}
    return httpx.post(f"{base}/players", json={"name": name}, headers=forwarded)


def test_new_accounts_of_an_address(strict, document):
    made = [new_player(strict, "192.0.2.1") for _ in range(3)]
    assert [answer.status_code for answer in made] == [201, 201, 429]
    refused(made[2], "2 new accounts an hour")
    assert 1700 < int(made[2].headers["retry-after"]) <= 1800
    document.hear(made[2])
    assert new_player(strict, "192.0.2.2").status_code == 201


def test_only_a_trusted_proxy_says_who_asks(strict):
    """Whoever writes the header itself does not get out of it: the last address counts."""
    assert new_player(strict, "192.0.2.3").status_code == 201
    assert new_player(strict, "203.0.113.1, 192.0.2.3").status_code == 201
    refused(new_player(strict, "203.0.113.2, 192.0.2.3"))


def test_tokens_of_a_player(sit):
    _, ann = sit()
    assert ann.post("/players/me/tokens", json={"name": "x"}).status_code == 201
    refused(ann.post("/players/me/tokens", json={"name": "x"}), "2 tokens", "revoke")
    [one, _] = ann.get("/players/me/tokens").json()
    assert ann.delete(f"/players/me/tokens/{one['id']}").status_code == 204


def test_feeds_of_a_client_and_of_all(sit):
    (ann, there), (_, his) = sit(), sit()
    match = ann.offer()
    with ExitStack() as feeds:

        def open_feed(who: Visitor, path: str) -> httpx.Response:
            answer = feeds.enter_context(who.stream("GET", path))
            if answer.status_code != 200:
                answer.read()
            return answer

        assert open_feed(there, f"/matches/{match}/feed").status_code == 200
        assert open_feed(there, "/feed").status_code == 200
        full = open_feed(there, f"/matches/{match}/feed")
        refused(full, "2 feeds open", "close one", "GET /feed")
        refused(open_feed(there, "/feed"))
        assert [open_feed(his, "/feed").status_code for _ in range(2)] == [200, 200]
        eve, hers = sit()
        assert open_feed(hers, "/feed").status_code == 200
        refused(open_feed(hers, "/feed"), "All feeds")
        assert eve.get("/games").status_code == 200
    until(lambda: opens(there, match))


def opens(who: Visitor, match: str) -> bool:
    with opened(who, match) as response:
        return response.status_code == 200


def test_offers_of_a_player(sit):
    ann, there = sit()
    offers = [there.post("/matches", json=HIGH_CARD) for _ in range(2)]
    assert [answer.status_code for answer in offers] == [201, 201]
    refused(there.post("/matches", json=HIGH_CARD), "2 offers", "withdraw")
    assert ann.post("/matches", json=HIGH_CARD).status_code == 201  # at an api without limits


def test_what_is_settled_makes_room(sit, stage):
    ann, there = sit()
    names = [there.post("/matches", json=HIGH_CARD).json()["look"]["match"] for _ in range(2)]
    assert there.post(f"/matches/{names[0]}/abort").status_code == 201
    refused(there.post("/matches", json=HIGH_CARD))  # it counts for a while
    wire = stage.wire()
    wire.ask(aged(f"offers:{ann.id}", names))
    wire.close()
    assert there.post("/matches", json=HIGH_CARD).status_code == 201
    refused(there.post("/matches", json=HIGH_CARD))


def aged(key: str, names: list[str]) -> Ask[int]:
    """The claims as if they were from long ago."""
    scores = [word for name in names for word in ("1", name)]
    return Ask(("ZADD", key, *scores), int)


def test_seats_of_a_player(sit, make):
    _, there = sit()
    others = make()
    names = [others.offer() for _ in range(4)]
    entropy = {"entropy": "ab" * 32}
    taken = [there.post(f"/matches/{name}/join", json=entropy) for name in names]
    assert [answer.status_code for answer in taken] == [201, 201, 201, 429]
    refused(taken[3], "3 seats", "finish")
    again = there.post(f"/matches/{names[0]}/join", json=entropy)
    assert again.status_code == 201  # it sits there already
    mine = HIGH_CARD | {"join": entropy}
    refused(there.post("/matches", json=mine), "3 seats")


def test_two_at_once_do_not_both_take_the_last_place(sit):
    _, there = sit()

    async def ask() -> list[int]:
        headers = {"authorization": f"Bearer {there.token}"}
        async with httpx.AsyncClient(base_url=there.base_url, headers=headers) as client:
            posts = (client.post("/matches", json=HIGH_CARD) for _ in range(8))
            return [answer.status_code for answer in await asyncio.gather(*posts)]

    statuses = asyncio.run(ask())
    assert statuses.count(201) <= 2
    assert set(statuses) <= {201, 429}
