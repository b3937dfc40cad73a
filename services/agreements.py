"""Routes for what seats agree on, or have a right to, while they play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct

from engine import entries as e
from engine.contract import Seat
from engine.match import Match, No
from services import door
from services.claims import claim as counted
from services.house import House, seat_of
from services.openapi import takes
from services.requests import answered, entered, house_of, know, read
from services.said import Answer
from services.sight import no_seat, sight
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


class Propose(Struct, frozen=True, forbid_unknown_fields=True):
    what: e.What


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """`to` is the seq of the proposal, so that it is no answer to another."""

    to: Annotated[int, Meta(ge=1, le=e.LONGEST)]
    yes: bool


@routes.post(
    "/matches/{match}/propose",
    openapi_extra=takes(
        body=Propose, gives={201: Answer, 202: None}, problems=PROBLEMS, token=True
    ),
)
async def propose(match: str, request: Request) -> Response:
    """Propose something that all seats held by people have to agree on: to end the match without a
    result, to pause it, that a player or a robot takes a seat, or to take moves back."""
    player = await know(request)
    asked = await read(request, Propose)
    return await entered(request, match, proposing(match, player, asked.what), player)


@routes.post(
    "/matches/{match}/answer",
    openapi_extra=takes(body=Reply, gives={201: Answer, 202: None}, problems=PROBLEMS, token=True),
)
async def answer(match: str, request: Request) -> Response:
    """Agree to what is proposed, or not; who proposed it takes it back by a no."""
    player = await know(request)
    asked = await read(request, Reply)
    return await entered(request, match, answering(match, player, asked.to, asked.yes), player)


SAYING = takes(gives={201: Answer, 202: None}, problems=PROBLEMS, token=True)


@routes.post("/matches/{match}/resume", openapi_extra=SAYING)
async def resume(match: str, request: Request) -> Response:
    """Let the clocks of a paused match run again."""
    player = await know(request)
    return await entered(request, match, resuming(match, player), player)


@routes.post("/matches/{match}/return", openapi_extra=SAYING)
async def come_back(match: str, request: Request) -> Response:
    """Take the seat that the table gave you by vote, or your own again from the robot that took
    it when your time was up or the table wanted it."""
    player, house = await know(request), house_of(request)
    return await answered(house, match, await sat_again(house, match, player), player)


async def sat_again(house: House, match: str, player: str) -> door.Answer:
    """The door's answer to who wants to sit where there is a seat for it."""
    now = await house.newest(match)
    if seat_for(now, player) is None:
        raise no_seat(await sight(house, match, player))
    await counted(house, player, "seats", match)
    return await house.talk(returning(match, player))


def seat_for(match: Match, player: str | None) -> Seat | None:
    """Where a player could sit down; whether it may, the fold decides."""
    promised = (seat for seat, whom in match.promised if whom == player)
    held = (s for s, h in enumerate(match.holders) if h.player == player and h.robot)
    return next(promised, next(held, None)) if player and not match.over else None


def proposing(name: str, player: str, what: e.What) -> Talk[door.Answer]:
    return _of_seat(name, player, lambda seat: e.Proposed(seat, what))


def answering(name: str, player: str, to: int, yes: bool) -> Talk[door.Answer]:
    return _of_seat(name, player, lambda seat: e.Answered(seat, to, yes))


def resuming(name: str, player: str) -> Talk[door.Answer]:
    return _of_seat(name, player, e.Resumed)


def returning(name: str, player: str) -> Talk[door.Answer]:
    def make(match: Match) -> e.Entry | No:
        seat = seat_for(match, player)
        return No.NOT_INVITED if seat is None else e.Seated(seat, player)

    return door.enter(name, make)


def _of_seat(name: str, player: str, make: Callable[[Seat], e.Entry]) -> Talk[door.Answer]:
    """Enter what the seat of a player says, if it has one."""

    def made(match: Match) -> e.Entry | No:
        seat = seat_of(match, player)
        if match.over or seat is None:
            return No.OVER if match.over else No.NOT_SEATED
        return make(seat)

    return door.enter(name, made)


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
