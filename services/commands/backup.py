"""`turnfold backup` and `turnfold restore`: all that cannot be folded again, as one file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from services import backup as backups
from services import ledger
from services.backup import Counts, NoBackup
from services.commands.options import HOME, Data, MaybeServer, console, server, sorry, utc
from services.server import LOGS, Server, Unusable
from services.wire import BlockingWire, without_password

File = Annotated[Path, typer.Argument(help="The backup.")]


def backup(file: File, redis: MaybeServer = None, data: Data = HOME) -> None:
    """Write all logs and accounts to a file, while everything runs.

    Nothing that was acknowledged before it began is missing. The file holds the secrets of running
    matches: keep it as safe as the data folder.
    """
    try:
        with server(redis, data) as wire:
            counts = backups.save(wire, file)
    except OSError as error:
        sorry(f"{file} cannot be written: {error.strerror}.")
    console.print(f"{_said(counts)} are in {file}.", soft_wrap=True)


def restore(file: File, redis: MaybeServer = None, data: Data = HOME) -> None:
    """Bring a backup back, into a folder that is empty (or, with --redis, an empty server).

    What was left out is folded again as soon as `turnfold serve` runs on it.
    """
    try:
        header = backups.check(file)
        with _empty(redis, data) as wire:
            counts = backups.restore(file, wire)
    except (NoBackup, Unusable) as error:
        sorry(error)
    except OSError as error:
        sorry(f"{error.filename}: {error.strerror}.")
    where = without_password(redis) if redis else data.absolute()
    console.print(f"{_said(counts)} of {utc(header.at)} are in {where}.", soft_wrap=True)


@contextmanager
def _empty(redis: str | None, data: Path) -> Iterator[BlockingWire]:
    """A server without anything in it; of a folder what is in there appears when it is whole."""
    if redis is not None:
        with server(redis, data) as wire:
            sizes: list[int] = wire.everywhere(ledger.size())
            if any(sizes):
                sorry(f"{without_password(redis)} is not empty.")
            yield wire
        return
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(data.iterdir()):
        sorry(f"{data} is not empty.")
    part = Server(data / "restoring")
    try:
        part.start()
        with server(part.url, part.folder) as wire:
            yield wire
        part.stop()
        (part.folder / LOGS).rename(data / LOGS)
    finally:
        part.stop()
        shutil.rmtree(part.folder, ignore_errors=True)


def _said(counts: Counts) -> str:
    return (
        f"{counts.matches} matches with {counts.entries} entries, and {counts.others} keys of"
        " accounts and the like"
    )
