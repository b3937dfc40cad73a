"""`turnfold players`: what an operator may do to accounts."""

from __future__ import annotations

from typing import Annotated

import typer

from services import roll
from services.commands.options import HOME, Data, MaybeServer, Yes, console, server, sorry

app = typer.Typer(no_args_is_help=True, help="Accounts of players.")


@app.callback()
def players() -> None:
    """Accounts of players: their names and tokens."""


@app.command()
def delete(
    player: Annotated[str, typer.Argument(metavar="ID", help="16 letters, as in seats and logs.")],
    redis: MaybeServer = None,
    data: Data = HOME,
    yes: Yes = False,
) -> None:
    """Delete an account: its name and all its tokens, at once and for good.

    Seats and logs keep the bare id, which names nobody any more. Matches that wait for the player
    go on by their clocks.
    """
    with server(redis, data) as wire:
        name = wire.ask(roll.player_name(player))
        if not yes:
            typer.confirm(f"Delete the account of {player} ({name})?", abort=True)
        if not wire.talk(roll.delete_player(player)):
            sorry("There is no such player.")
    console.print(f"The account of {player} is deleted.")
