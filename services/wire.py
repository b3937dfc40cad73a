"""Connections that send what the ledger asks: one that awaits, for the api; one that blocks.

Neither repeats a command by itself: what a dead connection left undone is judged anew by whoever
asked, for the server may have lost its tail in between. `epoch` counts the connections made, so
that whoever keeps matches in memory can tell that they may be of a log that is gone.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

import hiredis
from redis.backoff import NoBackoff
from redis.client import Redis
from redis.exceptions import ConnectionError as Broken
from redis.exceptions import NoScriptError, RedisError, ResponseError
from redis.retry import Retry

from services import ledger
from services.ledger import Ask, Kept
from services.scripts import SCRIPTS

if TYPE_CHECKING:
    from services.archive.shelf import Shelf
    from services.archive.volume import Volume

T = TypeVar("T")
Talk = Generator[Ask[Any] | float, Any, T]  # yields what to ask, or seconds to wait
PART = 500  # items of a walk that are asked for at once
NOTHING = (0, 0)  # where the log of no match ends
SETUP = tuple(("SCRIPT", "LOAD", script) for script in SCRIPTS)


class Lost(ConnectionError):
    """The server is not there, or went away before it answered."""


class Away(Lost):
    """It could not be reached: nothing was asked."""


class Refused(Exception):
    """The server answered with an error."""


def is_routed(url: str) -> bool:
    """Is this the address of several servers, as `services/routes.py` reads it?"""
    return "+" in url.partition("://")[0]


class Address(NamedTuple):
    """Where a server is: unix:///path, or redis://[[user]:password@]host[:port][/db]."""

    path: str
    host: str
    port: int
    hello: tuple[tuple[str, ...], ...]  # what to say first
    tls: bool

    @classmethod
    def of(cls, url: str) -> Address:
        at = urlsplit(url)
        if at.scheme not in ("unix", "redis", "rediss"):
            raise ValueError(f"{without_password(url)!r} is not unix://, redis:// or rediss://")
        query = parse_qs(at.query)
        db = query.get("db", [at.path.strip("/") if at.scheme != "unix" else "0"])[0] or "0"
        hello: list[tuple[str, ...]] = []
        if at.password is not None:
            hello.append(("AUTH", *filter(None, (at.username,)), unquote(at.password)))
        if db != "0":
            hello.append(("SELECT", db))
        path = at.path if at.scheme == "unix" else ""
        tls = at.scheme == "rediss"
        return cls(path, at.hostname or "127.0.0.1", at.port or 6379, tuple(hello), tls)


