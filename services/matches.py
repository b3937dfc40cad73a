"""Routes of a match: look, grow, replay, bundle; and what OpenAPI says of moves and feeds."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response
from msgspec import DecodeError

from engine import audit
from engine.fold import replay as replayed
from engine.look import Choice, Look, choices, heard, look, note
from engine.match import Match, Verdict, encode, moves_of
from services import door, finished, ledger
from services.house import seat_of
from services.invalid import in_words
from services.openapi import NDJSON, SSE, Lines, takes
from services.problems import Problem
from services.requests import OFTEN, body, house_of, know, number, replied, visitor
from services.said import Answer, Step
from services.sight import NO_SEAT, Sight, moment, see_all, sight

routes = APIRouter()
PAGE, MOST = 100, 1000  # lines of a replay
TEXT = "text/plain"
AS = {
    "as": "a seat, `watcher` or `open`; while the match runs only yourself or `watcher`, and "
    "`open` if all seats have admitted you"
}


@routes.get(
    "/matches/{match}/look",
    openapi_extra=takes(
        gives={200: Look, 304: None},
        query={"seq": "an earlier moment", **AS},
        problems=["bad-request", "who-are-you", "not-yours", "no-such-thing", "stuck"],
    ),
)
async def see(match: str, request: Request) -> Response:
    """The table as you may see it, now or at an earlier seq."""
    query, player = request.query_params, await visitor(request)
    seq = number(query, "seq", 0, 10**9) if "seq" in query else None
    seen = await sight(house_of(request), match, player, query.get("as"))
    then = await moment(house_of(request), seen, seq)
    headers = {"etag": f'"{then.seq}"', **OFTEN, **seen.headers}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return replied(look(then, seen.at(then), match), headers=headers)


@routes.post(
    "/matches/{match}/grow",
    openapi_extra=takes(
        body=dict[str, Any],
        gives={200: list[Choice]},
        problems=[
            *("bad-request", "who-are-you", "not-yours", "no-such-thing", "too-large"),
            *("not-json", "invalid", "stuck"),
        ],
        token=True,
    ),
)
async def grow(match: str, request: Request) -> Response:
    """What your move in the making can have as its next piece, each with whether it may be
    played as it stands."""
    player, raw = await know(request), await body(request)
    seen = await sight(house_of(request), match, player)
    now, seat = seen.newest, seat_of(seen.now, player)
    if seat is None:
        raise Problem("not-yours", NO_SEAT, seq=now.seq)
    try:
        begun = moves_of(now.game).decode(raw)
    except (DecodeError, RecursionError) as error:
        raise Problem("invalid", errors=[in_words(error)]) from error
    return replied(choices(now, seat, begun), headers={"etag": f'"{now.seq}"', **OFTEN})


@routes.get(
    "/matches/{match}/replay",
    openapi_extra=takes(
        gives={200: Lines(Step)},
        query={
            **AS,
            "after": "begin after this seq",
            "limit": f"how many entries at the most, up to {MOST}",
        },
        problems=["bad-request", "who-are-you", "not-yours", "no-such-thing", "stuck"],
    ),
)
async def replay(match: str, request: Request) -> Response:
    """Each entry as one viewer saw it: a line of NDJSON with its news and the look after it."""
    query, player, house = request.query_params, await visitor(request), house_of(request)
    seen = await sight(house, match, player, query.get("as"))
    newest = seen.newest.seq
    after = max(number(query, "after", 0, 10**9), seen.newest.branched - 1)
    limit = max(1, number(query, "limit", PAGE, MOST))
    lines = await house.ask(ledger.log(match, after, min(limit, max(1, newest - after))))
    lines = [one for one in lines if one.seq <= newest]
    before = await house.talk(door.moment(match, after)) if after and lines else None

    def steps() -> bytes:
        folded = replayed((one.line for one in lines), before)
        return b"".join(_step(seen, *one) for one in folded)

    headers = OFTEN | seen.headers
    if lines and lines[-1].seq < newest:
        wanted = f"&as={query['as']}" if "as" in query else ""
        where = f"/matches/{match}/replay?after={lines[-1].seq}&limit={limit}{wanted}"
        headers["link"] = f'<{where}>; rel="next"'
    return Response(await asyncio.to_thread(steps), 200, headers, NDJSON)


def _step(seen: Sight, then: Match, verdict: Verdict) -> bytes:
    noted, facts = note(then), heard(verdict, seen.viewer)
    step = Step(
        noted.seq,
        noted.at,
        noted.head,
        facts,
        noted.status,
        noted.to_act,
        noted.deadline,
        noted.outcome,
        noted.aborted,
        look(then, seen.at(then), seen.name, legal=False),
    )
    return encode(step) + b"\n"


@routes.get(
    "/matches/{match}/bundle",
    openapi_extra=takes(
        gives={200: {audit.MEDIA_TYPE: audit.Bundle}},
        problems=["who-are-you", "no-such-thing", "not-over", "stuck"],
    ),
)
async def bundle(match: str, request: Request) -> Response:
    """The finished match as one file that proves itself offline: see `turnfold audit`."""
    made = await asyncio.to_thread(finished.bundle, match, await _record(match, request))
    headers = {"content-disposition": f'attachment; filename="{match}.turnfold.json"'}
    return Response(made, 200, headers, audit.MEDIA_TYPE)


@routes.get(
    "/matches/{match}/audit",
    openapi_extra=takes(
        gives={200: audit.Report},
        problems=["who-are-you", "no-such-thing", "not-over", "stuck"],
    ),
)
async def audited(match: str, request: Request) -> Response:
    """What this server finds when it folds the finished match again, with every draw of chance."""
    record = await _record(match, request)
    return replied(await asyncio.to_thread(finished.report, match, record))


@routes.get(
    "/matches/{match}/notation",
    openapi_extra=takes(
        gives={200: (TEXT,)},
        problems=["who-are-you", "no-such-thing", "not-over", "stuck"],
    ),
)
async def notation(match: str, request: Request) -> Response:
    """The finished match as text to read: an entry a line, moves as the game writes them."""
    record = await _record(match, request)
    made = await asyncio.to_thread(finished.notation, match, record)
    headers = {"content-disposition": f'attachment; filename="{match}.txt"'}
    return Response(made, 200, headers, TEXT)


async def _record(match: str, request: Request) -> finished.Record:
    """All of a match that is over, for whoever could have watched it; or a Problem."""
    house = house_of(request)
    seen = await sight(house, match, await visitor(request))
    see_all(seen)
    if seen.newest.branched:
        raise Problem("no-such-thing", "A branch has no bundle: it is no match that was played.")
    return await house.talk(finished.record(match))


# The routes that are no FastAPI routes: services/moves.py, services/feed.py

_MATCH = {"name": "match", "in": "path", "required": True, "schema": {"type": "string"}}


def _beside(summary: str, name: str, said: dict[str, Any]) -> dict[str, Any]:
    parameters = [_MATCH, *said["parameters"]]
    return {"summary": summary, "operationId": name, **said, "parameters": parameters}


BESIDE: dict[str, dict[str, Any]] = {
    "/matches/{match}/moves": {
        "post": _beside(
            "Play a move: the body is the move, as its game's schema has it",
            "play",
            takes(
                body=dict[str, Any],
                gives={201: Answer, 202: None},
                headers={
                    "If-Match": "the seq of the look that you decided on",
                    "Idempotency-Key": "drawn for this command and sent again with its retries",
                    "Prefer": "respond-async: 202 as soon as it is in the log",
                },
                problems=[
                    *("bad-request", "who-are-you", "not-yours", "no-such-thing", "over"),
                    *("stale", "too-large", "not-json", "refused", "key-reused", "invalid"),
                    *("if-match-missing", "stuck"),
                ],
                token=True,
            ),
        )
    },
    "/matches/{match}/feed": {
        "get": _beside(
            "What you hear of a match, live: server-sent events, or NDJSON by Accept",
            "feed",
            takes(
                gives={200: (SSE, NDJSON), 204: None},
                headers={"Last-Event-ID": "the last seq that you have; only what came after"},
                query={"after": "the same, for NDJSON", **AS},
                problems=["bad-request", "who-are-you", "not-yours", "no-such-thing", "stuck"],
            ),
        )
    },
    "/feed": {
        "get": {
            "summary": "An entry of any public match, or of any of yours, live, a line for each",
            "operationId": "feed_of_many",
            **takes(
                gives={200: (SSE, NDJSON)},
                query={"mine": "there at all: the matches in which you have a seat"},
                problems=["who-are-you"],
            ),
        }
    },
}
