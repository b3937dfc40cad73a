"""The film of a finished match, by rq: an animated picture with a frame for each entry.

It runs on a queue of its own, so that no robot's move waits for it. Two of the same do no harm.
"""

from __future__ import annotations

import argparse
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence

from rq import get_current_job

from engine.contract import OPEN, Viewer
from engine.fold import replay
from engine.look import heard, look
from engine.match import Match, Verdict
from services import ledger, logs
from services.guests import invite
from services.web.drawing import picture
from services.web.pictures import gif, png
from services.web.readmes import title
from services.web.shown import called, status
from workers import jobs

QUEUE = "films"
MOST = 240  # frames; of a longer match some entries are left out

Moment = tuple[Match, Verdict]


def film(name: str, open_: bool, names: Mapping[str, str]) -> str:
    """A GIF in base64: as watchers saw it, or with all faces open. `names`: of its players."""
    assert jobs.bench is not None, "no ledger to read"
    moments = list(_moments(jobs.bench, name))
    shown = moments[:: -(-len(moments) // MOST)]
    shown = shown if shown[-1] is moments[-1] else [*shown, moments[-1]]
    frames = []
    for done, moment in enumerate(shown):
        _tell(done, len(shown))
        frames.append(_frame(*moment, name, open_, called(moment[0].holders, names)))
    return b64encode(gif(frames)).decode()


def _moments(bench: jobs.Bench, name: str) -> Iterator[Moment]:
    """The match after each entry from the deal on, and what that came to."""
    lines: list[ledger.Written] = []
    while more := bench.wire.ask(ledger.log(name, len(lines))):
        lines += more
    steps = replay(one.line for one in lines)
    return (step for step in steps if step[0].state is not None)


def _frame(match: Match, verdict: Verdict, name: str, open_: bool, seats: Sequence[str]) -> bytes:
    viewer: Viewer = OPEN if open_ else None
    seen = look(match, viewer, name, legal=False)
    head = f"{title(seen.game)}: {status(seen, seats)}"
    return png(picture(seen, seats, heard(verdict, viewer), head))


def _tell(done: int, of: int) -> None:
    """How far it is, for who waits."""
    job = get_current_job()
    if job is not None:
        job.meta |= {"done": done, "of": of}
        job.save_meta()  # type: ignore[no-untyped-call]


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m workers.films", description=__doc__)
    words.add_argument("--redis", required=True, help="unix:///path or redis://host:port/db")
    words.add_argument("--jobs-redis", help="where the jobs are, if not there")
    asked = words.parse_args()
    invite()
    logs.begin("films")
    jobs.begin(asked.redis)
    jobs.work(asked.jobs_redis or asked.redis, [QUEUE])


if __name__ == "__main__":
    main()
