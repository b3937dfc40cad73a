"""A match whose clock has run out, without anybody having to wait for that."""

from __future__ import annotations

import secrets

from engine import entries as e
from engine.fold import replay
from services import door, ledger
from services.wire import BlockingWire
from tests.engine.logs import START, dealt, entropy, lines


def overdue(wire: BlockingWire, *players: str) -> str:
    """The name of a match of two rounds of the tests' own game, in which the time of seat 0 is up:
    the others may claim, and then a robot has the seat."""
    clock = {"type": "move", "seconds": 60}
    how = {"options": {"rounds": 2}, "leave": "random", "expiry": "claim", "clock": clock}
    offer, *_ = dealt(len(players), game="together", **how)
    joins = [e.Joined(chair, who, entropy(chair)) for chair, who in enumerate(players)]
    *begun, late = lines(offer, *joins, e.Expired(0), at=START)
    log = [*begun, late._replace(at=begun[-1].at + 60_000)]
    *_, (match, verdict) = replay(log)
    name = f"0-{''.join(secrets.choice('abcdefgh') for _ in range(16))}"
    assert wire.ask(ledger.copy(log, door.done(name, None, match, verdict)))
    return name
