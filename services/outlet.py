"""An open connection of a feed: frames go in, bytes go out, and whoever reads too slowly is cut."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from services.answers import encode
from services.lines import Asgi, Line, given, leaving
from services.moves import Receive, Scope, Send
from services.openapi import NDJSON, SSE

MOST = 1024 * 1024  # bytes that a reader may leave unread
BEAT = 15  # seconds between signs of life
CUT = "too slow"
RETRY = b"retry: 1000\n\n"


class Outlet:
    """What is still to be sent to one reader."""

    __slots__ = ("_line", "ended", "frames", "sse", "task", "unsent")

    def __init__(self, sse: bool) -> None:
        self.sse = sse
        self.frames: list[bytes] = [RETRY] if sse else []
        self.unsent = 0
        self.ended = False
        self.task = asyncio.current_task()
        self._line: Line | None = None  # while it can be sent to

    def push(self, frame: bytes) -> None:
        """Send this, after whatever waits."""
        self.queue(frame)
        self.flow()

    def queue(self, frame: bytes) -> None:
        """This is sent when it flows next."""
        self.frames.append(frame)
        self.unsent += len(frame)
        if self.unsent > MOST:
            self.flow()
        if self.unsent > MOST:
            self.cut()

    def beat(self) -> None:
        """A sign of life, when it flows next."""
        self.queue(b":\n\n" if self.sse else b"\n")

    def close(self) -> None:
        self.ended = True
        self.flow()

    def cut(self) -> None:
        """It comes back, and gets what it missed."""
        if self.task is not None:
            self.task.cancel(CUT)

    async def serve(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Send what comes until the end, or until nobody reads any more."""
        await self._start(send, {**headers, **leaving(scope)})
        line = self._line = given(scope, self.flow) or Asgi(receive, send, self.flow)
        try:
            self.flow()
            await line.over()
        finally:
            self._line = None
            line.drop()

    def flow(self) -> None:
        """Send what there is, if the line takes it."""
        line = self._line
        if line is None or line.full or not (self.frames or self.ended):
            return
        if self.ended:
            self._line = None  # this is the last
        frames, self.frames, self.unsent = self.frames, [], 0
        line.send(frames, not self.ended)

    async def _start(self, send: Send, more: Mapping[str, str]) -> None:
        headers = [
            (b"content-type", (SSE if self.sse else NDJSON).encode()),
            (b"cache-control", b"no-store"),
            (b"vary", b"Authorization, Cookie, Accept"),
            (b"x-accel-buffering", b"no"),
            *((name.encode(), value.encode()) for name, value in more.items()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})


def wants_sse(scope: Scope) -> bool:
    """Server-sent events, unless the reader asks for NDJSON."""
    return NDJSON.encode() not in dict(scope["headers"]).get(b"accept", b"")


def frame(event: str, data: Any, sse: bool, id: int | None = None) -> bytes:
    body = encode(data)
    if sse:
        numbered = b"" if id is None else b"id: %d\n" % id
        return b"event: %s\n%sdata: %s\n\n" % (event.encode(), numbered, body)
    comma = b"," if len(body) > 2 else b""
    return b'{"event":"%s"%s%s\n' % (event.encode(), comma, body[1:])
