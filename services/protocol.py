"""HTTP/1.1 as uvicorn speaks it, with a limit on what a request may hold besides its body.

A feed is given its connection for good: what each reader is sent is then one write of bytes that
all who hear the same share, and of uvicorn's own things nothing is kept for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from services.lines import GIVES
from services.problems import Problem

MOST = 32 * 1024  # bytes of the address and all headers, be they before or after the body

LAST = b"0\r\n\r\n"


class Http(HttpToolsProtocol):
    """Refuses a request as soon as it goes beyond that, be it within a header without end."""

    held = 0  # bytes of the address and the headers so far
    unread = 0  # bytes that came since anything was read whole

    def data_received(self, data: bytes) -> None:
        self.unread += len(data)
        super().data_received(data)
        if self.unread > MOST:
            self._refuse()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.scope = None  # type: ignore[assignment]  # which holds us

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.held = 0
        self.scope["extensions"] = {GIVES: self.give}  # type: ignore[dict-item]

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._hold(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._hold(len(name) + len(value) + len(": \r\n"))

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self.unread = 0

    def _hold(self, more: int) -> None:
        self.held += more
        self.unread = 0
        if self.held > MOST:
            raise ValueError("too much")  # the parser stops here

    def send_400_response(self, msg: str) -> None:
        """What the parser could not read."""
        if self.held > MOST:
            self._refuse()
        else:
            super().send_400_response(msg)

    def _refuse(self) -> None:
        problem = Problem("headers-too-large")
        body = problem.body()
        headers = problem.headers | {"content-length": str(len(body)), "connection": "close"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(STATUS_LINE[problem.status] + lines.encode() + b"\r\n" + body)
        self.transport.close()

    def give(self, more: Callable[[], None]) -> Given | None:
        """The connection of the request that is answered, which was told to be its last; None if
        the next one has come all the same."""
        if self.pipeline or self.transport.is_closing():
            return None
        line = Given(self.transport, self.connections, more)
        line.full = self.flow.write_paused
        self.transport.set_protocol(line)
        self.flow.resume_reading()
        self.connections.discard(self)
        self._forget()
        return line

    def _forget(self) -> None:
        """Feeds are many, and last: only what the front says of a request at its end is kept."""
        cycle: Any = self.cycle
        cycle.disconnected, cycle.on_response = True, _nothing
        cycle.flow = cycle.message_event = None
        self.parser = None  # type: ignore[assignment]
        scope: Any = self.scope
        kept = {name: scope[name] for name in ("type", "method", "path")}
        scope.clear()
        scope.update(kept)


class Given(asyncio.Protocol):
    """A connection that is a feed's; what its reader says is not heard any more."""

    __slots__ = ("_all", "_more", "_over", "_transport", "full")

    def __init__(
        self, transport: asyncio.Transport, all: set[Any], more: Callable[[], None]
    ) -> None:
        self.full = False
        self._transport, self._all, self._more = transport, all, more
        self._over = asyncio.get_running_loop().create_future()
        all.add(self)

    def send(self, frames: list[bytes], more: bool) -> None:
        data = shared(frames[0]) if len(frames) == 1 else chunk(b"".join(frames))
        self._transport.write(data if more else data + LAST)
        if not more:
            self._transport.close()

    async def over(self) -> None:
        await self._over

    def drop(self) -> None:
        self._transport.abort()

    def shutdown(self) -> None:
        """The server stops: it has told its feeds."""

    def pause_writing(self) -> None:
        self.full = True

    def resume_writing(self) -> None:
        self.full = False
        self._more()

    def connection_lost(self, error: Exception | None) -> None:
        self.full = True
        self._all.discard(self)
        if not self._over.done():
            self._over.set_result(None)


def chunk(body: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(body), body) if body else b""


shared = lru_cache(16)(chunk)  # made once for all who are sent the same, one after another


def _nothing() -> None:
    pass
