"""Feeds: what one viewer hears of a match, live, as server-sent events or as NDJSON.

A reader has a list of frames and one future; a frame is made once for all who hear the same. Facts
come from the ledger, so a reader that was away gets just what it missed.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Literal

from engine.contract import Viewer
from engine.look import look
from engine.match import Match
from services import ledger
from services.answers import encode, read_news
from services.house import House, lens
from services.moves import Receive, Scope, Send, who
from services.problems import Problem

MOST = 1024 * 1024  # bytes that a reader may leave unread
BEHIND = ledger.FACTS  # entries that can be caught up on
BEAT = 15  # seconds between signs of life
Why = Literal["unreadable", "ahead", "behind"]
log = logging.getLogger("turnfold.feed")


class Reader:
    """One connection. Frames up to `after` are not for it: it has them, or has seen a look."""

    __slots__ = (
        "after",
        "ended",
        "frames",
        "name",
        "player",
        "sse",
        "task",
        "unsent",
        "viewer",
        "wake",
    )

    def __init__(self, name: str, player: str | None, viewer: Viewer, sse: bool) -> None:
        self.name, self.player, self.viewer, self.sse = name, player, viewer, sse
        self.after = -1  # nothing is for it until it is known where it begins
        self.frames: list[tuple[int, bytes]] = []
        self.unsent = 0
        self.ended = False
        self.wake: asyncio.Future[None] | None = None
        self.task = asyncio.current_task()

    def push(self, seq: int, frame: bytes) -> None:
        """A frame of entry `seq`, or of no entry for 0."""
        self.frames.append((seq, frame))
        self.unsent += len(frame)
        if self.unsent > MOST and self.task is not None:
            self.task.cancel("too slow")  # it comes back and gets what it missed
        self.rouse()

    def rouse(self) -> None:
        if self.wake is not None and not self.wake.done():
            self.wake.set_result(None)

    async def taken(self) -> bytes:
        """All that is to be sent; waits for some. Empty at the end."""
        while not self.frames and not self.ended:
            self.wake = asyncio.get_running_loop().create_future()
            await self.wake
        frames, self.frames, self.unsent = self.frames, [], 0
        return b"".join(frame for seq, frame in frames if not 0 < seq <= self.after)


class Channel:
    """The readers of one match, and how far they have been served."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seq, self.head = 0, ""
        self.readers: set[Reader] = set()
        self.pumping = self.again = False


