"""The choice of a language, from the foot of every page; a cookie keeps it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from services.problems import Problem
from services.requests import house_of
from services.web.session import LASTS, posted
from services.web.tongues import COOKIE, TONGUES

routes = APIRouter(include_in_schema=False)


@routes.post("/tongue")
async def choose(request: Request) -> Response:
    """Speak this language from now on, and show again what was shown."""
    form = await posted(house_of(request), request)
    tongue, back = form.first("tongue"), form.first("back")
    if tongue not in TONGUES:
        raise Problem("bad-request")
    ours = back.startswith("/") and back[1:2] not in ("/", "\\")  # no other site's address
    response = RedirectResponse(back if ours else "/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, tongue, LASTS, secure=secure, httponly=True, samesite="lax")
    return response
