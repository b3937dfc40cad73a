"""An open connection of a feed: frames go in, bytes go out, and whoever reads too slowly is cut."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
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
    """What is still to be sent to one reader, and one future on which its sender waits."""

    __slots__ = ("ended", "frames", "sse", "task", "unsent", "wake")

    def __init__(self, sse: bool) -> None:
        self.sse = sse
        self.frames: list[bytes] = [RETRY] if sse else []
        self.unsent = 0
        self.ended = False
        self.wake: asyncio.Future[None] | None = None
        self.task = asyncio.current_task()

    def push(self, frame: bytes) -> None:
        self.frames.append(frame)
        self.unsent += len(frame)
        if self.unsent > MOST:
            self.cut()
        self.rouse()

    def beat(self) -> None:
        """A sign of life."""
        self.push(b":\n\n" if self.sse else b"\n")

    def close(self) -> None:
        self.ended = True
        self.rouse()

    def cut(self) -> None:
        """It comes back, and gets what it missed."""
        if self.task is not None:
            self.task.cancel(CUT)

    def rouse(self) -> None:
        if self.wake is not None and not self.wake.done():
            self.wake.set_result(None)

    async def taken(self) -> bytes:
        """All that is to be sent; waits for some. Empty at the end."""
        while not self.frames and not self.ended:
            self.wake = asyncio.get_running_loop().create_future()
            await self.wake
        frames, self.frames, self.unsent = self.frames, [], 0
        return b"".join(frames)

    async def serve(
        self, receive: Receive, send: Send, headers: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Send what comes until the end, or until nobody reads any more."""
        await self._start(send, headers)
        gone = asyncio.create_task(self._gone(receive))
        try:
            while True:
                chunk = await self.taken()
                if gone.done():
                    return
                ended = self.ended and not self.frames
                if chunk or ended:
                    body = {"type": "http.response.body", "body": chunk, "more_body": not ended}
                    await send(body)
                if ended:
                    return
        finally:
            gone.cancel()

    async def _start(self, send: Send, more: Mapping[str, str]) -> None:
        headers = [
            (b"content-type", (SSE if self.sse else NDJSON).encode()),
            (b"cache-control", b"no-store"),
            (b"vary", b"Authorization, Cookie, Accept"),
            (b"x-accel-buffering", b"no"),
            *((name.encode(), value.encode()) for name, value in more.items()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    async def _gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.close()


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
