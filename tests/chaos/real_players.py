"""Players with real HTTP clients, who go on whatever dies: retries by key, feeds that resume."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

import httpx

from tests.http.feeds import BEAT, NDJSON, SSE, Frame, Reading

Gone = (httpx.TransportError, httpx.StreamError)


class Taken(NamedTuple):
    """A command that was acknowledged: 201 with the head after it, or 202 without."""

    match: str
    seq: int
    head: str | None
    key: str
    at: float


class Heard(NamedTuple):
    """A frame of a feed, other than a look or a sign of life."""

    match: str
    event: str
    seq: int | None
    head: str | None
    at: float


@dataclass
class Record:
    """All that the players were told, and what they did not expect."""

    taken: list[Taken] = field(default_factory=list)
    feeds: list[list[Heard]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    surprises: list[str] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)


class Person:
    """A player, known at every api; each request goes to the next one."""

    def __init__(self, client: httpx.AsyncClient, bases: list[str], record: Record) -> None:
        self.client, self.bases, self.record, self.turn = client, bases, record, 0
        self.headers: dict[str, str] = {}
        self.id = ""

    async def arrive(self) -> None:
        made = (await self.send("POST", "/players", json={"name": "Ann"}, taken=(201,))).json()
        self.id, self.headers = made["player"], {"authorization": f"Bearer {made['token']}"}

    async def send(self, method: str, path: str, taken: tuple[int, ...] = (), **how: Any):
        """The answer, however often it takes; one that is not in `taken`, if given, surprises."""
        headers = self.headers | how.pop("headers", {})
        while True:
            self.turn += 1
            base = self.bases[self.turn % len(self.bases)]
            try:
                answer = await self.client.request(method, base + path, headers=headers, **how)
            except Gone:
                self.record.counts["retries"] += 1
                await asyncio.sleep(0.1)
                continue
            if answer.status_code in (502, 503):
                self.record.counts["busy"] += 1
                await asyncio.sleep(0.1)
                continue
            if taken and answer.status_code not in taken:
                self.record.surprises.append(f"{method} {path}: {answer.text}")
            return answer


class Table:
    """One match after another, each to its end; `players` sit with `robots` more."""

    def __init__(
        self, players: list[Person], game: str, robots: int, record: Record, chance: Random
    ) -> None:
        self.players, self.game, self.robots = players, game, robots
        self.record, self.chance = record, chance
        self.match = ""

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await self.one()

    async def one(self) -> None:
        match = await self._offer()
        for player in self.players[1:]:
            path = f"/matches/{match}/join"
            await player.send("POST", path, json=sit(), taken=(201, 202))
        await asyncio.gather(*(self._play(match, player) for player in self.players))
        self.record.finished.append(match)

    async def _offer(self) -> str:
        """A new match, in which the first of the players sits."""
        seats = [None] * len(self.players) + ["random"] * self.robots
        options = {"rounds": 8} if self.game == "together" else {}
        offer = {"game": self.game, "seats": seats, "options": options, "join": sit()}
        key, offerer = {"idempotency-key": secrets.token_hex(8)}, self.players[0]
        made = await offerer.send("POST", "/matches", json=offer, headers=key, taken=(201, 202))
        self.match = made.headers["location"].split("/")[2]
        return self.match

    async def _play(self, match: str, player: Person) -> None:
        news = News(player, match, self.chance.choice([SSE, NDJSON]))
        feed = asyncio.create_task(news.follow())
        try:
            while True:
                answer = await player.send("GET", f"/matches/{match}/look")
                look = answer.json()
                if answer.status_code != 200:
                    self.record.surprises.append(f"look: {answer.text}")
                    return
                if look["status"] == "over":
                    await asyncio.wait_for(feed, 20)
                    return
                if look["viewer"] in look["to_act"]:
                    await self._move(match, player, look)
                else:
                    await news.beyond(look["seq"])
        finally:
            feed.cancel()
            with suppress(asyncio.CancelledError):
                await feed

    async def _move(self, match: str, player: Person, look: dict[str, Any]) -> None:
        key, later = secrets.token_hex(8), self.chance.random() < 0.1
        headers = {"if-match": f'"{look["seq"]}"', "idempotency-key": key}
        headers |= {"prefer": "respond-async"} if later else {}
        path, move = f"/matches/{match}/moves", await self._choose(match, player, look)
        answer = await player.send("POST", path, json=move, headers=headers, taken=(201, 202, 412))
        self.record.counts[str(answer.status_code)] += 1
        now = time.monotonic()
        if answer.status_code == 201:
            said = answer.json()
            self.record.taken.append(Taken(match, said["seq"], said["head"], key, now))
        elif answer.status_code == 202:
            seq = int(answer.headers["location"].partition("seq=")[2])
            self.record.taken.append(Taken(match, seq, None, key, now))

    async def _choose(self, match: str, player: Person, look: dict[str, Any]) -> Any:
        choices = look["legal"]
        while True:
            choice = self.chance.choice(choices)
            if choice["ready"] and self.chance.random() < 0.6:
                return choice["move"]
            grown = await player.send("POST", f"/matches/{match}/grow", json=choice["move"])
            if grown.status_code != 200:
                return choice["move"]
            choices = [*grown.json(), *([choice] if choice["ready"] else [])] or look["legal"]


def sit() -> dict[str, str]:
    return {"entropy": secrets.token_hex(32)}


class News:
    """A feed that resumes. It must go on just where it was, or say `reset`."""

    def __init__(self, player: Person, match: str, kind: str) -> None:
        self.player, self.match, self.kind = player, match, kind
        self.last: int | None = None
        self.heard: list[Heard] = []
        self.more = asyncio.Event()
        player.record.feeds.append(self.heard)

    async def beyond(self, seq: int) -> None:
        """Until something newer than `seq` was heard, or a second has passed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                while (self.last or 0) <= seq:
                    self.more.clear()
                    await self.more.wait()

    async def follow(self) -> None:
        while True:
            with suppress(*Gone):
                async for frame in self._frames():
                    self._take(frame)
                    if frame.event == "end":
                        return
            self.player.record.counts["feeds cut"] += 1
            await asyncio.sleep(0.05)

    async def _frames(self) -> AsyncIterator[Frame]:
        player, reading = self.player, Reading(self.kind)
        player.turn += 1
        base = player.bases[player.turn % len(player.bases)]
        headers = player.headers | {"accept": self.kind}
        if self.last is not None:
            headers["last-event-id"] = str(self.last)
        path = f"{base}/matches/{self.match}/feed"
        async with player.client.stream("GET", path, headers=headers) as response:
            if response.status_code == 204:
                yield Frame("end", None, {})
            elif response.status_code == 200:
                async for data in response.aiter_raw():
                    for frame in reading.feed(data):
                        yield frame
            elif response.status_code != 503:
                player.record.surprises.append(f"feed: {response.status_code}")

    def _take(self, frame: Frame) -> None:
        if frame.event == BEAT:
            return
        if frame.event == "entry" and self.last is not None and frame.id != self.last + 1:
            self.player.record.surprises.append(f"feed: {frame.id} after {self.last}")
        if frame.id is not None:
            self.last = frame.id
        head = frame.data.get("head")
        now = time.monotonic()
        self.heard.append(Heard(self.match, frame.event, frame.id, head, now))
        self.more.set()
