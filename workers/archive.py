"""The archive, by rq: react has it called for every few minutes; it runs beside the films.

What is not done within its time is done by the next. Two at once do no harm.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable

from rq import Queue

from services import archive, logs
from workers import jobs
from workers.calls import enqueued

QUEUE, WORK = "films", "workers.archive.move"
EVERY, LASTS = 300, 20.0  # seconds from one pass to the next, and that one goes on
log = logging.getLogger("turnfold.archive")


def caller(queue: Queue) -> Callable[[], object]:
    """Calls for a pass by rq, where there is an archive; one that is lost is made up for."""
    if not os.environ.get(archive.ENV):
        return lambda: None
    return lambda: enqueued(queue, WORK, (), f"archive-{int(time.time()) // EVERY}")


def move() -> None:
    """Move what has been over for long enough, off all shards."""
    from services.archive import mover

    shelf = archive.opened()
    if shelf is None:
        return
    assert jobs.bench is not None, "no ledger to read"
    moved = mover.move(jobs.bench.wire, shelf.store, archive.days(), LASTS)
    if moved.matches:
        logs.event(log, "finished matches are archived", **moved._asdict())
