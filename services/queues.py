"""The queues of rq's jobs, as far as those who run the house want to know: what waits, what failed.

Failed jobs are kept for a day. What has to be done is called for again anyway, by react.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from redis.client import Redis

from services.ledger import Ask
from services.wire import Talk

if TYPE_CHECKING:
    from rq import Queue  # it loads much that others do not need

QUEUES: Final = {
    "robots": "moves of robots, orders for later",
    "ratings": "ratings, tournaments",
    "films": "films of finished matches, the archive",
}
MOST = 20  # failed jobs that are shown


class Stand(NamedTuple):
    """How a queue stands; `died` are its newest failed jobs, and of what they died."""

    queue: str
    workers: int
    waiting: int
    started: int
    failed: int
    died: tuple[tuple[str, str], ...]


def waiting(queue: str) -> Ask[int]:
    """Jobs that wait for a worker."""
    return Ask(("LLEN", f"rq:queue:{queue}"), int)


def failed(queue: str) -> Ask[int]:
    return Ask(("ZCARD", f"rq:failed:{queue}"), int)


def waits(queue: str) -> Talk[float]:
    """Seconds that the oldest job has waited for a worker; 0 if none does."""
    id = yield Ask(("LINDEX", f"rq:queue:{queue}", 0), _text)
    since = (yield Ask(("HGET", f"rq:job:{id}", "enqueued_at"), _text)) if id else ""
    if not since:
        return 0.0
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(since)).total_seconds())


def _text(reply: bytes | None) -> str:
    return (reply or b"").decode()


def stands(url: str) -> list[Stand]:
    """How all queues stand; RedisError or OSError if their server is away."""
    from rq import Queue
    from rq.serializers import JSONSerializer

    with Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5) as server:
        return [_stand(Queue(name, server, serializer=JSONSerializer)) for name in QUEUES]


def _stand(queue: Queue) -> Stand:
    from rq import Worker
    from rq.registry import FailedJobRegistry, StartedJobRegistry

    dead = FailedJobRegistry(queue=queue)
    ids = dead.get_job_ids(desc=True, end=MOST - 1)
    started = StartedJobRegistry(queue=queue).count
    there = Worker.count(queue=queue)
    died = tuple((id, _why(queue, id)) for id in ids)
    return Stand(queue.name, there, queue.count, started, dead.count, died)


def _why(queue: Queue, id: str) -> str:
    """The kind of error: what it says may quote a card."""
    job = queue.fetch_job(id)
    result = job.latest_result() if job else None
    last = (result.exc_string or "").strip().rpartition("\n")[2] if result else ""
    return last.partition(":")[0] or "it is not known"
