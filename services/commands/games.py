"""`turnfold new` and `turnfold check`: for whoever writes a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services import skeleton
from services.commands.options import become, console, sorry
from services.guests import VARIABLE
from services.skeleton import ROOT, NotWritten


def new(
    name: Annotated[str, typer.Argument(help="What it will be called, as in `high-card`.")],
    place: Annotated[
        Path | None,
        typer.Option("--dir", help="A folder elsewhere, to keep it out of this checkout."),
    ] = None,
) -> None:
    """Begin a game: a playable one with rules, words, tests and README, to be changed.

    Without --dir it becomes one of ours: it lies in engine/games and tests/games, and has its line
    in the catalogue. docs/games.md shows how to go on.
    """
    try:
        home = skeleton.new(name, place)
    except (NotWritten, OSError) as error:
        sorry(error)
    guest = f"PYTHONPATH={place} {VARIABLE}={home.package} " if place is not None else ""
    console.print(f"{name} is in {_said(home.rules)}, its tests in {_said(home.tests)}.")
    console.print("It plays as High card does. Change it, and in between:")
    for command in ("check", "play"):
        console.print(f"    {guest}turnfold {command} {name}", soft_wrap=True)


def _said(path: Path) -> Path:
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def check(
    name: Annotated[str | None, typer.Argument(help="Its name.")] = None,
    module: Annotated[
        str | None, typer.Option(help="Or the module of a game that is in no catalogue.")
    ] = None,
    only: Annotated[
        str, typer.Option("--only", "-k", metavar="TESTS", help="Some tests, as pytest's -k.")
    ] = "",
) -> None:
    """Hold a game to all that is asked of one, and say in sentences what is wrong.

    It runs the suites of tests/games for this game (conformance, random play, secrecy,
    playthroughs) and the game's own tests. Exit status: 0 it passes, 1 it does not.
    """
    if (name is None) == (module is None):
        sorry("Which game? Its name, or --module and its path.", 2)
    if not (ROOT / "tests/games/check.py").exists():
        sorry("The suites are not here: run this from a checkout of Turnfold.", 2)
    game = [name] if name is not None else ["--module", str(module)]
    become("tests.games.check", *game, "-k", only)
