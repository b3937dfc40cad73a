"""`turnfold notices`: what players could not be told."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from services import ledger
from services.commands.options import (
    HOME,
    Data,
    Json,
    MaybeServer,
    console,
    print_json,
    print_table,
    server,
    sorry,
    utc,
)
from services.notices import outbox

app = typer.Typer(no_args_is_help=True, help="Notices to players that could not be delivered.")


@app.callback()
def notices() -> None:
    """Notices to players that could not be delivered, however often that was tried."""


@app.command("list")
def listed(redis: MaybeServer = None, data: Data = HOME, json: Json = False) -> None:
    """List those that were given up, the newest first, and why."""
    with server(redis, data) as wire:
        failed, waiting = wire.ask(outbox.failed()), wire.ask(outbox.count_waiting())
    if json:
        return print_json(failed)
    table = Table("given up", "by", "player", "id", "why", box=None)
    for one in failed:
        table.add_row(utc(one.at), one.to, one.player, one.id, one.why)
    print_table(table)
    return console.print(f"{len(failed)} were given up; {waiting} wait for their time.")


@app.command()
def retry(
    id: Annotated[str | None, typer.Argument(help="Which; all of them without one.")] = None,
    redis: MaybeServer = None,
    data: Data = HOME,
) -> None:
    """Try again what was given up. What has no point any more is not sent."""
    with server(redis, data) as wire:
        found = [one for one in wire.ask(outbox.failed()) if id in (None, one.id)]
        if id and not found:
            sorry("Nothing of this id was given up.")
        for one in found:
            wire.talk(outbox.retry(one, wire.ask(ledger.clock(0))))
    console.print(f"{len(found)} will be tried again.")
