"""The api: who may offer, join, move, look, watch, replay and audit, over HTTP.

Thin: it knows tokens, statuses and media types; the door judges, the ledger keeps, the engine
tells what a viewer sees. The hot route and the feed are plain ASGI callables in front.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match

from engine import RELEASE
from services import (
    accounts,
    agreements,
    archive,
    asyncapi,
    branches,
    ladder,
    later,
    lobby,
    matches,
    notes,
    notifying,
    openapi,
    operations,
    organise,
    outlet,
    rematch,
    rooms,
    watchers,
)
from services.feed import Hub
from services.front import Front
from services.house import House
from services.problems import PROBLEMS, Problem
from services.requests import replied
from services.settings import USUAL, Settings
from services.ticker import Ticker
from services.web import pages, site
from services.web.render import answer_to, wants_page
from services.web.tongues import speak, spoken_to


def make_app(url: str, shards: int = 1, settings: Settings = USUAL) -> Front:
    """The ASGI app of an api process on the server at `url`."""
    shelf = archive.opened(settings.archive)
    house = House(url, shards, settings.limits, settings.jobs_redis, shelf)
    hub, ticker = Hub(house), Ticker(house)
    app = FastAPI(
        title="Turnfold",
        version=RELEASE,
        lifespan=_living(house, hub, ticker),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.house, app.state.settings = house, settings
    app.include_router(accounts.routes)
    app.include_router(lobby.routes)
    app.include_router(ladder.routes)
    app.include_router(organise.routes)
    app.include_router(matches.routes)
    app.include_router(watchers.routes)
    app.include_router(agreements.routes)
    app.include_router(later.routes)
    app.include_router(rematch.routes)
    app.include_router(branches.routes)
    app.include_router(notes.routes)
    app.include_router(rooms.routes)
    app.include_router(notifying.routes)
    app.include_router(operations.routes)
    for router in site.ROUTERS:
        app.include_router(router, dependencies=[Depends(spoken_to)])
    app.add_api_route("/problems/{name}", _problem_page, include_in_schema=False)
    app.add_api_route("/asyncapi.json", _feeds_document, include_in_schema=False)
    app.add_api_route("/", _front_page, include_in_schema=False)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_exception_handler(Exception, _bug)
    said: dict[str, Any] = {}

    def document() -> dict[str, Any]:
        said.update(said or openapi.document(app, matches.BESIDE, settings.limits))
        return said

    app.openapi = document  # type: ignore[method-assign]
    return Front(app, house, hub, ticker, settings.access_log)


async def _beat(hub: Hub, ticker: Ticker) -> None:
    while True:
        await asyncio.gather(asyncio.sleep(outlet.BEAT), hub.beat(outlet.BEAT / 2))
        ticker.beat()


def _living(house: House, hub: Hub, ticker: Ticker) -> Any:
    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        house.open()
        hub.presence.open()
        hub.gossip.open()
        beat = asyncio.create_task(_beat(hub, ticker))
        gc.collect()
        gc.freeze()  # what is loaded stays; the collector need not walk it again
        gc.set_threshold(5_000, 100_000, 100)  # nor, at every turn, the matches we remember
        yield
        beat.cancel()
        hub.close()
        ticker.close()
        await hub.presence.close()
        await hub.gossip.close()
        await house.close()

    return living


async def _problem(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    return answer_to(request, problem)


async def _http_problem(request: Request, error: Exception) -> Response:
    """What the router itself refuses."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        wrong = Problem("no-such-method", headers={"allow": _allowed(request)})
        return await _problem(request, wrong)
    name = "no-such-thing" if error.status_code == 404 else "bad-request"
    return await _problem(request, Problem(name, headers=dict(error.headers or {})))


def _allowed(request: Request) -> str:
    """The methods of all routes with this path; the router names those of the first."""
    methods = ("GET", "POST", "PUT", "DELETE")
    scopes = {method: {**request.scope, "method": method} for method in methods}
    routes = request.app.routes
    return ", ".join(
        method
        for method, scope in scopes.items()
        if any(route.matches(scope)[0] is Match.FULL for route in routes)
    )


async def _bug(request: Request, error: Exception) -> Response:
    return await _problem(request, Problem("bug"))  # the front logs it


async def _problem_page(name: str) -> Response:
    """What a problem's type means, for a person who follows its address."""
    if name not in PROBLEMS:
        raise Problem("no-such-thing")
    status, title, detail = PROBLEMS[name]
    return Response(f"{title} ({status})\n\n{detail}\n", media_type="text/plain")


async def _feeds_document() -> Response:
    """What the feeds send, as AsyncAPI."""
    return replied(asyncapi.document())


async def _front_page(request: Request) -> Response:
    """To a browser the page, to others these lines."""
    if wants_page(request) or "hx-request" in request.headers:
        speak(request)
        return await pages.front(request)
    return Response(FRONT, headers={"vary": "Accept"}, media_type="text/plain")


FRONT = f"""Turnfold {RELEASE}: play-by-turn games as logs.

  GET  /games                       which games there are
  POST /players                     an account and its token
  POST /players/me/vacation         have your clocks stand still for some days
  GET  /matches                     matches that wait for players
  POST /matches                     offer one
  POST /matches/MATCH/join          take a seat
  POST /matches/MATCH/invite        let a player watch or join
  POST /matches/MATCH/uninvite      take that back; GET …/guests says who is invited
  POST /matches/MATCH/admit         let a watcher see all faces
  GET  /matches/MATCH/look          the table, now or at any earlier ?seq=
  POST /matches/MATCH/grow          what a move in the making can have next
  POST /matches/MATCH/moves         play
  POST /matches/MATCH/orders        a move for later; GET …/orders says which of yours wait
  POST /matches/MATCH/propose       an end, a pause, another for a seat; POST …/answer: yes or no
  POST /matches/MATCH/resume        after a pause
  POST /matches/MATCH/return        take a seat given to you, or your own again from a robot
  POST /matches/MATCH/claim         have a seat leave whose time is up, where that is the deal
  GET  /matches/MATCH/feed          what happens in it, live
  GET  /feed                        what happens in all, or in ?mine
  GET  /matches/MATCH/replay        what happened, as you saw it
  POST /matches/MATCH/rematch       once over: the same again
  POST /matches/MATCH/branch        once over: what if, from any entry, against robots
  POST /matches/MATCH/talk          say something, where the table allows it
  PUT  /matches/MATCH/notes         what you note of it, for yourself
  POST /players/me/channels         be told of your turns by webhook, mail, push or feeds
  GET  /matches/MATCH/bundle        once over: the match as one file, for `turnfold audit`
  GET  /games/GAME/ratings          who plays a game how well
  POST /tournaments                 organise one; join it, start it
  GET  /openapi.json                all of it; of the feeds /asyncapi.json
"""
