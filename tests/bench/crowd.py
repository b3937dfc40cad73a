"""A crowd of watchers in a process of its own: what reaches them, and how long after it happened.

`python -m tests.bench.crowd PORT READERS MATCH…`: so many watchers, of these matches in turn. It
says `ready` once all have their first look; told so by a line, it counts until nothing comes any
more, and says what came. It ends with its input.
"""

from __future__ import annotations

import json
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from itertools import cycle, islice
from typing import NamedTuple

from tests.bench.report import percentile

ENTRY, AT = b"event: entry\n", b'"at":'
QUIET = 1.0  # seconds without any entry, after which nothing more comes
WAITING = 200  # looks that are waited for at a time


class Heard(NamedTuple):
    entries: int
    reads: int  # that brought them: what is sent together comes together
    seconds: float  # from the first to the last
    p50: float  # ms from the ledger's taking an entry to its being read
    p99: float
    spent: float  # seconds of the crowd's own CPU


class Crowd:
    """The process, for who has it watch."""

    def __init__(self, port: int, readers: int, names: Sequence[str]) -> None:
        words = [sys.executable, "-m", "tests.bench.crowd", str(port), str(readers), *names]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._line()

    def counts(self, played: Iterable[object]) -> Heard:
        """What comes while this is played, and until nothing more does."""
        assert self._process.stdin is not None
        self._process.stdin.write("count\n")
        self._process.stdin.flush()
        for _ in played:
            pass
        return Heard(*json.loads(self._line()))

    def close(self) -> None:
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the crowd broke up"
        return line


# In the process itself


def main() -> None:
    port, readers, *names = sys.argv[1:]
    poll, sockets = connected(int(port), list(islice(cycle(names), int(readers))))
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps(counted(poll, sockets)), flush=True)


def connected(port: int, names: Sequence[str]) -> tuple[select.epoll, dict[int, socket.socket]]:
    """Connections that have had their first look."""
    poll, sockets = select.epoll(), {}
    for i in range(0, len(names), WAITING):
        some = [_asked(port, name) for name in names[i : i + WAITING]]
        for one in some:
            _looked(one)
            one.setblocking(False)
            poll.register(one, select.EPOLLIN)
            sockets[one.fileno()] = one
    return poll, sockets


def _asked(port: int, name: str) -> socket.socket:
    reader = socket.create_connection(("127.0.0.1", port))
    reader.sendall(f"GET /matches/{name}/feed HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
    return reader


def _looked(reader: socket.socket) -> None:
    had = b""
    while b"event: look" not in had or not had.endswith(b"\n\n\r\n"):
        had += reader.recv(65536)


def counted(poll: select.epoll, sockets: dict[int, socket.socket]) -> Heard:
    """What comes is read as fast as can be, and looked into once nothing more comes."""
    came: list[tuple[float, bytes]] = []
    begun = time.process_time()
    while not came or time.time() - came[-1][0] < QUIET:
        for file, _ in poll.poll(0.1):
            got = sockets[file].recv(1 << 16)
            if ENTRY in got:
                came.append((time.time(), got))
    return _heard(came, time.process_time() - begun)


def _heard(came: Sequence[tuple[float, bytes]], spent: float) -> Heard:
    waited = [
        round(when * 1000) - int(entry.partition(AT)[2][:13])
        for when, got in came
        for entry in got.split(ENTRY)[1:]
    ]
    p50, p99 = (float(percentile(waited, part)) for part in (0.5, 0.99))
    return Heard(len(waited), len(came), came[-1][0] - came[0][0], p50, p99, spent)


if __name__ == "__main__":
    main()
