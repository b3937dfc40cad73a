"""The processes of the simulation: an api with all its tasks, and workers that block.

A process that dies is no more from one instant to the next: its tasks are cancelled, its
connections gone, its memory lost; another takes its place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from random import Random
from typing import TYPE_CHECKING, Any

import hiredis
from greenlet import getcurrent, greenlet
from redis.exceptions import ConnectionError as Broken
from redis.exceptions import NoScriptError, ResponseError

from services.api import _living
from services.feed import Hub
from services.front import Front
from services.house import House
from services.ticker import Ticker
from tests.chaos.fake_server import Died
from tests.chaos.simulation.loop import PROCESS

if TYPE_CHECKING:
    from tests.chaos.simulation.network import Link
    from tests.chaos.simulation.world import World

URL = "unix:///simulated"


class Process:
    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.ahead = 0  # ns that its wall clock is ahead of the others
        self.alive = True
        self.tasks: list[asyncio.Task[Any]] = []
        self.links: list[Link] = []
        self.chance: Random = world.chance(name)
        self.context = copy_context()
        self.context.run(PROCESS.set, self)

    def spawn(self, coroutine: Any) -> asyncio.Task[Any]:
        return self.world.loop.create_task(coroutine, context=self.context)

    def die(self) -> None:
        self.alive = False
        for link in self.links:
            if link.open:
                link.forget()
        for task in self.tasks:
            task.cancel()


class Api(Process):
    """An api process. All share the routes of one app: it asks them for their house."""

    def __init__(self, world: World, name: str) -> None:
        super().__init__(world, name)
        self.stopping = world.loop.create_future()
        self.context.run(self._build)
        self.spawn(self._live())

    def _build(self) -> None:
        self.house = House(URL, limits=self.world.limits)
        self.hub, ticker = Hub(self.house), Ticker(self.house)
        self.front = Front(self.world.app, self.house, self.hub, ticker)
        self._living = _living(self.house, self.hub, ticker)

    async def _live(self) -> None:
        async with self._living(self.world.app):
            await self.stopping
        self.die()

    def stop(self) -> None:
        """As on SIGTERM: it tells its feeds, and ends."""
        self.world.say(self.name, "stops")
        if not self.stopping.done():
            self.stopping.set_result(None)


class Shared:
    """The state of an app that many houses share."""

    def __init__(self, settings: Any) -> None:
        self.settings = settings

    @property
    def house(self) -> House:
        process = PROCESS.get()
        assert isinstance(process, Api)
        return process.house


class Worker(Process):
    """A process that blocks: a greenlet, which runs while the loop waits for it."""

    def __init__(self, world: World, name: str, work: Callable[[], object]) -> None:
        super().__init__(world, name)
        self._work = work
        self._here = greenlet(lambda: self.context.copy().run(self._run))
        world.loop.call_soon(self._step)

    def _run(self) -> None:
        with suppress(Died):
            self._work()

    def _step(self, _: object = None) -> None:
        if not self._here.dead:
            self._here.parent = getcurrent()
            self._here.switch()

    def wait(self, future: asyncio.Future[Any]) -> Any:
        """In its greenlet: until that is there."""
        if not future.done() and self.alive:
            future.add_done_callback(self._step)
            self._here.parent.switch()
        if not self.alive:
            raise Died
        return future.result()

    def sleep(self, seconds: float) -> None:
        future = self.world.loop.create_future()
        timer = self.world.loop.call_later(seconds, future.set_result, None)
        try:
            self.wait(future)
        finally:
            timer.cancel()

    def die(self) -> None:
        super().die()
        self._step()


class Blocking:
    """A connection as BlockingWire has one, of the worker that makes it."""

    def __init__(self, worker: Worker) -> None:
        self._worker, self._loop = worker, worker.world.loop
        self._replies, self._coming = hiredis.Reader(), self._loop.create_future()
        self._link: Link | None = None

    @classmethod
    def from_url(cls, url: str, **how: Any) -> Any:
        return Pool()

    # What BlockingWire does with it

    def connect(self) -> None:
        worker = self._worker
        try:
            self._link, _ = worker.wait(worker.spawn(worker.world.server.connect(lambda: self)))
        except OSError as error:
            raise Broken(str(error)) from error

    def send_command(self, *words: Any) -> None:
        self.send_packed_command([hiredis.pack_command(words)])

    def send_packed_command(self, packed: list[bytes], check_health: bool = False) -> None:
        if self._link is None or not self._link.open:
            raise Broken("it broke")
        self._link.write(b"".join(packed))

    def read_response(self) -> Any:
        while (reply := self._replies.gets()) is False:
            self._coming = self._loop.create_future()
            if self._link is None or not self._link.open:
                raise Broken("it broke")
            self._worker.wait(self._coming)
        if isinstance(reply, hiredis.ReplyError):
            kind = NoScriptError if str(reply).startswith("NOSCRIPT") else ResponseError
            raise kind(str(reply))
        return reply

    def disconnect(self) -> None:
        if self._link is not None and self._link.open:
            self._link.forget()

    # What the link does with it

    def connection_made(self, link: Link) -> None:
        pass

    def data_received(self, data: bytes) -> None:
        self._replies.feed(data)
        self._rouse()

    def connection_lost(self, error: object) -> None:
        self._rouse()

    def _rouse(self) -> None:
        if not self._coming.done():
            self._coming.set_result(None)


class Pool:
    @property
    def connection_pool(self) -> Pool:
        return self

    def make_connection(self) -> Blocking:
        worker = PROCESS.get()
        assert isinstance(worker, Worker)
        return Blocking(worker)
