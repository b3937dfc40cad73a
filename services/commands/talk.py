"""`turnfold talk`: what an operator does about what players say."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from services import talk
from services.commands.options import (
    HOME,
    Data,
    MaybeServer,
    console,
    print_table,
    server,
    sorry,
)
from services.wire import BlockingWire

app = typer.Typer(no_args_is_help=True, help="Reports of what players say.")
HOUR = 3600


@app.callback()
def talking() -> None:
    """Reports of what players say, and what to do about them."""


@app.command()
def reports(redis: MaybeServer = None, data: Data = HOME) -> None:
    """List the reports that wait for you."""
    with server(redis, data) as wire:
        rows = _all(wire)
    table = Table("report", "match", "player", "said", "why", "by")
    for name, one in rows:
        said, by = one.message, one.by
        table.add_row(_short(name), one.match, said.player, said.text, one.why, by)
    if rows:
        print_table(table)
    else:
        console.print("No report waits for you.")


@app.command()
def remove(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="its id, as listed")],
    redis: MaybeServer = None,
    data: Data = HOME,
) -> None:
    """Take a reported message away; all reports of it are dealt with."""
    with server(redis, data) as wire:
        found = _found(wire, report)
        wire.talk(talk.take_away(found.match, found.room, found.message.id))
        _settle(wire, found)
    console.print("The message is gone.")


@app.command()
def dismiss(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="its id, as listed")],
    redis: MaybeServer = None,
    data: Data = HOME,
) -> None:
    """Let a reported message stand; all reports of it are dealt with."""
    with server(redis, data) as wire:
        found = _found(wire, report)
        _settle(wire, found)
    console.print("The message stays.")


@app.command()
def silence(
    player: Annotated[str, typer.Argument(metavar="ID", help="16 letters, as in the list.")],
    hours: Annotated[int, typer.Option(min=1, max=8760, help="For how long.")] = 24,
    redis: MaybeServer = None,
    data: Data = HOME,
) -> None:
    """Let a player say nothing for a while; playing goes on."""
    with server(redis, data) as wire:
        wire.ask(talk.silence(player, hours * HOUR))
    console.print(f"{player} says nothing for {hours} hours.")


@app.command()
def unsilence(
    player: Annotated[str, typer.Argument(metavar="ID", help="16 letters, as in the list.")],
    redis: MaybeServer = None,
    data: Data = HOME,
) -> None:
    """Let a player speak again before the time is up."""
    with server(redis, data) as wire:
        if not wire.ask(talk.unsilence(player)):
            sorry("That player may speak.")
    console.print(f"{player} may speak again.")


def _all(wire: BlockingWire) -> list[tuple[str, talk.Report]]:
    return sorted(dict(wire.walk(talk.reports)).items())


def _found(wire: BlockingWire, report: str) -> talk.Report:
    found = [one for name, one in _all(wire) if _short(name) == report]
    if not found:
        sorry("There is no such report; `turnfold talk reports` lists them.")
    return found[0]


def _settle(wire: BlockingWire, found: talk.Report) -> None:
    """All reports of its message are dealt with."""
    wire.ask(talk.settle([name for name, one in _all(wire) if _same(one, found)]))


def _same(one: talk.Report, other: talk.Report) -> bool:
    return (one.match, one.room, one.message.id) == (other.match, other.room, other.message.id)


def _short(name: str) -> str:
    """What a person types of a report."""
    match, room, id, by = name.split(" ")
    return f"{match[-4:]}-{id}-{by[:4]}-{room[0]}"
