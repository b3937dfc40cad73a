"""Seats, from a browser: taken, given back, given up, and taken again after the end."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from msgspec import convert

from engine import entries as e
from engine.match import Match, No
from services import door
from services.branches import Branch, branch_off
from services.house import seat_of
from services.lobby import sat_down
from services.problems import Problem
from services.rematch import next_of, offer_again
from services.requests import answered, entered, house_of
from services.sight import sight
from services.web.pages import seated
from services.web.people import guest
from services.web.render import page
from services.web.session import player_in, posted, session_of

routes = APIRouter(include_in_schema=False)


@routes.post("/table/{match}/join")
async def join(match: str, request: Request) -> Response:
    """Take an open seat, as a guest if need be."""
    house = house_of(request)
    form = await posted(house, request)
    house.checked(match)
    session = form.session or await guest(request)
    given = await sat_down(house, match, session.player, None, form.entropy)
    await answered(house, match, given, session.player)
    return seated(request, form, session, match)


@routes.post("/table/{match}/rematch")
async def rematch(match: str, request: Request) -> Response:
    """The same match again, for the same players, with a seat of it taken."""
    house = house_of(request)
    form = await posted(house, request)
    player = player_in(form)
    name, given = await offer_again(house, match, player)
    await answered(house, name, given, player)
    if seat_of(await house.newest(name), player) is None:
        given = await sat_down(house, name, player, None, secrets.token_hex(32))
        await answered(house, name, given, player)
    return RedirectResponse(f"/table/{name}", 303)


@routes.get("/table/{match}/again")
async def again(match: str, request: Request) -> Response:
    """The link to the match that follows a finished one, as a part of its page."""
    house = house_of(request)
    session = await session_of(house, request)
    seen = await sight(house, match, session.player if session else None)
    return page(request, "again.html", session, match=match, again=await next_of(house, seen))


@routes.post("/table/{match}/branch")
async def branch(match: str, request: Request) -> Response:
    """Go on from an entry of a finished match, against robots; as a guest if need be."""
    house = house_of(request)
    form = await posted(house, request)
    house.checked(match)
    try:
        asked = {"seq": int(form.first("seq")), "seat": int(form.first("seat"))}
        wanted = convert(asked | {"robots": form.first("robots", "greedy")}, Branch)
    except ValueError as error:
        raise Problem("invalid", "Say from which entry, at which seat.") from error
    session = form.session or await guest(request)
    name, given = await branch_off(house, match, session.player, wanted)
    await answered(house, name, given, session.player)
    return seated(request, form, session, name)


@routes.post("/table/{match}/leave")
async def leave(match: str, request: Request) -> Response:
    """Give one's seat back before the deal, withdraw one's offer, or resign after it."""
    house = house_of(request)
    form = await posted(house, request)
    player = player_in(form)

    def make(now: Match) -> e.Entry | No:
        seat = seat_of(now, player)
        if now.over:
            return No.OVER
        if now.status == "open" and now.offered.by == player and not form.first("seat"):
            return e.Aborted("withdrawn")
        if seat is None:
            return No.NOT_SEATED
        return e.Left(seat) if now.status == "open" else e.Resigned(seat)

    await entered(request, match, door.enter(match, make), player)
    return RedirectResponse(f"/table/{match}", 303)
