"""The jobs worker: what may run twice and late, by rq: the moves of robots, ratings, and films.

A job judges for itself whether it still has a point, and the door lets only one of two through.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import time
from collections.abc import Sequence
from typing import Any

from redis.client import Redis
from redis.exceptions import RedisError
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from engine.contract import Seat
from engine.dice import Dice
from engine.match import Match, encode
from engine.robots import ROBOTS, searching
from services import archive, door, logs, traces
from services.guests import invite
from services.wire import BlockingWire, Lost, converse

QUEUE = "robots"
QUEUES = (QUEUE, "ratings")  # in this order
SEARCH = 1.0  # seconds after which a robot that searches takes the best so far
TRIES = (0.0, 0.5, 2.0)  # seconds before each try of a job while the server is away
log = logging.getLogger("turnfold.jobs")


class Bench:
    """What the jobs of this process share: the ledger, and how long a robot seems to think."""

    def __init__(self, wire: BlockingWire, delay: float = 0.0) -> None:
        self.wire, self.delay = wire, delay


bench: Bench | None = None  # set once, before the first job


def move(name: str, seat: Seat, since: int) -> None:
    """The move of a robot that match `name` has been waiting for since entry `since`."""
    assert bench is not None, "no ledger to play on"
    for pause in TRIES:
        time.sleep(pause)
        try:
            return _move(bench, name, seat, since)
        except Lost as lost:
            error = lost
        except Exception:
            log.exception("%s: the robot at seat %s cannot move", name, seat)
            raise
    raise error


def _move(bench: Bench, name: str, seat: Seat, since: int) -> None:
    match = converse(door.newest(name), bench.wire.ask)
    if match is None or not waits_for(match, seat, since):
        return
    _think(bench.delay, match.holders[seat].since_at)
    begun = traces.now()
    chosen = encode(choose(match, seat))
    # No key: players choose those. A second job finds that it is no longer this turn.
    answer = converse(door.play(name, match, seat, chosen, None, since), bench.wire.ask)
    if isinstance(answer, door.Entered):
        traces.span("robot", name, answer.seq, begun, root=True)
    if isinstance(answer, door.NotAllowed | door.Invalid):  # what it chose is a secret
        log.error("%s: the robot at seat %s may not play: %s", name, seat, answer)


def waits_for(match: Match, seat: Seat, since: int) -> bool:
    """Is it still a robot's turn at this seat, and the same turn?"""
    return seat in match.to_act and match.holders[seat].since == since and robot_at(match, seat)


def robot_at(match: Match, seat: Seat) -> bool:
    return match.holders[seat].robot is not None


def choose(match: Match, seat: Seat) -> Any:
    """What the robot of this seat would play; by dice of its own, not the match's."""
    robot = match.holders[seat].robot
    assert robot is not None
    dice = Dice(os.urandom(32), 0)
    if robot == "search":
        until = time.monotonic() + SEARCH
        return searching(match.game, match.state, seat, dice, lambda: time.monotonic() > until)
    return ROBOTS[robot](match.game, match.state, seat, dice)


def _think(delay: float, since_at: int) -> None:
    """Until the match has waited this long for the robot."""
    left = since_at / 1000 + delay - time.time()
    if delay > 0 and left > 0:
        time.sleep(min(left, delay))


class Worker(SimpleWorker):
    max_connection_wait_time = 1.0  # seconds between tries to reach the server
    log_result_lifespan = False

    @property
    def told_to_stop(self) -> bool:
        return self._shutdown_requested_date is not None


def work(url: str, queues: Sequence[str] = QUEUES) -> None:
    """Take jobs until a signal comes, connecting again whenever the server was away."""
    while not _worked(url, queues):
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, signal.SIG_DFL)  # they were the worker's, which is no more
        time.sleep(1)


def _worked(url: str, queues: Sequence[str]) -> bool:
    """Take jobs for as long as that goes. Was it a signal that ended it?"""
    worker = None
    try:
        worker = Worker(list(queues), connection=Redis.from_url(url), serializer=JSONSerializer)
        worker.work(logging_level="WARNING")
    except (RedisError, OSError) as error:
        log.warning("%s; again in a second", error)
    return worker is not None and worker.told_to_stop


def begin(url: str, delay: float = 0.0) -> None:
    """The ledger that jobs of this process play on."""
    global bench
    bench = Bench(BlockingWire(url, archive.opened()), delay)


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m workers.jobs", description=__doc__)
    words.add_argument("--redis", required=True, help="unix:///path or redis://host:port/db")
    words.add_argument("--jobs-redis", help="where the jobs are, if not there")
    words.add_argument("--delay", type=float, default=0.0, help="seconds a robot seems to think")
    asked = words.parse_args()
    invite()
    logs.begin("jobs")
    traces.begin("jobs")
    begin(asked.redis, asked.delay)
    work(asked.jobs_redis or asked.redis)


if __name__ == "__main__":
    from workers.jobs import main as run  # rq finds `move` there: be that module, not another

    run()
