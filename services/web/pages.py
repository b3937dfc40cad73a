"""The pages around a table: the front, the lobby, the rules, an offer, oneself."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any, NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from engine.catalogue import GAMES
from engine.contract import Said
from services import door, roll
from services.house import House
from services.lobby import Offer, Sit, invited_to, listed, offer_match
from services.problems import Problem
from services.requests import answered, house_of
from services.said import Page, Summary
from services.web import forms, readmes, render
from services.web.boards import BOARDS
from services.web.people import guest, names_of
from services.web.render import page
from services.web.samples import sample
from services.web.session import Form, Session, forget, player_in, posted, remember, session_of
from services.web.shown import listing
from services.web.tongues import _

routes = APIRouter(include_in_schema=False)
STATES = {"open": "Open", "running": "Being played", "over": "Over"}
SHORT, LONG, WALL = 6, 30, 12  # rows of a list
FEATURED = 2  # matches whose boards move on the front page
NAME = 40  # letters of a name
MINE = 200  # of my own matches that are looked through


class Row(NamedTuple):
    """A match in a list."""

    match: str
    game: str
    status: str
    seats: str
    says: str
    mine: bool  # it waits for me
    at: int
    seq: int


async def front(request: Request) -> Response:
    """What this is, a game in one click, matches to join and to watch."""
    house, session = house_of(request), await session_of(house_of(request), request)
    me = session.player if session else None
    open_, running = [
        await rows_of(house, await listed(house, me, state, limit=SHORT), me)
        for state in ("open", "running")
    ]
    mine = [row for row in await _mine(house, session) if row.status != "over"]
    mine = [*await _invited(house, session), *mine][:SHORT]
    return page(
        request,
        "front.html",
        session,
        mine=mine,
        open=open_,
        running=running[FEATURED:],
        featured=running[:FEATURED],
        drawn=BOARDS,
    )


@routes.get("/lobby")
async def lobby(request: Request) -> Response:
    """All matches of a state, the newest first."""
    house, query = house_of(request), request.query_params
    session = await session_of(house, request)
    state, game = query.get("state", "open"), query.get("game") or None
    if state not in STATES or game not in (None, *GAMES):
        raise Problem("no-such-thing")
    me = session.player if session else None
    found = await listed(house, me, state, game, None, query.get("after"), LONG)
    rows = await rows_of(house, found, me)
    here = f"/lobby?state={state}" + (f"&game={game}" if game else "")
    shown: dict[str, Any] = {"state": state, "game": game, "rows_": rows, "next": found.next}
    shown |= {"here": here, "older": "after" in query}
    return page(request, "lobby.html", session, states=STATES, **shown)


@routes.get("/wall")
async def wall(request: Request) -> Response:
    """The boards of many matches at once, as their watchers see them, live."""
    house, session = house_of(request), await session_of(house_of(request), request)
    me = session.player if session else None
    running = await rows_of(house, await listed(house, me, "running", limit=WALL), me)
    return page(request, "wall.html", session, running=running)


@routes.get("/me")
async def me(request: Request) -> Response:
    """One's own matches, those that wait for oneself first."""
    house = house_of(request)
    session = await session_of(house, request)
    names = await names_of(house, [session.player] if session else [])
    name = names[session.player] if session else ""
    mine, invited = await _mine(house, session), await _invited(house, session)
    until = await house.ask(roll.away_until(session.player)) if session else None
    away = until if until and until > door.now() else None
    return page(request, "me.html", session, mine=mine, invited=invited, name=name, away=away)


@routes.post("/me/name")
async def rename(request: Request) -> Response:
    """Be called otherwise from now on."""
    house = house_of(request)
    form = await posted(house, request)
    player, name = player_in(form), form.first("name").strip()
    if not (0 < len(name) <= NAME and name.isprintable()):
        raise Problem(
            "invalid", Said("A name has 1 to {n} letters, digits, signs and spaces.", {"n": NAME})
        )
    await house.ask(roll.add_player(player, name, door.now()))
    return RedirectResponse("/me", 303)


@routes.post("/me/leave")
async def sign_out(request: Request) -> Response:
    """Have the browser forget who sat at it; its token is nobody's from here on."""
    house = house_of(request)
    session = (await posted(house, request)).session
    if session is not None:
        await house.talk(roll.revoke(session.player, roll.hashed(session.token)))
    response = RedirectResponse("/", 303)
    forget(response, request)
    return response


@routes.get("/next")
async def next_match(request: Request) -> Response:
    """To the next match in which it is my turn, after the one that `after` names."""
    house = house_of(request)
    session = await session_of(house, request)
    waiting = [row.match for row in await _mine(house, session) if row.mine]
    after = request.query_params.get("after")
    at = waiting.index(after) + 1 if after in waiting else 0
    others = [match for match in waiting[at:] + waiting[:at] if match != after]
    return RedirectResponse(f"/table/{others[0]}" if others else "/me", 303)


