"""`turnfold matches export` and `audit`: finished matches as files, and whether all are true."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.audit import audit as audited
from engine.audit import opened
from services import finished, oversight
from services.commands.options import (
    HOME,
    Data,
    MatchName,
    MaybeServer,
    Shards,
    checked,
    console,
    server,
    sorry,
)
from services.oversight import Filters
from services.wire import BlockingWire


def export(
    match: MatchName,
    file: Annotated[Path, typer.Argument(help="Where to write the bundle.")],
    redis: MaybeServer = None,
    data: Data = HOME,
) -> None:
    """Write a finished match as a bundle, for `turnfold audit` and `turnfold replay`."""
    with server(redis, data) as wire:
        whole = wire.talk(oversight.whole(checked(match)))
        if whole is None:
            sorry("There is no such match.")
        if (status := whole.standing.status) != "over":
            sorry(f"{match} is not over ({status}): its log is still secret.")
        bundle = _bundle(wire, match)
    try:
        file.write_bytes(bundle)
    except OSError as error:
        sorry(f"{file} cannot be written: {error.strerror}.")
    console.print(f"{match} is in {file}, {len(bundle)} bytes.", soft_wrap=True)


def audit(redis: MaybeServer = None, data: Data = HOME, shards: Shards = 1) -> None:
    """Fold every finished match again, and compare: for a job that runs every night.

    Exit status: 0 all are true, 1 some are not; those are named.
    """
    faulty = 0
    with server(redis, data) as wire:
        over = oversight.standings(wire, shards, Filters(state="over"))
        for one in over:
            report = audited(opened(_bundle(wire, one.match)))
            faulty += not report.ok
            for fault in report.faults:
                console.print(f"{one.match}: {fault.says}", markup=False, soft_wrap=True)
    console.print(f"{len(over) - faulty} of {len(over)} finished matches are true.")
    raise typer.Exit(1 if faulty else 0)


def _bundle(wire: BlockingWire, match: str) -> bytes:
    return finished.bundle(match, wire.talk(finished.record(match)))
