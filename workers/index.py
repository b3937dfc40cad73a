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
    guests: frozenset[str] = frozenset()  # invited, without a seat


class Indexes:
    def __init__(self, wire: BlockingWire) -> None:
        self._wire = wire
        self._filed: OrderedDict[str, Filed] = OrderedDict()
        self._ends: dict[str, e.Millis] = {}  # when the end of a match may be known

    def forget(self) -> None:
        self._filed.clear()

    def put(self, name: str, match: Match) -> None:
        """File a match as it is now."""
        players = frozenset(h.player for h in match.holders if h.player)
        guests = frozenset(guest.player for guest in match.guests) - players
        now = Filed(self._status(name, match), players, guests)
        if (before := self._filed.get(name)) == now:
            return
        if before is None:
            before = Filed("", self._joined(name))
        asks = list(_private("player", name, match, before.players, now.players))
        asks += _private("guest", name, match, before.guests, guests)
        if match.listed:
            asks += _public(name, match, now.status)
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

    def ended(self) -> list[str]:
        """The matches whose end may be known by now, and could not be when they were filed."""
        names = [name for name, at in self._ends.items() if at <= self._clock()]
        for name in names:
            del self._ends[name]
        return names

    def _status(self, name: str, match: Match) -> str:
        """What may be known: where watchers are late by seconds, so is the end."""
        late = match.offered.policy.late
        if not (match.over and match.dealt and isinstance(late, e.LateSeconds)):
            return match.status
        known_at = match.at + late.n * 1000
        if known_at <= self._clock():
            return match.status
        if len(self._ends) < MOST:  # a walk finds those beyond
            self._ends[name] = known_at
        return "running"

    def _clock(self) -> e.Millis:
        return self._wire.ask(ledger.clock(0))

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


def _private(
    kind: str, name: str, match: Match, were: frozenset[str], are: frozenset[str]
) -> Iterator[Ask[Any]]:
    """The indexes of players, one each."""
    for player in sorted(were - are):
        yield ledger.unindex(f"{kind}:{player}", name)
    for player in sorted(are):
        yield ledger.index(f"{kind}:{player}", name, match.opened_at)


def _public(name: str, match: Match, now: str) -> Iterator[Ask[Any]]:
    """The lobby's indexes: in those of its status, in no other."""
    for status in STATUSES:
        for index in (status, f"{status}:{match.offered.game}"):
            if status == now:
                yield ledger.index(index, name, match.opened_at)
            else:
                yield ledger.unindex(index, name)
