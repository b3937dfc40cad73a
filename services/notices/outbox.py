"""The outbox: one row for each thing that a player is told through a channel. It knows its keys.

A row is there once, whoever makes it again, and is kept once sent for as long as what it tells of
holds: so neither a restart nor a second react or sender doubles a notice. `due` has the rows that
are to be sent, by when; a sender leases what it takes, and what it leaves is due again. All keys
share one hash tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct, json

from engine.contract import Seat
from engine.entries import Millis
from services.ledger import Ask
from services.notices.scripts import CLAIM, DEALT, PUT
from services.scripts import SHA
from services.wire import Talk

KEPT = 30 * 86_400  # seconds for which the rows of a match are kept after somebody saw to it
FAILED = 1000  # rows that are kept as failed
DUE, LOST, VAPID = "{notices}:due", "{notices}:failed", "{notices}:vapid"
SENT, DEAD = b"sent", b"failed"
NOBODY = "x"  # where a row is of no seat


class Name(NamedTuple):
    """Which row: of a match (of an account, as `player-ID`), its seat, the entry that it is about,
    the channel, and what it tells."""

    match: str
    seat: Seat | None
    since: int
    channel: str
    kind: str

    @property
    def field(self) -> str:
        seat = NOBODY if self.seat is None else self.seat
        return f"{seat}-{self.since}-{self.channel}-{self.kind}"

    @property
    def id(self) -> str:
        return f"{self.match}-{self.field}"

    @classmethod
    def of(cls, id: str) -> Name:
        shard, match, seat, since, channel, kind = id.split("-")
        whose = None if seat == NOBODY else int(seat)
        return cls(f"{shard}-{match}", whose, int(since), channel, kind)


class Row(Struct, frozen=True, array_like=True):
    """What a row says while it waits: whom it is for, and how often it could not be sent."""

    player: str
    tries: int = 0


class Wanted(NamedTuple):
    """A row that there should be, and from when it is due; None: it is kept, but not made now."""

    name: Name
    player: str
    at: Millis | None


class Failed(Struct, frozen=True):
    """A row that was given up."""

    id: str
    player: str
    to: str  # what kind of channel
    why: str
    at: Millis


def put(match: str, seq: int, wanted: Sequence[Wanted]) -> Ask[Any]:
    """Have these rows of a match and no others: what is not wanted any more is cancelled. Nothing
    is done if it was put already as of a later `seq`."""
    argv: list[Any] = [KEPT, match, seq]
    for row in wanted:
        at = "" if row.at is None else row.at
        argv += (row.name.field, json.encode(Row(row.player)), at)
    return Ask(("EVALSHA", SHA[PUT], 2, DUE, _rows(match), *argv), _whatever)


def claim(now: Millis, until: Millis, most: int) -> Ask[list[Name]]:
    """Rows that are due, leased to who asks."""
    args = ("EVALSHA", SHA[CLAIM], 1, DUE, now, until, most)
    return Ask(args, lambda reply: [Name.of(id.decode()) for id in reply])


def row(name: Name) -> Ask[Row | None]:
    """None if it was cancelled, sent, or given up."""

    def read(reply: bytes | None) -> Row | None:
        return None if reply in (None, SENT, DEAD) else json.decode(reply, type=Row)

    return Ask(("HGET", _rows(name.match), name.field), read)


def cancel(name: Name) -> Ask[Any]:
    """It has no point any more."""
    return _dealt(name, b"")


def sent(name: Name) -> Ask[Any]:
    return _dealt(name, SENT)


def again(name: Name, row: Row, at: Millis) -> Ask[Any]:
    """It is due later."""
    return _dealt(name, json.encode(row), at)


def give_up(name: Name, failed: Failed) -> Ask[Any]:
    return _dealt(name, DEAD, "", failed.at, json.encode(failed))


def _dealt(
    name: Name, value: bytes, at: Millis | str = "", now: Millis = 0, failed: bytes = b""
) -> Ask[Any]:
    keys = (DUE, _rows(name.match), LOST)
    argv = (name.id, name.field, value, at, now, failed, FAILED)
    return Ask(("EVALSHA", SHA[DEALT], 3, *keys, *argv), _whatever)


# For operators


def failed() -> Ask[list[Failed]]:
    """The rows that were given up, the newest first."""
    args = ("ZREVRANGE", LOST, 0, -1)
    return Ask(args, lambda reply: [json.decode(one, type=Failed) for one in reply])


def count_failed() -> Ask[int]:
    return Ask(("ZCARD", LOST), int)


def count_waiting() -> Ask[int]:
    return Ask(("ZCARD", DUE), int)


def count_due(now: Millis) -> Ask[int]:
    return Ask(("ZCOUNT", DUE, "-inf", now), int)


def first_due() -> Ask[float | None]:
    """From when the row is due that is due first, in ms since 1970."""
    args = ("ZRANGE", DUE, 0, 0, "WITHSCORES")
    return Ask(args, lambda reply: float(reply[1]) if reply else None)


def retry(one: Failed, now: Millis) -> Talk[None]:
    """Have it tried again, from the first try on; whether it has a point, the sender sees."""
    name = Name.of(one.id)
    yield Ask(("HSET", _rows(name.match), name.field, json.encode(Row(one.player))), _whatever)
    yield Ask(("EXPIRE", _rows(name.match), KEPT), _whatever)
    yield Ask(("ZADD", DUE, now, one.id), _whatever)
    yield forget(one)


def forget(one: Failed) -> Ask[bool]:
    return Ask(("ZREM", LOST, json.encode(one)), bool)


# The key by which push services know this house


def vapid() -> Ask[bytes | None]:
    return Ask(("GET", VAPID), _whatever)


def keep_vapid(key: bytes) -> Ask[Any]:
    return Ask(("SET", VAPID, key, "NX"), _whatever)


def _rows(match: str) -> str:
    return f"{{notices}}:of:{match}"


def _whatever(reply: Any) -> Any:
    return reply