def without_password(url: str) -> str:
    """An address as it may be shown."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


class Wire:
    """An awaiting connection: what is asked within one turn of the loop goes out in one write.

    With a `shelf` what the server has no more is answered by that; else there is none of it. Of the
    address of a cluster, or of sentinels, a `RoutedWire` is made.
    """

    def __new__(cls, url: str, shelf: Shelf | None = None) -> Wire:
        if cls is Wire and is_routed(url):
            from services.routed import RoutedWire  # which needs us

            return object.__new__(RoutedWire)
        return object.__new__(cls)

    def __init__(self, url: str, shelf: Shelf | None = None) -> None:
        self.address = Address.of(url)
        self.shelf = shelf
        self._opening: dict[bytes, asyncio.Task[Volume]] = {}
        self.epoch = 0
        self._protocol: _Protocol | None = None
        self._connecting: asyncio.Task[_Protocol] | None = None

    @property
    def up(self) -> bool:
        """Is there a connection, as far as we know?"""
        return self._protocol is not None and not self._protocol.closed

    async def ask(self, ask: Ask[T]) -> T:
        """The answer; Lost or Refused."""
        protocol = self._protocol
        if protocol is None or protocol.closed:
            protocol = await self._connected()
        coming = protocol.call(ask.args)
        if ask.meanwhile is not None:
            await _sent()
            ask.meanwhile()
        reply = await coming
        if isinstance(reply, hiredis.ReplyError):
            if str(reply).startswith("NOSCRIPT"):
                self.close()
                self._protocol = None  # the next connection loads them
                return await self.ask(ask._replace(meanwhile=None))
            raise Refused(str(reply))
        answer = ask.read(reply)
        if ask.kept is None or self.shelf is None or not missing(answer):
            return answer
        return await self.archived(answer, ask.kept, self.shelf)

    async def everywhere(self, ask: Ask[T]) -> list[T]:
        """The answers of all servers that have some of the data, to a command without keys."""
        return [await self.ask(ask)]

    async def archived(self, answer: T, kept: Kept[T], shelf: Shelf) -> T:
        """The answer, or that of the archive if it has the match."""
        id = await self.ask(ledger.archived(kept.match))
        if id is None:
            return answer
        return kept.read(shelf.open(id) or await self._volume(shelf, kept.match, id))

    async def _volume(self, shelf: Shelf, match: str, id: bytes) -> Volume:
        """The match from the archive, opened once for all who ask for it meanwhile."""
        opening = self._opening.get(id)
        if opening is None:
            opening = asyncio.create_task(asyncio.to_thread(shelf.volume, match, id))
            self._opening[id] = opening
            opening.add_done_callback(lambda _: self._opening.pop(id, None))
        return await asyncio.shield(opening)

    async def talk(self, talk: Talk[T]) -> T:
        """Ask what the talk asks, to its end."""
        try:
            asks = talk.send(None)
            while True:
                if isinstance(asks, float):
                    await asyncio.sleep(asks)
                    asks = talk.send(None)
                else:
                    asks = talk.send(await self.ask(asks))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        finally:
            talk.close()

    def close(self) -> None:
        if self._protocol is not None:
            self._protocol.close()

    async def _connected(self) -> _Protocol:
        """One connection for all that wait for one."""
        if self._connecting is None or self._connecting.done():
            self._connecting = asyncio.create_task(self._connect())
        return await asyncio.shield(self._connecting)

    async def _connect(self) -> _Protocol:
        loop, to = asyncio.get_running_loop(), self.address
        try:
            if to.path:
                _, protocol = await loop.create_unix_connection(_Protocol, to.path)
            else:
                _, protocol = await loop.create_connection(
                    _Protocol, to.host, to.port, ssl=to.tls or None
                )
            for words in (*to.hello, *SETUP):
                reply = await protocol.call(words)
                if isinstance(reply, hiredis.ReplyError):
                    raise Lost(f"the server says: {reply}")
        except OSError as error:
            raise Away(f"no server at {to.path or f'{to.host}:{to.port}'}: {error}") from error
        self._protocol = protocol
        self.epoch += 1
        return protocol


class _Protocol(asyncio.Protocol):
    """RESP over hiredis; replies come in the order of the commands."""

    def __init__(self) -> None:
        self.closed = False
        self._reader = hiredis.Reader()
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._out: list[bytes] = []
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]

    def call(self, args: Sequence[Any]) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = self._loop.create_future()
        if self.closed:
            future.set_exception(Lost("the server went away"))
            return future
        self._waiting.append(future)
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(hiredis.pack_command(tuple(args)))
        return future

    def _flush(self) -> None:
        out, self._out = self._out, []
        if not self.closed:
            self._transport.write(b"".join(out))

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(reply)

    def close(self) -> None:
        self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True
        for future in self._waiting:
            if not future.done():
                future.set_exception(Lost("the server went away"))
        self._waiting.clear()


class BlockingWire:
    """A blocking connection, for workers: one command, or several in one write.

    With a `shelf` what is asked one by one is answered by that if the server has it no more. Of the
    address of a cluster, or of sentinels, a `RoutedBlockingWire` is made.
    """

    connects = 5.0  # seconds within which there must be a connection
    answers: float | None = None  # and an answer

    def __new__(cls, url: str, shelf: Shelf | None = None) -> BlockingWire:
        if cls is BlockingWire and is_routed(url):
            from services.routed import RoutedBlockingWire

            return object.__new__(RoutedBlockingWire)
        return object.__new__(cls)

    def __init__(self, url: str, shelf: Shelf | None = None) -> None:
        self.epoch, self.shelf = 0, shelf
        self._pool = Redis.from_url(
            url,
            protocol=2,
            socket_timeout=self.answers,
            socket_connect_timeout=self.connects,
            retry=Retry(NoBackoff(), 0),
        ).connection_pool
        self._connection: Any = None

    def ask(self, ask: Ask[T]) -> T:
        self.send(ask)
        return read_through(self.receive(ask), ask, self.ask, self.shelf)

    def send(self, *asks: Ask[Any]) -> None:
        """Ask without waiting; each must be received, in the same order."""
        connection = self._connected()
        try:
            packed = [b"".join([hiredis.pack_command(ask.args) for ask in asks])]
            connection.send_packed_command(packed, check_health=False)
        except (RedisError, OSError) as error:
            self.close()
            raise Lost(f"the server went away: {error}") from error

    def receive(self, ask: Ask[T]) -> T:
        """The next answer, to this ask."""
        try:
            reply = self._connection.read_response()
        except (RedisError, OSError) as error:
            if _is_reply(error):
                raise Refused(str(error)) from error
            self.close()  # the next connection loads the scripts, should they be missing
            raise Lost(f"the server went away: {error}") from error
        return ask.read(reply)

    def fileno(self) -> int | None:
        """What tells when the next answer comes, to whoever waits for several; None without one."""
        socket = None if self._connection is None else self._connection._sock
        return None if socket is None else int(socket.fileno())

    def heard(self) -> bool:
        """Can something be received at once? That the server went away can."""
        try:
            return self._connection is not None and bool(self._connection.can_read(0))
        except (RedisError, OSError):
            return True

    def talk(self, talk: Talk[T]) -> T:
        return converse(talk, self.ask)

    def all(self, asks: Sequence[Ask[T]]) -> list[T]:
        """The answers to all of these, in one write."""
        self.send(*asks)
        return [self.receive(ask) for ask in asks]

    def everywhere(self, ask: Ask[T]) -> list[T]:
        """The answers of all servers that have some of the data, to a command without keys."""
        return [self.ask(ask)]

    def walk(self, part: Callable[[int, int], Ask[tuple[int, list[T]]]]) -> Iterator[T]:
        """All items of something that is read part by part, with a cursor."""
        cursor, begun = 0, False
        while cursor or not begun:
            cursor, items = self.ask(part(cursor, PART))
            begun = True
            yield from items

    def close(self) -> None:
        """Forget the connection and whatever it had still to answer."""
        if self._connection is not None:
            self._connection.disconnect()
            self._connection = None

    def _connected(self) -> Any:
        if self._connection is None:
            try:
                connection = self._pool.make_connection()
                connection.connect()  # type: ignore[no-untyped-call]
                for words in SETUP:
                    connection.send_command(*words)  # type: ignore[no-untyped-call]
                    connection.read_response()
            except (RedisError, OSError) as error:
                raise Away(f"no server: {error}") from error
            self._connection = connection
            self.epoch += 1
        return self._connection


def converse(
    talk: Talk[T], ask: Callable[[Ask[Any]], Any], sleep: Callable[[float], object] = time.sleep
) -> T:
    """Ask what a talk asks, to its end, blocking."""
    try:
        asks = talk.send(None)
        while True:
            asks = talk.send(sleep(asks) if isinstance(asks, float) else ask(asks))
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    finally:
        talk.close()


def read_through(
    answer: T, ask: Ask[T], asked: Callable[[Ask[Any]], Any], shelf: Shelf | None
) -> T:
    """The server's answer or, if that is none and the match is in the archive, the one of there."""
    if ask.kept is None or shelf is None or not missing(answer):
        return answer
    id = asked(ledger.archived(ask.kept.match))
    return answer if id is None else ask.kept.read(shelf.volume(ask.kept.match, id))


def missing(answer: Any) -> bool:
    """Could this be the answer about a match that is not on the server?"""
    return not answer or answer == NOTHING


async def _sent() -> None:
    """Until what was asked is on its way: our flush is a turn of the loop away, its write two."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)


def _is_reply(error: Exception) -> bool:
    """Is this an error that the server answered with, on a connection that serves us still?"""
    return isinstance(error, ResponseError) and not isinstance(error, Broken | NoScriptError)
