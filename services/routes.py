"""Routes: which of several servers is asked what, and who they are.

Of a cluster, redis+cluster://[[user]:password@]host:port,host:port, the master that has the slot of
a command's keys; behind sentinels, redis+sentinel://[[user]:password@]host:port,host:port/service,
whoever is master just now. With rediss+ they speak TLS. Any of the named will do: the others are
learnt from it.
"""

from __future__ import annotations

import random
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from redis.backoff import NoBackoff
from redis.client import Redis
from redis.crc import key_slot
from redis.exceptions import RedisError
from redis.retry import Retry

from services.ledger import Ask

PAUSE = 0.1  # seconds between two looks at who is where
SOON = 1.0  # seconds that a server has to say that
PORTS = {"cluster": 6379, "sentinel": 26379}
SECOND = {"XGROUP", "XINFO"}  # commands whose key comes after a word
KEYLESS = {"TIME", "INFO", "DBSIZE", "SCAN", "SCRIPT", "PING"}
ALL = {"MGET", "DEL", "EXISTS", "UNLINK"}  # of which every word is a key


def keys_of(ask: Ask[Any]) -> Sequence[Any]:
    """The keys that a command touches."""
    name, *words = ask.args
    if name in KEYLESS:
        return (ask.near,) if ask.near else ()
    if name == "EVALSHA":
        return tuple(words[2 : 2 + int(words[1])])
    if name in ("XREAD", "XREADGROUP"):
        words = words[words.index("STREAMS") + 1 :]
        return tuple(words[: len(words) // 2])
    return tuple(words if name in ALL else words[1:2] if name in SECOND else words[:1])


def slot_of(ask: Ask[Any]) -> int | None:
    """The slot of a command's keys, which must all lie in one; None if it has none."""
    return next((_slot(key) for key in keys_of(ask)), None)


def crosses(ask: Ask[Any]) -> bool:
    """Do its keys lie in several slots? No cluster would take it."""
    return len(set(map(_slot, keys_of(ask)))) > 1


def waits(ask: Ask[Any]) -> float:
    """Seconds for which a command waits for news, at most."""
    words = ask.args
    return float(words[words.index("BLOCK") + 1]) / 1000 if "BLOCK" in words[:8] else 0.0


def _slot(key: bytes | str) -> int:
    return key_slot(key if isinstance(key, bytes) else key.encode())


class Named(NamedTuple):
    """What the address says: where to ask who is where, and how to reach those."""

    kind: str  # cluster or sentinel
    scheme: str
    login: str  # with its @
    seeds: tuple[str, ...]  # host:port
    service: str

    @classmethod
    def of(cls, url: str) -> Named:
        """ValueError if it is not such an address."""
        scheme, _, rest = url.partition("://")
        scheme, _, kind = scheme.partition("+")
        before, _, service = rest.partition("/")
        login, at, hosts = before.rpartition("@")
        if scheme not in ("redis", "rediss") or kind not in PORTS or not hosts:
            raise ValueError("it is not redis+cluster://… or redis+sentinel://…/service")
        if (kind == "sentinel") != bool(service):
            raise ValueError("sentinels are asked for a service, a cluster is not")
        seeds = tuple(_with_port(host, PORTS[kind]) for host in hosts.split(","))
        return cls(kind, scheme, login + at, seeds, service)

    def url(self, host: str, port: int) -> str:
        """Of a server of theirs."""
        return f"{self.scheme}://{self.login}{f'[{host}]' if ':' in host else host}:{port}"


class Map(NamedTuple):
    """Which server has which slots: `masters[i]` those from `starts[i]` on."""

    starts: tuple[int, ...] = ()
    masters: tuple[str, ...] = ()


class Routes:
    """What a process knows of one such address. Any of its threads may look."""

    def __init__(self, named: Named) -> None:
        self.named = named
        self.map = Map()
        self.known = [f"{named.scheme}://{named.login}{seed}" for seed in named.seeds]
        self._moved: dict[int, str] = {}  # what a server said since we looked last
        self._looking, self._looked = Lock(), 0.0

    def of(self, slot: int | None) -> str | None:
        """The url of the server to ask; None if there is none that we know of."""
        if not self.map.starts:
            return None
        if slot is None:
            return random.choice(self.map.masters)
        i = bisect_right(self.map.starts, slot) - 1
        return self._moved.get(slot) or (self.map.masters[i] if i >= 0 else None)

    def masters(self) -> list[str]:
        return sorted(set(self.map.masters))

    def moved(self, slot: int, to: str) -> None:
        self._moved[slot] = to

    def url(self, at: str) -> str:
        """Of host:port, as a server says it."""
        host, _, port = at.rpartition(":")
        return self.named.url(host, int(port))

    def look(self) -> None:
        """Ask who is where, unless somebody is just doing that, or has."""
        if not self._looking.acquire(blocking=False):
            return
        try:
            if time.monotonic() - self._looked >= PAUSE:
                self._look()
                self._looked = time.monotonic()
        finally:
            self._looking.release()

    def _look(self) -> None:
        read = self._cluster if self.named.kind == "cluster" else self._sentinel
        for url in random.sample(self.known, len(self.known)):
            if (found := _asked(url, read)) is not None:
                self.map, self._moved = found, {}
                return

    def _cluster(self, server: Redis) -> Map | None:
        """As one of its nodes sees it."""
        ranges = _says(server, "CLUSTER", "SLOTS")
        here = server.connection_pool.connection_kwargs["host"]
        nodes = [[self._node(node[0], node[1], here) for node in one[2:]] for one in ranges]
        self.known = sorted({*self.known, *(url for each in nodes for url in each)})
        found = sorted((one[0], each[0]) for one, each in zip(ranges, nodes, strict=True))
        return Map(*zip(*found, strict=True)) if found else None

    def _sentinel(self, server: Redis) -> Map | None:
        """As one of them sees it, if that one agrees that it is the master."""
        at = _says(server, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", self.named.service)
        if at is None:
            return None
        url = self.named.url(_text(at[0]), int(at[1]))
        said = _asked(url, lambda master: _says(master, "INFO", "replication"))
        return Map((0,), (url,)) if said and said["role"] == "master" else None

    def _node(self, host: bytes | None, port: int, here: str) -> str:
        return self.named.url(_text(host) if host else here, port)


@cache
def routes_of(url: str) -> Routes:
    """One for all connections of a process. ValueError if it is no such address."""
    return Routes(Named.of(url))


def _asked(url: str, ask: Callable[[Redis], Any]) -> Any:
    """What a server answers; None if it is away."""
    how = {"socket_timeout": SOON, "socket_connect_timeout": SOON, "retry": Retry(NoBackoff(), 0)}
    with closing(Redis.from_url(url, **how)) as server:
        try:
            return ask(server)
        except (RedisError, OSError):
            return None


def _says(server: Redis, *words: str) -> Any:
    return server.execute_command(*words)  # type: ignore[no-untyped-call]


def _with_port(host: str, port: int) -> str:
    return host if host.rpartition(":")[2].isdigit() else f"{host}:{port}"


def _text(raw: bytes | str) -> str:
    return raw.decode() if isinstance(raw, bytes) else raw
