"""Orders for later, from a browser: asked for, confirmed, withdrawn, shown to their owner alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from engine.contract import Said
from engine.match import Match, encode, moves_of
from services.house import House
from services.later import give, orders_of, take_back
from services.orders import BACK, BY_HAND, Order
from services.problems import Problem
from services.requests import house_of
from services.sight import Sight, sight
from services.web import conditions
from services.web.session import player_in, posted
from services.web.shown import LONGEST
from services.web.tongues import _, tongue

routes = APIRouter(include_in_schema=False)


class Shown(NamedTuple):
    """An order, for its owner."""

    id: str
    move: str
    when: str  # in words; nothing if it waits for its turn alone
    void: str  # why it is not played; nothing if it will be


@routes.post("/table/{match}/orders")
async def order(match: str, request: Request) -> Response:
    """Have a move played once it is one's turn; asked again if it is not confirmed."""
    house = house_of(request)
    form = await posted(house, request)
    player, text = player_in(form), form.first("move")
    if not form.first("confirm"):
        asked = urlencode({"order": text, "heard": form.first("heard")})
        return RedirectResponse(f"/table/{match}?{asked}", 303)
    now = (await sight(house, match, player)).now
    when = conditions.asked(now.game, form)
    try:
        move = encode(now.game.words.read(text[:LONGEST]))
    except ValueError as error:
        raise Problem("invalid", _no_move(error)) from error
    await give(house, match, player, move, when)
    return RedirectResponse(f"/table/{match}", 303)


@routes.post("/table/{match}/orders/withdraw")
async def withdraw(match: str, request: Request) -> Response:
    """Take an order back."""
    house = house_of(request)
    form = await posted(house, request)
    await take_back(house, match, player_in(form), form.first("order"))
    return RedirectResponse(f"/table/{match}", 303)


async def ordered_of(
    house: House, seen: Sight, asked: Mapping[str, str], seats: Sequence[str]
) -> dict[str, Any]:
    """What a table shows its viewer: the orders that wait, the entries that came of some, what one
    can wait for, and the one that is asked for and not confirmed, or why that is no move."""
    shown: dict[str, Any] = {"orders": [], "came": (), "ordering": "", "no_order": ""}
    if not isinstance(seen.viewer, int) or seen.player is None:
        return shown
    game, given = seen.now.game, await orders_of(house, seen.name, seen.player)
    waiting = [_shown(seen.now, one, seats) for one in given.waiting]
    kinds, heard = conditions.kinds(game), asked.get("heard", "")
    shown |= {"orders": waiting, "came": given.played, "kinds": kinds, "heard": ""}
    if heard in kinds:
        shown |= {"heard": heard, "known": conditions.parts(game, heard)}
    text = " ".join(asked.get("order", "").split())[:LONGEST]
    if not text or seen.now.status != "running":
        return shown
    words = seen.now.game.words
    try:
        return shown | {"ordering": words.write(words.read(text))}
    except ValueError as error:
        return shown | {"no_order": _no_move(error).sentence((), tongue())}


def _shown(now: Match, one: Order, seats: Sequence[str]) -> Shown:
    move = now.game.words.write(moves_of(now.game).decode(one.move))
    when = conditions.said(now.game, one.when, seats) if one.when else ""
    return Shown(one.id, move, when, _void(one))


def _void(one: Order) -> str:
    if one.void == BY_HAND:
        return _("You have played yourself since you gave it.")
    if one.void == BACK:
        return _("The table has taken moves back since you gave it.")
    return _(one.void.says) if one.void else ""


def _no_move(error: ValueError) -> Said:
    return Said("That is no move: {form}.", {"form": Said(str(error))})
