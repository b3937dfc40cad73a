"""Who sends requests in these tests: players and watchers, every answer held against OpenAPI."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from random import Random
from typing import Any

import httpx
from msgspec import json

from engine.look import Look
from tests.http.schemas import Schemas

PROBLEM = "application/problem+json"
Hear = Callable[[httpx.Response], None]


class Visitor(httpx.Client):
    """Somebody who knows the api's address; `hears` are shown each response."""

    def __init__(self, base: str, *hears: Hear, token: str | None = None) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        super().__init__(
            base_url=base,
            headers=headers,
            timeout=20,
            verify=False,  # a context would take longer than a request
            event_hooks={"response": [*hears]},
        )
        self.token, self.hears = token, hears

    def look(self, match: str, **query: Any) -> dict[str, Any]:
        response = self.get(f"/matches/{match}/look", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    def see(self, match: str, **query: Any) -> httpx.Response:
        return self.get(f"/matches/{match}/look", params=query)

    def replay(self, match: str, **query: Any) -> httpx.Response:
        return self.get(f"/matches/{match}/replay", params=query)

    def play(
        self, match: str, move: Any, seq: int | str | None, key: str | None = None, **headers: str
    ) -> httpx.Response:
        sent = dict(headers)
        if seq is not None:
            sent["if-match"] = f'"{seq}"'
        if key is not None:
            sent["idempotency-key"] = key
        return self.post(f"/matches/{match}/moves", json=move, headers=sent)

    def ready(self, match: str, look: dict[str, Any], chance: Random) -> Any:
        """A move at random that may be played, found as a page would find it."""
        choices = look["legal"]
        while True:
            choice = chance.choice(choices)
            if choice["ready"] and chance.random() < 0.7:
                return choice["move"]
            grown = self.post(f"/matches/{match}/grow", json=choice["move"]).json()
            choices = [*grown, *([choice] if choice["ready"] else [])] or look["legal"]

    def at(self, base: str) -> Visitor:
        """The same player at another api."""
        return Visitor(base, *self.hears, token=self.token)


class Player(Visitor):
    """A visitor with an account."""

    def __init__(self, base: str, *hears: Hear, name: str = "Ann") -> None:
        with Visitor(base, *hears) as anybody:
            made = anybody.post("/players", json={"name": name})
        assert made.status_code == 201, made.text
        super().__init__(base, *hears, token=made.json()["token"])
        self.id, self.entropy = made.json()["player"], secrets.token_hex(32)

    def offer(self, game: str = "high-card", n: int = 2, **more: Any) -> str:
        """The name of a match that this player has offered and sits in."""
        join = {"entropy": self.entropy}
        asked = {"game": game, "seats": [None] * n, "join": join} | more
        made = self.post("/matches", json=asked)
        assert made.status_code == 201, made.text
        return made.json()["look"]["match"]

    def join(self, match: str, **more: Any) -> httpx.Response:
        return self.post(f"/matches/{match}/join", json={"entropy": self.entropy} | more)


def table(make: Callable[..., Player], game: str = "high-card", n: int = 2, **more: Any):
    """A match that is dealt, and its players by seat."""
    sitters = [make() for _ in range(n)]
    match = sitters[0].offer(game, n, **more)
    for player in sitters[1:]:
        assert player.join(match).status_code == 201
    return match, sorted(sitters, key=lambda player: player.look(match)["viewer"])


def played(match: str, seats: list[Player], chance: Random, most: int = 10_000) -> dict[str, Any]:
    """The last look after playing at random, to the end or for so many moves."""
    look = seats[0].look(match)
    while look["status"] == "running" and most:
        player = seats[chance.choice(look["to_act"])]
        look = player.look(match)
        moved = player.play(match, player.ready(match, look, chance), look["seq"])
        assert moved.status_code == 201, moved.text
        look, most = moved.json()["look"], most - 1
    return look


class Document:
    """The OpenAPI document, and whether a response is as it says."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.said = said
        self.paths = {
            re.compile(re.sub(r"\{\w+\}", "[^/]+", path)): operations
            for path, operations in said["paths"].items()
        }
        self.schemas = Schemas(said)
        self.types = said["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]

    def hear(self, response: httpx.Response) -> None:
        """Raises if this response is not documented for its operation, or its problem is none."""
        request, status = response.request, response.status_code
        operation = self._operation(request.url.path, request.method)
        where = f"{request.method} {request.url.path} {status}"
        if operation is None:
            assert status in (200, 404, 405), where
        else:
            assert str(status) in operation["responses"], f"{where} is not documented"
            said = operation["responses"][str(status)].get("content", {})
            kind = response.headers.get("content-type", "").partition(";")[0]
            assert kind in said or not said, f"{where} is {kind}, not {list(said)}"
            faults = self._faults(said.get(kind, {}), response)
            assert not faults, f"{where}: {faults[:3]}"
        if status >= 400:
            self._problem(response, where)

    def _faults(self, said: dict[str, Any], response: httpx.Response) -> list[str]:
        """What of the body is not as its media type is said to be."""
        if "schema" in said:
            return self.schemas.faults(said["schema"], json.decode(response.read()))
        if "x-item-schema" not in said:
            return []
        last = [json.decode(line) for line in response.read().splitlines()[-1:]]  # of many
        return [
            fault for line in last for fault in self.schemas.faults(said["x-item-schema"], line)
        ]

    def _problem(self, response: httpx.Response, where: str) -> None:
        response.read()
        assert response.headers["content-type"] == PROBLEM, where
        said = response.json()
        assert said["type"] in self.types, where
        assert said["status"] == response.status_code, where
        assert said["title"], where
        assert said["detail"], where

    def _operation(self, path: str, method: str) -> dict[str, Any] | None:
        for pattern, operations in self.paths.items():
            if pattern.fullmatch(path) and method.lower() in operations:
                return operations[method.lower()]
        return None


def problem(response: httpx.Response) -> str:
    """`412 stale`, or the status alone of what is no problem."""
    status = response.status_code
    if status < 400:
        return str(status)
    return f"{status} {response.json()['type'].removeprefix('/problems/')}"


LOOK = set(Look.__struct_fields__)
