"""Load: prepared requests sent by so many clients, each waiting for its answer; by wrk if there.

`python -m tests.bench.load PORT CLIENTS SECONDS FILE STATUS AGAIN` is the client that stands in.
"""

from __future__ import annotations

import os
import resource
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.report import percentile

ROOT = Path(__file__).resolve().parents[2]
WRK = shutil.which("wrk")
SCRIPT = Path(__file__).with_name("wrk.lua")
BETWEEN = b"\1"


class Result(NamedTuple):
    answered: int
    bad: int  # answers of another status, and broken connections
    seconds: float
    ran_out: bool  # of requests, before the time was up
    p50: float  # ms
    p99: float
    most: float
    first_bad: str
    cpu: float = 0.0  # seconds that the load itself took

    @property
    def rate(self) -> float:
        return self.answered / self.seconds


def load(
    port: int,
    clients: int,
    seconds: float,
    requests: Sequence[bytes],
    cores: set[int],
    wanted: int = 201,
    again: bool = False,
) -> Result:
    """Send the requests, each once (round and round with `again`), for about so many seconds."""
    with tempfile.NamedTemporaryFile(prefix="turnfold-bench-") as file:
        file.write(BETWEEN.join(requests))
        file.flush()
        own = [str(port), str(clients), str(seconds), file.name, str(wanted), str(int(again))]
        words = [sys.executable, "-m", "tests.bench.load", *own]
        if WRK:
            url = f"http://127.0.0.1:{port}"
            words = [WRK, "-t1", f"-c{clients}", f"-d{seconds:.0f}s", "-s", str(SCRIPT), url]
        told = {"BENCH_REQUESTS": file.name, "BENCH_WANTED": own[4], "BENCH_AGAIN": own[5]}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ran = subprocess.run(
            ["taskset", "-c", ",".join(map(str, sorted(cores))), *words],
            cwd=ROOT,
            env=os.environ | told,
            capture_output=True,
            text=True,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = next(x for x in ran.stdout.splitlines() if x.startswith("BENCH "))
    _, answered, bad, spent, out, p50, p99, most, *says = line.split(" ", 8)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Result(
        int(answered),
        int(bad),
        float(spent),
        out == "1",
        float(p50) / 1000,
        float(p99) / 1000,
        float(most) / 1000,
        " ".join(says),
        cpu,
    )


# The client that stands in for wrk


class Client:
    """One connection: what is still to come of the answer it waits for."""

    __slots__ = ("data", "sent_at", "socket")

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self.data, self.sent_at = b"", 0.0

    def send(self, request: bytes) -> None:
        """Requests are far smaller than what a socket takes at once."""
        self.sent_at = time.perf_counter()
        self.socket.send(request)

    def answer(self) -> bytes | None:
        """The whole answer once it is there."""
        chunk = self.socket.recv(65536)
        if not chunk:
            raise ConnectionError("the api hung up")
        data = self.data = self.data + chunk if self.data else chunk
        top = data.find(b"\r\n\r\n")
        if top < 0:
            return None
        at = data.lower().find(b"content-length: ", 0, top)
        length = int(data[at + 16 : data.index(b"\r\n", at)]) if at >= 0 else 0
        if len(data) < top + 4 + length:
            return None
        self.data = b""
        return data


def drive(
    port: int, clients: int, seconds: float, requests: Sequence[bytes], wanted: int, again: bool
) -> Result:
    all_ = [Client(port) for _ in range(clients)]
    by_file = {client.socket.fileno(): client for client in all_}
    poll, status = select.epoll(), b" %d " % wanted
    spent: list[float] = []
    sent, bad, first_bad, ran_out = 0, 0, "", False
    began = now = time.perf_counter()
    for client in all_ if again else all_[: len(requests)]:
        poll.register(client.socket, select.EPOLLIN)
        client.send(requests[sent % len(requests)])
        sent += 1
    until = began + seconds
    while now < until and not ran_out:
        for file, _ in poll.poll(seconds):
            client = by_file[file]
            answer = client.answer()
            if answer is None:
                continue
            now = time.perf_counter()
            spent.append(now - client.sent_at)
            if answer[8:13] != status:
                bad += 1
                first_bad = first_bad or answer[:400].decode("latin-1")
            if sent >= len(requests) and not again:
                ran_out = True
                break
            client.send(requests[sent % len(requests)])
            sent += 1
        now = time.perf_counter()
    p50, p99, most = (percentile(spent, part) * 1000 for part in (0.5, 0.99, 1))
    first_bad = " ".join(first_bad.split())
    return Result(len(spent), bad, now - began, ran_out, p50, p99, most, first_bad)


def main() -> None:
    port, clients, seconds, file, wanted, again = sys.argv[1:]
    requests = Path(file).read_bytes().split(BETWEEN)
    ran = drive(int(port), int(clients), float(seconds), requests, int(wanted), again == "1")
    counted = f"{ran.answered} {ran.bad} {ran.seconds:.6f} {int(ran.ran_out)}"
    times = f"{ran.p50 * 1000:.1f} {ran.p99 * 1000:.1f} {ran.most * 1000:.1f}"
    print(f"BENCH {counted} {times} {ran.first_bad}")


if __name__ == "__main__":
    main()
