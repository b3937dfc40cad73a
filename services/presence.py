"""Presence: who looks at a match just now, at whichever api process.

What this process serves it tells the others; what they serve it hears. A process that ends says so;
one that is killed counts no longer than what it told lasts.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections.abc import Callable

from services import here
from services.here import NOBODY, Looking, together
from services.house import House
from services.problems import Problem
from services.wire import Wire

SYNC = 10.0  # seconds between two looks at which processes live, and at all that they serve
LASTS = 2.5  # so many times that long counts what a process told
WAIT = 5000  # ms that a read waits for news
DEAF = 15.0  # seconds after which a connection that says nothing is given up
log = logging.getLogger("turnfold.api")


class Presence:
    def __init__(self, house: House, changed: Callable[[str], object]) -> None:
        """`changed` is told of each match of which others serve something else now."""
        self.api = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._house, self._changed = house, changed
        self._wire = Wire(house.url)
        self._mine: dict[str, Looking] = {}
        self._others: dict[str, dict[str, Looking]] = {}  # by process
        self._untold: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._telling: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._tasks = [asyncio.create_task(one()) for one in (self._listen, self._live)]

    async def close(self) -> None:
        """This process ends: whoever looks here looks elsewhere soon."""
        tasks = [*self._tasks, *([self._telling] if self._telling else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._wire.close()
        try:
            await asyncio.gather(*map(self._house.ask, here.gone(self.api)))
        except Problem:
            log.warning("who looked here counts as here a little longer")

    def put(self, match: str, looking: Looking) -> None:
        """This is what this process serves of a match."""
        if looking == self.mine(match):
            return
        self._mine[match] = looking
        if looking == NOBODY:
            del self._mine[match]
        self._untold.add(match)
        self._tell()

    def mine(self, match: str) -> Looking:
        """What this process serves of a match, as told last."""
        return self._mine.get(match, NOBODY)

    def elsewhere(self, match: str) -> Looking:
        """What the others serve of it."""
        return together(theirs[match] for theirs in self._others.values() if match in theirs)

    # Telling

    def _tell(self) -> None:
        if self._tasks and (self._telling is None or self._telling.done()):
            self._telling = asyncio.create_task(self._told())

    async def _told(self) -> None:
        while self._untold:
            some, self._untold = self._untold, set()
            asks = [
                ask
                for match in sorted(some)
                for ask in here.tell(self.api, match, self.mine(match), _lasts())
            ]
            try:
                await asyncio.gather(*map(self._house.ask, asks))
            except Problem:
                self._untold |= some
                await asyncio.sleep(1)

    async def _live(self) -> None:
        """Say that we live, and look at what all others serve, for ever."""
        while True:
            try:
                await asyncio.sleep(SYNC)
                if self._mine and not await self._house.ask(here.lives(self.api, _lasts())):
                    self._untold |= self._mine.keys()
                    self._tell()
                await self._sync()
            except Problem as problem:
                log.warning("who looks elsewhere: %s", problem.detail)

    # Hearing

    async def _listen(self) -> None:
        after = b""
        while True:
            try:
                if not after:
                    after = await self._wire.ask(here.last_told())
                    await self._sync()
                async with asyncio.timeout(DEAF):
                    told = await self._wire.ask(here.told(after, WAIT))
                for after, api, match, looking in told:  # noqa: B007
                    self._hear(api, match, looking)
            except Exception as error:
                after = b""
                self._wire.close()
                log.warning("listening to who looks elsewhere: %s", error or "no answer")
                await asyncio.sleep(0.2)

    def _hear(self, api: str, match: str, looking: Looking) -> None:
        if api == self.api:
            return
        if not match:
            self._serves(api, {})
            return
        theirs = self._others.setdefault(api, {})
        before = theirs.pop(match, NOBODY)
        if looking != NOBODY:
            theirs[match] = looking
        if looking != before:
            self._changed(match)

    async def _sync(self) -> None:
        known = await self._house.ask(here.apis())
        for api in sorted({*known, *self._others} - {self.api}):
            theirs = await self._house.ask(here.served(api))
            if not theirs:
                await self._house.ask(here.forget(api))
            self._serves(api, theirs)

    def _serves(self, api: str, theirs: dict[str, Looking]) -> None:
        """This is all that another process serves."""
        before = self._others.pop(api, {})
        theirs = {match: looking for match, looking in theirs.items() if looking != NOBODY}
        if theirs:
            self._others[api] = theirs
        for match in sorted({match for match, _ in before.items() ^ theirs.items()}):
            self._changed(match)


def _lasts() -> int:
    return int(1000 * SYNC * LASTS)
