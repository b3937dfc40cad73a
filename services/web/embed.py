"""A match elsewhere: on other people's pages, and as the picture that comes with a link."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from fastapi import APIRouter, Request, Response

from services.requests import house_of, number
from services.serve import environment, python
from services.sight import moment, sight
from services.web.drawing import board, picture
from services.web.readmes import title
from services.web.render import FRAMED, PICTURE, page
from services.web.tongues import spoken
from services.web.views import view

routes = APIRouter(include_in_schema=False)
MOST = 200  # pictures that are remembered
one_at_a_time = asyncio.Semaphore(1)
_made: OrderedDict[tuple[str, int, str], bytes] = OrderedDict()


@routes.get("/table/{match}/embed")
async def embed(match: str, request: Request) -> Response:
    """The table as watchers see it, for an iframe: who frames it learns nothing of who looks."""
    house = house_of(request)
    seen = await sight(house, match, None)
    shown = await view(house, seen, seen.now, seen.now.seq)
    drawn = board(shown["look"], shown["seats"], shown["news"]).drawn
    sent = page(request, "embed.html", None, drawn=drawn, **shown)
    sent.headers.update(FRAMED)
    return sent


@routes.get("/table/{match}/board.png")
async def board_png(match: str, request: Request) -> Response:
    """The table as watchers see it, as the picture of a link."""
    house, query = house_of(request), request.query_params
    seen = await sight(house, match, None)
    asked = number(query, "seq", 0, 10**9) if query.get("seq") else None
    then = await moment(house, seen, asked)
    key = match, then.seq, spoken()
    if key not in _made:
        shown = await view(house, seen, then, then.seq)
        head = f"{title(then.offered.game)}: {shown['stands']}"
        async with one_at_a_time:
            drawn = picture(shown["look"], shown["seats"], shown["news"], head)
            _made[key] = _made.get(key) or await _png(drawn)
        if len(_made) > MOST:
            _made.popitem(last=False)
    return Response(_made[key], 200, PICTURE, "image/png")


async def _png(svg: str) -> bytes:
    child = await asyncio.create_subprocess_exec(
        *python(),
        "services.web.pictures",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment(),
    )
    made, _ = await child.communicate(svg.encode())
    return made
