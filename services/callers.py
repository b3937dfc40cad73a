"""Callers: whose token it is, as an api process remembers it until it hears of a revocation.

It remembers only while it listens to `revoked`, so no api takes a token longer than that news needs
to reach it; and what was asked before the news came is not remembered after it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable

from services import roll
from services.wire import Wire

MOST = 100_000  # tokens remembered
WAIT = 5000  # ms that a read waits for news
DEAF = 15.0  # seconds after which a connection that says nothing is given up
log = logging.getLogger("turnfold.api")


class Callers:
    def __init__(self, url: str) -> None:
        self.cuts: list[Callable[[str], None]] = []  # told whose tokens were revoked
        self.news = 0  # how often something was forgotten
        self._wire = Wire(url)
        self._listening = False
        self._players: OrderedDict[str, str] = OrderedDict()
        self._tokens: dict[str, set[str]] = {}

    def known(self, token: str) -> str | None:
        return self._players.get(token)

    def put(self, token: str, player: str, news: int) -> None:
        """Remember whose token it is, as asked when `news` was what it was."""
        if not self._listening or news != self.news:
            return
        self._players[token] = player
        self._tokens.setdefault(player, set()).add(token)
        if len(self._players) > MOST:
            self._drop(*self._players.popitem(last=False))

    async def listen(self) -> None:
        """Hear of revocations, for ever."""
        after = b""
        while True:
            try:
                after = after or await self._wire.ask(roll.last_revoked())
                self._begin()
                async with asyncio.timeout(DEAF):
                    heard = await self._wire.ask(roll.revoked(after, WAIT))
                for after, player in heard:  # noqa: B007
                    self._forget(player)
            except Exception as error:
                self._forget_all()
                self._wire.close()
                log.warning("listening to revocations: %s", error or "no answer")
                await asyncio.sleep(0.2)

    def close(self) -> None:
        self._wire.close()

    def _begin(self) -> None:
        if not self._listening:
            self.news += 1  # who asked before we heard anything may have an old answer
            self._listening = True

    def _forget(self, player: str) -> None:
        self.news += 1
        for token in self._tokens.pop(player, ()):
            del self._players[token]
        for cut in self.cuts:
            cut(player)

    def _forget_all(self) -> None:
        self.news += 1
        self._listening = False
        self._players.clear()
        self._tokens.clear()

    def _drop(self, token: str, player: str) -> None:
        tokens = self._tokens[player]
        tokens.discard(token)
        if not tokens:
            del self._tokens[player]
