"""Reads feeds as clients do, byte by byte if need be."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
from msgspec import json

from tests.http.people import Visitor

SSE, NDJSON = "text/event-stream", "application/x-ndjson"
BEAT = "beat"


class Frame(NamedTuple):
    event: str
    id: int | None
    data: Any

    @property
    def raw(self) -> bytes:
        return json.encode(self.data)


class Reading:
    """Takes bytes, however they are cut, and gives frames once they are whole; those that say who
    looks only if they are wanted."""

    def __init__(self, kind: str, here: bool = False) -> None:
        self.kind, self.left, self.retry, self.here = kind, b"", None, here

    def feed(self, data: bytes) -> list[Frame]:
        stop = b"\n\n" if self.kind == SSE else b"\n"
        *whole, self.left = (self.left + data).split(stop)
        frames = [self._sse(one) if self.kind == SSE else self._ndjson(one) for one in whole]
        return [one for one in frames if one and (self.here or one.event != "here")]

    def _sse(self, text: bytes) -> Frame | None:
        fields = dict(line.split(b": ", 1) for line in text.split(b"\n") if line != b":")
        if not fields:
            return Frame(BEAT, None, None)
        if b"retry" in fields:
            self.retry = int(fields[b"retry"])
            return None
        id = int(fields[b"id"]) if b"id" in fields else None
        return Frame(fields[b"event"].decode(), id, json.decode(fields[b"data"]))

    def _ndjson(self, text: bytes) -> Frame | None:
        if not text:
            return Frame(BEAT, None, None)
        said = json.decode(text)
        event = said.pop("event")
        return Frame(event, said["seq"] if event in ("look", "entry") else None, said)


def opened(who: Visitor, match: str, kind: str = SSE, last: Any = None, **query: Any):
    """A feed, as a context: whether it is asked by header or by query follows its kind."""
    headers = {"accept": kind}
    if last is not None:
        headers, query = (
            (headers | {"last-event-id": str(last)}, query)
            if kind == SSE
            else (headers, query | {"after": last})
        )
    return who.stream("GET", f"/matches/{match}/feed", params=query, headers=headers)


def frames(response: httpx.Response, reading: Reading) -> Iterator[Frame]:
    for data in response.iter_raw():
        yield from reading.feed(data)


def heard(who: Visitor, match: str, kind: str = SSE, last: Any = None, **query: Any):
    """All frames of a feed that ends."""
    with opened(who, match, kind, last, **query) as response:
        assert response.status_code == 200, response.read()
        assert response.headers["content-type"] == kind
        return list(frames(response, Reading(kind)))


class Listener(threading.Thread):
    """Follows a feed from its look on, in a thread, until it ends."""

    def __init__(self, who: Visitor, match: str, kind: str = SSE, **query: Any) -> None:
        super().__init__(daemon=True)
        self.frames: list[Frame] = []
        self.who, self.match, self.kind, self.query = who, match, kind, query
        self.looked = threading.Event()
        self.start()
        assert self.looked.wait(10)

    def run(self) -> None:
        with opened(self.who, self.match, self.kind, **self.query) as response:
            for frame in frames(response, Reading(self.kind)):
                self.frames.append(frame)
                self.looked.set()

    def all(self) -> list[Frame]:
        self.join(20)
        assert not self.is_alive(), "the feed does not end"
        return [frame for frame in self.frames if frame.event != BEAT]
