"""The supervisor of `turnfold serve`: a server, an api and the workers.

Each is a process of its own, started again when it dies, and ended when we end, however we do.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from socket import socket

from services import ledger
from services.listen import bound
from services.server import Fsync, Server, Unusable
from services.wire import BlockingWire, Lost, Refused, without_password

ROOT = Path(__file__).parent.parent
STEADY = 10.0  # seconds after which a process counts as having started well
SLOWEST = 5.0  # seconds at most between two starts
GRACE = 2.5  # seconds that processes have to end by themselves
HELD = 1.0  # seconds that a port may still be held by a process that is about to die


class Child:
    """A process of ours: `module` run with `words`, on a leash."""

    def __init__(self, name: str, module: str, *words: str, fds: Sequence[int] = ()) -> None:
        self.name, self.fds = name, fds
        self.words = [*python(), "services.leash", module, *words]
        self._process: subprocess.Popen[bytes] | None = None
        self._started = self._next = 0.0
        self._falls = 0

    def start(self) -> None:
        self._started = time.monotonic()
        self._process = subprocess.Popen(
            self.words,
            stdin=subprocess.PIPE,  # the leash
            start_new_session=True,  # Ctrl-C is for us alone
            pass_fds=self.fds,
            env=environment(),
        )

    def tend(self, say: Callable[[str], object]) -> None:
        """Start it again if it has died, soon, but not in a mad rush."""
        now = time.monotonic()
        if self._process is not None and (code := self._process.poll()) is not None:
            self._falls = 0 if now - self._started > STEADY else self._falls + 1
            self._next = now + min(0.1 * 2**self._falls, SLOWEST)
            self._let_go()
            say(f"{self.name} ended ({code}); it is started again.")
        if self._process is None and now >= self._next:
            self.start()

    def ask_to_end(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def end(self, until: float) -> None:
        """Wait for its end, and see to it."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._let_go()

    def _let_go(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        self._process = None


class Stack:
    """Everything that `turnfold serve` runs. `redis` None: on a server of our own in `data`."""

    def __init__(
        self,
        data: Path,
        redis: str | None = None,
        jobs_redis: str | None = None,
        host: str = "127.0.0.1",
        port: int = 8000,
        fsync: Fsync = "everysec",
        delay: float = 0.0,
        say: Callable[[str], object] = print,
        shards: int = 1,
    ) -> None:
        self.shards = shards
        self.server = None if redis else Server(data, fsync)
        self.redis = redis or (self.server.url if self.server else "")
        self.host, self.port, self.delay, self.say = host, port, delay, say
        self.jobs_redis = jobs_redis or self.redis
        self.children: list[Child] = []
        self._listener: socket | None = None

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def start(self) -> None:
        """Start all; Unusable, and nothing started, if the folder, the port or the server is."""
        try:
            if self.server is not None:
                self.server.start()
            reachable(self.redis)
            reachable(self.jobs_redis)
            self._listener = listener(self.host, self.port)
        except BaseException:
            self.stop()
            raise
        self.port = self._listener.getsockname()[1]
        fd, jobs = self._listener.fileno(), ("--jobs-redis", self.jobs_redis)
        at, of = ("--redis", self.redis), ("--shards", str(self.shards))
        self.children = [
            Child("fold", "workers.fold", *at, *of),
            Child("api", "services.listen", *at, *of, "--fd", str(fd), fds=(fd,)),
            Child("react", "workers.react", *at, *jobs, *of),
            Child("jobs", "workers.jobs", *at, *jobs, "--delay", str(self.delay)),
            Child("films", "workers.films", *at, *jobs),
            Child("notify", "workers.notify", *at, "--site", self.url),
        ]
        for child in self.children:
            child.start()

    def tend(self) -> None:
        """Start again what has died; to be called a few times a second."""
        if self.server is not None and not self.server.alive():
            self.say("The embedded server ended; it is started again.")
            self.server.start()
        for child in self.children:
            child.tend(self.say)

    def stop(self) -> None:
        """End everything, the server last; within five seconds, whoever hangs."""
        for child in self.children:
            child.ask_to_end()
        until = time.monotonic() + GRACE
        for child in self.children:
            child.end(until)
        self.children = []
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        if self.server is not None:
            self.server.stop(4.5 - GRACE)


def python() -> list[str]:
    """How to run a module of ours. -P: a folder called `engine` where we are called is not ours."""
    return [sys.executable, "-P", "-m"]


def environment() -> dict[str, str]:
    """Ours, and where our modules are."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def reachable(url: str) -> None:
    """Unusable if no server answers there."""
    try:
        BlockingWire(url).ask(ledger.clock(0))
    except (Lost, Refused) as error:
        raise Unusable(f"No Redis or Valkey server answers at {without_password(url)}.") from error
    except ValueError as error:
        raise Unusable(
            f"{without_password(url)} is no address of a server: redis://host:port/db."
        ) from error


def listener(host: str, port: int, patience: float = HELD) -> socket:
    """A listening socket there; Unusable if it is not to be had in time."""
    until = time.monotonic() + patience
    while True:
        try:
            return bound(host, port)
        except OSError as error:
            if time.monotonic() > until or port == 0:
                why = (error.strerror or "").partition(" (while")[0].lower()
                says = f"Port {port} of {host} cannot be had: {why}. Another one: --port."
                raise Unusable(says) from error
        time.sleep(0.1)
