"""A fakeredis server in this process: its clock, and connections whose processes may die."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any

from fakeredis import FakeServer, FakeStrictRedis
from redis.exceptions import ResponseError

from services import ledger
from services.archive.shelf import Shelf
from services.ledger import Ask, Todo
from services.routes import crosses
from services.wire import SETUP, BlockingWire, Refused, Talk, converse, read_through
from workers.fold import BATCH, IDLE, Folder


class Died(BaseException):
    """The process that asked is no more. No Exception: a dead process catches nothing."""


class Clock:
    """What everything in this process takes for the time; it moves only when told to."""

    def __init__(self, monkeypatch) -> None:
        self.ns = 1_700_000_000_000_000_000
        monkeypatch.setattr(time, "time_ns", lambda: self.ns)
        monkeypatch.setattr(time, "time", lambda: self.ns / 1e9)
        monkeypatch.setattr(time, "monotonic", lambda: self.ns / 1e9)

    @property
    def ms(self) -> int:
        return self.ns // 1_000_000

    def sleep(self, seconds: float) -> None:
        self.ns += int(seconds * 1e9)


class FakeWire:
    """Stands in for BlockingWire; never blocks, a read that would answers that nothing came.

    `pause` is called whenever a command is on its way, and its answer: there others run, and the
    process may die. `soon` says of a command sent ahead whether the server has it at once, or
    only when its answer is asked for.
    """

    def __init__(
        self,
        store: FakeServer,
        pause: Callable[[], None] = lambda: None,
        soon: Callable[[], bool] = lambda: True,
        shelf: Shelf | None = None,
    ) -> None:
        pool = FakeStrictRedis(server=store, protocol=2).connection_pool
        self._connection, self._pause, self._soon = pool.get_connection(), pause, soon
        self._socket, self._encode = self._connection.get_socket(), pool.get_encoder().encode
        self._socket.responses = SimpleQueue()
        self.shelf = shelf
        self._sent: deque[Ask[Any]] = deque()
        self._replies: deque[Any] = deque()
        for words in SETUP:
            self._run(words)

    def ask(self, ask: Ask[Any]) -> Any:
        self.send(ask)
        return read_through(self.receive(ask), ask, self.ask, self.shelf)

    all, walk, talk = BlockingWire.all, BlockingWire.walk, BlockingWire.talk
    everywhere = BlockingWire.everywhere

    def send(self, *asks: Ask[Any]) -> None:
        assert not any(map(crosses, asks)), "no cluster would take that"
        self._sent += asks
        self._pause()
        if self._soon():
            self._arrive()

    def receive(self, ask: Ask[Any]) -> Any:
        self._arrive()
        reply = self._replies.popleft()
        if isinstance(reply, ResponseError):
            raise Refused(str(reply))
        return ask.read(reply)

    def _arrive(self) -> None:
        while self._sent:
            self._replies.append(self._run(self._sent.popleft().args))
            self._pause()

    def _run(self, args: Sequence[Any]) -> Any:
        if "BLOCK" in args:
            i = args.index("BLOCK")
            args = (*args[:i], *args[i + 2 :])
        self._socket._process_command([*map(self._encode, args)])  # a fifth faster than as bytes
        return self._socket.responses.get()


class Server:
    """The server of shard 0, with one connection and one worker that never die."""

    def __init__(self, monkeypatch) -> None:
        self.clock = Clock(monkeypatch)
        self.store = FakeServer(version=(7,))
        self.ask = FakeWire(self.store).ask
        self.folder = self.worker("sound")
        self.folder.begin()

    def worker(self, name: str) -> Folder:
        return Folder(FakeWire(self.store), 0, name)

    def run(self, *args: Any) -> Any:
        """The raw reply to any command."""
        return self.ask(Ask(args, lambda reply: reply))

    def work(self, folder: Folder | None = None) -> None:
        """Fold all that is new, and again what a commit refused, as the worker's loop does."""
        folder = folder or self.folder
        while lines := self.ask(ledger.todo(0, folder.name, BATCH, None)):
            self.fold(folder, lines)

    def fold(self, folder: Folder, lines: list[Todo]) -> None:
        while lines:
            done = list(folder.folded(lines))
            lines = folder.committed(done, self.ask(ledger.commit(0, done)))

    def finish(self) -> None:
        """What is new, and what dead workers left behind."""
        self.work()
        self.clock.sleep(IDLE / 1000 + 1)
        while lines := self.folder.again():
            self.fold(self.folder, lines)
            self.work()
            self.clock.sleep(IDLE / 1000 + 1)

    def talk(self, talk: Talk[Any]) -> Any:
        return converse(talk, self.ask, self.sleep)

    def sleep(self, seconds: float) -> None:
        """While somebody waits, the worker works."""
        self.clock.sleep(seconds)
        self.work()