@routes.get("/rules/{game}")
async def rules(game: str, request: Request) -> Response:
    """The rules of a game, as we play them."""
    session = await session_of(house_of(request), request)
    if game not in GAMES:
        raise Problem("no-such-thing", "There is no game of this name.")
    return page(request, "rules.html", session, game=game, text=readmes.rules(game))


@routes.get("/pictures/{game}.svg")
async def sample_of(game: str) -> Response:
    """What a game looks like."""
    if game not in GAMES:
        raise Problem("no-such-thing", "There is no game of this name.")
    sent = render.svg(await asyncio.to_thread(sample, game))
    sent.headers["cache-control"] = "public, max-age=3600"
    return sent


@routes.get("/static/{name}")
async def static(name: str) -> Response:
    return render.static(name)


# Offers


@routes.post("/play")
async def play(request: Request) -> Response:
    """A match against a robot, at once."""
    form = await posted(house_of(request), request)
    game = form.first("game")
    if game not in GAMES:
        raise Problem("no-such-thing", "There is no game of this name.")
    fewest = max(2, GAMES[game].seats(GAMES[game].Options())[0])
    seats = (None, *["greedy"] * (fewest - 1))
    asked = Offer(game, seats, join=Sit(secrets.token_hex(32), 0))  # type: ignore[arg-type]
    return await _offered(request, form, asked)


@routes.get("/offer")
async def new_offer(request: Request) -> Response:
    """A form: which game, with what options, who may join."""
    game = request.query_params.get("game", next(iter(GAMES)))
    if game not in GAMES:
        raise Problem("no-such-thing", "There is no game of this name.")
    session = await session_of(house_of(request), request)
    return _form(request, session, game, Form(session, []), None)


@routes.post("/offer")
async def offer(request: Request) -> Response:
    """Offer what was filled in; or the form again, with what is wrong."""
    form = await posted(house_of(request), request)
    try:
        return await _offered(request, form, forms.offer(form, secrets.token_hex(32)))
    except Problem as problem:
        if problem.name != "invalid":
            raise
        says = "; ".join(map(forms.wrong, problem.more.get("errors", [problem.detail])))
        return _form(request, form.session, form.first("game"), form, says)


def _form(
    request: Request, session: Session | None, game: str, form: Form, wrong: str | None
) -> Response:
    allowed = GAMES[game].seats(GAMES[game].Options())
    filled = forms.options(game, form) if form.fields else None
    return page(
        request,
        "offer.html",
        session,
        422 if wrong else 200,
        game=game,
        fields=forms.fields(game, filled),
        form=form,
        wrong=wrong,
        seats=(allowed[0], allowed[-1]),
        clocks=forms.CLOCKS,
        leaves=forms.LEAVES,
        rests=forms.RESTS,
        vacations=forms.VACATIONS,
        expiries=forms.EXPIRIES,
        absences=forms.ABSENCES,
        watchers=forms.WATCHERS,
        late=forms.LATE,
        chats=forms.CHATS,
        robots=forms.ROBOTS,
    )


async def _offered(request: Request, form: Form, asked: Offer) -> Response:
    """Make the offer, as a guest if need be, and go to its table."""
    house = house_of(request)
    session = form.session or await guest(request)
    name, given = await offer_match(house, asked, session.player, None)
    await answered(house, name, given, session.player)
    return seated(request, form, session, name)


def seated(request: Request, form: Form, session: Session, match: str) -> Response:
    """To the table, remembered as who one is by now."""
    response = RedirectResponse(f"/table/{match}", 303)
    if form.session is None:
        remember(response, request, session.token)
    return response


# Lists


async def _mine(house: House, session: Session | None) -> list[Row]:
    """My matches: those that wait for me, then those that run or will, then those over."""
    if session is None:
        return []
    me = session.player
    found = await listed(house, me, None, None, me, None, MINE)
    rows = await rows_of(house, found, me)
    return sorted(rows, key=lambda row: (not row.mine, row.status == "over"))


async def _invited(house: House, session: Session | None) -> list[Row]:
    """Matches that I may join, or watch while they are played, because somebody wants me to."""
    if session is None:
        return []
    rows = await rows_of(house, await invited_to(house, session.player), session.player)
    return [row._replace(says=_("You are invited")) for row in rows if row.status != "over"]


async def rows_of(house: House, found: Page, me: str | None) -> list[Row]:
    """The matches of a page of a list, as rows."""
    ids = [place.player for summary in found.matches for place in summary.seats]
    names = await names_of(house, ids)
    return [_row(summary, names, me) for summary in found.matches]


def _row(summary: Summary, names: dict[str, str], me: str | None) -> Row:
    own = next((s for s, place in enumerate(summary.seats) if place.player == me), None)
    mine = me is not None and own in summary.to_act
    seats, says = listing(summary.seats, summary.to_act, summary.status, names)
    says = _("Your turn") if mine else says
    return Row(
        summary.match, summary.game, summary.status, seats, says, mine, summary.at, summary.seq
    )
