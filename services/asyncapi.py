"""The AsyncAPI document: what the feeds send, said with the Structs that they send."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct, json

from engine import RELEASE
from engine.look import Look, News
from services.said import End, Here, Matches, Moved, Reset, Talked

REF = "#/components/schemas/{name}"
ABOUT = """What Turnfold's feeds send. As server-sent events each message has the headers given here
as its fields `event` and `id`, and its payload as `data`. As NDJSON, by `Accept:
application/x-ndjson`, it is a line: its payload with `"event"` in front. The OpenAPI document has
everything else."""


class Message(NamedTuple):
    """What a feed may send: its event, its payload, whether it has an id to come back with."""

    event: str
    payload: type[Struct]
    says: str
    numbered: bool = False


class Feed(NamedTuple):
    address: str
    says: str
    messages: dict[str, Message]
    query: dict[str, str]


AFTER = "the seq that a reader has, if it sends no Last-Event-ID; only what came after follows"
MATCH = Feed(
    "/matches/{match}/feed",
    "What one viewer hears of a match. A reader that comes back with the last id as Last-Event-ID "
    "gets what it missed; without one it begins with a look.",
    {
        "look": Message("look", Look, "The table as the viewer sees it, to begin with.", True),
        "entry": Message("entry", News, "An entry, whether anything of it was heard or not.", True),
        "here": Message(
            "here",
            Here,
            "Who looks at it just now: after what it begins with, and whenever that changes. Not "
            "for who is late.",
        ),
        "talk": Message("talk", Talked, "Something new to read: GET /matches/{match}/talk."),
        "reset": Message("reset", Reset, "It cannot go on from there; a look follows."),
        "end": Message("end", End, "The match is over. The feed closes."),
    },
    {"after": AFTER, "as": "a seat, `watcher` or `open`; while it runs yourself or `watcher`"},
)
MANY = Feed(
    "/feed",
    "An entry of any match: of all that are listed and public or, with `mine`, of those in which "
    "the reader has a seat. It has no ids and begins again with where each match stands.",
    {
        "matches": Message("matches", Matches, "Where each match stands as the feed begins."),
        "moved": Message("entry", Moved, "An entry of one match, as far as all may know of it."),
    },
    {"mine": "there at all: only the matches in which you have a seat"},
)
FEEDS = {"match": MATCH, "many": MANY}


def document() -> dict[str, Any]:
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Turnfold", "version": RELEASE, "description": ABOUT},
        "defaultContentType": "application/json",
        "channels": {name: _channel(feed) for name, feed in FEEDS.items()},
        "operations": {f"hear_{name}": _operation(name) for name in FEEDS},
        "components": _components(),
    }


def _channel(feed: Feed) -> dict[str, Any]:
    refs = {name: {"$ref": f"#/components/messages/{name}"} for name in feed.messages}
    said = {"address": feed.address, "description": feed.says, "messages": refs}
    if "{match}" in feed.address:
        said["parameters"] = {"match": {"description": "the name of a match"}}
    return said


def _operation(name: str) -> dict[str, Any]:
    """The server sends; HTTP's method and query are a binding."""
    feed = FEEDS[name]
    query = {key: {"type": "string", "description": says} for key, says in feed.query.items()}
    binding = {
        "method": "GET",
        "query": {"type": "object", "properties": query},
        "bindingVersion": "0.3.0",
    }
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "messages": [{"$ref": f"#/channels/{name}/messages/{one}"} for one in feed.messages],
        "security": [{"$ref": "#/components/securitySchemes/token"}],
        "bindings": {"http": binding},
    }


def _components() -> dict[str, Any]:
    messages = {name: one for feed in FEEDS.values() for name, one in feed.messages.items()}
    types = [message.payload for message in messages.values()]
    payloads, schemas = json.schema_components(types, ref_template=REF)
    token = {"type": "http", "scheme": "bearer", "description": "who has none only watches"}
    return {
        "messages": {
            name: _message(name, message, payload)
            for (name, message), payload in zip(messages.items(), payloads, strict=True)
        },
        "schemas": schemas,
        "securitySchemes": {"token": token},
    }


def _message(name: str, message: Message, payload: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {"event": {"const": message.event}}
    if message.numbered:
        fields["id"] = {"type": "integer", "description": "the seq, to come back with"}
    headers = {"type": "object", "properties": fields, "required": [*fields]}
    return {"name": name, "summary": message.says, "headers": headers, "payload": payload}
