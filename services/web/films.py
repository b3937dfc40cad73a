"""Films: the animated picture of a finished match, made by a job while its asker looks on."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fastapi import APIRouter, Request, Response
from redis.client import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import NoSuchJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from engine.contract import OPEN
from services.problems import Problem
from services.requests import house_of
from services.sight import Sight, see_all, sight
from services.web.people import names_of
from services.web.render import PICTURE, page
from services.web.session import player_in, posted, session_of

routes = APIRouter(include_in_schema=False)
QUEUE, WORK = "films", "workers.films.film"
MOST = 20  # films that wait to be made: each takes memory of the jobs' server for an hour
KEPT, FAILED, TIMEOUT = 3600, 600, 900  # seconds: a film, a failure, the making of one


class Film(NamedTuple):
    """How far it is; `gif` once it is made."""

    status: str  # none, waits, made, failed
    done: int = 0
    of: int = 0
    gif: bytes = b""


@routes.post("/table/{match}/film")
async def ask(match: str, request: Request) -> Response:
    """Have it made, if it is not there or under way."""
    house = house_of(request)
    form = await posted(house, request)
    player = player_in(form)
    seen = await _over(request, match, player)
    names = await names_of(house, {holder.player for holder in seen.newest.holders})
    await _to_the_jobs(_begun, house.jobs_url, match, seen.viewer == OPEN, names)
    return await _page(request, seen)


@routes.get("/table/{match}/film")
async def film(match: str, request: Request) -> Response:
    """How far it is, or the film itself."""
    session = await session_of(house_of(request), request)
    return await _page(request, await _over(request, match, session.player if session else None))


@routes.get("/table/{match}/film.gif")
async def film_gif(match: str, request: Request) -> Response:
    house = house_of(request)
    session = await session_of(house, request)
    seen = await _over(request, match, session.player if session else None)
    made = await _to_the_jobs(_found, house.jobs_url, match, seen.viewer == OPEN)
    if made.status != "made":
        raise Problem("no-such-thing", "This film is not made: ask for it on the replay's page.")
    return Response(made.gif, 200, PICTURE, "image/gif")


async def _over(request: Request, match: str, player: str | None) -> Sight:
    """A finished match, for whoever may see it; as all faces open or as watchers saw it."""
    wanted = "open" if request.query_params.get("as") == "open" else "watcher"
    seen = await sight(house_of(request), match, player, wanted)
    see_all(seen)
    if seen.newest.state is None:
        raise Problem("not-over", seq=seen.newest.seq)
    return seen


async def _page(request: Request, seen: Sight) -> Response:
    house = house_of(request)
    session = await session_of(house, request)
    found = await _to_the_jobs(_found, house.jobs_url, seen.name, seen.viewer == OPEN)
    as_ = "?as=open" if seen.viewer == OPEN else ""
    return page(request, "film.html", session, film=found, match=seen.name, as_=as_)


async def _to_the_jobs(work: Callable[..., Film], *args: Any) -> Film:
    try:
        return await asyncio.to_thread(work, *args)
    except RedisError as error:
        raise Problem("busy", "The jobs' server is away.") from error


# With the jobs' server, blocking


def _found(url: str, match: str, open_: bool) -> Film:
    with Redis.from_url(url) as jobs:
        try:
            job = Job.fetch(_id(match, open_), jobs, JSONSerializer)
        except NoSuchJobError:
            return Film("none")
        done, of = job.meta.get("done", 0), job.meta.get("of", 0)
        if job.get_status() == JobStatus.FAILED:
            return Film("failed")
        made = job.return_value()
        return Film("made", of, of, b64decode(made)) if made else Film("waits", done, of)


def _begun(url: str, match: str, open_: bool, names: Mapping[str, str]) -> Film:
    found = _found(url, match, open_)
    if found.status not in ("none", "failed"):
        return found
    with Redis.from_url(url) as jobs:
        queue = Queue(QUEUE, connection=jobs, serializer=JSONSerializer)
        if queue.count >= MOST:
            raise Problem("too-many")
        queue.enqueue_call(
            WORK,
            args=(match, open_, dict(names)),
            job_id=_id(match, open_),
            timeout=TIMEOUT,
            result_ttl=KEPT,
            failure_ttl=FAILED,
        )
    return Film("waits")


def _id(match: str, open_: bool) -> str:
    """Of the job: rq wants letters, digits, dashes and underscores."""
    return f"film-{match}-{'open' if open_ else 'watcher'}"
