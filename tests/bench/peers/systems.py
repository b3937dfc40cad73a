"""The systems that are compared, each as its processes: started, killed, started again."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from services.serve import Stack
from tests.bench.peers.installed import WIRE
from tests.bench.stage import free_port

PATIENCE = 60.0  # seconds that a system has to answer
GUEST = {"TURNFOLD_GAMES": "tests.bench.peers.duel", "TURNFOLD_LIMITS": "off"}
COUNTED = ("api", "fold", "react", "server")  # of our processes, where memory is compared


class Down(Exception):
    """It does not answer, or has ended; the message says what it said last."""


class System(Protocol):
    """One of them while it runs. `wire` is the client that speaks to it."""

    wire: str
    victims: tuple[str, ...]  # the processes that hold or take moves

    def __enter__(self) -> System: ...
    def __exit__(self, *_: object) -> None: ...

    @property
    def base(self) -> str: ...

    def pids(self) -> dict[str, int]: ...
    def tend(self) -> None: ...  # start again what has died


class OnNode:
    """A server of the peers: `wire/<wire>.cjs` with a port, words and a folder of its own."""

    victims = ("server",)

    def __init__(self, modules: Path, wire: str, *words: str) -> None:
        self.wire, self._words = wire, words
        self._env = os.environ | {"NODE_PATH": str(modules), "NODE_ENV": "production"}

    def __enter__(self) -> OnNode:
        self._folder = tempfile.TemporaryDirectory(prefix="turnfold-bench-")
        self._log = Path(self._folder.name).with_suffix(".log")
        self._port = free_port()
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._log.unlink()
        self._folder.cleanup()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def pids(self) -> dict[str, int]:
        return {"server": self._process.pid}

    def tend(self) -> None:
        if self._process.poll() is not None:
            self._end()
            self._start()

    def _start(self) -> None:
        words = [str(WIRE / f"{self.wire}.cjs"), str(self._port), *self._words, self._folder.name]
        self._process = subprocess.Popen(
            ["node", *words],
            stdin=subprocess.PIPE,  # they end when we do
            stdout=subprocess.DEVNULL,
            stderr=(log := self._log.open("wb")),
            env=self._env,
            start_new_session=True,
        )
        log.close()
        answers(self.base, self._alive)

    def _alive(self) -> None:
        if self._process.poll() is not None:
            raise Down(self._log.read_text()[-1000:])

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()


class Ours:
    """All that `turnfold serve` runs, with the duel as a guest."""

    wire = "turnfold"
    victims = ("api", "fold", "server")

    def __enter__(self) -> Ours:
        self._folder = tempfile.TemporaryDirectory(prefix="turnfold-bench-")
        os.environ.update(GUEST)  # its processes have it from us
        self._stack = Stack(Path(self._folder.name, "data"), port=0, say=lambda _: None)
        self._stack.start()
        self._stack.tend()
        answers(self.base, self.tend)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.stop()
        self._folder.cleanup()

    @property
    def base(self) -> str:
        return self._stack.url

    def pids(self) -> dict[str, int]:
        children: dict[str, Any] = {child.name: child for child in self._stack.children}
        children["server"] = self._stack.server
        return {name: child._process.pid for name, child in children.items()}

    def tend(self) -> None:
        self._stack.tend()


def answers(base: str, meanwhile: Callable[[], None]) -> None:
    """Wait until HTTP is answered there, whatever the answer; but not that it is not ready.

    Down if that takes too long, or `meanwhile` finds that it will never be.
    """
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{base}/readyz", timeout=2).close()
            return
        except urllib.error.HTTPError as error:
            if error.code != 503:
                return
        except OSError:
            pass
        meanwhile()
        time.sleep(0.1)
    raise Down(f"{base} does not answer")


def kill(system: System, victim: str) -> None:
    os.kill(system.pids()[victim], signal.SIGKILL)
