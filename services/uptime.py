"""When the house was up: the signs of life of its apis, and the downtimes between them.

Players can move as long as some api reaches the server for the data, whatever workers do. So every
api gives a sign of life each second, by the server's clock, and what lies between two that are far
apart was downtime. The one script that gives the second writes that down: who has read a sign
knows of all downtimes before it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.entries import Millis
from services.ledger import Ask
from services.scripts import SHA, SIGN

EVERY = 1.0  # seconds between two signs of an api
BREAK = 3000  # ms without a sign, up to which nothing was down
MOST = 1000  # downtimes that are remembered


class Down(NamedTuple):
    """Nobody could move from `since` until `until`."""

    id: bytes
    since: Millis
    until: Millis


def sign(shard: int) -> Ask[Any]:
    """An api lives."""
    args = ("EVALSHA", SHA[SIGN], 2, _alive(shard), _down(shard), BREAK, MOST)
    return Ask(args, lambda reply: reply)


def last_sign(shard: int) -> Ask[Millis | None]:
    """When an api last gave one; None if there never was one."""
    return Ask(("GET", _alive(shard)), lambda reply: reply and int(reply))


def downtimes(shard: int, after: bytes = b"0") -> Ask[list[Down]]:
    """Those that were written down after one, in that order."""
    args = ("XRANGE", _down(shard), b"(" + after, "+")
    return Ask(args, lambda reply: [_read(*item) for item in reply])


def is_sign(key: bytes) -> bool:
    """Is this key the last sign of life of a shard?"""
    return key.startswith(b"{") and key.endswith(b"}:alive")


def _alive(shard: int) -> str:
    return f"{{{shard}}}:alive"


def _down(shard: int) -> str:
    return f"{{{shard}}}:down"


def _read(id: bytes, fields: list[bytes]) -> Down:
    return Down(id, int(fields[1]), int(fields[3]))
