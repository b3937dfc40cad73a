"""A laptop that is closed: every process of the browser is stopped, and later goes on."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGCONT, SIGSTOP

from tests.http.stage import until


@contextmanager
def closed() -> Iterator[None]:
    """Meanwhile no browser that this process has started does anything at all."""
    stopped: list[int] = []
    try:
        while more := [pid for pid in browsers() if pid not in stopped]:  # until none begins one
            for pid in more:
                os.kill(pid, SIGSTOP)
            stopped += more
        assert stopped
        until(lambda: all(is_stopped(pid) for pid in stopped))
        yield
    finally:
        for pid in reversed(stopped):
            os.kill(pid, SIGCONT)


def browsers() -> list[int]:
    """The processes of Chromium below this one, parents first: its own, renderers, network."""
    children: dict[int, list[tuple[int, str]]] = {}
    listed = subprocess.check_output(["ps", "-eo", "pid=,ppid=,comm="], text=True)
    for line in listed.splitlines():
        pid, parent, name = line.split(None, 2)
        children.setdefault(int(parent), []).append((int(pid), name))
    below, found = [os.getpid()], []
    for parent in below:
        for pid, name in children.get(parent, ()):
            below.append(pid)
            if "chrom" in name:
                found.append(pid)
    return found


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "TtZ"
