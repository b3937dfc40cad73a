"""What happened, line by line: a hash that two runs of a seed must share, and words to read."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from services import scripts

SCRIPTS = {
    scripts.SHA[getattr(scripts, name)].encode(): name.lower()
    for name in ("APPEND", "COMMIT", "COPY", "SETTLE", "PARK", "AGAIN", "LEAVE", "SIGN")
}
MOST = 150  # letters of a line


class Trace:
    def __init__(self, tell: Callable[[str], object] | None = None) -> None:
        self._hash, self._tell = sha256(), tell

    def say(self, seconds: float, who: str, what: str, more: Any = "") -> None:
        line = f"{seconds:10.4f} {who:<12} {what} {more}"
        self._hash.update(line.encode())
        if self._tell is not None:
            self._tell(line if len(line) < MOST else line[:MOST] + "…")

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def named(command: list[bytes]) -> str:
    """A command in words."""
    if command[0] == b"EVALSHA":
        name = SCRIPTS.get(command[1], command[1][:8].decode())
        words = command[3 + int(command[2]) :]
    else:
        name, words = command[0].decode(), command[1:]
    return " ".join([name, *(word[:60].decode(errors="replace") for word in words if word[:60])])
