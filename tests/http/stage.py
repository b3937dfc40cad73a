"""A whole house in a folder: the real server, apis and workers as processes that can be killed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from signal import SIGKILL

import httpx

from services.listen import bound
from services.server import Fsync, Server
from services.wire import BlockingWire

ROOT = Path(__file__).parent.parent.parent


class Process:
    """A module of the house, run by `tests.http.run`; it ends when we do, however we end."""

    def __init__(self, log: Path, module: str, *words: str, **how) -> None:
        self.name, self.log, self.words, self.how = module, log, (module, *words), how
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        words = [sys.executable, "-m", "services.leash", "tests.http.run", *self.words]
        how = {**self.how, "env": {**os.environ, **self.how.get("env", {})}}
        with self.log.open("ab") as log:
            self.child = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=ROOT, **how
            )

    def kill(self) -> None:
        """kill -9."""
        assert self.child is not None
        self.child.send_signal(SIGKILL)
        self.child.wait()
        self.child.stdin.close()

    def stop(self, patience: float = 5) -> None:
        if self.child is None or self.child.poll() is not None:
            return
        self.child.terminate()
        try:
            self.child.wait(patience)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        self.child.stdin.close()


class Api(Process):
    """An api on a port of its own; the socket is ours, so that it outlives the process."""

    def __init__(self, log: Path, url: str, *more: str, **how) -> None:
        self.listener: socket.socket = bound("127.0.0.1", 0)
        self.base = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        fd = self.listener.fileno()
        words = ("--redis", url, "--fd", str(fd), *more)
        super().__init__(log, "services.listen", *words, pass_fds=(fd,), **how)

    def ready(self) -> Api:
        """Once it answers; should it have died instead, its last words."""
        until(self._answers, 60)
        return self

    def _answers(self) -> bool:
        assert self.child.poll() is None, self.log.read_text()[-2000:]
        try:
            return httpx.get(f"{self.base}/healthz", timeout=1, verify=False).status_code == 200
        except httpx.TransportError:
            return False


class Stage:
    """The server and whatever was started on it."""

    def __init__(self, folder: Path, fsync: Fsync = "everysec") -> None:
        self.folder, self.server = folder, Server(folder / "data", fsync)
        self.processes: list[Process] = []
        self.leash: subprocess.Popen[bytes]

    def __enter__(self) -> Stage:
        self.start_server()
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.stop()
            if isinstance(process, Api):
                process.listener.close()
        self.server.stop()
        self._unleash()

    def api(self, **env: str) -> Api:
        """Without limits, unless its environment sets some."""
        how = {"TURNFOLD_LIMITS": "off", **env}
        return self._added(Api(self._log("api"), self.server.url, env=how))

    def worker(self, module: str, *words: str, **env: str) -> Process:
        log = self._log(module)
        return self._added(Process(log, module, "--redis", self.server.url, *words, env=env))

    def wire(self) -> BlockingWire:
        return BlockingWire(self.server.url)

    def start_server(self) -> None:
        """Beside it a shell that ends it when we are ended before we could."""
        self.server.start()
        words = ["sh", "-c", "read _; kill -9 $0", str(self.server._process.pid)]
        self.leash = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def kill_server(self) -> None:
        """kill -9."""
        process = self.server._process
        process.kill()
        process.wait()
        self._unleash()

    def _unleash(self) -> None:
        self.leash.kill()
        self.leash.wait()
        self.leash.stdin.close()

    def appended(self) -> Path:
        """The file that the server's log grows in."""
        [path] = (self.server.folder / "appendonlydir").glob("*.incr.aof")
        return path

    def _added(self, process):
        self.processes.append(process)
        process.start()
        return process

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}-{len(self.processes)}.log"


def until(true, seconds: float = 10, every: float = 0.02):
    """What `true()` gives once it is true."""
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, "that never came"
        time.sleep(every)
    return found
