"""Lines: the connection under a feed, where bytes go out until nobody reads them any more.

Our own server gives a connection away for good (`services/protocol.py`); any other ASGI server has
it, and is sent messages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import Any, Protocol

from services.moves import Receive, Scope, Send

GIVES = "turnfold.line"  # the ASGI extension by which a server gives a connection away


class Line(Protocol):
    @property
    def full(self) -> bool:
        """It takes nothing just now, and calls for more once it does."""

    def send(self, frames: list[bytes], more: bool) -> None:
        """Never while it is full; the last time without `more`."""

    async def over(self) -> None:
        """Wait until nobody reads any more."""

    def drop(self) -> None:
        """Let go of whatever it has not sent."""


# What it is given is called whenever the line takes more again.
Giver = Callable[[Callable[[], None]], Line | None]


class Asgi:
    """By messages to a server. They are sent by whoever has them, in the same moment: waking a task
    for each reader would take most of the time. Only while the server takes no more, a task waits.
    """

    __slots__ = ("_more", "_receive", "_rest", "_send")

    def __init__(self, receive: Receive, send: Send, more: Callable[[], None]) -> None:
        self._receive, self._send, self._more = receive, send, more
        self._rest: asyncio.Task[None] | None = None  # of what is not taken yet

    @property
    def full(self) -> bool:
        return self._rest is not None

    def send(self, frames: list[bytes], more: bool) -> None:
        message = {"type": "http.response.body", "body": b"".join(frames), "more_body": more}
        rest = begun(self._send(message))
        if rest is not None:
            self._rest = asyncio.ensure_future(self._sent(rest))

    async def _sent(self, rest: Rest) -> None:
        await rest
        self._rest = None
        self._more()

    async def over(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def drop(self) -> None:
        if self._rest is not None:
            self._rest.cancel()


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


def leaving(scope: Scope) -> dict[str, str]:
    """The headers of an answer whose connection is given away."""
    return {"connection": "close"} if GIVES in (scope.get("extensions") or {}) else {}


def given(scope: Scope, more: Callable[[], None]) -> Line | None:
    """The connection of a request whose answer has begun, if the server gives it away."""
    give: Giver | None = (scope.get("extensions") or {}).get(GIVES)
    return give(more) if give else None
