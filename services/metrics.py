"""Metrics in the form that Prometheus reads: what this process counted, what the ledger says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from engine import RELEASE
from services import ledger, queues, vitals
from services.house import House
from services.notices import outbox
from services.problems import Problem
from services.tally import Tally, Times
from services.vitals import Group, Lag
from services.wire import Lost, Refused

T = TypeVar("T")
MEDIA_TYPE: Final = CONTENT_TYPE_LATEST
BEGUN = time.monotonic()
SHARD: Final = {  # what is told of each shard, by its name in `Lag`
    "unfolded": ("unfolded", "Entries that wait for a fold worker."),
    "waits": ("unfolded_oldest_seconds", "For how long the oldest of them has waited."),
    "stuck": ("stuck_matches", "Matches that wait for a repair."),
    "live": ("live_matches", "Matches that are not over."),
    "late": ("clocks_late_seconds", "For how long a deadline has passed that nobody acted on."),
}

REACT: Final = {  # and of its react workers, by its name in `Group`
    "behind": ("unreacted", "Folded entries that wait for a react worker."),
    "waits": ("unreacted_oldest_seconds", "For how long the oldest of them has waited."),
}

NOTICES: Final = {
    "notices_waiting": ("Notices whose time has not come.", outbox.count_waiting()),
    "notices_failed": ("Notices that were given up.", outbox.count_failed()),
}

JOBS: Final = {
    "jobs_queued": ("Jobs that wait for a worker.", queues.waiting),
    "jobs_failed": ("Jobs that failed within a day.", queues.failed),
}

SERVER: Final = {  # what is told of the server, by its name in INFO
    "used_memory": ("ledger_memory_bytes", "What the server for the data uses."),
    "maxmemory": ("ledger_memory_limit_bytes", "From where on it refuses to write; 0 for none."),
}


async def exposed(house: House) -> bytes:
    """All of them; what the server does not tell in time is left out."""
    families = [*_process(house), *_counted(house.tally), *await _asked(house)]
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(Families(families))
    return generate_latest(registry)


async def _asked(house: House) -> list[Metric]:
    """What the server tells."""
    shards = range(house.shards)
    condition: Awaitable[list[dict[str, str]]] = house.everywhere(ledger.condition())
    lags, folds, reacts, said = await asyncio.gather(
        asyncio.gather(*(_soon(house.talk(vitals.lag(shard))) for shard in shards)),
        asyncio.gather(*(_soon(house.talk(vitals.group(shard, "fold"))) for shard in shards)),
        asyncio.gather(*(_soon(house.talk(vitals.group(shard, "react"))) for shard in shards)),
        _soon(condition),
    )
    told = [_gauge("ledger_up", "Whether the server for the data answers.", None not in lags)]
    told += [*_of_servers(said or []), *_of_shards(SHARD, lags), *_of_shards(REACT, reacts)]
    if None not in lags:
        told.append(_workers(fold=folds, react=reacts))
    return [*told, *await _of_notices(house), *await _of_jobs(house)]


async def _of_jobs(house: House) -> list[Metric]:
    """What waits in each queue of jobs, and what failed there within a day."""
    families: list[Metric] = []
    for name, (says, ask) in JOBS.items():
        family = GaugeMetricFamily(f"turnfold_{name}", says, labels=["queue"])
        for queue in queues.QUEUES:
            number: int | None = await _soon(house.jobs.ask(ask(queue)))
            if number is not None:
                family.add_metric([queue], number)
        if family.samples:
            families.append(family)
    says = "For how long the oldest job has waited."
    oldest = GaugeMetricFamily("turnfold_jobs_oldest_seconds", says, labels=["queue"])
    for queue in queues.QUEUES:
        if (waits := await _soon(house.jobs.talk(queues.waits(queue)))) is not None:
            oldest.add_metric([queue], waits)
    return [*families, oldest]


async def _of_notices(house: House) -> list[Metric]:
    told = []
    for name, (says, ask) in NOTICES.items():
        number: int | None = await _soon(house.ask(ask))
        if number is not None:
            told.append(_gauge(name, says, number))
    if (late := await _soon(house.talk(vitals.notices_late()))) is not None:
        told.append(_gauge("notices_late_seconds", "For how long one has been due.", late))
    return told


async def _soon(asked: Awaitable[T]) -> T | None:
    """The answer; None if there is none, or none in time."""
    try:
        async with asyncio.timeout(vitals.PATIENCE):
            return await asked
    except (Problem, Lost, Refused, TimeoutError):
        return None


class Families(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self.families = families

    def collect(self) -> Iterable[Metric]:
        return self.families


def _process(house: House) -> Iterator[Metric]:
    yield InfoMetricFamily("turnfold", "This release.", {"release": RELEASE})
    yield _gauge("uptime_seconds", "For how long this process has run.", time.monotonic() - BEGUN)
    yield _gauge("open_feeds", "Feeds that are open here.", house.feeds.open)


def _counted(tally: Tally) -> Iterator[Metric]:
    requests = CounterMetricFamily(
        "turnfold_requests", "Requests answered.", labels=["method", "route", "status"]
    )
    for (method, route, status), count in tally.requests.items():
        requests.add_metric([method, route, str(status)], count)
    yield requests
    times = HistogramMetricFamily(
        "turnfold_request_seconds",
        "From a request to its answer; of a feed, to its end.",
        labels=["route"],
    )
    for route, took in tally.times.items():
        times.add_metric([route], took.buckets(), took.sum)
    yield times
    moves = CounterMetricFamily(
        "turnfold_moves", "Moves: accepted, or the code of why not.", labels=["verdict"]
    )
    for verdict, count in tally.moves.items():
        moves.add_metric([verdict], count)
    yield moves
    says = "From an append to the fold, of entries that a worker folded."
    yield _times("fold_seconds", says, tally.folds)
    says = "From judging a move to its place in the log."
    yield _times("append_seconds", says, tally.appends)
    unread = "Times that the archive did not give what it holds."
    yield CounterMetricFamily("turnfold_archive_unread", unread, tally.unread)


def _of_servers(said: Sequence[dict[str, str]]) -> Iterator[Metric]:
    """What they say of themselves, taken together; nothing if they say nothing."""
    for name, (metric, says) in SERVER.items():
        if told := [float(one[name]) for one in said if name in one]:
            yield _gauge(metric, says, sum(told))
    if said:
        says = "Whether its append-only file is on, and its last write and rewrite went well."
        yield _gauge("ledger_log_ok", says, not any(map(vitals.log_fault, said)))


def _of_shards(
    names: Mapping[str, tuple[str, str]], found: Sequence[Lag | Group | None]
) -> Iterator[Metric]:
    """A family for each of these names, with what was found of each shard."""
    for field, (name, says) in names.items():
        family = GaugeMetricFamily(f"turnfold_{name}", says, labels=["shard"])
        for shard, one in enumerate(found):
            if (number := getattr(one, field, None)) is not None:
                family.add_metric([str(shard)], number)
        yield family


def _workers(**kinds: Sequence[Group | None]) -> Metric:
    says = "Workers that have asked for work within 30 s."
    family = GaugeMetricFamily("turnfold_workers", says, labels=["kind", "shard"])
    for kind, groups in kinds.items():
        for shard, group in enumerate(groups):
            family.add_metric([kind, str(shard)], group.there if group else 0)
    return family


def _times(name: str, says: str, times: Times) -> Metric:
    family = HistogramMetricFamily(f"turnfold_{name}", says)
    family.add_metric([], times.buckets(), times.sum)
    return family


def _gauge(name: str, says: str, value: float) -> Metric:
    return GaugeMetricFamily(f"turnfold_{name}", says, value)
