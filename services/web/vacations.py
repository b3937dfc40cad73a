"""Vacation, on a page: asked for, confirmed, what is left of it, and what it does in each match."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from msgspec import UNSET

from engine.match import DAY
from services import door, roll
from services.accounts import FARTHEST, go_away
from services.house import House, seat_of
from services.lobby import listed
from services.requests import house_of
from services.said import Summary
from services.web.pages import MINE, Row, rows_of
from services.web.render import page
from services.web.session import Session, player_in, posted, session_of
from services.web.tongues import _, _n

routes = APIRouter(include_in_schema=False)


class Leave(NamedTuple):
    """What a player has of vacation: all times in ms since 1970 UTC."""

    now: int
    until: int | None  # that it is away till
    left: int | None  # days of the year in which more of it would begin; None: as many as it likes

    @property
    def since(self) -> int:
        """When more of it would begin."""
        return self.until or self.now


@routes.get("/me/vacation")
async def vacation(request: Request) -> Response:
    """How long I am away, and what of it is left; with `until`, whether I mean that day."""
    house = house_of(request)
    session = await session_of(house, request)
    if session is None:
        return page(request, "vacation.html", None)
    leave, day = await _leave(house, session.player), request.query_params.get("until", "")
    until = _midnight(day)
    wrong = why_not(leave, until) if day else ""
    return page(
        request,
        "vacation.html",
        session,
        422 if wrong else 200,
        leave=leave,
        most=house.limits.vacation,
        day=day,
        until=0 if wrong else until,
        days=roll.begun(leave.since, until),
        wrong=wrong,
        first=datetime.fromtimestamp((leave.since + DAY) / 1000, UTC).date(),
        mine=await _mine(house, session),
    )


@routes.post("/me/vacation")
async def go(request: Request) -> Response:
    """Be away until then; a day that will not do is asked for again."""
    house = house_of(request)
    form = await posted(house, request)
    player, day = player_in(form), form.first("until")
    until = _midnight(day)
    if why_not(await _leave(house, player), until):
        return RedirectResponse("/me/vacation", 303)
    await go_away(house, player, until)
    return RedirectResponse("/me/vacation", 303)


async def _leave(house: House, player: str) -> Leave:
    now, most = door.now(), house.limits.vacation
    until = await house.ask(roll.away_until(player)) or 0
    used = await house.ask(roll.used(player, max(now, until)))
    return Leave(now, until if until > now else None, max(0, most - used) if most else None)


def _midnight(day: str) -> int:
    """When a day begins, in UTC; 0 if that is none."""
    try:
        begins = datetime.fromisoformat(day).replace(tzinfo=UTC)
    except ValueError:
        return 0
    return int(begins.timestamp() * 1000)


def why_not(leave: Leave, until: int) -> str:
    """Why nobody can be away until then; nothing if one can."""
    if not leave.since < until < leave.now + FARTHEST:
        return _("Name a day ahead, within a year.")
    if leave.left is not None and roll.begun(leave.since, until) > leave.left:
        return _n("{count} day is left.", "{count} days are left: name an earlier day.", leave.left)
    return ""


async def _mine(house: House, session: Session) -> list[Row]:
    """My matches that have a clock, and what a vacation does to it."""
    found = await listed(house, session.player, "running", None, session.player, None, MINE)
    timed = [one for one in found.matches if one.policy.clock is not None]
    rows = await rows_of(house, type(found)(tuple(timed), None), session.player)
    says = [await _stops(house, one, session.player) for one in timed]
    return [row._replace(says=said, mine=False) for row, said in zip(rows, says, strict=True)]


async def _stops(house: House, one: Summary, player: str) -> str:
    most = one.policy.vacation
    if most is UNSET:
        return _("Your clock stands still as long as you are away.")
    if most == 0:
        return _("Your clock runs on: there is no vacation in this match.")
    match = await house.newest(one.match)
    seat = seat_of(match, player)
    had = 0 if seat is None else sum(b - a for a, b in match.holders[seat].away)
    left = max(0, most - roll.begun(0, had))
    return _n("{count} day is left in this match.", "{count} days are left in this match.", left)
