"""A match's own page: the table, the move in the making, the log, live."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from engine.contract import Said, Viewer
from engine.dice import Dice
from engine.match import Match, encode
from engine.robots import greedy
from services import door
from services.agreements import seat_for
from services.house import House, seat_of
from services.problems import Problem
from services.rematch import next_of
from services.requests import answered, house_of, number
from services.sight import no_seat, sight
from services.web import shown
from services.web.drawing import board
from services.web.noting import noted_of
from services.web.ordering import ordered_of
from services.web.render import page, told
from services.web.session import Form, Session, player_in, posted, session_of
from services.web.talking import talk_of
from services.web.tongues import _
from services.web.views import since, view
from services.web.watchers import guests_of

routes = APIRouter(include_in_schema=False)
LOG = 60  # entries of the log beside a table


@routes.get("/table/{match}")
async def table(match: str, request: Request) -> Response:
    """The table as it is, for whoever asks."""
    session = await session_of(house_of(request), request)
    return await _table(request, match, session, _trail(request))


@routes.get("/table/{match}/live")
async def live(match: str, request: Request) -> Response:
    """What changed since `after`, and the move in the making; nothing if nothing did."""
    query, house = request.query_params, house_of(request)
    session = await session_of(house, request)
    after = number(query, "after", 0, 10**9)
    seen = await sight(house, match, session.player if session else None)
    if "making" not in query and seen.newest.seq == after:
        return Response(status_code=204)
    return await _table(request, match, session, _trail(request), after)


def _trail(request: Request) -> list[str]:
    """A move in the making, as it grew: what is made, and the piece that was just chosen."""
    query = request.query_params
    return [*query.getlist("made"), *query.getlist("move")]


@routes.post("/table/{match}/moves")
async def move(match: str, request: Request) -> Response:
    """Play a move, written as its game writes it."""
    house = house_of(request)
    form = await posted(house, request)
    text = " ".join(form.first("move").split())
    try:
        await _play(house, match, form, text)
    except Problem as problem:
        if problem.name not in ("refused", "stale", "invalid", "over", "not-yours"):
            raise
        return await _again(request, match, form, text, _why(problem))
    return await _again(request, match, form, "", "")


async def _play(house: House, match: str, form: Form, text: str) -> None:
    player = player_in(form)
    seen = await sight(house, match, player)
    now, seat = seen.now, seat_of(seen.now, player)
    if seat is None:
        raise no_seat(seen)
    try:
        body = encode(now.game.words.read(text[: shown.LONGEST]))
    except ValueError as error:
        says = Said(str(error))
        raise Problem("invalid", Said("That is no move: {form}.", {"form": says})) from error
    fresh, key = number(dict(form.fields), "seq", now.seq, 10**9), form.first("key")
    hashed = door.hashed_key(key[:255]) if key else None
    given = await house.talk(door.play(match, now, seat, body, hashed, fresh, player))
    await answered(house, match, given, player)


def _why(problem: Problem) -> str:
    if problem.name == "stale":
        return _("The table changed before your move came. Look again, then play.")
    return told(problem)


async def _again(request: Request, match: str, form: Form, text: str, wrong: str) -> Response:
    """The table after a move: what changed to htmx, the whole page to others."""
    if "hx-request" in request.headers:
        after = number(dict(form.fields), "after", 0, 10**9)
        return await _table(request, match, form.session, [text], after, wrong, played=not wrong)
    if not wrong:
        return RedirectResponse(f"/table/{match}", 303)
    return await _table(request, match, form.session, [text], None, wrong)


async def _suggested(now: Match, viewer: Viewer) -> list[str]:
    """What a greedy robot would play here, knowing what the seat knows; not where it counts."""
    if viewer not in now.to_act or now.offered.policy.rated or not isinstance(viewer, int):
        return []
    dice = Dice(secrets.token_bytes(32), 0)
    move = await asyncio.to_thread(greedy, now.game, now.state, viewer, dice)
    return [now.game.words.write(move)]


# What a table shows


async def _table(
    request: Request,
    name: str,
    session: Session | None,
    trail: Sequence[str],
    after: int | None = None,
    wrong: str = "",
    played: bool = False,
) -> Response:
    """The whole page or, with `after`, the parts of it that changed since that seq."""
    house = house_of(request)
    player = session.player if session else None
    seen = await sight(house, name, player)
    now, viewer = seen.newest, seen.viewer
    begin = since(now, LOG) if after is None else min(after, now.seq)
    if "suggest" in request.query_params:
        trail = await _suggested(now, viewer)
    making = shown.making(now, viewer, [one for one in trail if one])
    chosen = not wrong and "making" in request.query_params
    held = request.query_params.get("hold", "")
    seen_now = await view(house, seen, now, begin)
    look, seats, news = seen_now["look"], seen_now["seats"], seen_now["news"]
    drawn = board(look, seats, news, making, held, chosen)
    return page(
        request,
        "table.html" if after is None else "live.html",
        session,
        422 if wrong else 200,
        making=making,
        fresh=after is None or after < now.seq,
        begin=begin,
        typed=trail[-1] if wrong else "",
        wrong=wrong,
        played=played,
        chosen=chosen and (bool(making.trail) or bool(held)),
        held=held,
        groups=making.groups(drawn.placed),
        drawn=drawn.drawn,
        placed=bool(drawn.placed),
        key=secrets.token_urlsafe(12),
        branched=bool(now.branched),
        opened=seen.open,
        may_sit=seat_for(now, player) is not None and not isinstance(viewer, int),
        offerer=player is not None and player == now.offered.by,
        **await guests_of(house, now, player),
        **await ordered_of(house, seen, request.query_params, seats),
        again=await next_of(house, seen),
        notes=await noted_of(house, name, session if after is None else None),
        **(await talk_of(house, seen) if after is None else {}),
        **seen_now,
    )
