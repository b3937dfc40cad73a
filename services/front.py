"""The front: every request passes here, is charged to its client, led to its route, and counted.

The hot route and the feeds are plain ASGI callables beside the FastAPI app. What the hot route pays
here is counted in tenths of microseconds: no id, no wrapper, no line in a log unless one is wanted.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from time import monotonic

from fastapi import FastAPI, Request

from services import logs
from services.callers import Callers
from services.feed import Hub, feed
from services.house import House
from services.limits import Rate, address_of, too_fast
from services.moves import Receive, Scope, Send, bearer, post_move, who
from services.problems import Problem
from services.ticker import Ticker
from services.web.render import answer_to
from services.web.session import token_in

MOVES, FEED, FEEDS = "/matches/{match}/moves", "/matches/{match}/feed", "/feed"
METHODS = {MOVES: "POST", FEED: "GET", FEEDS: "GET"}  # of the routes that are no FastAPI routes
UNKNOWN = "unknown"  # the route of a path that has none
log = logging.getLogger("turnfold.api")
access = logging.getLogger("turnfold.access")


class Front:
    def __init__(
        self, app: FastAPI, house: House, hub: Hub, ticker: Ticker, access_log: bool = False
    ) -> None:
        self.app, self.house, self.hub, self.ticker = app, house, hub, ticker
        self.access_log = access_log
        self.rate = Rate(house.limits.requests, house.limits.burst)

    def close_feeds(self) -> None:
        self.hub.close()
        self.ticker.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        begun, headers = monotonic(), dict(scope["headers"])
        player = _player(self.house.callers, headers, scope["scheme"])
        client = player or address_of(scope["client"])
        wait = self.rate.wait(client, begun)
        route, name = _beside(scope["path"])
        status = 500
        try:
            if route is MOVES and not wait and scope["method"] == "POST":
                by_token = player if b"authorization" in headers else None  # a cookie only reads
                status = await post_move(self.house, name, headers, by_token, receive, send)
            else:
                answer = Answering(send, headers)
                if wait:
                    await _refuse(too_fast(self.house.limits, wait), scope, receive, answer)
                else:
                    await self._answer(route, name, client, scope, receive, answer)
                route, status = route or _route(scope), answer.status
        finally:
            took = monotonic() - begun
            self.house.tally.answered(scope["method"], route, status, took)
            if self.access_log:
                _tell(scope, status, took, client)

    async def _answer(
        self, route: str, name: str, client: str, scope: Scope, receive: Receive, send: Answering
    ) -> None:
        try:
            if not route:
                await self.app(scope, receive, send)
            elif scope["method"] != METHODS[route]:
                raise Problem("no-such-method", headers={"allow": METHODS[route]})
            else:
                await self._feed(name, client, scope, receive, send)
        except Problem as problem:
            await _refuse(problem, scope, receive, send)
        except Exception:
            log.exception("%s %s", scope["method"], scope["path"])
            if not send.status:
                await _refuse(Problem("bug"), scope, receive, send)

    async def _feed(
        self, name: str, client: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Of a match or, without a name, of many."""
        query = dict(Request(scope).query_params)
        player = await who(self.house, dict(scope["headers"]), scope["scheme"])
        with self.house.feeds.one_of(player or client):
            if name:
                await feed(self.hub, name, scope, query, receive, send)
            else:
                await self.ticker.serve(scope, query, receive, send)


class Answering:
    """Sends an answer under the id of its request, and remembers its status."""

    __slots__ = ("id", "send", "status")

    def __init__(self, send: Send, headers: dict[bytes, bytes]) -> None:
        self.send, self.status = send, 0
        self.id = logs.numbered(headers)

    def __call__(self, message: Scope) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message["headers"], (b"x-request-id", self.id)]
        return self.send(message)


def _player(callers: Callers, headers: dict[bytes, bytes], scheme: str) -> str | None:
    """Who asks, if its token is remembered; else it is known by its address until it is."""
    if (given := headers.get(b"authorization")) is not None:
        token = bearer(given)
    elif (cookies := headers.get(b"cookie")) is not None:
        token = token_in(cookies.decode("latin-1"), scheme)
    else:
        return None
    return None if token is None else callers.known(token)


def _beside(path: str) -> tuple[str, str]:
    """The route of a path that is no FastAPI route, and the match that it names."""
    if path.startswith("/matches/"):
        name, _, what = path[9:].partition("/")
        if what == "moves":
            return MOVES, name
        if what == "feed":
            return FEED, name
    return (FEEDS, "") if path == FEEDS else ("", "")


def _route(scope: Scope) -> str:
    """The template of the path that the app has answered."""
    return getattr(scope.get("route"), "path", UNKNOWN)


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    await answer_to(Request(scope), problem)(scope, receive, send)


def _tell(scope: Scope, status: int, took: float, client: str) -> None:
    """A line in the access log: no query, no header, no body."""
    says = f"{scope['method']} {scope['path']}"
    logs.event(access, says, status=status, ms=round(took * 1000, 1), client=client)
