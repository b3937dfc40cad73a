"""The pages of tournaments: which there are, how one stands, taking part in it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from msgspec import ValidationError, convert

from engine.match import committed
from services import organise, tournaments
from services.organise import NewTournament
from services.pairing import standings
from services.problems import Problem
from services.requests import house_of
from services.tournaments import Tournament
from services.web.forms import whole
from services.web.people import names_of
from services.web.render import page
from services.web.session import player_in, posted, session_of

routes = APIRouter(include_in_schema=False)
KINDS = {"swiss": "Swiss: like points meet", "round-robin": "everybody meets everybody"}
DAYS = {"1": "a day", "3": "three days", "7": "a week"}
LISTED = 50


@routes.get("/contests")
async def listed(request: Request) -> Response:
    """Which tournaments there are; a form for a new one."""
    house = house_of(request)
    session = await session_of(house, request)
    ids = await house.ask(tournaments.newest(LISTED))
    found = [await house.ask(tournaments.read(id)) for id in ids]
    shown = [one for one in found if one is not None]
    return page(request, "tournaments.html", session, all=shown, kinds=KINDS, days=DAYS)


@routes.post("/contests")
async def begin(request: Request) -> Response:
    """Organise one, and take part in it."""
    house = house_of(request)
    form = await posted(house, request)
    player, days = player_in(form), form.first("days", "3")
    same = bool(form.first("same"))
    asked = {
        "name": form.first("name").strip(),
        "game": form.first("game"),
        "kind": form.first("kind", "swiss"),
        "rounds": whole(form.first("rounds", "5")),
        "same_deals": same,
        "policy": _policy(whole(days), bool(form.first("rated")) and not same),
    }
    try:
        wanted = convert(asked, NewTournament)
    except ValidationError as error:
        raise Problem("invalid", errors=[str(error)]) from error
    new = await organise.organised(house, player, wanted)
    await house.talk(tournaments.changed(new.id, tournaments.joined(player)))
    return RedirectResponse(f"/contest/{new.id}", 303)


def _policy(days: int, rated: bool) -> dict[str, Any]:
    seconds = days * 86_400
    return {"clock": {"type": "move", "seconds": seconds}, "fill": seconds, "rated": rated}


@routes.get("/contest/{id}")
async def standing(id: str, request: Request) -> Response:
    """How it stands: players, rounds, their matches."""
    house = house_of(request)
    session = await session_of(house, request)
    one = await organise.found(house, id)
    names = await names_of(house, {*one.players, one.by})
    shown: dict[str, Any] = {"one": one, "names": names, "kinds": KINDS}
    shown["rounds"], shown["rows"] = one.shown, standings(one.players, one.shown)
    shown["commitments"] = " ".join(map(committed, one.secrets))
    return page(request, "tournament.html", session, **shown)


@routes.post("/contest/{id}/{what}")
async def change(id: str, what: str, request: Request) -> Response:
    """Join, leave or start it."""
    house = house_of(request)
    form = await posted(house, request)
    await _change(request, id, what, player_in(form), form.entropy)
    return RedirectResponse(f"/contest/{id}", 303)


async def _change(request: Request, id: str, what: str, player: str, entropy: str) -> Tournament:
    house = house_of(request)
    if what == "come":
        return await organise.changed(house, id, tournaments.joined(player, entropy))
    if what == "go":
        return await organise.changed(house, id, tournaments.left(player))
    if what == "begin":
        return await organise.started(house, id, player)
    raise Problem("no-such-thing")
