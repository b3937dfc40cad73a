"""What an api process holds: its connections, the matches it knows, who waits for what."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from engine.contract import Seat
from engine.entries import Unknown
from engine.match import Match
from services import door, ledger, roll, uptime
from services.archive import Unread
from services.callers import Callers
from services.ledger import Ask, Told
from services.limits import DEFAULT, HOUR, Feeds, Limits, Rate
from services.problems import Problem
from services.tally import Tally
from services.wire import Lost, Refused, Talk, Wire

if TYPE_CHECKING:
    from services.archive.shelf import Shelf

T = TypeVar("T")
SOON = 1.0  # seconds after which a POST looks for its facts itself
LATE = 5  # how often it does so before it gives up
GATHER = 0.005  # seconds after which hints are asked for again: many come at the price of one
YOUNG = 64  # commits after which the collector walks what is new: it alone would let it pile up
NO_MATCH = "There is no match of this name, or none that you may see."
log = logging.getLogger("turnfold.api")


class Fold:
    """Somebody waits for an entry of a match to be folded."""

    __slots__ = ("_heard", "_loop", "_seq", "_woken")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._woken: asyncio.Future[bool] = self._loop.create_future()
        self._heard = self._seq = 0

    def hear(self, seq: int) -> None:
        self._heard = max(self._heard, seq)
        if 0 < self._seq <= self._heard:
            self._wake(True)

    async def of(self, seq: int, seconds: float) -> bool:
        """Has entry `seq` been heard of within this time?"""
        self._seq = seq
        self.hear(0)
        if self._woken.done():
            return True
        timer = self._loop.call_later(seconds, self._wake, False)
        try:
            return await self._woken
        finally:
            timer.cancel()
            self._woken = self._loop.create_future()

    def _wake(self, heard: bool) -> None:
        if not self._woken.done():
            self._woken.set_result(heard)


class House:
    """One api process: `wire` for commands, a tail per shard that hears what was folded."""

    def __init__(
        self,
        url: str,
        shards: int = 1,
        limits: Limits = DEFAULT,
        jobs_url: str = "",
        shelf: Shelf | None = None,
    ) -> None:
        self.url, self.shards, self.limits = url, shards, limits
        self.tally, self.feeds = Tally(), Feeds(limits)
        self.accounts = Rate(limits.accounts / HOUR, limits.accounts)
        self.organising = Rate(limits.tournaments / HOUR, limits.tournaments)
        self.talking = Rate(limits.messages / 60, limits.messages)
        self.jobs_url = jobs_url or url
        self.jobs = Wire(self.jobs_url)
        self.wire = Wire(url, shelf)
        self.tails = [Wire(url) for _ in range(shards)]
        self.book = door.Book()
        self.callers = Callers(url)
        self.hears: list[Callable[[str, int], None]] = []  # told of each folded entry
        self.writes: list[Callable[[str, Told, str], None]] = []  # of what was committed here
        self.returns: list[Callable[[], None]] = []  # told when the server was away
        self._folds: dict[str, list[Fold]] = {}
        self._epoch = self._commits = 0
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        self._tasks = [asyncio.create_task(self._listen(shard)) for shard in range(self.shards)]
        self._tasks.append(asyncio.create_task(self.callers.listen()))
        self._tasks += [asyncio.create_task(self._live(shard)) for shard in range(self.shards)]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.callers.close()
        for wire in (self.wire, self.jobs, *self.tails):
            wire.close()

    async def _live(self, shard: int) -> None:
        """Give a shard signs of life, for ever: while no api does, no clock runs there."""
        while True:
            try:
                await self.wire.ask(uptime.sign(shard))
            except Exception as error:  # whatever it is, the next one may come through
                log.warning("no sign of life: %s", error)
            await asyncio.sleep(uptime.EVERY)

    # Asking

    async def ask(self, ask: Ask[T]) -> T:
        """The ledger's answer; a Problem if the server is away."""
        return await self._had(self.wire.ask(ask))

    async def talk(self, talk: Talk[T]) -> T:
        """The end of a talk with the ledger; likewise."""
        return await self._had(self.wire.talk(talk))

    async def _had(self, coming: Awaitable[T]) -> T:
        try:
            answer = await coming
        except (Lost, Refused, Unread) as error:
            log.warning("%s", error)
            self.tally.unread += isinstance(error, Unread)
            raise Problem("busy") from error
        except Unknown as unknown:  # an api of another release may have its rules
            log.warning("that is for another release: %s", unknown)
            raise Problem("busy") from unknown
        if self.wire.epoch != self._epoch:
            self._epoch = self.wire.epoch
            self.book.clear()  # the log may have lost its tail
        return answer

    async def everywhere(self, ask: Ask[T]) -> list[T]:
        """What each server says that has some of the data; a Problem if one is away."""
        try:
            return await self.wire.everywhere(ask)
        except (Lost, Refused) as error:
            log.warning("%s", error)
            raise Problem("busy") from error

    async def player_of(self, token: str) -> str | None:
        """Whose token this is."""
        player = self.callers.known(token)
        if player is None:
            news = self.callers.news
            player = await self.ask(roll.player_of(token))
            if player is not None:
                self.callers.put(token, player, news)
        return player

    # Matches

    def known(self, name: str) -> Match | None:
        """The match as remembered, if it is dealt and the server was not away since."""
        if not self.wire.up or self.wire.epoch != self._epoch:
            self._epoch = self.wire.epoch
            self.book.clear()  # the log may have lost its tail
        match = self.book.get(name)
        return None if match is None or match.state is None else match

    def checked(self, name: str) -> str:
        """A name from outside, or a Problem."""
        if not ledger.is_match(name, self.shards):
            raise Problem("no-such-thing", NO_MATCH)
        return name

    async def newest(self, name: str) -> Match:
        """The match as last committed, or a Problem."""
        match = await self.talk(door.newest(self.checked(name)))
        if match is not None:
            known = self.book.get(name)
            if known is None or known.seq < match.seq:  # whoever looks is likely to move next
                self.book.put(name, match)
            return match
        seq, _ = await self.ask(ledger.ends(name))
        if not seq:
            raise Problem("no-such-thing", NO_MATCH)
        if await self.ask(ledger.stuck(name)) is not None:
            raise Problem("stuck")  # who may know its seq, nobody can tell
        raise Problem("busy", "The match is being folded.")

    # Waiting for the fold

    async def folded(self, name: str, seq: int) -> bool:
        """Wait until entry `seq` has its facts; False if that takes too long."""
        fold, begun = Fold(), time.monotonic()
        folds = self._folds.setdefault(name, [])
        folds.append(fold)  # before it looks, so that it cannot miss it
        try:
            for _ in range(LATE):
                told = await self.ask(ledger.last_facts(name))
                if (told is not None and told.seq >= seq) or await fold.of(seq, SOON):
                    self.tally.folds.put(time.monotonic() - begun)
                    return True
            return False
        finally:
            folds.remove(fold)
            if not folds and self._folds.get(name) is folds:
                del self._folds[name]

    async def _listen(self, shard: int) -> None:
        """Hear what is folded in a shard, for ever."""
        wire, after, epoch = self.tails[shard], b"", 0
        while True:
            try:
                if wire.epoch != epoch or not after:
                    after = await wire.ask(ledger.last_heard(shard))
                    if epoch:
                        self.book.clear()
                        for returned in self.returns:
                            returned()
                    epoch = wire.epoch
                heard = await wire.ask(ledger.heard(shard, after, 512, 5000))
                for after, name, seq in heard:  # noqa: B007
                    self._hear(name, seq)
                await asyncio.sleep(GATHER)
            except Exception as error:  # whoever waits must not wait for nothing
                log.warning("listening to shard %s: %s", shard, error)
                after = b""  # once it is back, first ask where it stands
                await asyncio.sleep(0.2)

    def committed(self, name: str, given: door.Entered) -> None:
        """This process has committed an entry, and need not wait to hear of it."""
        self.book.put(name, given.match)
        if given.told is not None:
            for write in self.writes:
                write(name, given.told, given.upon)
        self._hear(name, given.seq)
        self._commits += 1
        if self._commits % YOUNG == 0:
            gc.collect(0)

    def _hear(self, name: str, seq: int) -> None:
        known = self.book.get(name)
        if known is not None and known.seq < seq:
            self.book.drop(name)
        for fold in self._folds.get(name, ()):
            fold.hear(seq)
        for hear in self.hears:
            hear(name, seq)


def seat_of(match: Match, player: str | None) -> Seat | None:
    """The seat (the chair, before the deal) that a player holds; None for a watcher."""
    if player is None:
        return None
    for seat, holder in enumerate(match.holders):
        if holder.player == player and holder.gone is None:
            return seat
    return None


def own_seat(match: Match, player: str | None) -> Seat | None:
    """The seat as which a player looks: the one it holds or, once over, the one it left."""
    if player is None:
        return None
    seats = [seat for seat, holder in enumerate(match.holders) if holder.player == player]
    return next((s for s in seats if match.over or match.holders[s].gone is None), None)
