"""Commands as processes of their own, and what they leave behind."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from services.server import socket_of

ROOT = Path(__file__).parent.parent.parent
PLAIN = {"COLUMNS": "200", "PYTHONUNBUFFERED": "1"}
TURNFOLD = (sys.executable, "-m", "services.cli")


def run(*words: str, text: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """A command from its start to its end."""
    env = {**os.environ, "COLUMNS": "200", **env}
    return subprocess.run(
        [*TURNFOLD, *words],
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=env,
        timeout=240,
    )


class Serve:
    """`turnfold serve`, on a port of the system's choice."""

    def __init__(self, data: Path, *words: str) -> None:
        self.data, self.redis = data, f"unix://{socket_of(data)}"
        more = ("--data", str(data), "--port", "0", "--robot-delay", "0", *words)
        self.process = subprocess.Popen(
            [*TURNFOLD, "serve", *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            env={"TURNFOLD_LIMITS": "accounts=10000", **os.environ, **PLAIN},
        )
        self.said = self.process.stdout.readline()
        self.url = self.said.partition(" is at ")[2].partition(",")[0]
        assert self.url, self.said + self.process.stdout.read()
        self.http = httpx.Client(base_url=self.url, timeout=20)

    def player(self) -> str:
        """A new player's token, used from here on."""
        token = self.http.post("/players", json={"name": "Ann"}).json()["token"]
        self.http.headers["authorization"] = f"Bearer {token}"
        return token

    def offer(self, *seats: str | None) -> dict:
        """The look at a match of which we take the open seat."""
        join = {"seat": None, "entropy": secrets.token_hex(32)} if None in seats else None
        policy = {"order": "joined"}
        asked = {"game": "high-card", "seats": seats, "policy": policy, "join": join}
        got = self.http.post("/matches", json=asked)
        assert got.status_code == 201, got.text
        return got.json()["look"]

    def look(self, match: str) -> dict:
        return self.http.get(f"/matches/{match}/look").json()

    def play(self, look: dict) -> None:
        headers = {"if-match": f'"{look["seq"]}"'}
        got = self.http.post(
            f"/matches/{look['match']}/moves", json={"type": "keep"}, headers=headers
        )
        assert got.status_code == 201, got.text

    def children(self) -> dict[str, int]:
        """The processes it has started, by what they are."""
        lines = subprocess.check_output(
            ["ps", "-ww", "-eo", "pid,ppid,args"], text=True
        ).splitlines()
        found = {}
        for line in lines[1:]:
            pid, ppid, args = line.split(maxsplit=2)
            if int(ppid) == self.process.pid:
                found[_name(args)] = int(pid)
        return found

    def stop(self, sign: int = signal.SIGINT) -> float:
        """End it; the seconds it took."""
        begun = time.monotonic()
        self.process.send_signal(sign)
        self.process.wait(20)
        self.http.close()
        return time.monotonic() - begun


def _name(args: str) -> str:
    if "services.leash" in args:
        return args.split("services.leash ")[1].split()[0].removeprefix("workers.")
    return "server"


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def soon(true: Callable[[], object], seconds: float = 15) -> None:
    """Wait until something is true."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not come true"
        time.sleep(0.02)