class Hub:
    """All channels of an api process."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.channels: dict[str, Channel] = {}
        house.hears.append(self._heard)
        house.returns.append(self._returned)
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """The process stops: readers are let go and will come back to another."""
        for channel in list(self.channels.values()):
            for reader in channel.readers:
                reader.ended = True
                reader.rouse()

    async def beat(self) -> None:
        """Signs of life, for ever; and a look for news whose hint was lost."""
        while True:
            await asyncio.sleep(BEAT)
            for channel in list(self.channels.values()):
                for reader in list(channel.readers):
                    reader.push(0, b":\n\n" if reader.sse else b"\n")
                self._pump(channel)

    def join(self, reader: Reader) -> Channel:
        channel = self.channels.setdefault(reader.name, Channel(reader.name))
        channel.readers.add(reader)
        return channel

    def leave(self, reader: Reader) -> None:
        channel = self.channels[reader.name]
        channel.readers.discard(reader)
        if not channel.readers:
            del self.channels[reader.name]

    def begin(self, channel: Channel, match: Match, head: str) -> None:
        """A channel begins where its first reader does."""
        if not channel.seq:
            channel.seq, channel.head = match.seq, head
        self._pump(channel)  # it may have gone on meanwhile

    def _heard(self, name: str, seq: int) -> None:
        channel = self.channels.get(name)
        if channel is not None:
            self._pump(channel)

    def _returned(self) -> None:
        """The server was away and may have lost its tail."""
        for channel in self.channels.values():
            self._pump(channel)

    def _pump(self, channel: Channel) -> None:
        if channel.pumping:
            channel.again = True
            return
        channel.pumping = True
        task = asyncio.create_task(self._pumped(channel))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pumped(self, channel: Channel) -> None:
        """Bring what the ledger holds beyond `channel.seq` to the readers."""
        try:
            channel.again = True
            while channel.again and channel.seq:
                channel.again = False
                told = await self.house.ask(ledger.facts(channel.name, channel.seq - 1, BEHIND))
                if not self._serve(channel, told):
                    await self._reset(channel, told)
        except Problem as problem:
            log.warning("feed of %s: %s", channel.name, problem.detail)
        except Exception:
            log.exception("feed of %s", channel.name)
        finally:
            channel.pumping = False

    def _serve(self, channel: Channel, told: list[ledger.Told]) -> bool:
        """False if the ledger does not go on from what was served."""
        if not told or told[0].seq != channel.seq:
            return False
        if read_news(told[0], None).head != channel.head:
            return False
        for one in told[1:]:
            made: dict[tuple[Viewer, bool], bytes] = {}
            news = read_news(one, None)
            if b'"match.dealt"' in one.verdict:
                _seat(channel, news.facts)
            for reader in list(channel.readers):
                kind = (reader.viewer, reader.sse)
                if kind not in made:
                    made[kind] = entry_frame(read_news(one, reader.viewer), reader.sse)
                reader.push(one.seq, made[kind])
                if news.status == "over":
                    end(reader)
            channel.seq, channel.head = one.seq, news.head
        channel.again = channel.again or len(told) == BEHIND
        return True

    async def _reset(self, channel: Channel, told: list[ledger.Told]) -> None:
        """What was served is gone from the log, or too long ago: begin again with a look."""
        match = await self.house.newest(channel.name)
        why: Why = "behind" if told and told[0].seq > channel.seq else "ahead"
        for reader in list(channel.readers):
            reader.after = -1
            reader.push(0, reset_frame(why, reader.sse))
            reader.push(0, look_frame(match, reader.name, reader.viewer, reader.sse))
            if match.over:
                end(reader)
        channel.seq, channel.head = match.seq, look(match, None, legal=False).head


def _seat(channel: Channel, facts: tuple[Any, ...]) -> None:
    """Chairs have become seats: from here on each player hears what its seat does."""
    dealt = next((fact for fact in facts if fact["type"] == "match.dealt"), {"seats": ()})
    seats = {sitter["player"]: seat for seat, sitter in enumerate(dealt["seats"])}
    for reader in channel.readers:
        reader.viewer = seats.get(reader.player) if reader.player else None


async def feed(
    hub: Hub, name: str, scope: Scope, query: dict[str, str], receive: Receive, send: Send
) -> None:
    """GET /matches/{match}/feed, a plain ASGI callable."""
    headers = dict(scope["headers"])
    sse = b"application/x-ndjson" not in headers.get(b"accept", b"")
    last = query.get("after") or headers.get(b"last-event-id", b"").decode("latin-1") or None
    player = await who(hub.house, headers)
    now = await hub.house.newest(name)
    wanted = query.get("as")
    reader = Reader(name, None if wanted else player, lens(now, player, wanted), sse)
    channel = hub.join(reader)
    try:
        now = await hub.house.newest(name)  # again: from here on the channel hears what follows
        if last is not None and now.over and last == str(now.seq):
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        await _start(send, sse)
        await _begin(hub, channel, reader, now, last)
        await _serve(reader, receive, send)
    except asyncio.CancelledError as cut:
        if "too slow" not in cut.args:
            raise
    finally:
        hub.leave(reader)


async def _start(send: Send, sse: bool) -> None:
    kind = b"text/event-stream" if sse else b"application/x-ndjson"
    headers = [
        (b"content-type", kind),
        (b"cache-control", b"no-store"),
        (b"vary", b"Authorization, Cookie, Accept"),
        (b"x-accel-buffering", b"no"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _begin(hub: Hub, channel: Channel, reader: Reader, now: Match, last: str | None) -> None:
    """What comes first: a look, what was missed, or a reset and a look."""
    held, reader.frames, reader.unsent = reader.frames, [], 0
    if reader.sse:
        reader.push(0, b"retry: 1000\n\n")
    missed = await _missed(hub.house, reader.name, now, last)
    if isinstance(missed, list):
        for one in missed:
            reader.push(0, entry_frame(read_news(one, reader.viewer), reader.sse))
        reached = missed[-1].seq if missed else now.seq
        over = bool(missed) and read_news(missed[-1], None).status == "over"
    else:
        if missed is not None:
            reader.push(0, reset_frame(missed, reader.sse))
        reader.push(0, look_frame(now, reader.name, reader.viewer, reader.sse))
        reached, over = now.seq, now.over
    reader.after = reached
    reader.frames += held
    if over and not reader.ended:
        end(reader)
    hub.begin(channel, now, look(now, None, legal=False).head)


async def _missed(
    house: House, name: str, now: Match, last: str | None
) -> list[ledger.Told] | Why | None:
    """What a reader that has heard up to `last` has missed; why it cannot be told; None if new."""
    if last is None:
        return None
    if not (last.isascii() and last.isdigit()) or len(last) > 9:
        return "unreadable"
    seen = int(last)
    if seen > now.seq:
        return "ahead"
    if now.seq - seen > BEHIND:
        return "behind"
    told = await house.ask(ledger.facts(name, seen))
    if told and told[0].seq != seen + 1:
        return "behind"
    return told


async def _serve(reader: Reader, receive: Receive, send: Send) -> None:
    """Send what comes until the end, or until nobody reads any more."""
    gone = asyncio.create_task(_gone(reader, receive))
    try:
        while True:
            chunk = await reader.taken()
            if gone.done():
                return
            ended = reader.ended and not reader.frames
            if chunk or ended:
                await send({"type": "http.response.body", "body": chunk, "more_body": not ended})
            if ended:
                return
    finally:
        gone.cancel()


async def _gone(reader: Reader, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.ended = True
    reader.rouse()


# Frames


def look_frame(match: Match, name: str, viewer: Viewer, sse: bool) -> bytes:
    return frame("look", look(match, viewer, name), sse, match.seq)


def entry_frame(news: Any, sse: bool) -> bytes:
    return frame("entry", news, sse, news.seq)


def reset_frame(why: Why, sse: bool) -> bytes:
    return frame("reset", {"why": why}, sse)


def end(reader: Reader) -> None:
    reader.push(0, frame("end", {}, reader.sse))
    reader.ended = True
    reader.rouse()


def frame(event: str, data: Any, sse: bool, id: int | None = None) -> bytes:
    body = encode(data)
    if sse:
        numbered = b"" if id is None else b"id: %d\n" % id
        return b"event: %s\n%sdata: %s\n\n" % (event.encode(), numbered, body)
    comma = b"," if len(body) > 2 else b""
    return b'{"event":"%s"%s%s\n' % (event.encode(), comma, body[1:])
