"""Who plays and who watches in the simulation: clients that do as the documents tell them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field, json

from engine.dice import Dice
from engine.match import Match, encode
from engine.robots import stroll
from services.house import own_seat
from tests.chaos.simulation.requests import Client, Exchange, Gone, Reply

if TYPE_CHECKING:
    from tests.chaos.simulation.world import World


class Command(Struct):
    """A move as a client sends it, however often, and what it was told."""

    player: str
    seat: int
    fresh: int
    move: bytes
    key: str | None
    replies: list[Reply] = field(default_factory=list)


class Frame(NamedTuple):
    kind: str
    seq: int
    said: dict[str, Any]
    first: bool  # of what its connection told of the match


class Feed(Client):
    """A feed that is cut, and goes on where it was."""

    def __init__(self, world: World, name: str, player: str | None, token: str | None) -> None:
        super().__init__(world, name, token)
        self.player, self.sse = player, self.chance.random() < 0.5
        self.seq, self.over, self.first = 0, False, True
        self.frames: list[Frame] = []
        self.news = asyncio.Event()
        self._rest = b""

    async def follow(self) -> None:
        while not self.over:
            with suppress(Gone):
                await self._listen()
            await asyncio.sleep(self.chance.uniform(0.01, 0.6))

    async def _listen(self) -> None:
        headers = {"accept": "text/event-stream" if self.sse else "application/x-ndjson"}
        if self.seq:
            headers["last_event_id"] = str(self.seq)
        self._rest, self.first = b"", True
        path = f"/matches/{self.world.match}/feed"
        exchange = self.sent("GET", path, hear=self._hear, **headers)
        cut = self._cut_some_time(exchange)
        try:
            reply = await asyncio.shield(exchange.done)
            self.over = self.over or reply.status == 204
            self.world.sound(reply)
        finally:
            cut.cancel()
            exchange.leave()

    def _cut_some_time(self, exchange: Exchange) -> asyncio.TimerHandle:
        seconds = self.chance.expovariate(self.world.faults.cuts)
        return self.world.loop.call_later(seconds, exchange.leave)

    def _hear(self, chunk: bytes) -> None:
        end = b"\n\n" if self.sse else b"\n"
        *whole, self._rest = (self._rest + chunk).split(end)
        for part in whole:
            self._take(_event(part) if self.sse else part and json.decode(part))

    def _take(self, said: Any) -> None:
        if not said:
            return
        kind = said.pop("event")
        if kind in ("look", "entry", "reset", "end"):
            seq = said.get("seq", self.seq)
            self.world.say(self.name, kind, seq)
            self.world.judge.hears(self, kind, seq)
            self.frames.append(Frame(kind, seq, said, self.first))
            self.seq, self.first = seq, False
            self.over = kind == "end"
            self.news.set()

    async def wait(self, seconds: float) -> None:
        """Until there is more, or for so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.news.wait()
        self.news.clear()


def _event(part: bytes) -> Any:
    """A server-sent event as one of the other lines; None for a comment."""
    fields = dict(line.split(b": ", 1) for line in part.split(b"\n") if b": " in line)
    if b"event" not in fields:
        return None
    said = json.decode(fields[b"data"])
    if b"id" in fields:
        assert int(fields[b"id"]) == said["seq"], "an id that is not the seq"
    return {"event": fields[b"event"].decode(), **said}


class Player(Client):
    """Takes a chair if there is one left, and plays to the end; some fall asleep over it."""

    def __init__(self, world: World, name: str, player: str, token: str) -> None:
        super().__init__(world, name, token)
        self.player, self.feed = player, Feed(world, f"{name}'s feed", player, token)
        self.asleep = False

    async def offer(self, offer: dict[str, Any]) -> str:
        body = json.encode({**offer, "join": self._sit()})
        reply = await self.insist("POST", "/matches", body, idempotency_key="offer")
        if reply.status == 202:
            return reply.headers[b"location"].decode().split("/")[2]
        assert reply.status == 201, reply
        return str(reply.said["look"]["match"])

    def _sit(self) -> dict[str, str]:
        return {"entropy": self.chance.randbytes(32).hex()}

    async def join(self) -> None:
        await asyncio.sleep(self.chance.choice((0.0, 0.0, 1.0)) * self.chance.random())
        path = f"/matches/{self.world.match}/join"
        reply = await self.insist("POST", path, json.encode(self._sit()))
        assert reply.status in (201, 202, 409), reply
        self.world.judge.sat(self.player, reply)

    async def play(self) -> None:
        following = self.world.clients.spawn(self.feed.follow())
        while not self.feed.over:
            match = self.world.judge.at(self.feed.seq)
            seat = None if match is None else own_seat(match, self.player)
            if match is None or seat not in match.to_act or self.asleep:
                await self.feed.wait(5)
            else:
                await self._think(match)
                await self._move(match, seat)
        await following

    async def _think(self, match: Match) -> None:
        timed = match.offered.policy.clock is not None
        if timed and self.chance.random() < self.world.sleepy:
            self.asleep = self.world.small and self.chance.random() < 0.3
            await asyncio.sleep(self.chance.choice((30, 59, 60, 61, 61.5, 63)))
        else:
            await asyncio.sleep(self.chance.expovariate(4))

    async def _move(self, match: Match, seat: int) -> None:
        dice = Dice(self.chance.randbytes(32), 0)
        move = encode(stroll(match.game, match.state, seat, dice))
        key = self.chance.randbytes(8).hex() if self.chance.random() < 0.7 else None
        command = Command(self.player, seat, match.seq, move, key)
        self.world.judge.commands.append(command)
        twice = self.world.faults.twice(self.chance)
        both = [self._say(command) for _ in range(1 + twice)]
        replies = await asyncio.gather(*both)
        taken = [reply for reply in replies if reply.status in (201, 202)]
        if not taken:  # somebody was quicker: look again
            await self._look()
            return
        while self.feed.seq < taken[0].seq and not self.feed.over:
            await self.feed.wait(5)

    async def _say(self, command: Command) -> Reply:
        headers = {"if_match": f'"{command.fresh}"', "content_type": "application/json"}
        if command.key is not None:
            headers["idempotency_key"] = command.key
        path = f"/matches/{self.world.match}/moves"
        reply = await self.insist("POST", path, command.move, **headers)
        command.replies.append(reply)
        self.world.judge.answers(command, reply)
        return reply

    async def _look(self) -> None:
        reply = await self.insist("GET", f"/matches/{self.world.match}/look")
        self.world.judge.looks(self.player, reply)
        await self.feed.wait(1)
