"""Traces, by OpenTelemetry: one for each entry of a log, from its POST to the feeds that tell it.

Its id follows from the match and the seq, so every process that deals with the entry knows it:
nothing is handed on, and nothing of it stands in a log. What a span says is never secret: which
match, which seq, how many readers. Where the environment names no collector, nothing is recorded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from hashlib import sha256
from threading import Thread
from typing import Final, Protocol

ENV: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"  # and all else that OpenTelemetry's SDK reads


class Recorder(Protocol):
    close: Callable[[], None]

    def record(
        self, what: str, ids: tuple[int, int], root: bool, begun: int, said: dict[str, str | int]
    ) -> None: ...


_recorder: Recorder | None = None


def begin(process: str) -> None:
    """Have this process record, if the environment names a collector."""
    global _recorder
    if os.environ.get(ENV):
        from services.recorder import Otlp  # what only traces need is loaded for them alone

        _recorder = Otlp(f"turnfold-{process}")


def end(patience: float = 1.0) -> None:
    """Send what is still to be sent, should that take no longer than so many seconds."""
    if _recorder is not None:
        closing = Thread(target=_recorder.close, daemon=True)
        closing.start()
        closing.join(patience)


def now() -> int:
    """When a span begins: in ns since 1970."""
    return time.time_ns()


def span(what: str, match: str, seq: int, begun: int, root: bool = False, **said: int) -> None:
    """What was done about an entry, from `begun` until now; `root` for what it all began with."""
    if _recorder is not None:
        names: dict[str, str | int] = {"turnfold.match": match, "turnfold.seq": seq}
        names |= {f"turnfold.{name}": value for name, value in said.items()}
        _recorder.record(what, ids(match, seq), root, begun, names)


def ids(match: str, seq: int) -> tuple[int, int]:
    """Of the trace of an entry, 128 bits, and of its first span, 64 bits; neither is ever 0."""
    known = sha256(f"turnfold trace {match} {seq}".encode()).digest()
    return int.from_bytes(known[:16]) or 1, int.from_bytes(known[16:24]) or 1
