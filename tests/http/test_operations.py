"""What operators are told: readiness, metrics, request ids, and logs that give nothing away."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import closing

import httpx
import pytest
from msgspec import json
from prometheus_client.parser import text_string_to_metric_families

from services import queues, roll, vitals
from services.api import make_app
from services.queues import QUEUES
from services.settings import USUAL, Settings
from services.wire import Refused
from tests.http.feeds import opened
from tests.http.people import Player, Visitor, problem, table
from tests.http.stage import Api, until

HEALTHY = {
    "aof_enabled": "1",
    "aof_last_write_status": "ok",
    "aof_last_bgrewrite_status": "ok",
}


def test_ready(visitor):
    answer = visitor.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["ready"] is True
    assert answer.json()["why_not"] == []
    assert answer.headers["cache-control"] == "no-store"


def inside(*paths: str, settings: Settings = USUAL, **headers: str) -> list[httpx.Response]:
    """Answers of an api whose server is away."""

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(make_app("unix:///nowhere", settings=settings))
        async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
            return [await client.get(path, headers=headers) for path in paths]

    return asyncio.run(ask())


def test_not_ready_without_a_server(document):
    [answer] = inside("/readyz")
    assert answer.status_code == 503
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["why_not"] == ["The server for the data does not answer."]


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        (HEALTHY, None),
        (HEALTHY | {"aof_enabled": "0"}, "The append-only file is off."),
        (HEALTHY | {"aof_last_write_status": "err"}, "aof_last_write_status is err"),
        (HEALTHY | {"aof_last_bgrewrite_status": "err"}, "aof_last_bgrewrite_status is err"),
        ({}, "The append-only file is off."),
    ],
)
def test_not_ready_if_nothing_is_kept(said, fault):
    found = vitals.log_fault(said)
    assert (fault is None and found is None) or fault in found


def test_not_ready_if_nobody_folds(stage):
    """A house of its own, where an entry has waited since long ago."""
    with closing(stage.wire()) as wire:
        assert wire.talk(vitals.oldest(7)) == 0.0
        wire.ask(roll.Ask(("XADD", "{7}:unfolded", "1-0", "m", "7-" + "a" * 16), bytes))
        assert wire.talk(vitals.oldest(7)) > 1e9
        wire.ask(roll.Ask(("DEL", "{7}:unfolded"), int))
    assert list(vitals._late([0.0, 9.0, 11.4])) == [
        "Shard 2: an entry has waited 11 s to be folded."
    ]


# Metrics


def metrics(base: str, **labels: str) -> dict[str, float]:
    """All samples with these labels, by name."""
    answer = httpx.get(f"{base}/metrics")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        sample.name: sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
        if labels.items() <= sample.labels.items()
    }


MOVE = {"method": "POST", "route": "/matches/{match}/moves"}


def test_requests_are_counted_by_route_and_status(make, api):
    match, (ann, _) = table(make)
    seq = ann.look(match)["seq"]
    before = metrics(api, **MOVE, status="201").get("turnfold_requests_total", 0)
    assert ann.play(match, {"type": "keep"}, seq).status_code == 201
    assert metrics(api, **MOVE, status="201")["turnfold_requests_total"] == before + 1
    assert metrics(api, method="GET", route="/matches/{match}/look", status="200")
    assert metrics(api, route=MOVE["route"])["turnfold_request_seconds_count"] >= 1
    assert metrics(api)["turnfold_append_seconds_count"] >= 1


def test_unknown_paths_are_one_route(visitor, api):
    secret = f"/{secrets.token_hex(8)}"
    visitor.get(secret)
    assert metrics(api, route="unknown", status="404")["turnfold_requests_total"] >= 1
    assert secret not in httpx.get(f"{api}/metrics").text


def test_moves_are_counted_by_their_verdict(make, api):
    match, (ann, bob) = table(make)
    seq = ann.look(match)["seq"]
    before = {verdict: moves(api, verdict) for verdict in ("accepted", "NOT_YOUR_TURN", "stale")}
    assert problem(bob.play(match, {"type": "keep"}, seq)) == "422 refused"
    code = bob.play(match, {"type": "keep"}, seq).json()["code"]
    assert problem(ann.play(match, {"type": "keep"}, 1)) == "412 stale"
    assert ann.play(match, {"type": "keep"}, seq).status_code == 201
    assert moves(api, "accepted") == before["accepted"] + 1
    assert moves(api, "stale") == before["stale"] + 1
    assert moves(api, code) >= 2


def moves(api: str, verdict: str) -> float:
    return metrics(api, verdict=verdict).get("turnfold_moves_total", 0)


def test_open_feeds_and_what_the_ledger_says(make, visitor, api):
    match = make().offer()
    idle = metrics(api)
    with opened(visitor, match):
        assert metrics(api)["turnfold_open_feeds"] == idle["turnfold_open_feeds"] + 1
    assert idle["turnfold_ledger_up"] == 1
    for queue in QUEUES:
        assert metrics(api, queue=queue)["turnfold_jobs_queued"] >= 0
        assert metrics(api, queue=queue)["turnfold_jobs_failed"] >= 0
        assert metrics(api, queue=queue)["turnfold_jobs_oldest_seconds"] < 60
    assert idle["turnfold_notices_late_seconds"] >= 0
    assert idle["turnfold_ledger_log_ok"] == 1
    assert idle["turnfold_ledger_memory_bytes"] > 0
    assert idle["turnfold_ledger_memory_limit_bytes"] == 0
    assert idle["turnfold_archive_unread_total"] == 0
    assert idle["turnfold_uptime_seconds"] > 0
    assert idle["process_resident_memory_bytes"] > 0
    shard = metrics(api, shard="0")
    assert shard["turnfold_live_matches"] >= 1
    assert shard["turnfold_stuck_matches"] == 0
    assert shard["turnfold_unfolded"] >= 0
    assert shard["turnfold_unfolded_oldest_seconds"] < 60
    assert shard["turnfold_unreacted"] >= 0
    assert metrics(api, kind="fold", shard="0")["turnfold_workers"] >= 1


def test_how_late_the_house_is_counts(stage):
    """On a shard of its own: a deadline that nobody acted on, a line that nobody took; and a job,
    and a notice, of long ago."""
    with closing(stage.wire()) as wire:

        def say(*words):
            return wire.ask(roll.Ask(words, lambda reply: reply))

        def found():
            return wire.talk(vitals.lag(7)).late, wire.talk(queues.waits("nobody's"))

        assert found() == (0, 0)
        say("ZADD", "{7}:live", "inf", "7-" + "a" * 16)
        assert found() == (0, 0)
        say("ZADD", "{7}:live", "1000", "7-" + "b" * 16)
        say("RPUSH", "rq:queue:nobody's", "one")
        say("HSET", "rq:job:one", "enqueued_at", "2020-01-01T00:00:00.000000Z")
        assert all(late > 1e8 for late in found())
        with pytest.raises(Refused):
            wire.talk(vitals.group(7, "react"))
        say("XGROUP", "CREATE", "{7}:folded", "react", "0", "MKSTREAM")
        assert wire.talk(vitals.group(7, "react")) == vitals.Group(0, 0, 0)
        say("XADD", "{7}:folded", "1-0", "m", "x")
        group = wire.talk(vitals.group(7, "react"))
        assert (group.there, group.behind, group.waits > 1e9) == (0, 1, True)
        say("XREADGROUP", "GROUP", "react", "me", "STREAMS", "{7}:folded", ">")
        group = wire.talk(vitals.group(7, "react"))
        assert (group.there, group.behind, group.waits > 1e9) == (1, 1, True)
        assert wire.talk(vitals.notices_late()) < 1e8
        say("ZADD", "{notices}:due", "1000", "x")
        assert wire.talk(vitals.notices_late()) > 1e9
        say("DEL", "{7}:live", "{7}:folded", "rq:queue:nobody's", "rq:job:one", "{notices}:due")


def test_what_a_worker_folds_is_timed(make, brisk):
    """There the door leaves all folding to the worker."""
    before = metrics(brisk).get("turnfold_fold_seconds_count", 0)
    ann = make(base=brisk)
    ann.offer()
    assert metrics(brisk)["turnfold_fold_seconds_count"] > before


def test_metrics_without_a_server():
    [answer] = inside("/metrics")
    assert answer.status_code == 200
    assert "turnfold_ledger_up 0.0" in answer.text
    assert "turnfold_unfolded{" not in answer.text


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip", "via"])
def test_metrics_are_for_this_machine_alone(visitor, header):
    assert problem(visitor.get("/metrics", headers={header: "127.0.0.1"})) == "403 not-yours"


def test_metrics_for_who_has_the_token():
    settings = Settings(metrics_token="m" * 20)
    for sent in ("", "Bearer", "Bearer x", f"Basic {'m' * 20}"):
        [answer] = inside("/metrics", settings=settings, authorization=sent)
        assert problem(answer) == "401 who-are-you"
    [answer] = inside("/metrics", settings=settings, authorization=f"Bearer {'m' * 20}")
    assert answer.status_code == 200


# Request ids


def test_every_answer_but_of_a_move_has_an_id(make, visitor):
    ann = make()
    match = ann.offer()
    given = {"x-request-id": "abc-1"}
    assert ann.see(match).headers["x-request-id"] != ann.see(match).headers["x-request-id"]
    for path in ("/games", "/nope", f"/matches/{match}/look", f"/matches/{match}/moves"):
        assert visitor.get(path, headers=given).headers["x-request-id"] == "abc-1"
    with visitor.stream("GET", f"/matches/{match}/feed", headers=given) as feed:
        assert feed.headers["x-request-id"] == "abc-1"
    for wrong in ("", "a b", "x" * 65, "é"):
        answer = visitor.get("/games", headers={"x-request-id": wrong.encode("latin-1")})
        assert answer.headers["x-request-id"] != wrong
        assert len(answer.headers["x-request-id"]) == 16
    refused = ann.play(match, {"type": "keep"}, 2, **given)
    assert refused.headers["x-request-id"] == "abc-1"


# Logs


@pytest.fixture(scope="module")
def told(stage) -> Api:
    """An api that logs every request, as JSON."""
    return stage.api(TURNFOLD_LOG="json", TURNFOLD_ACCESS_LOG="1").ready()


def test_every_request_is_a_line_without_secrets(told, document):
    with Visitor(told.base, document.hear) as visitor:
        ann, bob = (Player(told.base, document.hear) for _ in range(2))
        with ann, bob:
            match = ann.offer()
            bob.join(match)
            seat = ann.look(match, **{"as": "watcher"})["to_act"][0]
            looks = {player.look(match)["viewer"]: player for player in (ann, bob)}
            seq = ann.look(match)["seq"]
            looks[seat].play(match, {"type": "trade"}, seq, key="mykey-7")
            visitor.get(f"/games?token={ann.token}", headers={"x-request-id": "findme"})
            visitor.get(f"/matches/{match}/look?seq=2")
            [one] = ann.get("/players/me/tokens").json()
            ann.delete(f"/players/me/tokens/{one['id']}")
            until(lambda: "/tokens/" in told.log.read_text())
            text = told.log.read_text()
            secret = [ann.token, bob.token, ann.entropy, bob.entropy, one["id"]]
    lines = [json.decode(line) for line in text.splitlines()]
    for word in (*secret, "trade", "mykey", "watcher", "seq=", "token="):
        assert word not in text, word
    said = [line for line in lines if line["log"] == "turnfold.access"]
    assert all({"at", "level", "process", "status", "ms", "client"} <= set(line) for line in said)
    assert {line["process"] for line in lines} == {"api"}
    [found] = [line for line in said if line.get("request") == "findme"]
    assert (found["says"], found["status"]) == ("GET /games", 200)
    assert f"POST /matches/{match}/moves" in [line["says"] for line in said]
