"""Readers of feeds, each with what it has been served; a channel has those of one match."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

from engine.contract import Viewer
from engine.look import News, look
from engine.match import Match
from services import ledger
from services.answers import read_news
from services.here import Looking
from services.outlet import Outlet, frame
from services.said import End, Here, Reset
from services.sight import Sight
from services.talk import Room

Why = Literal["unreadable", "ahead", "behind"]


class Reader(Outlet):
    """One connection: `seq` is the last entry that it has been served, `head` the head then."""

    __slots__ = ("aside", "guarded", "head", "late", "name", "player", "seq", "viewer")

    def __init__(self, seen: Sight, sse: bool, aside: bool) -> None:
        super().__init__(sse)
        self.name, self.viewer = seen.name, seen.viewer
        self.player, self.aside = seen.player, aside  # who watches aside, watches at a seat too
        self.late, self.guarded = seen.late, seen.guarded
        self.seq, self.head = 0, ""

    @property
    def room(self) -> Room:
        """Where it reads what is said."""
        return "table" if isinstance(self.viewer, int) else "watchers"

    def begin(self, match: Match) -> None:
        """It begins, or begins again, with a look."""
        self.seq, self.head = match.seq, match.head
        self.frames.append(look_frame(match, self.name, self.viewer, self.sse))
        if match.over:
            self.end()
        self.flow()

    def tell(self, told: list[ledger.Told], known: int) -> None:
        """What it has missed: however much that is, it is not cut for it. Who it is was judged by
        what was known at seq `known`."""
        for one in told:
            news = read_news(one, None)
            if one.seq > known:
                self.heed(news)
            if self.ended:
                return
            self.frames.append(entry_frame(read_news(one, self.viewer), self.sse))
            self.seq, self.head = one.seq, news.head
            if news.status == "over":
                self.end()

    def heed(self, news: News) -> None:
        """Who this reader is from here on: chairs become seats, and who leaves only watches.

        Where not everybody may watch, or not at once, the feed of who only watches from here on,
        or is not invited any more, closes: who comes back is judged anew.
        """
        judged_anew = False
        for fact in news.facts:
            kind = fact["type"]
            if kind == "match.uninvited":
                judged_anew = fact["player"] == self.player
            elif kind == "match.dealt" and not self.late:
                seats = {sitter["player"]: seat for seat, sitter in enumerate(fact["seats"])}
                self.viewer = None if self.aside else seats.get(self.player or "")
                judged_anew = self.viewer is None
            elif kind == "match.seated":
                judged_anew = self._seated(fact["seat"], fact["player"]) or judged_anew
            elif leaves(fact) and not self.late:
                judged_anew = self.viewer == fact["seat"] and news.status != "over"
                self.viewer = None if judged_anew else self.viewer
        if judged_anew and self.guarded:
            self.close()

    def _seated(self, seat: int, player: str) -> bool:
        """A player takes a seat: does it change who this reader is, and what it may see?"""
        if self.viewer == seat:
            self.viewer = None
        elif player != self.player or self.aside:
            return False
        elif not self.late:
            self.viewer = seat
        return self.viewer is None

    def end(self) -> None:
        """It ends once it has sent what it has."""
        if not self.ended:
            self.queue(frame("end", End(), self.sse))
            self.ended = True


def leaves(fact: dict[str, Any]) -> bool:
    """Does a seat lose its player by this?"""
    if fact["type"] == "match.expired":
        return "then" not in fact
    if fact["type"] == "match.replaced":
        return fact["robot"] is not None
    return fact["type"] in ("match.resigned", "match.claimed")


class Channel:
    """The readers of one match, those who are late or those who are not, and how far they have
    been served."""

    def __init__(self, first: Reader, now: Match) -> None:
        self.name, self.seq, self.head, self.late = first.name, first.seq, first.head, first.late
        self.readers: set[Reader] = set()
        self.told: Here | None = None  # of who looks, all readers have been told this
        self.pumping = self.again = False
        self.timer: asyncio.TimerHandle | None = None  # until more is due
        self._players: list[str | None] = []  # by seat
        self._sitting: Counter[str] = Counter()  # feeds of each who has one
        self.seat(now)

    def add(self, reader: Reader) -> None:
        self.readers.add(reader)
        if sits := self._sits(reader):
            self._sitting[sits] += 1

    def discard(self, reader: Reader) -> None:
        if reader not in self.readers:
            return
        self.readers.remove(reader)
        if sits := self._sits(reader):
            self._sitting[sits] -= 1

    # Who looks

    @property
    def looking(self) -> Looking:
        players = frozenset(player for player, feeds in self._sitting.items() if feeds)
        return Looking(players, len(self.readers) - self._sitting.total())

    def here(self, looking: Looking) -> Here:
        """What its readers are told of who looks."""
        seats = (seat for seat, player in enumerate(self._players) if player in looking.players)
        return Here(tuple(seats), looking.watchers)

    def seat(self, now: Match) -> None:
        """Who has a seat by now; those who are late have none, and are told of nobody."""
        holders = () if self.late else now.holders
        self._players = [None if holder.gone else holder.player for holder in holders]
        self._count()

    def heed(self, news: News) -> None:
        """Who has a seat after this entry."""
        for fact in news.facts:
            kind = fact["type"]
            if kind == "match.dealt":
                self._players = [sitter["player"] for sitter in fact["seats"]]
            elif kind in ("match.joined", "match.seated") and not self.late:
                self._players[fact["seat"]] = fact["player"]
            elif kind == "match.left" or leaves(fact):
                self._players[fact["seat"]] = None
        self._count()

    def _count(self) -> None:
        self._sitting = Counter(filter(None, map(self._sits, self.readers)))

    def _sits(self, reader: Reader) -> str | None:
        """The player, if it has a seat; a seat that nobody has is no watcher's."""
        return reader.player if reader.player in self._players else None

    # When more is due

    def wait(self, ms: int, then: Callable[[], None]) -> None:
        """Do this after so long, instead of what was to be done before."""
        self.stop()
        self.timer = asyncio.get_running_loop().call_later(ms / 1000, then)

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()


# Frames


def look_frame(match: Match, name: str, viewer: Viewer, sse: bool) -> bytes:
    return frame("look", look(match, viewer, name), sse, match.seq)


def entry_frame(news: Any, sse: bool) -> bytes:
    return frame("entry", news, sse, news.seq)


def reset_frame(why: Why, sse: bool) -> bytes:
    return frame("reset", Reset(why), sse)


def here_frame(here: Here, sse: bool) -> bytes:
    return frame("here", here, sse)
