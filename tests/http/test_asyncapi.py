"""The AsyncAPI document is true: whatever the feeds send is as it says."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest

from tests.http.feeds import BEAT, NDJSON, SSE, Frame, Listener, Reading, frames, heard
from tests.http.people import played, table
from tests.http.schemas import Schemas, dangling, found

BOTH = pytest.mark.parametrize("kind", [SSE, NDJSON])


@pytest.fixture(scope="module")
def said(api) -> dict[str, Any]:
    return httpx.get(f"{api}/asyncapi.json").json()


@pytest.fixture(scope="module")
def schemas(said) -> Schemas:
    return Schemas(said)


def wrong(schemas: Schemas, channel: str, frame: Frame, kind: str) -> list[str]:
    """What of a frame is not as some message of this channel has it."""
    said = schemas.said
    for ref in said["channels"][channel]["messages"].values():
        message = found(said, ref["$ref"])
        headers = message["headers"]["properties"]
        if headers["event"]["const"] == frame.event:
            numbered = kind == NDJSON or ("id" in headers) == (frame.id is not None)
            wrong = schemas.faults(message["payload"], frame.data)
            return wrong + ([] if numbered else ["id"])
    return [f"no message is called {frame.event}"]


def test_it_has_the_shape_of_asyncapi(said):
    assert said["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= set(said["info"])
    assert dangling(said) == []
    for channel in said["channels"].values():
        inside = [part[1:-1] for part in channel["address"].split("/") if part.startswith("{")]
        assert inside == [*channel.get("parameters", {})]
    for operation in said["operations"].values():
        assert operation["action"] == "send"
        channel = found(said, operation["channel"]["$ref"])
        sent = [found(said, ref["$ref"]) for ref in operation["messages"]]
        assert sent == [*channel["messages"].values()]


def test_it_names_every_feed_of_the_openapi_document(said, document):
    feeds = {
        path: {p["name"] for p in how["get"]["parameters"] if p["in"] == "query"}
        for path, how in document.said["paths"].items()
        if SSE in how.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    }
    told = {
        found(said, one["channel"]["$ref"])["address"]: set(
            one["bindings"]["http"]["query"]["properties"]
        )
        for one in said["operations"].values()
    }
    assert told == feeds


@BOTH
@pytest.mark.parametrize("game", ["high-card", "qwirkle"])
def test_a_match_is_told_as_it_says(schemas, make, visitor, kind, game):
    match, seats = table(make, game)
    feeds = [Listener(who, match, kind) for who in (visitor, *seats)]
    played(match, seats, Random(1), 4)
    seats[0].post(f"/matches/{match}/resign")
    told = [frame for feed in feeds for frame in feed.all()]
    told += heard(visitor, match, kind, 99)
    assert {frame.event for frame in told} == {"look", "entry", "reset", "end"}
    assert [fault for frame in told for fault in wrong(schemas, "match", frame, kind)] == []


@BOTH
def test_many_matches_are_told_as_it_says(schemas, make, visitor, kind):
    with visitor.stream("GET", "/feed", headers={"accept": kind}) as response:
        coming = frames(response, Reading(kind))
        told = [next(coming)]
        match, seats = table(make)
        played(match, seats, Random(1))
        while not told[-1].data or told[-1].data.get("status") != "over":
            told.append(next(coming))
    told = [frame for frame in told if frame.event != BEAT]
    assert [frame.event for frame in told[:2]] == ["matches", "entry"]
    assert [fault for frame in told for fault in wrong(schemas, "many", frame, kind)] == []


def test_what_is_not_as_it_says_is_found(schemas):
    assert wrong(schemas, "match", Frame("end", None, {}), SSE) == []
    assert wrong(schemas, "match", Frame("end", 3, {}), SSE) == ["id"]
    assert wrong(schemas, "match", Frame("end", None, {"x": 1}), SSE) == ["x is not named"]
    assert wrong(schemas, "match", Frame("reset", None, {"why": "x"}), SSE)
    assert wrong(schemas, "many", Frame("look", None, {}), SSE) == ["no message is called look"]
