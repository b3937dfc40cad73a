"""Vital signs, read when somebody asks: does the server keep what it is told, do workers follow?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from msgspec import Struct

from services import ledger, queues
from services.house import House
from services.notices import outbox
from services.problems import Problem
from services.wire import Lost, Refused, Talk

PATIENCE = 2.0  # seconds that the server has to answer
LATE = 10.0  # seconds that an entry may wait for its fold
AWAY = 30_000  # ms after which who has not asked for work, or given a sign, is taken for dead
STREAMS = {"fold": "unfolded", "react": "folded"}  # what each group of workers reads


class Lag(Struct, frozen=True):
    """How far the workers of a shard are behind."""

    unfolded: int  # lines that no fold worker has dealt with
    waits: float  # seconds that the oldest of them has been there
    stuck: int
    live: int
    late: float  # seconds since the first deadline passed that nobody has acted on


class Group(Struct, frozen=True):
    """The workers of a kind, of one shard."""

    there: int  # that have asked for work of late
    behind: int | None  # lines that none of them has dealt with; None if the server does not count
    waits: float  # seconds that the oldest of these has been there


async def faults(house: House) -> list[str]:
    """Why this process should not be sent requests; none if all is well."""
    try:
        async with asyncio.timeout(PATIENCE):
            said = await house.everywhere(ledger.condition())
            lags = await asyncio.gather(*(house.talk(oldest(s)) for s in range(house.shards)))
    except (Problem, TimeoutError):
        return ["The server for the data does not answer."]
    faults = dict.fromkeys(fault for one in said if (fault := log_fault(one)))
    return [*faults, *_late(lags)]


async def notices_failed(house: House) -> int | None:
    """How many were given up; None if nobody tells in time."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await house.ask(outbox.count_failed())
    except (Problem, TimeoutError):
        return None


async def jobs_failed(house: House) -> int | None:
    """How many failed within a day, in all queues; None if nobody tells in time."""
    try:
        async with asyncio.timeout(PATIENCE):
            each = (house.jobs.ask(queues.failed(queue)) for queue in queues.QUEUES)
            return sum(await asyncio.gather(*each))
    except (Lost, Refused, TimeoutError):
        return None


def _late(lags: Sequence[float]) -> Iterator[str]:
    for shard, waits in enumerate(lags):
        if waits > LATE:
            yield f"Shard {shard}: an entry has waited {waits:.0f} s to be folded."


def log_fault(said: dict[str, str]) -> str | None:
    """What keeps the server from writing what is acknowledged to its disk, by its own words."""
    if said.get("aof_enabled") != "1":
        return "The append-only file is off."
    for what in ("aof_last_write_status", "aof_last_bgrewrite_status"):
        if said.get(what) != "ok":
            return f"The append-only file: {what} is {said.get(what)}."
    return None


def oldest(shard: int) -> Talk[float]:
    """Seconds that the oldest entry has waited to be folded; 0 if none does."""
    first = yield ledger.line_after(shard, "unfolded", b"0-0")
    if first is None:
        return 0.0
    now = yield ledger.clock(shard)
    since = int(first.partition(b"-")[0])
    return float(max(0, now - since) / 1000)


def lag(shard: int) -> Talk[Lag]:
    unfolded = yield ledger.length(shard, "unfolded")
    waits = yield from oldest(shard)
    stuck, live = (yield ledger.count_stuck(shard)), (yield ledger.count_live(shard))
    late = _past((yield ledger.first_deadline(shard)), (yield ledger.clock(shard)))
    return Lag(unfolded, waits, stuck, live, late)


def group(shard: int, kind: str) -> Talk[Group | None]:
    """`kind` is fold or react; None if no such worker was ever here. Refused if there is not even
    its stream."""
    stream = STREAMS[kind]
    said = yield ledger.group(shard, stream, kind)
    if said is None:
        return None
    workers = yield ledger.consumers(shard, stream, kind)
    first = (yield ledger.taken(shard, stream, kind)) or (
        yield ledger.line_after(shard, stream, said[b"last-delivered-id"])
    )
    since = int(first.partition(b"-")[0]) if first else None
    lag, now = said.get(b"lag"), (yield ledger.clock(shard))
    behind = None if lag is None else lag + said[b"pending"]
    return Group(sum(one[b"idle"] < AWAY for one in workers), behind, _past(since, now))


def notices_late() -> Talk[float]:
    """Seconds since the first notice was due that is not on its way."""
    return _past((yield outbox.first_due()), (yield ledger.clock(0)))


def _past(then: float | None, now: int) -> float:
    """Seconds since then; 0 if that is to come."""
    return 0.0 if then is None else max(0.0, (now - then) / 1000)
