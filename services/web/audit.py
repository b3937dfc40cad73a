"""The page on which a browser audits a match by itself: `static/audit.js` does the work."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from services.requests import house_of
from services.web.render import page
from services.web.session import session_of

routes = APIRouter(include_in_schema=False)


@routes.get("/audit")
async def audit(request: Request) -> Response:
    """Drop a file, or name a finished match of this server."""
    house = house_of(request)
    match = request.query_params.get("match", "")
    if match:
        house.checked(match)
    return page(request, "audit.html", await session_of(house, request), match=match)
