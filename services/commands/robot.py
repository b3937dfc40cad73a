"""`turnfold robot`: for whoever wants a program to play."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.entries import ROBOTS
from services.commands.options import console, sorry


def robot(
    match: Annotated[
        str | None,
        typer.Argument(metavar="MATCH", help="A match to join, if it is open, and to play."),
    ] = None,
    url: Annotated[str, typer.Option(help="The api.")] = "http://127.0.0.1:8000",
    token: Annotated[
        str | None,
        typer.Option(envvar="TURNFOLD_TOKEN", help="The player's; without it, a new account."),
    ] = None,
    name: Annotated[str, typer.Option(help="What a new account is called.")] = "Robot",
    robot: Annotated[ROBOTS, typer.Option(help="How it plays.")] = "greedy",
    delay: Annotated[
        float, typer.Option(min=0, help="Seconds from when it is its turn until it moves.")
    ] = 1.0,
) -> None:
    """Play as any player may: over HTTP, with a token, without a look behind the scenes.

    With MATCH it takes a chair there and plays to the end; without, it plays every match that the
    player of the token is in, until Ctrl-C. While the api is away it waits for a minute.
    """
    from services.robot import Failed, run  # it loads much that others do not need

    if match is None and token is None:
        sorry("Which match? Name one, or give the token of a player who is in some.", 2)
    try:
        run(url, token, name, match, robot, delay, console)
    except Failed as error:
        sorry(error)
