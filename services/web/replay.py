"""The replay of a match: its table at any moment, as whoever may look back at it saw it."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request, Response

from engine.match import Match
from services.requests import house_of, number
from services.sight import moment, sight
from services.web.render import page
from services.web.session import session_of
from services.web.views import since, view

routes = APIRouter(include_in_schema=False)
WINDOW = 8  # entries before the one that is shown


@routes.get("/table/{match}/replay")
async def replay(match: str, request: Request) -> Response:
    """The table at one moment, and what led to it."""
    query, house = request.query_params, house_of(request)
    session = await session_of(house, request)
    asked = number(query, "seq", 0, 10**9) if query.get("seq") else None
    wanted = query.get("as") or None
    seen = await sight(house, match, session.player if session else None, wanted)
    then = await moment(house, seen, asked)
    context = await view(house, seen, then, since(then, WINDOW))
    views = _views(seen.newest, context["seats"])
    context |= {"now": seen.newest, "wanted": wanted, "views": views}
    return page(request, "replay.html", session, **context)


def _views(now: Match, seats: Sequence[str]) -> list[tuple[str, str]]:
    """As whom one may look back: once over as anybody, with all faces open too."""
    if not now.over:
        return []
    each = [(str(seat), f"as {name} saw it") for seat, name in enumerate(seats)]
    return [("open", "all faces open"), ("watcher", "as watchers saw it"), *each]
