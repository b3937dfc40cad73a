"""`turnfold robot`: a player that is a program, at any house, by nothing but its API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from engine.entries import ROBOTS, MatchAborted, MatchOver
from engine.look import Look
from engine.sentences import names, say_ours
from services.client import Away, Client, Problem
from services.client.robot import Robot
from services.client.wits import WITS


class Failed(Exception):
    """The api does not do as asked; the message says how."""


@contextmanager
def failing() -> Iterator[None]:
    """What goes wrong with an api, as one error for people."""
    try:
        yield
    except Away as error:
        raise Failed(f"The api does not answer: {error}") from error
    except Problem as error:
        raise Failed(f"The api refuses: {error}") from error


def run(
    url: str,
    token: str | None,
    name: str,
    match: str | None,
    wits: ROBOTS,
    delay: float,
    out: Console,
) -> None:
    """Play a match to its end or, if none is named, whatever match the player is in."""
    with failing(), _player(url, token, name, out) as client:
        robot = Robot(client, WITS[wits], delay)
        if match is None:
            robot.play_all()
        robot.join(match)
        out.print(ending(robot.play(match)), markup=False, soft_wrap=True)


def _player(url: str, token: str | None, name: str, out: Console) -> Client:
    if token is not None:
        return Client(url, token)
    client = Client.register(url, name)
    says = f"{name} is {client.me().player}, with the token {client.token}"
    out.print(says, markup=False, soft_wrap=True)
    return client


def ending(look: Look) -> str:
    """How a match ended, in a sentence."""
    if look.outcome is None:
        return say_ours(MatchAborted(look.aborted or "")).sentence([])
    return say_ours(MatchOver(look.outcome)).sentence(names(look.seats))
