"""Wires to a cluster, or to whoever is master behind sentinels: a plain wire for each server.

What a server says that it did not do is asked again: where it points to by MOVED and ASK; by an api
also what is just being moved or has no master, for five seconds. What was on its way when a server
was lost is asked again only if it just reads: all else has to be judged anew by whoever asked.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

import hiredis
from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError, TryAgainError

from services.ledger import Ask
from services.routes import PAUSE, SOON, routes_of, slot_of, waits
from services.wire import Away, BlockingWire, Lost, Refused, Wire, missing, read_through

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from services.archive.shelf import Shelf

T = TypeVar("T")
PATIENCE = 5.0  # seconds for which an api tries again
HOPS = 5  # times that a worker goes where it is sent
DEAF = PATIENCE + 3  # seconds after which a worker gives a server up that says nothing
WORDS = """MOVED ASK TRYAGAIN CLUSTERDOWN LOADING MASTERDOWN READONLY UNBLOCKED"""
UNDONE = set(WORDS.split())  # what a server says that has done nothing
NAMES = """GET MGET HGET HMGET HGETALL HVALS HLEN HEXISTS EXISTS TTL PTTL TYPE XRANGE XREVRANGE XLEN
    XINFO XPENDING ZSCORE ZMSCORE ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZCARD ZCOUNT ZRANK
    ZREVRANK SMEMBERS SCARD LLEN LINDEX TIME INFO DBSIZE"""
READS = set(NAMES.split())  # commands that change nothing, and do not wait
ASKING: Ask[Any] = Ask(("ASKING",), lambda reply: reply)  # before what an ASK has sent there


class Node(Wire):
    """A wire to one of the servers."""

    def __init__(self, url: str, made: Callable[[], None]) -> None:
        super().__init__(url)
        self._made = made

    async def asking(self, ask: Ask[T]) -> T:
        """Of a slot that this server is only just getting."""
        if self._protocol is None or self._protocol.closed:
            await self._connected()
        assert self._protocol is not None
        self._protocol.call(ASKING.args)
        reply = await self._protocol.call(ask.args)
        if isinstance(reply, hiredis.ReplyError):
            raise Refused(str(reply))
        return ask.read(reply)

    async def _connect(self) -> Any:
        protocol = await super()._connect()
        self._made()
        return protocol


class RoutedWire(Wire):
    def __init__(self, url: str, shelf: Shelf | None = None) -> None:
        self.shelf = shelf
        self.epoch = 0
        self._opening = {}
        self._routes = routes_of(url)
        self._nodes: dict[str, Node] = {}

    @property
    def up(self) -> bool:
        """Are there connections, as far as we know, and none that was lost?"""
        return bool(self._nodes) and all(node.up for node in self._nodes.values())

    async def ask(self, ask: Ask[T]) -> T:
        answer = await self._answer(ask)
        if ask.kept is None or self.shelf is None or not missing(answer):
            return answer
        return await self.archived(answer, ask.kept, self.shelf)

    async def everywhere(self, ask: Ask[T]) -> list[T]:
        masters = self._routes.masters()
        if not masters:
            await self._look()
            masters = self._routes.masters()
        if not masters:
            raise Away("no server is known")
        return await asyncio.gather(*(self._told(url, ask) for url in masters))

    def close(self) -> None:
        for node in self._nodes.values():
            node.close()
        self._nodes.clear()

    async def _answer(self, ask: Ask[T]) -> T:
        slot, sent, hops, until = slot_of(ask), "", 0, time.monotonic() + PATIENCE
        while True:
            try:
                return await self._told(sent or self._routes.of(slot), ask, bool(sent))
            except (Lost, Refused) as error:
                why: Exception = error
            ask, sent = ask._replace(meanwhile=None), ""
            kind, at = said(why)
            if kind == "ASK" and hops < HOPS:
                sent, hops = self._routes.url(at), hops + 1
                continue
            if not _again(why, kind, ask):
                raise why
            await self._look()
            if kind == "MOVED" and slot is not None:
                self._routes.moved(slot, self._routes.url(at))
            if ask.args[0] == "XREAD" or time.monotonic() > until:
                raise Lost(str(why)) from why  # who listens must ask anew from where
            hops += kind == "MOVED"
            if kind != "MOVED" or hops > HOPS:
                await asyncio.sleep(PAUSE)

    async def _told(self, url: str | None, ask: Ask[T], asking: bool = False) -> T:
        """What this server answers."""
        if url is None:
            raise Away("no server is known that has it")
        node = self._nodes.get(url) or self._nodes.setdefault(url, Node(url, self._made))
        try:
            async with asyncio.timeout(PATIENCE + waits(ask)):
                return await (node.asking(ask) if asking else node.ask(ask))
        except Lost:
            self._drop(url, node)
            raise
        except TimeoutError as error:
            self._drop(url, node)
            raise Lost("a server says nothing") from error

    async def _look(self) -> None:
        await asyncio.to_thread(self._routes.look)
        for url in self._nodes.keys() - self._routes.masters():
            self._drop(url, self._nodes[url])

    def _made(self) -> None:
        self.epoch += 1

    def _drop(self, url: str, node: Node) -> None:
        if self._nodes.get(url) is node:
            del self._nodes[url]
            self.epoch += node.epoch > 0  # what it has told may be lost with it
            node.close()


class BlockingNode(BlockingWire):
    connects, answers = SOON, DEAF


class RoutedBlockingWire(BlockingWire):
    """What was sent ahead is lost if a server turns it away: whoever sent it begins anew."""

    def __init__(self, url: str, shelf: Shelf | None = None) -> None:
        self.epoch, self.shelf = 0, shelf
        self._routes, self._stale = routes_of(url), True
        self._nodes: dict[str, BlockingNode] = {}
        self._sent: deque[BlockingNode] = deque()

    def ask(self, ask: Ask[T]) -> T:
        answer: T = self._answer(ask)
        return read_through(answer, ask, self.ask, self.shelf)

    def send(self, *asks: Ask[Any]) -> None:
        to = [self._node(self._of(slot_of(ask))) for ask in asks]
        for node in dict.fromkeys(to):
            self._with(node.send, *(ask for ask, its in zip(asks, to, strict=True) if its is node))
        self._sent.extend(to)

    def receive(self, ask: Ask[T]) -> T:
        try:
            answer: T = self._with(self._sent.popleft().receive, ask)
            return answer
        except Refused as refused:
            if not said(refused)[0]:
                raise
            self.close()
            raise Lost(str(refused)) from refused

    def fileno(self) -> int | None:
        return self._sent[0].fileno() if self._sent else None

    def heard(self) -> bool:
        return bool(self._sent) and self._sent[0].heard()

    def everywhere(self, ask: Ask[T]) -> list[T]:
        return [self._with(self._node(url).ask, ask) for url in self._masters()]

    def walk(self, part: Callable[[int, int], Ask[tuple[int, list[T]]]]) -> Iterator[T]:
        if slot_of(part(0, 1)) is not None:
            yield from super().walk(part)
            return
        for url in self._masters():
            yield from self._node(url).walk(part)

    def close(self) -> None:
        for node in self._nodes.values():
            node.close()
        self._nodes.clear()
        self._sent.clear()
        self._stale = True

    def _answer(self, ask: Ask[T]) -> T:
        slot, sent = slot_of(ask), ""
        for _ in range(HOPS):
            node = self._node(sent or self._of(slot))
            try:
                if sent:
                    self._with(node.ask, ASKING)
                answer: T = self._with(node.ask, ask)
                return answer
            except Refused as refused:
                kind, at = said(refused)
                if not kind:
                    raise
                if not at:
                    raise Lost(str(refused)) from refused
            sent = self._routes.url(at) if kind == "ASK" else ""
            if kind == "MOVED" and slot is not None:
                self._routes.look()
                self._routes.moved(slot, self._routes.url(at))
        raise Lost("the servers do not agree on who has it")

    def _of(self, slot: int | None) -> str:
        if self._stale:
            self._routes.look()
            self._stale = False
        url = self._routes.of(slot)
        if url is None:
            self.close()
            raise Away("no server is known that has it")
        return url

    def _masters(self) -> list[str]:
        self._of(None)
        return self._routes.masters()

    def _node(self, url: str) -> BlockingNode:
        if url not in self._nodes:
            self._nodes[url] = BlockingNode(url)
            self.epoch += 1
        return self._nodes[url]

    def _with(self, do: Callable[..., T], *asks: Ask[Any]) -> T:
        """Do this with a server; if it is lost, so is all that was sent to any."""
        try:
            return do(*asks)
        except Lost:
            self.close()
            raise


def said(error: Exception) -> tuple[str, str]:
    """What a server said instead of doing anything: a word and, if it points to another, where
    that is. Nothing of what is no such answer."""
    why = error.__cause__
    if isinstance(why, AskError):
        return "MOVED" if isinstance(why, MovedError) else "ASK", f"{why.host}:{why.port}"
    if isinstance(why, TryAgainError | ClusterDownError | ReadOnlyError):
        return "TRYAGAIN", ""
    kind, _, rest = str(error).partition(" ")
    if not isinstance(error, Refused) or kind not in UNDONE:
        return "", ""
    return kind, rest.rpartition(" ")[2] if kind in ("MOVED", "ASK") else ""


def _again(error: Exception, kind: str, ask: Ask[Any]) -> bool:
    """May it be asked again? What has, or may have, been done must not."""
    return bool(kind) or isinstance(error, Away) or (isinstance(error, Lost) and _reads(ask))


def _reads(ask: Ask[Any]) -> bool:
    return ask.args[0] in READS or ask.args[0] == "XREAD"
