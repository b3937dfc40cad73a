"""The stage: server, fold worker and api as processes of their own, and what each has used."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from services.ledger import Ask
from services.server import Server
from services.wire import BlockingWire, Lost

ROOT = Path(__file__).resolve().parents[2]
TICK = os.sysconf("SC_CLK_TCK")


class Stage:
    """The house's own server (`everysec`), a fold worker and, if asked for, an api.

    `pinned` puts api and load on the first core, server and fold on the second. `profiled` names
    a process whose profile is in the file `profile` once it has stopped.
    """

    def __init__(self, api: bool = True, pinned: bool = False, profiled: str = "") -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="turnfold-bench-")
        self.profile = f"{self._folder.name}/profile"
        self._api, self._profiled = api, profiled
        cores = sorted(os.sched_getaffinity(0))
        self.front, self._back = set(cores[:2]), set(cores[:2])
        if pinned and len(cores) > 1:
            self.front, self._back = {cores[0]}, {cores[1]}
        self._server = Server(Path(self._folder.name, "data"))
        self._server.folder.mkdir()
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._pids: dict[str, int] = {}

    def __enter__(self) -> Stage:
        try:
            self._server.start()
            self.wire = BlockingWire(self._server.url)
            pid = re.search(rb"process_id:(\d+)", self.wire.ask(SERVER))
            assert pid is not None
            self._known("server", int(pid[1]), self._back)
            self.begin("fold", ["workers.fold", "--redis", self._server.url])
            if self._api:
                self.port = free_port()
                words = ["tests.bench.app", self._server.url, str(self.port)]
                self.begin("api", words, self.front)
                _until(lambda: socket.create_connection(("127.0.0.1", self.port)).close())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        return self._server.url

    @property
    def folder(self) -> Path:
        """Where the server keeps its data."""
        return self._server.folder

    def restart(self) -> None:
        """End the server and start it again on what it kept."""
        self.wire.close()
        self._server.stop(60)
        self._server.start()

    def close(self) -> None:
        for name in reversed(list(self._children)):  # the api first: nobody must wait in vain
            self.stop(name)
        self._server.stop()
        self._folder.cleanup()

    def stop(self, name: str) -> None:
        child = self._children.pop(name)
        del self._pids[name]
        child.terminate()
        child.send_signal(signal.SIGCONT)
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def hold(self, name: str) -> None:
        self._children[name].send_signal(signal.SIGSTOP)

    def go_on(self, name: str) -> None:
        self._children[name].send_signal(signal.SIGCONT)

    def used(self) -> dict[str, float]:
        """CPU seconds of each process so far."""
        return {name: _used(pid) for name, pid in self._pids.items()}

    def memory(self, name: str) -> int:
        """Bytes that a process holds."""
        rollup = Path(f"/proc/{self._pids[name]}/smaps_rollup").read_text()
        found = re.search(r"^Pss_Anon: +([0-9]+) kB", rollup, re.M)
        assert found is not None
        return int(found[1]) * 1024

    def quiet(self) -> None:
        """Wait until everything is folded and the server does not rewrite its log."""
        while self.wire.ask(UNFOLDED) or b"aof_rewrite_in_progress:1" in self.wire.ask(KEEPING):
            time.sleep(0.02)

    def begin(self, name: str, words: Sequence[str], cores: set[int] | None = None) -> None:
        """Start a process of the house; it is known by this name."""
        if name == self._profiled:
            words = ["tests.bench.profiled", self.profile, *words]
        self._children[name] = subprocess.Popen(
            [sys.executable, "-m", "services.leash", *words],
            cwd=ROOT,
            stdin=subprocess.PIPE,  # they end when we do
            start_new_session=True,
        )
        self._known(name, self._children[name].pid, cores or self._back)

    def _known(self, name: str, pid: int, cores: set[int]) -> None:
        self._pids[name] = pid
        for task in os.listdir(f"/proc/{pid}/task"):
            os.sched_setaffinity(int(task), cores)


def _as_is(reply: Any) -> Any:
    return reply


SERVER: Ask[bytes] = Ask(("INFO", "server"), _as_is)
KEEPING: Ask[bytes] = Ask(("INFO", "persistence"), _as_is)
UNFOLDED: Ask[int] = Ask(("XLEN", "{0}:unfolded"), int)


def _used(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until(there: Callable[[], object]) -> None:
    for _ in range(300):
        try:
            there()
        except (OSError, Lost):
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the api did not start")
