"""Requests on their way to an api, and what comes back: late, twice, or never."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import json

from tests.chaos.simulation.loop import Way
from tests.chaos.simulation.processes import Api

if TYPE_CHECKING:
    from tests.chaos.simulation.world import World

PATIENCE = 20.0  # seconds that a client waits for an answer


class Gone(Exception):
    """Nobody answered; whether anything was done, nobody knows."""


class Reply(NamedTuple):
    status: int
    headers: dict[bytes, bytes]
    body: bytes

    @property
    def seq(self) -> int:
        """Of the entry that it tells of."""
        return int(self.headers[b"location"].rpartition(b"=")[2])

    @property
    def said(self) -> Any:
        return json.decode(self.body) if self.body else None


class Request(NamedTuple):
    method: str
    path: str
    token: str | None = None
    body: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def scope(self) -> dict[str, Any]:
        path, _, query = self.path.partition("?")
        headers = [*self.headers, (b"content-length", b"%d" % len(self.body))]
        if self.token:
            headers.append((b"authorization", b"Bearer " + self.token.encode()))
        return {
            "type": "http",
            "http_version": "1.1",
            "method": self.method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": headers,
            "scheme": "http",
            "client": ("10.0.0.1", 1),
            "server": ("10.0.0.2", 80),
        }


class Exchange:
    """A request that an api has been sent, and as much of the answer as has come."""

    def __init__(
        self,
        world: World,
        api: Api,
        request: Request,
        chance: Random,
        hear: Callable[[bytes], None] | None = None,
    ) -> None:
        self.world, self.request, self.chance, self._hear = world, request, chance, hear
        self.done: asyncio.Future[Reply] = world.loop.create_future()
        self.status, self._headers, self._body = 0, {}, b""
        self._sent, self._left, self._back = False, world.loop.create_future(), Way(world.loop)
        self._fault = world.faults.breaks(chance)
        delay = world.faults.delay(chance)
        world.loop.call_later(delay, self._arrive, api)

    def leave(self) -> None:
        """The client is gone, or the connection."""
        if not self._left.done():
            self._left.set_result(None)
        if not self.done.done():
            self.done.set_exception(Gone())
            self.done.exception()  # whether anybody asks or not

    def _arrive(self, api: Api) -> None:
        if not api.alive or self._fault == "before" or self._left.done():
            self.leave()
            return
        self._task = api.spawn(api.front(self.request.scope(), self._receive, self._send))
        self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        """Without an answer, if its process died."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self.world.fail(error)
        self._back.send(0, self.leave)

    async def _receive(self) -> dict[str, Any]:
        if not self._sent:
            self._sent = True
            return {"type": "http.request", "body": self.request.body, "more_body": False}
        await asyncio.shield(self._left)
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        delay = self.world.faults.delay(self.chance)
        self._back.send(delay, self._came, message, to=self.world.clients.context)

    def _came(self, message: Any) -> None:
        if self._fault == "after":
            self.leave()
        if self.done.done():
            return
        if message["type"] == "http.response.start":
            self.status, self._headers = message["status"], dict(message["headers"])
            return
        if self._hear is not None and self.status == 200:
            self._hear(message.get("body", b""))
        else:
            self._body += message.get("body", b"")
        if not message.get("more_body"):
            self.done.set_result(Reply(self.status, self._headers, self._body))


class Client:
    """Who sends requests, and again what nobody answered."""

    def __init__(self, world: World, name: str, token: str | None) -> None:
        self.world, self.name, self.token = world, name, token
        self.chance = world.chance(name)

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Reply:
        """The answer to whichever try; Gone if there was none to this one."""
        exchange = self.sent(method, path, body, **headers)
        try:
            async with asyncio.timeout(PATIENCE):
                reply = await asyncio.shield(exchange.done)
        except TimeoutError:
            raise Gone from None
        finally:
            exchange.leave()
        self.world.say(self.name, f"{method} {path}", f"{headers} {reply.status} {reply.body!r}")
        return self.world.sound(reply)

    def sent(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        hear: Callable[[bytes], None] | None = None,
        **headers: str,
    ) -> Exchange:
        named = tuple((k.replace("_", "-").encode(), v.encode()) for k, v in headers.items())
        request = Request(method, path, self.token, body, named)
        return Exchange(self.world, self.world.an_api(self.chance), request, self.chance, hear)

    async def insist(self, method: str, path: str, body: bytes = b"", **headers: str) -> Reply:
        """Again and again, until somebody answers who is not too busy."""
        while True:
            try:
                reply = await self.ask(method, path, body, **headers)
                if reply.status not in (429, 503):
                    return reply
            except Gone:
                self.world.counts["gone"] += 1
            await asyncio.sleep(self.chance.uniform(0.05, 1.0))
