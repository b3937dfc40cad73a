"""The replay of a match: its table at any moment, as whoever may look back at it saw it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from engine.contract import Seat
from engine.look import News, places
from engine.match import Match
from services.answers import read_news
from services.house import House
from services.requests import house_of, number
from services.sight import Sight, moment, sight, told_again
from services.web.drawing import board, picture
from services.web.noting import noted_of
from services.web.people import names_of
from services.web.readmes import title
from services.web.render import page, svg
from services.web.session import session_of
from services.web.shown import called
from services.web.tongues import _
from services.web.views import since, view

routes = APIRouter(include_in_schema=False)
WINDOW = 8  # entries before the one that is shown


@routes.get("/table/{match}/replay")
async def replay(match: str, request: Request) -> Response:
    """The table at one moment, and what led to it."""
    query, house = request.query_params, house_of(request)
    session = await session_of(house, request)
    asked = number(query, "seq", 0, 10**9) if query.get("seq") else None
    wanted = query.get("as") or None
    seen = await sight(house, match, session.player if session else None, wanted)
    then = await moment(house, seen, asked)
    now = seen.newest
    of = number(query, "of", 0, len(now.holders) - 1) if query.get("of") else None
    found = None if of is None else await _next_of(house, seen, then.seq, of)
    then = await moment(house, seen, found or then.seq)
    sat = called(now.holders, await names_of(house, {place.player for place in places(now)}))
    context = await view(house, seen, then, since(then, WINDOW))
    noted, hide = await noted_of(house, match, session), bool(query.get("hide"))
    sent = page(
        request,
        "replay.html",
        session,
        now=now,
        wanted=wanted,
        hide=hide,
        notes=[one for one in noted if one.seq <= then.seq or not hide],
        branched=bool(now.branched),
        missed=bool(query.get("missed")),
        sat=sat,
        views=_views(now, sat) if seen.open else [],
        opened=seen.open,
        none_later=sat[of] if of is not None and found is None else "",
        drawn=board(context["look"], context["seats"], context["news"]).drawn,
        **context,
    )
    kept = {name: query[name] for name in ("as", "hide") if query.get(name)}
    sent.headers["hx-replace-url"] = f"?{urlencode({'seq': then.seq, **kept})}"
    return sent


async def _next_of(house: House, seen: Sight, after: int, seat: Seat) -> int | None:
    """The next entry after `after` that a seat made, as far as this viewer heard of it."""
    while after < seen.newest.seq:
        told = await told_again(house, seen.name, after, seen.newest.seq)
        for one in told:
            if _mover(read_news(one, seen.viewer)) == seat:
                return one.seq
        after = told[-1].seq
    return None


def _mover(news: News) -> Seat | None:
    """Whose move an entry was: what is heard of it begins with that seat."""
    for fact in news.facts:
        if fact.get("seat") is not None:
            return None if fact["type"].startswith("match.") else int(fact["seat"])
    return None


@routes.get("/table/{match}/board.svg")
async def board_svg(match: str, request: Request) -> Response:
    """The table at one moment as a picture that needs nothing else."""
    query, house = request.query_params, house_of(request)
    session = await session_of(house, request)
    asked = number(query, "seq", 0, 10**9) if query.get("seq") else None
    seen = await sight(house, match, session.player if session else None, query.get("as") or None)
    then = await moment(house, seen, asked)
    shown = await view(house, seen, then, then.seq)
    head = f"{title(then.offered.game)}: {shown['stands']}"
    return svg(picture(shown["look"], shown["seats"], shown["news"], head))


def _views(now: Match, seats: Sequence[str]) -> list[tuple[str, str]]:
    """As whom one may look back: once over as anybody, with all faces open too."""
    each = [(str(seat), _("as {name} saw it", name=name)) for seat, name in enumerate(seats)]
    return [("open", _("all faces open")), ("watcher", _("as watchers saw it")), *each]
