"""What commands share: their options, their consoles, how they ask the server and say sorry."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer
from msgspec import json
from rich.console import Console
from rich.table import Table

from services import archive, ledger
from services.archive import Unread
from services.server import socket_of
from services.wire import BlockingWire, Lost, Refused, is_routed

if TYPE_CHECKING:
    from services.archive.shelf import Shelf

SHARE = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
HOME = Path(SHARE, "turnfold")
WIDE = 10_000  # columns
console, errors = Console(highlight=False), Console(stderr=True, highlight=False)

Data = Annotated[
    Path,
    typer.Option(envvar="TURNFOLD_DATA", help="The folder of the embedded server's data."),
]
Server = Annotated[
    str,
    typer.Option(
        "--redis",
        envvar="TURNFOLD_REDIS",
        help="redis://host:port/db, unix://path, redis+cluster://host:port,… or"
        " redis+sentinel://host:port,…/service",
    ),
]
MaybeServer = Annotated[
    str | None,
    typer.Option(
        "--redis",
        envvar="TURNFOLD_REDIS",
        help="A server to use: redis://host:port/db or unix://path. Without it, an embedded one.",
    ),
]
JobsServer = Annotated[
    str | None,
    typer.Option(
        "--jobs-redis",
        envvar="TURNFOLD_JOBS_REDIS",
        help="A server of their own for rq's jobs.",
    ),
]
Shards = Annotated[
    int,
    typer.Option(
        min=1, max=9999, envvar="TURNFOLD_SHARDS", help="How many shards there are: as usual one."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Say it as JSON, for programs.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask whether you are sure.")]
Log = Annotated[
    Literal["text", "json"] | None,
    typer.Option(envvar="TURNFOLD_LOG", help="A line of text for each event, or of JSON."),
]
LimitsSaid = Annotated[
    str | None,
    typer.Option(
        "--limits",
        envvar="TURNFOLD_LIMITS",
        help="`off`, or those that are not as usual, as in `requests=200 feeds=64`; 0 is none.",
    ),
]
MetricsToken = Annotated[
    str | None,
    typer.Option(
        envvar="TURNFOLD_METRICS_TOKEN",
        help="Who sends this may read /metrics. Without it, programs of this machine alone.",
    ),
]
TrustedProxy = Annotated[
    str | None,
    typer.Option(
        envvar="TURNFOLD_TRUSTED_PROXY",
        help="Addresses or networks, with commas, whose X-Forwarded-For is believed.",
    ),
]
AccessLog = Annotated[
    bool, typer.Option("--access-log", envvar="TURNFOLD_ACCESS_LOG", help="Log every request.")
]
MatchName = Annotated[str, typer.Argument(metavar="MATCH", help="The id of a match.")]


@contextmanager
def server(redis: str | None, data: Path) -> Iterator[BlockingWire]:
    """A connection to the server that is named, or to the embedded one of a folder."""
    hint = "" if redis else " Start `turnfold serve` on this folder first, or name --redis."
    try:
        wire = BlockingWire(redis or f"unix://{socket_of(data)}", shelf())
    except ValueError as error:
        sorry(f"That is no address of a server: {error}.")
    try:
        yield wire
    except Unread as error:
        sorry(f"The archive cannot be asked: {error}.")
    except (Lost, Refused) as error:
        sorry(f"The server cannot be asked: {error}.{hint}")
    finally:
        wire.close()


def shelf() -> Shelf | None:
    """The archive that the environment names, if any."""
    try:
        return archive.opened()
    except ValueError as error:
        sorry(f"{archive.ENV}: {error}.")


def become(module: str, *words: str) -> NoReturn:
    """Go on as another module of ours, in this process."""
    from services.serve import environment, python

    sys.stdout.flush()
    os.execve(sys.executable, [*python(), module, *words], environment())


def for_jobs(redis: str, jobs_redis: str | None) -> list[str]:
    """What names the jobs' server to a module of ours: rq knows neither clusters nor sentinels."""
    if is_routed(jobs_redis or redis):
        sorry("rq's jobs need one server of their own: name it with --jobs-redis.")
    return ["--jobs-redis", jobs_redis] if jobs_redis else []


def checked(match: str) -> str:
    """The id of a match, before it goes into a key."""
    if not ledger.is_match(match, 10_000):
        sorry(f"{match} is no id of a match.")
    return match


def utc(at: int) -> str:
    """A time in ms since 1970, for people."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def print_table(table: Table) -> None:
    """As wide as the terminal or, for a program that reads it, as wide as it needs to be."""
    out = console if console.is_terminal else Console(file=console.file, width=WIDE)
    out.print(table, highlight=False)


def print_json(value: Any) -> None:
    console.file.write(json.encode(value).decode() + "\n")


def sorry(says: Any, code: int = 1) -> NoReturn:
    errors.print(str(says), soft_wrap=True, markup=False)
    raise typer.Exit(code)
