"""Each kind of wrong request gets its status, a stable type and a sentence that says what to do,
and writes nothing: all that the server holds is compared, byte by byte, before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest
import redis

from services import uptime
from tests.http.people import Player, Visitor, played, problem, table
from tests.http.stage import Stage

KEEP, TRADE, SIT = {"type": "keep"}, {"type": "trade"}, {"entropy": "a" * 64}
OFFER: dict[str, Any] = {"game": "high-card", "seats": [None, None]}
RATED_ROBOT: dict[str, Any] = {"seats": [None, "random"], "policy": {"rated": True}}
NOWHERE = "0-aaaaaaaaaaaaaaaa"


@pytest.fixture(scope="session")
def stage(tmp_path_factory) -> Iterator[Stage]:
    """A house of its own: all that other tests have left in theirs would be compared each time."""
    with Stage(tmp_path_factory.mktemp("house")) as stage:
        stage.worker("workers.fold")
        yield stage


@pytest.fixture(scope="session")
def api(stage) -> str:
    return stage.api().ready().base


class Scene(NamedTuple):
    """Who asks, and about what."""

    nobody: Visitor  # has no token
    ann: Player  # has offered `open`, and sits in it; once used the key `used` for an offer
    bob: Player  # sits nowhere
    first: Player  # seat 0 of `running`: has traded at seq 3 under the key `used`
    second: Player  # seat 1: is to move, at seq 4
    open: str  # one chair is Ann's, one free, one a robot's
    running: str
    over: str  # `first` played in it


@pytest.fixture
def scene(make, visitor) -> Scene:
    running, (first, second) = table(make)
    assert first.play(running, TRADE, 3, "used").status_code == 201
    seats = [first, make()]
    over, _ = table(iter(seats).__next__)
    played(over, sorted(seats, key=lambda player: player.look(over)["viewer"]), Random(1))
    ann, bob = make(), make()
    opened = ann.offer(n=3, seats=[None, None, "random"])
    key = {"idempotency-key": "used"}
    assert ann.post("/matches", json=OFFER, headers=key).status_code == 201
    return Scene(visitor, ann, bob, first, second, opened, running, over)


class Kind(NamedTuple):
    what: str
    ask: Callable[[Scene], httpx.Response]
    wanted: str  # status and type
    says: str  # part of the sentence


def offer(s: Scene, **more: Any) -> httpx.Response:
    return s.ann.post("/matches", json=OFFER | more)


def post(who: Visitor, match: str, what: str, body: Any = None) -> httpx.Response:
    return who.post(f"/matches/{match}/{what}", json={} if body is None else body)


def named(s: Scene, name: Any) -> httpx.Response:
    return s.nobody.post("/players", json={"name": name})


def sent(s: Scene, content: bytes, kind: str = "application/json") -> httpx.Response:
    return s.nobody.post("/players", content=content, headers={"content-type": kind})


BEARER = {"authorization": "Bearer nobodys"}
KINDS = [
    # Who asks
    Kind("no token", lambda s: s.nobody.post("/matches", json=OFFER), "401 who-are-you", "Send"),
    Kind(
        "a token of nobody",
        lambda s: s.nobody.get("/players/me", headers=BEARER),
        "401 who-are-you",
        "send",
    ),
    Kind("mine of nobody", lambda s: s.nobody.get("/feed?mine"), "401 who-are-you", "Send"),
    # Where
    Kind("no such route", lambda s: s.nobody.get("/nope"), "404 no-such-thing", "/openapi.json"),
    Kind("no such match", lambda s: s.nobody.see(NOWHERE), "404 no-such-thing", "no match"),
    Kind("no match's name", lambda s: s.nobody.see("x"), "404 no-such-thing", "no match"),
    Kind("no such game", lambda s: s.nobody.get("/games/chess"), "404 no-such-thing", "qwirkle"),
    Kind("no such player", lambda s: s.nobody.get("/players/x"), "404 no-such-thing", "player"),
    Kind("no such method", lambda s: s.nobody.delete("/games"), "405 no-such-method", "Allow"),
    # How
    Kind("no JSON", lambda s: sent(s, b"{"), "400 bad-request", "not JSON"),
    Kind("another type", lambda s: sent(s, b"{}", "text/plain"), "415 not-json", "Content-Type"),
    Kind("a huge body", lambda s: sent(s, b" " * 70_000), "413 too-large", "less"),
    # Accounts
    Kind("no name", lambda s: named(s, ""), "422 invalid", "length >= 1"),
    Kind("a long name", lambda s: named(s, "x" * 41), "422 invalid", "length <= 40"),
    Kind("spaces around", lambda s: named(s, " x "), "422 invalid", "begin nor end with a space"),
    Kind("a bell as a name", lambda s: named(s, "\a"), "422 invalid", "letters, digits"),
    Kind("a number as a name", lambda s: named(s, 5), "422 invalid", "Expected `str`"),
    Kind("no field", lambda s: sent(s, b"{}"), "422 invalid", "`name`"),
    Kind("no such field", lambda s: sent(s, b'{"name":"A","x":1}'), "422 invalid", "`x`"),
    Kind("bye by mistake", lambda s: s.ann.delete("/players/me"), "400 bad-request", "?confirm="),
    # Offers
    Kind("an offer of no game", lambda s: offer(s, game="chess"), "422 invalid", "qwirkle"),
    Kind("too many seats", lambda s: offer(s, seats=[None] * 11), "422 invalid", "2 to 10"),
    Kind("no such robot", lambda s: offer(s, seats=[None, "x"]), "422 invalid", "x"),
    Kind("options of another", lambda s: offer(s, options={"x": 1}), "422 invalid", "options: "),
    Kind("no such policy", lambda s: offer(s, policy={"leave": "x"}), "422 invalid", "policy"),
    Kind("rated robots", lambda s: offer(s, **RATED_ROBOT), "422 invalid", "without robots"),
    Kind("a bad entropy", lambda s: offer(s, join={"entropy": "x"}), "422 invalid", "64 hex"),
    Kind(
        "sitting on a robot",
        lambda s: offer(s, seats=[None, "random"], join=SIT | {"seat": 1}),
        "422 invalid",
        "open seat",
    ),
    Kind(
        "a key of another offer",
        lambda s: s.ann.post(
            "/matches", json=OFFER | {"game": "qwirkle"}, headers={"idempotency-key": "used"}
        ),
        "422 key-reused",
        "draw a new one",
    ),
    # Seats
    Kind(
        "a taken chair",
        lambda s: post(s.bob, s.open, "join", SIT | {"seat": 0}),
        "409 seat-taken",
        "a chair of `free`",
    ),
    Kind(
        "no such chair",
        lambda s: post(s.bob, s.open, "join", SIT | {"seat": 9}),
        "409 seat-taken",
        "a chair of `free`",
    ),
    Kind("joining twice", lambda s: post(s.ann, s.open, "join", SIT), "409 seat-taken", "already"),
    Kind("too late", lambda s: post(s.bob, s.running, "join", SIT), "409 not-open", "find another"),
    Kind("a match that is over", lambda s: post(s.bob, s.over, "join", SIT), "409 over", "offer"),
    Kind("leaving no seat", lambda s: post(s.bob, s.open, "leave"), "403 not-yours", "no seat"),
    Kind(
        "leaving once dealt", lambda s: post(s.first, s.running, "leave"), "409 not-open", "resign"
    ),
    Kind(
        "resigning early",
        lambda s: post(s.ann, s.open, "resign"),
        "422 refused",
        "Wait until it is dealt",
    ),
    Kind("another's offer", lambda s: post(s.bob, s.open, "abort"), "403 not-yours", "offered"),
    # Moves
    Kind(
        "no If-Match",
        lambda s: s.second.play(s.running, KEEP, None),
        "428 if-match-missing",
        "If-Match",
    ),
    Kind(
        "nonsense in If-Match",
        lambda s: s.second.play(s.running, KEEP, "x"),
        "400 bad-request",
        'as in `If-Match: "41"`',
    ),
    Kind("an old table", lambda s: s.second.play(s.running, KEEP, 3), "412 stale", "look again"),
    Kind(
        "another's turn",
        lambda s: s.first.play(s.running, KEEP, 4),
        "422 refused",
        "Choose out of",
    ),
    Kind("no move", lambda s: s.second.play(s.running, {"type": "x"}, 4), "422 invalid", "x"),
    Kind("no seat", lambda s: s.bob.play(s.running, KEEP, 4), "403 not-yours", "no seat"),
    Kind(
        "before the deal",
        lambda s: s.ann.play(s.open, KEEP, 2),
        "422 refused",
        "Wait until it is dealt",
    ),
    Kind("after the end", lambda s: s.first.play(s.over, KEEP, 5), "409 over", "replay"),
    Kind(
        "a long key",
        lambda s: s.second.play(s.running, KEEP, 4, "k" * 256),
        "400 bad-request",
        "255 characters",
    ),
    Kind(
        "a key of another move",
        lambda s: s.first.play(s.running, KEEP, 4, "used"),
        "422 key-reused",
        "draw a new one",
    ),
    Kind(
        "growing with no seat",
        lambda s: post(s.bob, s.running, "grow", KEEP),
        "403 not-yours",
        "no seat",
    ),
    Kind(
        "growing nothing", lambda s: post(s.second, s.running, "grow", []), "422 invalid", "object"
    ),
    # Looking
    Kind("the future", lambda s: s.ann.see(s.running, seq=99), "404 no-such-thing", "99"),
    Kind("no number", lambda s: s.ann.see(s.running, seq="x"), "400 bad-request", "whole number"),
    Kind(
        "another's eyes", lambda s: s.first.see(s.running, **{"as": 1}), "403 not-yours", "yourself"
    ),
    Kind("nobody's eyes", lambda s: s.first.see(s.over, **{"as": 9}), "400 bad-request", "`open`"),
    Kind(
        "a bundle too soon",
        lambda s: s.ann.get(f"/matches/{s.running}/bundle"),
        "409 not-over",
        "come back",
    ),
    Kind("no such state", lambda s: s.ann.get("/matches?state=x"), "400 bad-request", "running"),
    Kind("no cursor", lambda s: s.ann.get("/matches?after=x"), "400 bad-request", "`next`"),
]


def held(stage: Stage) -> dict[bytes, Any]:
    """All keys of the server and what they hold, but for signs that apis give by themselves; of
    streams what was written, not who read it."""
    with redis.Redis(unix_socket_path=stage.server.url.removeprefix("unix://")) as server:
        return {
            key: server.xrange(key) if server.type(key) == b"stream" else server.dump(key)
            for key in server.scan_iter(count=1000)
            if not (uptime.is_sign(key) or key.startswith(b"here"))
        }


def test_wrong_requests_are_told_what_to_do_and_write_nothing(stage, scene):
    assert len(KINDS) > 50
    before, faults = held(stage), []
    for kind in KINDS:
        answer = kind.ask(scene)
        if problem(answer) != kind.wanted:
            faults.append(f"{kind.what}: {problem(answer)}")
        said = answer.json()
        sentence = " ".join([said["detail"], *said.get("errors", [])])
        if kind.says not in sentence or "regex" in sentence:
            faults.append(f"{kind.what}: {sentence}")
        if (after := held(stage)) != before:
            keys = [key for key in before | after if before.get(key) != after.get(key)]
            faults.append(f"{kind.what} has written {keys}")
            before = after
    assert not faults, "\n".join(faults)
