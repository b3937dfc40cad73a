"""Routes for whom a table lets in: invited to watch and to join, admitted to see all faces."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from engine import entries as e
from engine.match import Match, No
from services import door, roll
from services.house import own_seat, seat_of
from services.openapi import takes
from services.problems import Problem
from services.requests import entered, house_of, know, read, replied
from services.said import Answer, Invitation
from services.sight import sight
from services.wire import Talk

routes = APIRouter()
HOSTS = "Who is invited is for the players to know and, before the deal, for who offered."


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
    return await entered(request, match, inviting(match, player, whom), player)


@routes.post("/matches/{match}/uninvite", openapi_extra=INVITING)
async def uninvite(match: str, request: Request) -> Response:
    """Take an invitation back, whoever of you invited, as long as that player has not taken a seat
    and no seat has admitted it."""
    player, whom = await know(request), await _whom(request)
    return await entered(request, match, uninviting(match, player, whom), player)


@routes.post("/matches/{match}/admit", openapi_extra=INVITING)
async def admit(match: str, request: Request) -> Response:
    """Let a player who is invited see all faces, yours too: they do once all seats that players
    hold have admitted them. To admit again changes nothing, and it cannot be taken back."""
    player, whom = await know(request), await _whom(request)
    return await entered(request, match, admitting(match, player, whom), player)


@routes.get(
    "/matches/{match}/guests",
    openapi_extra=takes(
        gives={200: list[Invitation]},
        problems=["who-are-you", "not-yours", "no-such-thing", "stuck"],
        token=True,
    ),
)
async def guests(match: str, request: Request) -> Response:
    """Who is invited and has no seat, in the order of the invitations, and which seats have
    admitted them: for the players to know and, before the deal, for who offered."""
    player = await know(request)
    seen = await sight(house_of(request), match, player)
    if not hosts(seen.now, player):
        raise Problem("not-yours", HOSTS, seq=seen.newest.seq)
    return replied(invitations(seen.now))


async def _whom(request: Request) -> str:
    """The player whom the body names."""
    player = (await read(request, Whom)).player
    if await house_of(request).ask(roll.player_name(player)) is None:
        raise Problem("invalid", errors=["there is no such player - at `$.player`"])
    return player


# What the routes of the page do likewise


def inviting(name: str, player: str, whom: str) -> Talk[door.Answer]:
    """To invite somebody, as a player."""

    def judge(now: Match) -> door.Answer | bytes:
        guest = now.guest(whom)
        if not may_invite(now, player):
            return door.refusal(No.NOT_SEATED, now)
        if guest is not None:
            return door.Repeated(guest.seq, now)
        return e.encode(e.Invited(seat_of(now, player), whom))

    return door.judged(name, None, judge)


def uninviting(name: str, player: str, whom: str) -> Talk[door.Answer]:
    def judge(now: Match) -> door.Answer | bytes:
        if not may_invite(now, player):
            return door.refusal(No.NOT_SEATED, now)
        return e.encode(e.Uninvited(seat_of(now, player), whom))

    return door.judged(name, None, judge)


def admitting(name: str, player: str, whom: str) -> Talk[door.Answer]:
    def judge(now: Match) -> door.Answer | bytes:
        seat, guest = seat_of(now, player), now.guest(whom)
        if seat is None:
            return door.refusal(No.NOT_SEATED, now)
        at = dict(guest.admitted).get(seat) if guest else None
        return door.Repeated(at, now) if at else e.encode(e.Admitted(seat, whom))

    return door.judged(name, None, judge)


def may_invite(now: Match, player: str) -> bool:
    """Has this one a seat or, before the deal, offered the match?"""
    offered = now.state is None and now.offered.by == player
    return offered or seat_of(now, player) is not None


def hosts(now: Match, player: str) -> bool:
    """May this one know who is invited?"""
    return may_invite(now, player) or own_seat(now, player) is not None


def invitations(now: Match) -> list[Invitation]:
    """Those that are not used for a seat."""
    return [
        Invitation(guest.player, guest.seq, tuple(seat for seat, _ in guest.admitted))
        for guest in now.guests
        if seat_of(now, guest.player) is None
    ]
