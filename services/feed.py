"""Feeds: what one viewer hears of a match, live, as server-sent events or as NDJSON.

A reader has a list of frames and one future; a frame is made once for all who hear the same. Facts
come from the ledger, so a reader that was away gets just what it missed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping, Sequence

from engine.contract import Viewer
from engine.match import Match
from services import ledger, traces
from services.answers import read_head, read_news
from services.here import NOBODY, Looking, together
from services.house import House
from services.moves import Receive, Scope, Send, who
from services.outlet import CUT, frame, wants_sse
from services.presence import Presence
from services.problems import Problem
from services.reader import Channel, Reader, Why, entry_frame, here_frame, reset_frame
from services.rooms import Gossip
from services.said import Here, Talked
from services.sight import due, is_late, may_look, shown, sight, told_again, yourself

BEHIND = ledger.FACTS  # entries that can be caught up on
AT_ONCE = 250  # readers who are sent to without a pause
PATIENCE = 2.0  # seconds that a reader waits for a match that is being folded again
log = logging.getLogger("turnfold.feed")


async def flowed(readers: Sequence[Reader]) -> None:
    """Let readers send what they have, so many at a turn of the loop: nobody else waits for all."""
    for i in range(0, len(readers), AT_ONCE):
        if i:
            await asyncio.sleep(0)
        for reader in readers[i : i + AT_ONCE]:
            reader.flow()


class Hub:
    """All channels of an api process."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.channels: dict[tuple[str, bool], Channel] = {}  # by match, and whether late
        self.presence = Presence(house, self._elsewhere)
        self.gossip = Gossip(house.url, self._talked)
        house.hears.append(self._heard)
        house.writes.append(self._written)
        house.returns.append(self._returned)
        house.callers.cuts.append(self._revoked)
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """The process stops: readers are let go and will come back to another."""
        for channel in list(self.channels.values()):
            for reader in channel.readers:
                reader.close()

    async def beat(self, seconds: float) -> None:
        """Signs of life, and a look for news whose hint was lost, spread over so long."""
        for name in {name for name, _ in self.channels}:
            self.presence.put(name, self._looking(name))
        channels, sent = list(self.channels.values()), 0
        readers = sum(len(channel.readers) for channel in channels)
        for channel in channels:
            if not self._tell(channel, channel.here(self._all_looking(channel.name))):
                for reader in channel.readers:
                    reader.beat()
                self._flow(channel)
            self._pump(channel)
            sent += len(channel.readers)
            if sent > AT_ONCE:
                await asyncio.sleep(seconds * sent / readers)
                sent = 0

    def channel(self, reader: Reader) -> Channel | None:
        return self.channels.get((reader.name, reader.late))

    def join(self, reader: Reader, now: Match) -> None:
        """From here on the reader hears what follows on what it has, at `now` if it is the first
        one, and who looks."""
        channel = self.channel(reader)
        if channel is None:
            channel = self.channels[reader.name, reader.late] = Channel(reader, now)
        channel.add(reader)
        if not self._attend(channel) and not (reader.ended or channel.late):
            here = channel.here(self._all_looking(channel.name))
            reader.push(here_frame(here, reader.sse))
        self._pump(channel)

    def leave(self, reader: Reader) -> None:
        channel = self.channel(reader)
        if channel is not None:
            channel.discard(reader)
            if not channel.readers:
                del self.channels[reader.name, reader.late]
                channel.stop()
            self._attend(channel)

    # Who looks

    def _looking(self, name: str) -> Looking:
        """Whose feeds of a match are open in this process."""
        both = (self.channels.get((name, late)) for late in (False, True))
        return together(channel.looking for channel in both if channel is not None)

    def _all_looking(self, name: str) -> Looking:
        return together((self._looking(name), self.presence.elsewhere(name)))

    def _attend(self, channel: Channel) -> bool:
        """Tell whose players look, if that is news, here and elsewhere; how many others do is told
        with the next sign of life. Were readers told?"""
        looking = self._looking(channel.name)
        if looking == NOBODY or looking.players != self.presence.mine(channel.name).players:
            self.presence.put(channel.name, looking)
        return self._elsewhere(channel.name)

    def _elsewhere(self, name: str) -> bool:
        """Tell readers which seats look, if those are others than they know of."""
        channel = self.channels.get((name, False))
        if channel is None:
            return False
        here = channel.here(self._all_looking(name))
        known = channel.told is not None and channel.told.seats == here.seats
        return not known and self._tell(channel, here)

    def _tell(self, channel: Channel, here: Here) -> bool:
        if channel.late or channel.told == here:
            return False
        channel.told, made = here, {sse: here_frame(here, sse) for sse in (False, True)}
        for reader in channel.readers:
            if not reader.ended:
                reader.queue(made[reader.sse])
        self._flow(channel)
        return True

    def _flow(self, channel: Channel) -> None:
        """Let its readers send what they have."""
        if len(channel.readers) > AT_ONCE:
            self._run(flowed([*channel.readers]))
        else:
            for reader in channel.readers:
                reader.flow()

    def _run(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # What happens

    def _heard(self, name: str, seq: int) -> None:
        for late in (False, True):
            channel = self.channels.get((name, late))
            if channel is not None and channel.seq < seq:
                self._pump(channel)

    def _written(self, name: str, told: ledger.Told, upon: str) -> None:
        """An entry was committed here, after the head `upon`: who has heard what comes before it
        is told at once, and the ledger need not be asked."""
        channel = self.channels.get((name, False))
        if channel is None or channel.pumping:
            return
        if (channel.seq, channel.head) != (told.seq - 1, upon):
            return
        begun = traces.now()
        try:
            self._bring(channel, [told])
            self._flow(channel)
        except Exception:
            log.exception("feed of %s", name)  # the entry is in; it will be asked for
        traces.span("feed", name, told.seq, begun, readers=len(channel.readers))

    def _talked(self, name: str, room: str) -> None:
        """There is something new to read in a room: tell whose it is."""
        for late in (False, True):
            channel = self.channels.get((name, late))
            for reader in channel.readers if channel is not None else ():
                if not reader.ended and room == reader.room:
                    reader.push(frame("talk", Talked(reader.room), reader.sse))

    def _returned(self) -> None:
        """The server was away and may have lost its tail."""
        for channel in self.channels.values():
            self._pump(channel)

    def _revoked(self, player: str) -> None:
        """A token of a player was revoked: who still has another one comes back with it."""
        for channel in self.channels.values():
            for reader in channel.readers:
                if reader.player == player:
                    reader.cut()

    def _pump(self, channel: Channel) -> None:
        if channel.pumping:
            channel.again = True
            return
        channel.pumping = True
        self._run(self._pumped(channel))

    async def _pumped(self, channel: Channel) -> None:
        """Bring what the ledger holds beyond `channel.seq` to the readers."""
        try:
            channel.again = True
            while channel.again:
                channel.again = False
                told, begun = await self._told(channel), traces.now()
                if not self._serve(channel, told):
                    await self._reset(channel, told)
                    continue
                await flowed([*channel.readers])
                for one in told[1:]:
                    traces.span("feed", channel.name, one.seq, begun, readers=len(channel.readers))
        except Problem as problem:
            log.warning("feed of %s: %s", channel.name, problem.detail)
            if problem.status == 404:  # it went with the tail of the log
                for reader in channel.readers:
                    reader.cut()
        except Exception:
            log.exception("feed of %s", channel.name)
        finally:
            channel.pumping = False

    async def _told(self, channel: Channel) -> list[ledger.Told]:
        """What there is for these readers from `channel.seq` on."""
        house, name = self.house, channel.name
        if not channel.late:
            return await house.ask(ledger.facts(name, channel.seq - 1, BEHIND))
        seq, ms = await house.talk(due(name, await house.newest(name)))
        if ms is not None and channel.readers:
            channel.wait(ms, lambda: self._pump(channel))
        return await told_again(house, name, channel.seq - 1, seq)

    def _serve(self, channel: Channel, told: list[ledger.Told]) -> bool:
        """Queue what follows; False if the ledger does not go on from what was served."""
        if not told or told[0].seq != channel.seq:
            return False
        if read_head(told[0]) != channel.head:
            return False
        self._bring(channel, told[1:])
        channel.again = channel.again or len(told) == BEHIND
        return True

    def _bring(self, channel: Channel, told: list[ledger.Told]) -> None:
        """Queue, for each reader, what follows on what the channel was served."""
        seated = False
        for one in told:
            made: dict[tuple[Viewer, bool], bytes] = {}
            news, seating = read_news(one, None), b'"match.' in one.verdict
            if seating and not channel.late:
                channel.heed(news)
                seated = True
            for reader in channel.readers:
                if seating and one.seq > reader.seq:
                    reader.heed(news)
                if one.seq <= reader.seq or reader.ended:
                    continue
                kind = (reader.viewer, reader.sse)
                if kind not in made:
                    heard = news if reader.viewer is None else read_news(one, reader.viewer)
                    made[kind] = entry_frame(heard, reader.sse)
                reader.queue(made[kind])
                reader.seq, reader.head = one.seq, news.head
                if news.status == "over":
                    reader.end()
            channel.seq, channel.head = one.seq, news.head
        if seated:
            self._attend(channel)

    async def _reset(self, channel: Channel, told: list[ledger.Told]) -> None:
        """What was served is gone from the log, or too long ago: begin again with a look."""
        if not told:
            seq, _ = await self.house.ask(ledger.ends(channel.name))
            if seq >= channel.seq:
                return  # it is being folded again, which will be heard of
        now = await self.house.newest(channel.name)
        why: Why = "behind" if told and told[0].seq > channel.seq else "ahead"
        newest = await shown(self.house, channel.name, now) if channel.late else now
        channel.seat(now)
        for reader in channel.readers:
            if may_look(now, reader.player) and is_late(now, reader.player) == reader.late:
                reader.viewer = None if reader.aside else yourself(now, reader.player)
                reader.push(reset_frame(why, reader.sse))
                reader.begin(newest)
            else:
                reader.close()
        channel.seq, channel.head = newest.seq, newest.head
        self._attend(channel)


async def feed(
    hub: Hub, name: str, scope: Scope, query: dict[str, str], receive: Receive, send: Send
) -> None:
    """GET /matches/{match}/feed, a plain ASGI callable."""
    opened = await _opened(hub, name, scope, query)
    if opened is None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    reader, headers = opened
    try:
        await reader.serve(scope, receive, send, headers)
    except asyncio.CancelledError as cut:
        if CUT not in cut.args:
            raise
    finally:
        hub.leave(reader)


async def _opened(
    hub: Hub, name: str, scope: Scope, query: dict[str, str]
) -> tuple[Reader, Mapping[str, str]] | None:
    """A reader who has what comes first, and hears what follows, with headers for it; None if it
    has heard the end. No match is kept for it, for there may be thousands of them."""
    headers = dict(scope["headers"])
    last = query.get("after") or headers.get(b"last-event-id", b"").decode("latin-1") or None
    caller = await who(hub.house, headers, scope["scheme"])
    seen = await sight(hub.house, name, caller, query.get("as"))
    if seen.newest.over and last is not None and _number(last) == seen.newest.seq:
        return None
    reader = Reader(seen, wants_sse(scope), aside=query.get("as") == "watcher")
    await _begin(hub, reader, seen.newest, last)
    return reader, seen.headers


async def _begin(hub: Hub, reader: Reader, now: Match, last: str | None) -> None:
    """What comes first: a look, what was missed, or a reset and a look. Then what follows."""
    missed = await _missed(hub.house, reader, now, last)
    if isinstance(missed, list):
        reader.seq, reader.head = now.seq, now.head
        reader.tell(missed, now.seq)
    else:
        if missed is not None:
            reader.frames.append(reset_frame(missed, reader.sse))
        reader.begin(now)
    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE
    while (channel := hub.channel(reader)) is not None and channel.seq > reader.seq:
        told = await _told(hub.house, reader, reader.seq, channel.seq)
        if told and told[0].seq == reader.seq + 1:
            reader.tell(told, now.seq)
        elif loop.time() < until:  # it is being folded again
            await asyncio.sleep(0.05)
        else:
            raise Problem("busy", "The match is being folded again.")
    hub.join(reader, now)


def _number(last: str) -> int | None:
    return int(last) if last.isascii() and last.isdigit() and len(last) < 10 else None


async def _told(house: House, reader: Reader, after: int, until: int) -> list[ledger.Told]:
    """What follows on `after`: for who is late no more than up to `until`."""
    if reader.late:
        return await told_again(house, reader.name, after, until)
    return await house.ask(ledger.facts(reader.name, after))


async def _missed(
    house: House, reader: Reader, now: Match, last: str | None
) -> list[ledger.Told] | Why | None:
    """What a reader that has heard up to `last` has missed; why it cannot be told; None if new."""
    if last is None:
        return None
    seen = _number(last)
    if seen is None:
        return "unreadable"
    if seen > now.seq:
        return "ahead"
    if now.seq - seen > BEHIND or seen < now.branched - 1:
        return "behind"
    told = await _told(house, reader, seen, now.seq)
    if (told[0].seq if told else now.seq + 1) != seen + 1:
        return "behind"
    return told
