"""The page of ratings: a game's players, best first, and who wins from which seat."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from engine.catalogue import GAMES
from services import ladder
from services.problems import Problem
from services.requests import house_of, number
from services.web.render import page
from services.web.session import session_of

routes = APIRouter(include_in_schema=False)
PAGE = 50


@routes.get("/ratings")
async def standings(request: Request) -> Response:
    """Who plays a game how well."""
    house, query = house_of(request), request.query_params
    game = query.get("game", next(iter(GAMES)))
    if game not in GAMES:
        raise Problem("no-such-thing", "There is no game of this name.")
    session = await session_of(house, request)
    shown = await ladder.page(house, game, number(query, "after", 0, 2**53), PAGE)
    numbers = await ladder.tally(house, game)
    return page(request, "ratings.html", session, game=game, ladder=shown, numbers=numbers)
