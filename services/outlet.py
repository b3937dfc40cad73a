"""An open connection of a feed: frames go in, bytes go out, and whoever reads too slowly is cut."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Generator, Mapping
from types import MappingProxyType
from typing import Any

from services.answers import encode
from services.moves import Receive, Scope, Send
from services.openapi import NDJSON, SSE

MOST = 1024 * 1024  # bytes that a reader may leave unread
BEAT = 15  # seconds between signs of life
CUT = "too slow"
RETRY = b"retry: 1000\n\n"


class Outlet:
    """What is still to be sent to one reader.

    It is sent by whoever pushes it, in the same moment: waking a task for each reader would take
    most of the time. Only while the reader's connection takes no more, a task waits.
    """

    __slots__ = ("_rest", "_send", "ended", "frames", "sse", "task", "unsent")

    def __init__(self, sse: bool) -> None:
        self.sse = sse
        self.frames: list[bytes] = [RETRY] if sse else []
        self.unsent = 0
        self.ended = False
        self.task = asyncio.current_task()
        self._send: Send | None = None  # while it can be sent to
        self._rest: asyncio.Task[None] | None = None  # of what it does not take yet

    def push(self, frame: bytes) -> None:
        self.frames.append(frame)
        self.unsent += len(frame)
        if self.unsent > MOST:
            self.cut()
        else:
            self.flow()

    def beat(self) -> None:
        """A sign of life."""
        self.push(b":\n\n" if self.sse else b"\n")

    def close(self) -> None:
        self.ended = True
        self.flow()

    def cut(self) -> None:
        """It comes back, and gets what it missed."""
        if self.task is not None:
            self.task.cancel(CUT)

    def taken(self) -> bytes:
        """All that is to be sent by now."""
        frames, self.frames, self.unsent = self.frames, [], 0
        return b"".join(frames)

    async def serve(
        self, receive: Receive, send: Send, headers: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Send what comes until the end, or until nobody reads any more."""
        await self._start(send, headers)
        self._send = send
        try:
            self.flow()
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self._send = None
            if self._rest is not None:
                self._rest.cancel()

    def flow(self) -> None:
        """Send what there is, if the connection takes it."""
        if self._send is None or self._rest is not None or not (self.frames or self.ended):
            return
        send, more = self._send, not self.ended
        if not more:
            self._send = None  # this is the last
        message = {"type": "http.response.body", "body": self.taken(), "more_body": more}
        rest = begun(send(message))
        if rest is not None:
            self._rest = asyncio.ensure_future(self._sent(rest))

    async def _sent(self, rest: Rest) -> None:
        await rest
        self._rest = None
        self.flow()

    async def _start(self, send: Send, more: Mapping[str, str]) -> None:
        headers = [
            (b"content-type", (SSE if self.sse else NDJSON).encode()),
            (b"cache-control", b"no-store"),
            (b"vary", b"Authorization, Cookie, Accept"),
            (b"x-accel-buffering", b"no"),
            *((name.encode(), value.encode()) for name, value in more.items()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})


class Rest:
    """What is still to be done of something that was begun, and has to wait."""

    def __init__(self, first: Any, steps: Generator[Any, Any, None]) -> None:
        self._first, self._steps = first, steps

    def __await__(self) -> Generator[Any, Any, None]:
        yield self._first
        yield from self._steps


def begun(work: Awaitable[None]) -> Rest | None:
    """Do this up to where it has to wait, and say what is left; None if it is done."""
    steps = work.__await__()
    try:
        return Rest(next(steps), steps)
    except StopIteration:
        return None


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
