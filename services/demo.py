"""`turnfold demo`: clients that play every game over HTTP, and audit what they have played."""

from __future__ import annotations

import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom
from threading import Event
from typing import Any, Final

import httpx
from msgspec import convert
from rich.console import Console

from engine.audit import Kept, audit, opened
from engine.catalogue import GAMES
from engine.contract import Outcome
from engine.entries import MatchOver
from engine.sentences import say
from services.serve import Stack

chance = SystemRandom()
LONG = 30.0  # seconds after which whoever is to move resigns
SHORT: Final = {"uno-flip": {"target": "round"}}  # options of a game that is long at random
Look = dict[str, Any]


class Failed(Exception):
    """The demonstration went wrong; the message says how."""


class Client:
    """A player, as any program could be one: a token, HTTP, and what it keeps to audit."""

    def __init__(self, url: str, name: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=30)
        account = self._post("/players", {"name": name})
        self._http.headers["authorization"] = f"Bearer {account['token']}"
        self.entropy = self.commitment = ""
        self.heads: dict[int, str] = {}

    def offer(self, game: str, seats: int) -> str:
        """Offer a match for that many players; its id."""
        asked = {"game": game, "options": SHORT.get(game, {}), "seats": [None] * seats}
        return str(self._post("/matches", asked)["look"]["match"])

    def join(self, match: str) -> None:
        """Take a chair. Our part of the chance is drawn only once the server is committed."""
        self.look(match)
        self.entropy = secrets.token_hex(32)
        asked = {"seat": None, "entropy": self.entropy}
        self._kept(self._post(f"/matches/{match}/join", asked)["look"])

    def look(self, match: str) -> Look:
        return self._kept(self._got(self._http.get(f"/matches/{match}/look")))

    def move(self, look: Look) -> Look:
        """Build a move piece by piece out of what the server lists, and play it."""
        match, ways = look["match"], look["legal"]
        kind = chance.choice(sorted({way["move"]["type"] for way in ways}))
        way = chance.choice([way for way in ways if way["move"]["type"] == kind])
        while True:
            longer = self._post(f"/matches/{match}/grow", way["move"])
            if not longer or (way["ready"] and not chance.randrange(len(longer) + 1)):
                break
            way = chance.choice(longer)
        headers = {"if-match": f'"{look["seq"]}"', "idempotency-key": secrets.token_hex(8)}
        return self._kept(self._post(f"/matches/{match}/moves", way["move"], headers)["look"])

    def resign(self, match: str) -> Look:
        return self._kept(self._post(f"/matches/{match}/resign", {})["look"])

    def bundle(self, match: str) -> bytes:
        got = self._http.get(f"/matches/{match}/bundle")
        self._checked(got)
        return got.content

    def _post(self, path: str, body: Any, headers: dict[str, str] | None = None) -> Any:
        return self._got(self._http.post(path, json=body, headers=headers))

    def _got(self, got: httpx.Response) -> Any:
        self._checked(got)
        return got.json()

    def _checked(self, got: httpx.Response) -> None:
        if got.is_error:
            asked = f"{got.request.method} {got.request.url.path}"
            raise Failed(f"{asked} was answered {got.status_code}: {got.text[:500]}")

    def _kept(self, look: Look) -> Look:
        self.commitment = look["commitment"]
        self.heads[look["seq"]] = look["head"]
        return look


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
    except httpx.HTTPError as error:
        raise Failed(f"The api does not answer: {error}") from error


def _match(url: str, game: str, out: Console) -> None:
    seats = GAMES[game].seats(GAMES[game].Options())[0]
    clients = [Client(url, f"Demo {n + 1}") for n in range(max(seats, 2))]
    begun = time.monotonic()
    match = clients[0].offer(game, len(clients))
    for client in clients:
        client.join(match)
    look = _played(clients, match, begun + LONG)
    out.print(f"{game}: {look['seq']} entries in {time.monotonic() - begun:.1f} s", style="bold")
    out.print(f"  {_outcome(game, look)}", soft_wrap=True, markup=False)
    if look["outcome"]["why"] == "resigned":
        out.print(f"  (given up after {LONG:.0f} s: it is only a demonstration)")
    out.print(f"  replay  {url}/matches/{match}/replay?as=open", soft_wrap=True)
    out.print(f"  bundle  {url}/matches/{match}/bundle", soft_wrap=True)
    out.print(f"  head    {look['head']}", soft_wrap=True)
    raw = clients[0].bundle(match)
    for client in clients:
        report = audit(opened(raw), Kept(client.heads, (client.entropy,), client.commitment))
        if not report.ok:
            raise Failed(f"The audit of {match} found: {report.faults[0].says}")
    kept = sum(len(client.heads) for client in clients)
    out.print(f"  audit   true: the bundle fits {kept} heads and {len(clients)} entropies kept")


def _played(clients: list[Client], match: str, until: float) -> Look:
    """The last look of a match that is played to its end."""
    look = clients[0].look(match)
    while look["status"] == "running":
        for client in clients:
            look = client.look(match)
            while look["viewer"] in look["to_act"]:
                look = client.move(look) if time.monotonic() < until else client.resign(match)
    return look


def _outcome(game: str, look: Look) -> str:
    over = MatchOver(convert(look["outcome"], Outcome))
    return say(game, over).sentence([f"seat {n}" for n in range(len(look["seats"]))])


@contextmanager
def _api(url: str | None) -> Iterator[str]:
    if url is not None:
        yield url
        return
    with tempfile.TemporaryDirectory(prefix="turnfold-demo-") as folder:
        stack = Stack(Path(folder), port=0)
        try:
            stack.start()
            yield stack.url
        finally:
            stack.stop()
