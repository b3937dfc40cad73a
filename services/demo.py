"""`turnfold demo`: clients that play every game over HTTP, and audit what they have played."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import SystemRandom
from threading import Event
from typing import Any, Final

from rich.console import Console

from engine.catalogue import GAMES
from engine.entries import MatchOver
from engine.sentences import say
from services import settings
from services.client import Away, Client, Look, Problem
from services.serve import Stack

chance = SystemRandom()
PATIENCE = 10.0  # seconds in which the api must answer
LONG = 30.0  # seconds after which whoever is to move resigns
SHORT: Final = {"uno-flip": {"target": "round"}}  # options of a game that is long at random


class Failed(Exception):
    """The demonstration went wrong; the message says how."""


def demonstrate(url: str | None, stay: bool, out: Console) -> None:
    """Play a match of each game on the api at `url`, or on one of our own."""
    try:
        with _api(url) as at:
            for game in GAMES:
                _match(at, game, out)
            if stay:
                out.print("Everything stays up for you to look at, until Ctrl-C.")
                Event().wait()
            elif url is None:
                out.print("These links end with the demonstration; with --stay they stay up.")
    except Away as error:
        raise Failed(f"The api does not answer: {error}") from error
    except Problem as error:
        raise Failed(f"The api refuses: {error}") from error


def _match(url: str, game: str, out: Console) -> None:
    seats = max(GAMES[game].seats(GAMES[game].Options())[0], 2)
    with ExitStack() as stack:
        made = (Client.register(url, f"Demo {n + 1}", patience=PATIENCE) for n in range(seats))
        clients = [stack.enter_context(client) for client in made]
        begun = time.monotonic()
        match = clients[0].offer(game, seats, SHORT.get(game)).match
        for client in clients:
            client.join(match)
        look = _played(clients, match, begun + LONG)
        took = time.monotonic() - begun
        _told(url, game, look, took, out)
        for client in clients:
            report = client.audit(match)
            if not report.ok:
                raise Failed(f"The audit of {match} found: {report.faults[0].says}")
        heads = sum(len(client.kept(match).heads) for client in clients)
    out.print(f"  audit   true: the bundle fits {heads} heads and {seats} entropies kept")


def _told(url: str, game: str, look: Look, took: float, out: Console) -> None:
    out.print(f"{game}: {look.seq} entries in {took:.1f} s", style="bold")
    out.print(f"  {_outcome(look)}", soft_wrap=True, markup=False)
    if look.outcome is not None and look.outcome.why == "resigned":
        out.print(f"  (given up after {LONG:.0f} s: it is only a demonstration)")
    for what, where in (("replay", "replay?as=open"), ("bundle", "bundle")):
        out.print(f"  {what}  {url}/matches/{look.match}/{where}", soft_wrap=True)
    out.print(f"  head    {look.head}", soft_wrap=True)


def _played(clients: list[Client], match: str, until: float) -> Look:
    """The last look of a match that is played to its end."""
    seats = {client.look(match).viewer: client for client in clients}
    look = clients[0].look(match)
    while look.status == "running":
        client = seats[look.to_act[0]]
        look = client.look(match)
        late = time.monotonic() >= until
        made = client.resign(match) if late else client.play(look, _move(client, look))
        look = made.look
    return look


def _move(client: Client, look: Look) -> Any:
    """A move that is built piece by piece out of what the server lists."""
    kind = chance.choice(sorted({way.move["type"] for way in look.legal or ()}))
    way = chance.choice([way for way in look.legal or () if way.move["type"] == kind])
    while longer := client.grow(look, way.move):
        if way.ready and not chance.randrange(len(longer) + 1):
            break
        way = chance.choice(longer)
    return way.move


def _outcome(look: Look) -> str:
    assert look.outcome is not None
    seats = [f"seat {n}" for n in range(len(look.seats))]
    return say(look.game, MatchOver(look.outcome)).sentence(seats)


@contextmanager
def _api(url: str | None) -> Iterator[str]:
    if url is not None:
        yield url
        return
    with tempfile.TemporaryDirectory(prefix="turnfold-demo-") as folder:
        settings.export(limits="off")  # its players come from one machine, and are in a hurry
        stack = Stack(Path(folder), port=0)
        try:
            stack.start()
            yield stack.url
        finally:
            stack.stop()
