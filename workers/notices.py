"""Puts into the outbox what follows from a match: what its players are to be told, or not any more.

React calls it whenever it has heard of a match, and for every live one as it walks them.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from engine.match import Match
from services import ledger
from services.notices import channels, due, how, outbox
from services.wire import BlockingWire

MOST = 10_000  # matches that are remembered,
LONG = 300.0  # for so many seconds


class Notices:
    """What this react has put of late: most entries change nothing of it for most players."""

    def __init__(self, wire: BlockingWire, clock: Callable[[], float] = time.monotonic) -> None:
        self._wire, self._clock = wire, clock
        self._delay = int(how.read().delay * 1000)
        self._known: OrderedDict[str, tuple[object, float]] = OrderedDict()

    def put(self, name: str, match: Match) -> None:
        """Have the outbox hold what this match gives cause for, and no more of it."""
        says = (due.turns(match), due.left(match), due.invited(match))
        known, until = self._known.pop(name, (None, 0.0))
        if known != says or until <= self._clock():
            self._put(name, match)
            until = self._clock() + LONG
        self._known[name] = (says, until)
        if len(self._known) > MOST:
            self._known.popitem(last=False)

    def _put(self, name: str, match: Match) -> None:
        players = sorted(due.players(match))
        asks = [channels.of(player) for player in players]
        self._wire.send(*asks)
        found = {p: self._wire.receive(ask) for p, ask in zip(players, asks, strict=True)}
        if not any(found.values()):
            return
        now = self._wire.ask(ledger.clock(0))
        wanted = [*due.wanted(name, match, found, now, self._delay)]
        self._wire.ask(outbox.put(name, match.seq, wanted))
