"""Indexes: which matches there are, by status, game and player. React keeps them.

What was written last is remembered, so that most entries of a match cost nothing here; a walk
forgets that and so mends whatever two reacts, or a death, left wrong.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine import entries as e
from engine.match import Match
from services import ledger
from services.ledger import Ask
from services.wire import BlockingWire

MOST = 10_000  # matches that are remembered
PAGE = 500
STATUSES = ("open", "running", "over")


class Filed(NamedTuple):
    """Under what a match stands."""

    status: str
    players: frozenset[str]


class Indexes:
    def __init__(self, wire: BlockingWire) -> None:
        self._wire = wire
        self._filed: OrderedDict[str, Filed] = OrderedDict()

    def forget(self) -> None:
        self._filed.clear()

    def put(self, name: str, match: Match) -> None:
        """File a match as it is now."""
        now = Filed(match.status, frozenset(h.player for h in match.holders if h.player))
        if (before := self._filed.get(name)) == now:
            return
        were = self._joined(name) if before is None else before.players
        asks = [ledger.unindex(f"player:{player}", name) for player in sorted(were - now.players)]
        since = match.opened_at
        asks += [ledger.index(f"player:{player}", name, since) for player in sorted(now.players)]
        if match.offered.policy.listed:
            asks += _public(name, match)
        self._all(asks)
        self._filed[name] = now
        if len(self._filed) > MOST:
            self._filed.popitem(last=False)

    def listed(self, name: str) -> Iterator[list[str]]:
        """The matches of an index, in parts."""
        before, seen = "+inf", set[str]()
        while True:
            page = self._wire.ask(ledger.listed(name, PAGE, before))
            new = [match for match, _ in page if match not in seen]
            if not new:
                return
            yield new
            seen, before = {match for match, _ in page}, str(page[-1][1])

    def _joined(self, name: str) -> frozenset[str]:
        """Whoever has ever taken a chair, as the log says; some may have left."""
        players, after = set(), 0
        while written := self._wire.ask(ledger.log(name, after, 64)):
            for one in written:
                entry = e.decode(one.line.raw)
                if isinstance(entry, e.Joined):
                    players.add(entry.player)
                if isinstance(entry, e.Played):
                    return frozenset(players)
            after = written[-1].seq
        return frozenset(players)

    def _all(self, asks: list[Ask[Any]]) -> None:
        self._wire.send(*asks)
        for ask in asks:
            self._wire.receive(ask)


def _public(name: str, match: Match) -> Iterator[Ask[Any]]:
    """The lobby's indexes: in those of its status, in no other."""
    for status in STATUSES:
        for index in (status, f"{status}:{match.offered.game}"):
            if status == match.status:
                yield ledger.index(index, name, match.opened_at)
            else:
                yield ledger.unindex(index, name)
