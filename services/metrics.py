"""Metrics in the form that Prometheus reads: what this process counted, what the ledger says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from msgspec import structs
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
from services import queues, vitals
from services.house import House
from services.notices import outbox
from services.problems import Problem
from services.tally import Tally
from services.vitals import Lag
from services.wire import Lost, Refused

T = TypeVar("T")
MEDIA_TYPE: Final = CONTENT_TYPE_LATEST
BEGUN = time.monotonic()
SHARD = {  # what is told of each shard
    "unfolded": "Entries that wait for a fold worker.",
    "unfolded_oldest_seconds": "For how long the oldest of them has waited.",
    "stuck_matches": "Matches that wait for a repair.",
    "live_matches": "Matches that are not over.",
    "unreacted": "Folded entries that wait for a react worker.",
}

NOTICES: Final = {
    "notices_waiting": ("Notices whose time has not come.", outbox.count_waiting()),
    "notices_failed": ("Notices that were given up.", outbox.count_failed()),
}

JOBS: Final = {
    "jobs_queued": ("Jobs that wait for a worker.", queues.waiting),
    "jobs_failed": ("Jobs that failed within a day.", queues.failed),
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
    lags, unreacted = await asyncio.gather(
        asyncio.gather(*(_soon(house.talk(vitals.lag(shard))) for shard in shards)),
        asyncio.gather(*(_soon(house.talk(vitals.unreacted(shard))) for shard in shards)),
    )
    told = [_gauge("ledger_up", "Whether the server for the data answers.", None not in lags)]
    told += await _of_notices(house)
    return [*told, *await _of_jobs(house), *_of_shards(lags, unreacted)]


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
    return families


async def _of_notices(house: House) -> list[Metric]:
    told = []
    for name, (says, ask) in NOTICES.items():
        number: int | None = await _soon(house.ask(ask))
        if number is not None:
            told.append(_gauge(name, says, number))
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
    folds = HistogramMetricFamily(
        "turnfold_fold_seconds", "From an append to the fold, of entries that a worker folded."
    )
    folds.add_metric([], tally.folds.buckets(), tally.folds.sum)
    yield folds


def _of_shards(lags: Sequence[Lag | None], unreacted: Sequence[int | None]) -> Iterator[Metric]:
    for i, (name, says) in enumerate(SHARD.items()):
        family = GaugeMetricFamily(f"turnfold_{name}", says, labels=["shard"])
        for shard, (lag, behind) in enumerate(zip(lags, unreacted, strict=True)):
            number = (*(structs.astuple(lag) if lag else (None,) * 4), behind)[i]
            if number is not None:
                family.add_metric([str(shard)], number)
        yield family


def _gauge(name: str, says: str, value: float) -> Metric:
    return GaugeMetricFamily(f"turnfold_{name}", says, value)
