"""`turnfold import`: finished matches from their bundles onto a server."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.audit import NoBundle
from services import imports
from services.archive import Unread
from services.commands.options import HOME, Data, MaybeServer, Shards, console, errors, server
from services.imports import NotImported
from services.visible import visible
from services.wire import BlockingWire


def bring(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…", help="Bundles, packed or not: files, http(s)://… or s3://…"
        ),
    ],
    redis: MaybeServer = None,
    data: Data = HOME,
    shards: Shards = 1,
) -> None:
    """Bring finished matches onto a server, as if they had been played there.

    Each must pass the audit. What is there already is left as it is; a match that has the same name
    and another head is refused. They are listed and, if rated, count: import what you trust.
    Exit status: 0 all are there, 1 some were refused.
    """
    with server(redis, data) as wire:
        refused = [file for file in files if not _brought(wire, file, shards)]
    raise typer.Exit(1 if refused else 0)


def _brought(wire: BlockingWire, file: str, shards: int) -> bool:
    try:
        name, new = imports.bring(wire, imports.read(file), shards)
    except (NotImported, NoBundle, OSError) as error:
        says = f"{file} is refused: {error}."
    except (Unread, ValueError) as error:
        says = f"{file} cannot be read: {error}."
    else:
        says = f"{name} is there." if new else f"{name} was there already."
        console.print(says, markup=False, soft_wrap=True)
        return True
    errors.print(visible(says), markup=False, soft_wrap=True)
    return False
