"""Routes for whom a table lets in: invited to watch and to join, admitted to see all faces."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from engine import entries as e
from engine.match import Match, No
from services import door, roll
from services.house import seat_of
from services.openapi import takes
from services.problems import Problem
from services.requests import entered, house_of, know, read
from services.said import Answer

routes = APIRouter()


class Whom(Struct, frozen=True, forbid_unknown_fields=True):
    player: e.Player


INVITING = takes(
    body=Whom,
    gives={201: Answer, 202: None},
    problems=[
        *("bad-request", "who-are-you", "not-yours", "no-such-thing", "not-open", "over"),
        *("too-large", "not-json", "refused", "invalid", "stuck"),
    ],
    token=True,
)


@routes.post("/matches/{match}/invite", openapi_extra=INVITING)
async def invite(match: str, request: Request) -> Response:
    """Invite a player to watch the match and, while it is open, to join it. Who has a seat can do
    so and, before the deal, who offered it. To invite again changes nothing."""
    player, whom = await know(request), await _whom(request)

    def judge(now: Match) -> door.Answer | bytes:
        seat, guest = seat_of(now, player), now.guest(whom)
        if seat is None and (now.state is not None or now.offered.by != player):
            return door.refusal(No.NOT_SEATED, now)
        return door.Repeated(guest.seq, now) if guest else e.encode(e.Invited(seat, whom))

    return await entered(request, match, door.judged(match, None, judge), player)


@routes.post("/matches/{match}/admit", openapi_extra=INVITING)
async def admit(match: str, request: Request) -> Response:
    """Let a player who is invited see all faces, yours too: they do once all seats that players
    hold have admitted them. To admit again changes nothing, and it cannot be taken back."""
    player, whom = await know(request), await _whom(request)

    def judge(now: Match) -> door.Answer | bytes:
        seat, guest = seat_of(now, player), now.guest(whom)
        if seat is None:
            return door.refusal(No.NOT_SEATED, now)
        at = dict(guest.admitted).get(seat) if guest else None
        return door.Repeated(at, now) if at else e.encode(e.Admitted(seat, whom))

    return await entered(request, match, door.judged(match, None, judge), player)


async def _whom(request: Request) -> str:
    """The player whom the body names."""
    player = (await read(request, Whom)).player
    if await house_of(request).ask(roll.player_name(player)) is None:
        raise Problem("invalid", errors=["there is no such player - at `$.player`"])
    return player
