"""What seats agree on or have a right to, from a browser."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from services.agreements import claiming
from services.requests import entered, house_of, number
from services.web.session import player_in, posted

routes = APIRouter(include_in_schema=False)


@routes.post("/table/{match}/claim")
async def claim(match: str, request: Request) -> Response:
    """Have the seat leave that has run out of time."""
    form = await posted(house_of(request), request)
    player, seat = player_in(form), number(dict(form.fields), "seat", 0, 63)
    await entered(request, match, claiming(match, player, seat), player)
    return RedirectResponse(f"/table/{match}", 303)
