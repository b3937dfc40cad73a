"""`turnfold demo`: robots that play every game over HTTP, and audit what they have played."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Final

from rich.console import Console

from engine.catalogue import GAMES
from services import settings
from services.client import Client, Look, Problem
from services.client.robot import Robot
from services.client.wits import WITS
from services.robot import Failed, ending, failing
from services.serve import Stack

PATIENCE = 10.0  # seconds in which the api must answer
LONG = 30.0  # seconds after which one of them resigns
SHORT: Final = {"uno-flip": {"target": "round"}}  # options of a game that is long at random


def demonstrate(url: str | None, stay: bool, out: Console) -> None:
    """Play a match of each game on the api at `url`, or on one of our own."""
    with failing(), _api(url) as at:
        for game in GAMES:
            _match(at, game, out)
        if stay:
            out.print("Everything stays up for you to look at, until Ctrl-C.")
            Event().wait()
        elif url is None:
            out.print("These links end with the demonstration; with --stay they stay up.")


def _match(url: str, game: str, out: Console) -> None:
    seats = max(GAMES[game].seats(GAMES[game].Options())[0], 2)
    with ExitStack() as stack:
        made = (Client.register(url, f"Demo {n + 1}", patience=PATIENCE) for n in range(seats))
        clients = [stack.enter_context(client) for client in made]
        begun = time.monotonic()
        match = clients[0].offer(game, seats, SHORT.get(game)).match
        for client in clients:
            client.join(match)
        look = _played(clients, match)
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
    out.print(f"  {ending(look)}", soft_wrap=True, markup=False)
    if look.outcome is not None and look.outcome.why == "resigned":
        out.print(f"  (given up after {LONG:.0f} s: it is only a demonstration)")
    for what, where in (("replay", "replay?as=open"), ("bundle", "bundle")):
        out.print(f"  {what}  {url}/matches/{look.match}/{where}", soft_wrap=True)
    out.print(f"  head    {look.head}", soft_wrap=True)


def _played(clients: list[Client], match: str) -> Look:
    """The last look of a match that robots play to its end, or give up."""
    with ThreadPoolExecutor(len(clients)) as pool:
        plays = [pool.submit(Robot(client, WITS["greedy"]).play, match) for client in clients]
        _, left = wait(plays, LONG, FIRST_EXCEPTION)
        if left:
            _give_up(clients[0], match)
        looks = [play.result() for play in plays]
    return looks[0]


def _give_up(client: Client, match: str) -> None:
    try:
        client.resign(match)
    except Problem as problem:
        if problem.name != "over":
            raise


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
