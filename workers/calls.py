"""Calls for jobs, by rq: what may run twice and late."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from redis.backoff import NoBackoff
from redis.client import Redis
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

TIMEOUT = 60  # seconds that a job may take
FAILED = 86_400  # seconds for which a failed job is kept
log = logging.getLogger("turnfold.react")


def queue(url: str, name: str) -> Queue:
    """A queue of jobs on this server, which may be away."""
    server = Redis.from_url(
        url, socket_connect_timeout=1, socket_timeout=5, retry=Retry(NoBackoff(), 1)
    )
    return Queue(name, connection=server, serializer=JSONSerializer)


def enqueued(jobs: Queue, work: str, args: Sequence[Any], id: str) -> bool:
    """Call for this work, unless that is called for by this id already. False: nobody took it."""
    try:
        jobs.enqueue_call(
            work,
            args=tuple(args),
            job_id=id,
            timeout=TIMEOUT,
            result_ttl=0,
            failure_ttl=FAILED,
            unique=True,
        )
    except DuplicateJobError:
        return True
    except (RedisError, OSError) as error:
        log.warning("no job %s: %s", id, error)
        return False
    return True
