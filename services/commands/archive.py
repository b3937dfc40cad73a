"""`turnfold archive`: bring finished matches into the archive now."""

from __future__ import annotations

from typing import Annotated

import typer

from services import archive as archives
from services.commands.options import HOME, Data, MaybeServer, console, server, shelf, sorry


def archive(
    days: Annotated[
        float | None,
        typer.Option(min=0, help="What ended so long ago; else TURNFOLD_ARCHIVE_AFTER, 30."),
    ] = None,
    redis: MaybeServer = None,
    data: Data = HOME,
) -> None:
    """Move finished matches off the server into the archive that TURNFOLD_ARCHIVE names.

    The workers do so every few minutes; this does it now, at any time, also beside them.
    """
    from services.archive import mover

    into = shelf()
    if into is None:
        sorry(f"There is no archive: {archives.ENV} names a folder, or s3://bucket/path.")
    try:
        after = archives.days() if days is None else days
    except ValueError as error:
        sorry(f"{error}.")
    with server(redis, data) as wire:
        moved = mover.move(wire, into.store, after)
    console.print(
        f"{moved.matches} matches moved to {into.store.where}, {moved.size} bytes.",
        soft_wrap=True,
        markup=False,
    )
