"""What seats agree on or have a right to, from a browser."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from msgspec import ValidationError, convert

from engine import entries as e
from services.agreements import answering, claiming, proposing, resuming, sat_again
from services.door import Answer
from services.problems import Problem
from services.requests import answered, entered, house_of, number
from services.web.session import Form, player_in, posted
from services.wire import Talk

routes = APIRouter(include_in_schema=False)


@routes.post("/table/{match}/propose")
async def propose(match: str, request: Request) -> Response:
    """Propose an end, a pause, a way back, or somebody else for a seat."""
    form = await posted(house_of(request), request)
    return await _said(match, request, form, proposing(match, player_in(form), _what(form)))


def _what(form: Form) -> e.What:
    asked: dict[str, object] = {"type": form.first("what")}
    if asked["type"] == "back":
        asked |= {"to": number(dict(form.fields), "to", 0, e.LONGEST)}
    if asked["type"] == "replace":
        player = form.first("player").strip().lower()
        asked |= {"seat": int(form.first("seat") or 0)}
        asked |= {"player": player} if player else {"robot": "greedy"}
    try:
        what: e.What = convert(asked, e.What)
    except ValidationError as error:
        raise Problem("invalid", "There is no player of this id.") from error
    return what


@routes.post("/table/{match}/answer")
async def answer(match: str, request: Request) -> Response:
    """Agree to what is proposed, or not."""
    form = await posted(house_of(request), request)
    to = number(dict(form.fields), "to", 0, e.LONGEST)
    talk = answering(match, player_in(form), to, form.first("yes") == "1")
    return await _said(match, request, form, talk)


@routes.post("/table/{match}/resume")
async def resume(match: str, request: Request) -> Response:
    """Let the clocks run again."""
    form = await posted(house_of(request), request)
    return await _said(match, request, form, resuming(match, player_in(form)))


@routes.post("/table/{match}/return")
async def come_back(match: str, request: Request) -> Response:
    """Take a seat that the table gave, or one's own again."""
    house = house_of(request)
    form = await posted(house, request)
    player = player_in(form)
    await answered(house, match, await sat_again(house, match, player), player)
    return RedirectResponse(f"/table/{match}", 303)


@routes.post("/table/{match}/claim")
async def claim(match: str, request: Request) -> Response:
    """Have the seat leave that has run out of time."""
    form = await posted(house_of(request), request)
    seat = number(dict(form.fields), "seat", 0, 63)
    return await _said(match, request, form, claiming(match, player_in(form), seat))


async def _said(match: str, request: Request, form: Form, talk: Talk[Answer]) -> Response:
    await entered(request, match, talk, player_in(form))
    return RedirectResponse(f"/table/{match}", 303)
