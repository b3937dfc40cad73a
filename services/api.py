"""The api: who may offer, join, move, look, watch, replay and audit, over HTTP.

Thin: it knows tokens, statuses and media types; the door judges, the ledger keeps, the engine
tells what a viewer sees. The hot route and the feed are plain ASGI callables in front.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.routing import Match

from engine import RELEASE
from services import accounts, asyncapi, lobby, matches, openapi, outlet
from services.feed import Hub, feed
from services.house import House
from services.moves import Receive, Scope, Send, post_move
from services.problems import PROBLEMS, Problem
from services.requests import replied
from services.ticker import Ticker

log = logging.getLogger("turnfold.api")


class Health(Struct, frozen=True):
    ok: bool
    release: str


def make_app(url: str, shards: int = 1) -> Front:
    """The ASGI app of an api process on the server at `url`."""
    house = House(url, shards)
    hub, ticker = Hub(house), Ticker(house)
    app = FastAPI(
        title="Turnfold",
        version=RELEASE,
        lifespan=_living(house, hub, ticker),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.house = house
    app.include_router(accounts.routes)
    app.include_router(lobby.routes)
    app.include_router(matches.routes)
    app.add_api_route("/problems/{name}", _problem_page, include_in_schema=False)
    app.add_api_route("/asyncapi.json", _feeds_document, include_in_schema=False)
    app.add_api_route("/healthz", _health, openapi_extra=openapi.takes(gives={200: Health}))
    app.add_api_route("/", _front_page, include_in_schema=False)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_exception_handler(Exception, _bug)
    said: dict[str, Any] = {}

    def document() -> dict[str, Any]:
        said.update(said or openapi.document(app, matches.BESIDE))
        return said

    app.openapi = document  # type: ignore[method-assign]
    return Front(app, house, hub, ticker)


METHODS = {"moves": "POST", "feed": "GET"}  # of the routes that are no FastAPI routes


class Front:
    """The hot route and the feeds, and behind them the FastAPI app."""

    def __init__(self, app: FastAPI, house: House, hub: Hub, ticker: Ticker) -> None:
        self.app, self.house, self.hub, self.ticker = app, house, hub, ticker

    def close_feeds(self) -> None:
        self.hub.close()
        self.ticker.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/matches/"):
            _, _, name, *rest = scope["path"].split("/")
            what, method = rest[0] if len(rest) == 1 else "", scope["method"]
            if METHODS.get(what, method) != method:
                wrong = Problem("no-such-method", headers={"allow": METHODS[what]})
                return await _response(wrong)(scope, receive, send)
            if what == "moves":
                return await post_move(self.house, name, scope, receive, send)
            if what == "feed":
                return await self._feed(name, scope, receive, send)
        if scope["type"] == "http" and scope["path"] == "/feed":
            if scope["method"] != "GET":
                wrong = Problem("no-such-method", headers={"allow": "GET"})
                return await _response(wrong)(scope, receive, send)
            return await self._feed(None, scope, receive, send)
        return await self.app(scope, receive, send)

    async def _feed(self, name: str | None, scope: Scope, receive: Receive, send: Send) -> None:
        """Of a match or, without a name, of many."""
        query = dict(Request(scope).query_params)
        try:
            if name is None:
                await self.ticker.serve(scope, query, receive, send)
            else:
                await feed(self.hub, name, scope, query, receive, send)
        except Problem as problem:
            await _response(problem)(scope, receive, send)


async def _beat(hub: Hub, ticker: Ticker) -> None:
    while True:
        await asyncio.sleep(outlet.BEAT)
        hub.beat()
        ticker.beat()


def _living(house: House, hub: Hub, ticker: Ticker) -> Any:
    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        house.open()
        beat = asyncio.create_task(_beat(hub, ticker))
        gc.collect()
        gc.freeze()  # what is loaded stays; the collector need not walk it again
        gc.set_threshold(5_000, 100_000, 100)  # nor, at every turn, the matches we remember
        yield
        beat.cancel()
        hub.close()
        ticker.close()
        await house.close()

    return living


def _response(problem: Problem) -> Response:
    return Response(problem.body(), problem.status, problem.headers)


async def _problem(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    return _response(problem)


async def _http_problem(request: Request, error: Exception) -> Response:
    """What the router itself refuses."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        return _response(Problem("no-such-method", headers={"allow": _allowed(request)}))
    name = "no-such-thing" if error.status_code == 404 else "bad-request"
    return _response(Problem(name, headers=dict(error.headers or {})))


def _allowed(request: Request) -> str:
    """The methods of all routes with this path; the router names those of the first."""
    scopes = {method: {**request.scope, "method": method} for method in ("GET", "POST", "DELETE")}
    routes = request.app.routes
    return ", ".join(
        method
        for method, scope in scopes.items()
        if any(route.matches(scope)[0] is Match.FULL for route in routes)
    )


async def _bug(request: Request, error: Exception) -> Response:
    log.error("%s %s", request.method, request.url.path, exc_info=error)
    return _response(Problem("bug"))


async def _health() -> Response:
    """This process answers."""
    return replied(Health(True, RELEASE))


async def _problem_page(name: str) -> Response:
    """What a problem's type means, for a person who follows its address."""
    if name not in PROBLEMS:
        raise Problem("no-such-thing")
    status, title, detail = PROBLEMS[name]
    return Response(f"{title} ({status})\n\n{detail}\n", media_type="text/plain")


async def _feeds_document() -> Response:
    """What the feeds send, as AsyncAPI."""
    return replied(asyncapi.document())


async def _front_page() -> Response:
    return Response(FRONT, media_type="text/plain")


FRONT = f"""Turnfold {RELEASE}: play-by-turn games as logs.

  GET  /games                       which games there are
  POST /players                     an account and its token
  GET  /matches                     matches that wait for players
  POST /matches                     offer one
  POST /matches/MATCH/join          take a seat
  GET  /matches/MATCH/look          the table, now or at any earlier ?seq=
  POST /matches/MATCH/grow          what a move in the making can have next
  POST /matches/MATCH/moves         play
  GET  /matches/MATCH/feed          what happens in it, live
  GET  /feed                        what happens in all, or in ?mine
  GET  /matches/MATCH/replay        what happened, as you saw it
  GET  /matches/MATCH/bundle        once over: the match as one file, for `turnfold audit`
  GET  /openapi.json                all of it; of the feeds /asyncapi.json
"""
