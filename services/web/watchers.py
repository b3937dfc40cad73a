"""Whom a table lets in, from a browser: guests invited, admitted to all faces, or not any more."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from engine.match import Match
from services import door, roll
from services.house import House, seat_of
from services.problems import Problem
from services.requests import entered, house_of
from services.watchers import admitting, hosts, invitations, inviting, may_invite, uninviting
from services.web.people import names_of
from services.web.session import player_in, posted
from services.web.tongues import _
from services.wire import Talk

routes = APIRouter(include_in_schema=False)
Say = Callable[[str, str, str], Talk[door.Answer]]


class Guest(NamedTuple):
    """Somebody who is invited, for those who may know."""

    player: str
    name: str
    admitted: int  # seats that show all faces
    wanted: int  # of so many
    admit: bool  # may whoever asks admit it?


@routes.post("/table/{match}/invite")
async def invite(match: str, request: Request) -> Response:
    """Invite a player to watch and, while the match is open, to join."""
    return await _said(match, request, inviting)


@routes.post("/table/{match}/uninvite")
async def uninvite(match: str, request: Request) -> Response:
    """Take an invitation back."""
    return await _said(match, request, uninviting)


@routes.post("/table/{match}/admit")
async def admit(match: str, request: Request) -> Response:
    """Let a guest see all faces."""
    return await _said(match, request, admitting)


async def _said(match: str, request: Request, say: Say) -> Response:
    house = house_of(request)
    form = await posted(house, request)
    player, whom = player_in(form), form.first("player").strip().lower()
    if not await _is_player(house, whom):
        raise Problem("invalid", "There is no player of this id. Theirs stands under My matches.")
    await entered(request, match, say(match, player, whom), player)
    return RedirectResponse(f"/table/{match}", 303)


async def _is_player(house: House, id: str) -> bool:
    plain = len(id) == 16 and id.isalnum()
    return plain and await house.ask(roll.player_name(id)) is not None


async def guests_of(house: House, now: Match, player: str | None) -> dict[str, object]:
    """Who is invited, and whether more can be: nothing for whoever may not know."""
    if player is None or not hosts(now, player) or now.over:
        return {"guests": [], "inviting": False}
    invited, seat = invitations(now), seat_of(now, player)
    names = await names_of(house, [one.player for one in invited])
    wanted = sum(holder.robot is None for holder in now.holders)
    dealt = now.state is not None
    return {
        "guests": [
            Guest(
                one.player,
                names.get(one.player) or _("Somebody"),
                len(one.admitted),
                wanted,
                dealt and seat is not None and seat not in one.admitted,
            )
            for one in invited
        ],
        "inviting": may_invite(now, player)
        and not (dealt and now.offered.policy.watchers == "closed"),
    }
