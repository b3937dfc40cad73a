"""Routes for what seats agree on, or have a right to, while they play."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct

from engine import entries as e
from engine.contract import Seat
from engine.match import Match, No
from services import door
from services.house import seat_of
from services.openapi import takes
from services.requests import entered, know, read
from services.said import Answer
from services.wire import Talk

routes = APIRouter()
PROBLEMS = (
    *("bad-request", "who-are-you", "not-yours", "no-such-thing", "over", "too-large"),
    *("not-json", "invalid", "refused", "stuck"),
)


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat whose time is up; without one, the first such seat."""

    seat: Annotated[int, Meta(ge=0, le=63)] | None = None


@routes.post(
    "/matches/{match}/claim",
    openapi_extra=takes(body=Claim, gives={201: Answer, 202: None}, problems=PROBLEMS, token=True),
)
async def claim(match: str, request: Request) -> Response:
    """Have a seat leave that has run out of time, where the table's policy gives that right."""
    player = await know(request)
    asked = await read(request, Claim)
    return await entered(request, match, claiming(match, player, asked.seat), player)


def claiming(name: str, player: str, seat: Seat | None = None) -> Talk[door.Answer]:
    """Claim a seat, the first that can be claimed for None."""

    def make(match: Match) -> e.Entry | No:
        own = seat_of(match, player)
        late = [one for one, holder in enumerate(match.holders) if holder.late and one != own]
        if match.over or own is None:
            return No.OVER if match.over else No.NOT_SEATED
        if seat is None and not late:
            return No.NO_CLAIM
        return e.Claimed(late[0] if seat is None else seat, own)

    return door.enter(name, make)
