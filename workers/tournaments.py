"""Tournaments: rq brings those that run forward; react calls for it every few seconds."""

from __future__ import annotations

from collections.abc import Callable

from services import ledger, tournaments
from services.wire import BlockingWire, converse
from workers import jobs

QUEUE, WORK = "ratings", "workers.tournaments.advance"
AGAIN = 5_000  # ms after which a tournament is looked at again
Call = Callable[[str, str], object]  # of a tournament, by an id


class Tournaments:
    """What react does for tournaments."""

    def __init__(self, wire: BlockingWire, call: Call) -> None:
        self._wire, self._call = wire, call

    def due(self) -> None:
        """Have those looked at that run."""
        now = self._wire.ask(ledger.clock(0))
        for id in self._wire.ask(tournaments.running()):
            self._call(id, f"{id}-{now // AGAIN}")


def advance(id: str) -> None:
    """Offer, count and plan what can be by now."""
    assert jobs.bench is not None, "no ledger to read"
    converse(tournaments.advance(id), jobs.bench.wire.ask)
