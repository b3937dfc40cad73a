"""What is said at a match, on its page."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from services.house import House
from services.requests import house_of
from services.rooms import heard, may_speak, open_rooms, room_of, utter
from services.sight import Sight, sight
from services.web.people import names_of
from services.web.render import page
from services.web.session import player_in, posted, session_of

routes = APIRouter(include_in_schema=False)
SHOWN = 50  # messages


@routes.get("/table/{match}/talk")
async def spoken(match: str, request: Request) -> Response:
    """What was said, as a part of the table's page."""
    house = house_of(request)
    session = await session_of(house, request)
    seen = await sight(house, match, session.player if session else None)
    return page(request, "spoken.html", session, **await talk_of(house, seen))


@routes.post("/table/{match}/talk")
async def speak(match: str, request: Request) -> Response:
    """Say something at the table, or among its watchers."""
    house = house_of(request)
    form = await posted(house, request)
    player = player_in(form)
    await utter(house, match, player, form.first("text").replace("\r\n", "\n")[:500])
    if "hx-request" not in request.headers:
        return RedirectResponse(f"/table/{match}#talk", 303)
    seen = await sight(house, match, player)
    return page(request, "spoken.html", form.session, **await talk_of(house, seen))


async def talk_of(house: House, seen: Sight) -> dict[str, Any]:
    """What somebody who looks at a table reads there; `room` is None where nobody talks."""
    room = room_of(seen)
    if room not in open_rooms(seen.now):
        return {"room": None, "spoken": []}
    messages = await heard(house, seen.name, room, seen.player, most=SHOWN)
    names = await names_of(house, {one.player for one in messages})
    said = [(names.get(one.player, "—"), one) for one in messages]
    return {"room": room, "spoken": said, "speaks": bool(seen.player) and may_speak(seen)}
