"""The ticker: one feed of many matches, all public ones or a player's own, a line for each entry.

A line says what a list of matches needs, and nothing that only some may know; whoever wants more
looks at the match. A reader that cannot be told everything is cut: it comes back, and begins again
with where each match stands.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import NamedTuple

from msgspec import json

from engine.look import Note
from engine.match import Match
from services import door, ledger
from services.house import House
from services.moves import Receive, Scope, Send, who
from services.outlet import CUT, Outlet, frame, wants_sse
from services.problems import Problem
from services.said import Matches, Moved

LISTED = 500  # matches of which a reader is told at first: the newest that are not over
KNOWN = 10_000  # matches that are remembered
BATCH = 64  # matches that are asked about at once
log = logging.getLogger("turnfold.ticker")
_note = json.Decoder(Note)


class Known(NamedTuple):
    """Who may hear of a match, and up to where they have; 0 if of nothing yet."""

    game: str
    hears: frozenset[str | None]  # its players; None for whoever hears of all public matches
    dealt: bool  # nobody else will hear of it
    seq: int = 0


class Line(NamedTuple):
    """An entry of a match as it is sent, made once for all who hear it."""

    match: str
    seq: int
    frames: dict[bool, bytes]  # as a server-sent event, or not


class Listener(Outlet):
    """One connection: of a player to its own matches or, without one, to all public ones."""

    __slots__ = ("held", "player", "seqs")

    def __init__(self, player: str | None, sse: bool) -> None:
        super().__init__(sse)
        self.player = player
        self.seqs: dict[str, int] = {}
        self.held: list[Line] | None = []  # until it was told where the matches stand

    def begin(self, seqs: dict[str, int]) -> None:
        self.push(frame("matches", Matches(seqs), self.sse))
        self.seqs, held, self.held = seqs, self.held or [], None
        for line in held:
            self.tell(line)

    def beat(self) -> None:
        if self.held is None:
            super().beat()
            self.flow()

    def tell(self, line: Line) -> None:
        if self.held is not None:
            self.held.append(line)
        elif line.seq > self.seqs.get(line.match, 0):
            self.push(line.frames[self.sse])


class Ticker:
    """All connections to `/feed` of an api process."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.readers: dict[str | None, set[Listener]] = {}  # by player
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._due: dict[str, int] = {}  # match → the first entry that is to be told
        self._pump: asyncio.Task[None] | None = None
        house.hears.append(self._heard)
        house.returns.append(self._again)
        house.callers.cuts.append(self._revoked)

    def close(self) -> None:
        """The process stops: readers are let go and will come back to another."""
        for reader in self._all():
            reader.close()

    def beat(self) -> None:
        for reader in self._all():
            reader.beat()

    def _all(self) -> list[Listener]:
        return [reader for readers in self.readers.values() for reader in readers]

    async def serve(
        self, scope: Scope, query: dict[str, str], receive: Receive, send: Send
    ) -> None:
        """GET /feed, a plain ASGI callable."""
        player = await who(self.house, dict(scope["headers"]), scope["scheme"])
        if "mine" in query and player is None:
            raise Problem("who-are-you")
        reader = Listener(player if "mine" in query else None, wants_sse(scope))
        readers = self.readers.setdefault(reader.player, set())
        readers.add(reader)  # before it asks, so that it cannot miss anything
        try:
            reader.begin(await self._seqs(reader))
            await reader.serve(scope, receive, send)
        except asyncio.CancelledError as cut:
            if CUT not in cut.args:
                raise
        finally:
            self._leave(reader)

    def _leave(self, reader: Listener) -> None:
        readers = self.readers[reader.player]
        readers.discard(reader)
        if not readers:
            del self.readers[reader.player]
        if not self.readers:  # nobody hears: what is known would grow old
            self._known.clear()
            self._due.clear()

    # Where the matches stand

    async def _seqs(self, reader: Listener) -> dict[str, int]:
        indexes = [f"player:{reader.player}"] if reader.player else ["running", "open"]
        pages = [await self.house.ask(ledger.listed(index, LISTED)) for index in indexes]
        newest = sorted((one for page in pages for one in page), key=lambda one: -one[1])[:LISTED]
        stand = await asyncio.gather(*(self._stands(reader, name) for name, _ in newest))
        return dict(one for one in stand if one is not None)

    async def _stands(self, reader: Listener, name: str) -> tuple[str, int] | None:
        """The seq of a match that this reader hears of, unless it is over."""
        known = self._known.get(name) or await self._read(name)
        if known is None or reader.player not in known.hears:
            return None
        told = await self.house.ask(ledger.last_facts(name))
        note = _note.decode(told.note) if told else None
        return None if note is None or note.status == "over" else (name, note.seq)

    async def _read(self, name: str) -> Known | None:
        match = await self.house.talk(door.readable(name))
        if match is None:
            return None
        known = self._known.get(name)
        return self._know(name, known_of(match, known.seq if known else 0))

    def _know(self, name: str, known: Known) -> Known:
        self._known[name] = known
        self._known.move_to_end(name)
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)
        return known

    # What happens

    def _heard(self, name: str, seq: int) -> None:
        if self.readers:
            self._due.setdefault(name, seq)
            if self._pump is None or self._pump.done():
                self._pump = asyncio.create_task(self._pumped())

    def _again(self) -> None:
        """Something may have been missed, or taken back: all begin again."""
        self._known.clear()
        self._due.clear()
        for reader in self._all():
            reader.cut()

    def _revoked(self, player: str) -> None:
        """A token of a player was revoked: who still has another one comes back with it."""
        for reader in self.readers.get(player, ()):
            reader.cut()

    async def _pumped(self) -> None:
        while self._due:
            batch = [(name, self._due.pop(name)) for name in list(self._due)[:BATCH]]
            try:
                await asyncio.gather(*(self._tell(name, seq) for name, seq in batch))
            except Exception as error:
                log.warning("the feed of all matches begins again: %r", error)
                self._again()

    async def _tell(self, name: str, first: int) -> None:
        """Tell what was folded in a match since it was last told of, `first` if it never was."""
        before = self._known.get(name) or await self._read(name)
        if before is None:
            return
        if before.dealt and not self._hearing(before.hears):
            self._know(name, before._replace(seq=0))
            return
        told = await self.house.ask(ledger.facts(name, before.seq or first - 1))
        if not told:
            return
        seats_changed = any(b'"match.' in one.verdict for one in told)
        after = (await self._read(name) if seats_changed else None) or before
        self._know(name, after._replace(seq=told[-1].seq))
        hearing = self._hearing(before.hears | after.hears)  # who leaves hears of that
        for one in told if hearing else ():
            line = _line(_moved(name, after.game, _note.decode(one.note)))
            for reader in hearing:
                reader.tell(line)

    def _hearing(self, hears: frozenset[str | None]) -> list[Listener]:
        return [reader for player in hears for reader in self.readers.get(player, ())]


def known_of(match: Match, seq: int) -> Known:
    """Who hears of a match: its players; all, if anybody may watch it without delay."""
    policy = match.offered.policy
    hears: set[str | None] = {
        holder.player for holder in match.holders if holder.player and not holder.gone
    }
    asks_all = match.dealt > 0 or policy.join != "invited"
    if match.listed and asks_all and policy.watchers == "public" and policy.late is None:
        hears.add(None)
    return Known(match.offered.game, frozenset(hears), match.state is not None, seq)


def _moved(name: str, game: str, note: Note) -> Moved:
    return Moved(
        name,
        game,
        note.seq,
        note.at,
        note.status,
        note.to_act,
        note.deadline,
        note.outcome,
        note.aborted,
    )


def _line(moved: Moved) -> Line:
    frames = {sse: frame("entry", moved, sse) for sse in (True, False)}
    return Line(moved.match, moved.seq, frames)
