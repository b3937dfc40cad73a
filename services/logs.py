"""Logs: a line for each event, for people or, as JSON, for programs; and never a secret.

What a bug says may quote a hand or a move, so of an exception only its kind is told and where it
came from; what looks like a token, an entropy or a digest is blanked wherever it stands.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from msgspec import json

from services.visible import visible

Kind = Literal["text", "json"]
ENV = "TURNFOLD_LOG"  # how a process is told which kind
ROOT = Path(__file__).parent.parent
SECRET = re.compile(r"tf_[\w-]{43}|\b[0-9a-fA-F]{64}\b|(?<=[Bb]earer )\S+")
ID = re.compile(rb"[\w.:-]{1,64}")
QUIET = {"httpx": "WARNING", "rq": "WARNING", "rq.worker": "CRITICAL", "uvicorn": "WARNING"}
request: ContextVar[str] = ContextVar("request", default="")  # the id of what is being answered


def begin(process: str, kind: str | None = None) -> None:
    """Have this process log to its standard error; what kind, the environment says."""
    kind = kind or os.environ.get(ENV, "text")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json(process) if kind == "json" else Text())
    logging.basicConfig(level="INFO", handlers=[handler], force=True)
    logging.captureWarnings(True)
    for name, level in QUIET.items():
        logging.getLogger(name).setLevel(level)


def numbered(headers: Mapping[bytes, bytes]) -> bytes:
    """The id of a request, from here on in every line about it: its own, if that can be written
    down, or a new one."""
    given = headers.get(b"x-request-id", b"")
    id = given if ID.fullmatch(given) else secrets.token_hex(8).encode()
    request.set(id.decode())
    return id


def event(log: logging.Logger, says: str, **said: object) -> None:
    """Log a sentence and what it is about, by name."""
    log.info(says, extra={"said": said})


class Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        words = [_at(record), record.name, record.getMessage()]
        words += [f"{name}={value}" for name, value in _said(record).items()]
        if record.exc_info and record.exc_info[0]:
            words.append(f"({_kind(record)} at {' < '.join(reversed(_where(record)))})")
        return _clean(" ".join(words))


class Json(logging.Formatter):
    def __init__(self, process: str) -> None:
        super().__init__()
        self.process = process

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": _at(record),
            "level": record.levelname.lower(),
            "process": self.process,
            "pid": record.process,
            "log": record.name,
            "says": record.getMessage(),
            **_said(record),
        }
        if record.exc_info and record.exc_info[0]:
            line |= {"error": _kind(record), "where": _where(record)}
        return _clean(json.encode(line).decode())


def _at(record: logging.LogRecord) -> str:
    at = datetime.fromtimestamp(record.created, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _said(record: logging.LogRecord) -> dict[str, object]:
    said: dict[str, object] = dict(getattr(record, "said", {}))
    if id := request.get():
        said["request"] = id
    return said


def _kind(record: logging.LogRecord) -> str:
    assert record.exc_info is not None
    return " from ".join(type(error).__name__ for error in _causes(record.exc_info[1]))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _where(record: logging.LogRecord) -> list[str]:
    """The lines that it came through, the innermost last."""
    assert record.exc_info is not None
    frames = traceback.extract_tb(record.exc_info[2])
    return [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]


def _short(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


def _clean(line: str) -> str:
    """One line, without secrets."""
    return SECRET.sub("…", visible(line))
