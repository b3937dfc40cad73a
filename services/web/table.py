"""A match's own page: the table, the move in the making, the log, live; and its replay."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from engine import entries as e
from engine.contract import Viewer
from engine.fold import replay as replayed
from engine.look import heard, look, places
from engine.match import Match, No, encode
from services import door, ledger
from services.answers import read_news
from services.house import House, seat_of
from services.lobby import sat_down
from services.problems import Problem
from services.rematch import offer_again
from services.requests import answered, entered, house_of, number
from services.sight import Sight, moment, no_seat, sight, told_again
from services.web import shown
from services.web.pages import seated
from services.web.people import guest, names_of
from services.web.render import page
from services.web.session import Form, Session, posted, session_of

routes = APIRouter(include_in_schema=False)
LOG = 60  # entries of the log beside a table
WINDOW = 8  # entries before the one that a replay shows


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
    player = _player(form)
    seen = await sight(house, match, player)
    now, seat = seen.now, seat_of(seen.now, player)
    if seat is None:
        raise no_seat(seen)
    try:
        body = encode(now.game.words.read(text[: shown.LONGEST]))
    except ValueError as error:
        raise Problem("invalid", f"That is no move: {error}.") from error
    fresh, key = number(dict(form.fields), "seq", now.seq, 10**9), form.first("key")
    hashed = door.hashed_key(key[:255]) if key else None
    given = await house.talk(door.play(match, now, seat, body, hashed, fresh, player))
    await answered(house, match, given, player)


def _why(problem: Problem) -> str:
    if problem.name == "stale":
        return "The table changed before your move came. Look again, then play."
    return problem.detail


async def _again(request: Request, match: str, form: Form, text: str, wrong: str) -> Response:
    """The table after a move: what changed to htmx, the whole page to others."""
    if "hx-request" in request.headers:
        after = number(dict(form.fields), "after", 0, 10**9)
        return await _table(request, match, form.session, [text], after, wrong, played=not wrong)
    if not wrong:
        return RedirectResponse(f"/table/{match}", 303)
    return await _table(request, match, form.session, [text], None, wrong)


# Seats


@routes.post("/table/{match}/join")
async def join(match: str, request: Request) -> Response:
    """Take an open seat, as a guest if need be."""
    house = house_of(request)
    form = await posted(house, request)
    house.checked(match)
    session = form.session or await guest(request)
    given = await sat_down(house, match, session.player, None, _entropy(form))
    await answered(house, match, given, session.player)
    return seated(request, form, session, match)


def _entropy(form: Form) -> str:
    """What the browser drew and kept; without scripts it is drawn here."""
    drawn = form.first("entropy")
    return drawn if re.fullmatch("[0-9a-f]{64}", drawn) else secrets.token_hex(32)


@routes.post("/table/{match}/rematch")
async def rematch(match: str, request: Request) -> Response:
    """The same match again, for the same players, with a seat of it taken."""
    house = house_of(request)
    form = await posted(house, request)
    player = _player(form)
    name, given = await offer_again(house, match, player)
    await answered(house, name, given, player)
    if seat_of(await house.newest(name), player) is None:
        given = await sat_down(house, name, player, None, secrets.token_hex(32))
        await answered(house, name, given, player)
    return RedirectResponse(f"/table/{name}", 303)


@routes.post("/table/{match}/leave")
async def leave(match: str, request: Request) -> Response:
    """Give one's seat back before the deal, withdraw one's offer, or resign after it."""
    house = house_of(request)
    form = await posted(house, request)
    player = _player(form)

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


def _player(form: Form) -> str:
    if form.session is None:
        raise Problem("who-are-you", "This browser has no seat here.")
    return form.session.player


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
    begin = max(0, now.seq - LOG, now.branched - 1) if after is None else min(after, now.seq)
    context = await _shown(house, seen, now)
    context["log"] = await _log(house, name, begin, now, viewer, context)
    making = shown.making(now, viewer, [one for one in trail if one])
    return page(
        request,
        "table.html" if after is None else "live.html",
        session,
        422 if wrong else 200,
        match=name,
        making=making,
        fresh=after is None or after < now.seq,
        begin=begin,
        typed=trail[-1] if wrong else "",
        wrong=wrong,
        played=played,
        chosen=bool(making.trail) and not wrong and "making" in request.query_params,
        key=secrets.token_urlsafe(12),
        offerer=player is not None and player == now.offered.by,
        **context,
    )


async def _shown(house: House, sighted: Sight, then: Match) -> dict[str, Any]:
    """What every view of a match, at one of its moments, shows."""
    names = await names_of(house, {place.player for place in places(then)})
    seats = shown.called(then.holders, names)
    seen = look(then, sighted.at(then), sighted.name, legal=False)
    return {
        "look": seen,
        "late": sighted.lateness,
        "names": names,
        "seats": seats,
        "sitters": shown.sitters(then, seen, seats),
        "stands": shown.status(seen, seats),
        "board": shown.board(seen, seats),
    }


async def _log(
    house: House, name: str, after: int, now: Match, viewer: Viewer, context: dict[str, Any]
) -> list[shown.Line]:
    """What the viewer has heard of the entries after `after`."""
    heard_ = (read_news(one, viewer) for one in await told_again(house, name, after, now.seq))
    names, seats = context["names"], context["seats"]
    return [shown.line(now, news, names, seats) for news in heard_]


# Replay


@routes.get("/table/{match}/replay")
async def replay(match: str, request: Request) -> Response:
    """The table at one moment, and what led to it."""
    query, house = request.query_params, house_of(request)
    session = await session_of(house, request)
    player = session.player if session else None
    asked = number(query, "seq", 0, 10**9) if query.get("seq") else None
    wanted = query.get("as") or None
    seen = await sight(house, match, player, wanted)
    then = await moment(house, seen, asked)
    context = await _shown(house, seen, then)
    context["log"] = await _before(house, seen, then, context)
    views = _views(seen.newest, context["seats"])
    context |= {"match": match, "now": seen.newest, "wanted": wanted, "views": views}
    return page(request, "replay.html", session, **context)


async def _before(
    house: House, seen: Sight, then: Match, context: dict[str, Any]
) -> list[shown.Line]:
    """The last entries up to a moment, as the viewer heard them."""
    after = max(0, then.seq - WINDOW, then.branched - 1)
    lines = await house.ask(ledger.log(seen.name, after, then.seq - after))
    before = await house.talk(door.moment(seen.name, after)) if after else None
    folded = replayed((one.line for one in lines), before)
    return [
        shown.Line(
            match.seq,
            match.at,
            shown.sentences(
                match.offered.game,
                heard(verdict, seen.at(match)),
                context["names"],
                context["seats"],
            ),
        )
        for match, verdict in folded
    ]


def _views(now: Match, seats: Sequence[str]) -> list[tuple[str, str]]:
    """As whom one may look back: once over as anybody, with all faces open too."""
    if not now.over:
        return []
    each = [(str(seat), f"as {name} saw it") for seat, name in enumerate(seats)]
    return [("open", "all faces open"), ("watcher", "as watchers saw it"), *each]
