"""Routes of orders for later: given with a confirmation, seen by their owner, withdrawn."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from msgspec import DecodeError, Meta, Raw, Struct, ValidationError, field

from engine.contract import Said
from engine.match import Match, No, encode, moves_of
from services import door, orders
from services.answers import refused
from services.house import House, seat_of
from services.invalid import in_words
from services.openapi import takes
from services.orders import Order, Orders
from services.problems import Problem
from services.requests import house_of, idempotency, know, read, replied
from services.said import Ordered, OrdersSaid
from services.sight import no_seat, sight

routes = APIRouter()
SURE = "An order is played without another word: send `confirm` with it, as true."
GONE = "You have no such order here: it was played, or withdrawn."


class Later(Struct, frozen=True, forbid_unknown_fields=True):
    """A move for later. `if` is part of a fact, which its owner has to hear first: without it the
    move is played as soon as the owner is waited for."""

    move: Raw
    when: Annotated[dict[str, Any], Meta(max_length=20)] | None = field(name="if", default=None)
    confirm: bool = False


@routes.get(
    "/matches/{match}/orders",
    openapi_extra=takes(
        gives={200: OrdersSaid}, problems=["who-are-you", "no-such-thing", "stuck"], token=True
    ),
)
async def my_orders(match: str, request: Request) -> Response:
    """Your orders that wait, in the order in which they are tried, those that went wrong with the
    reason; and which entries have come of orders of yours. Nobody else sees them."""
    player, house = await know(request), house_of(request)
    return replied(said(await orders_of(house, match, player)))


@routes.post(
    "/matches/{match}/orders",
    openapi_extra=takes(
        body=Later,
        gives={201: OrdersSaid},
        headers={"Idempotency-Key": "the same for each retry, so that it is one order"},
        problems=[
            *("bad-request", "who-are-you", "not-yours", "no-such-thing", "over", "too-large"),
            *("not-json", "invalid", "refused", "stuck", "too-many"),
        ],
        token=True,
    ),
)
async def order(match: str, request: Request) -> Response:
    """Order a move for later: it is played for you once you are waited for and, with `if`, have
    heard what it names. It need not be allowed now. Say `"confirm": true`."""
    player, house = await know(request), house_of(request)
    asked, key = await read(request, Later), idempotency(request)
    if not asked.confirm:
        raise Problem("invalid", SURE, errors=["confirm: true - at `$.confirm`"])
    if asked.when is not None and len(encode(asked.when)) > 2000:
        raise Problem("invalid", errors=["if: at most 2,000 bytes - at `$.if`"])
    id = door.hashed_key(f"{match} {key}")[:16] if key else orders.new_id()
    await give(house, match, player, bytes(asked.move), asked.when, id)
    return replied(said(await orders_of(house, match, player)), 201)


@routes.delete(
    "/matches/{match}/orders/{id}",
    openapi_extra=takes(
        gives={204: None},
        query={"confirm": "true, so that nobody does this by mistake"},
        problems=["who-are-you", "no-such-thing", "invalid", "stuck"],
        token=True,
    ),
)
async def withdraw(match: str, id: str, request: Request) -> Response:
    """Take an order back. 503 while it is being played: look again in a moment."""
    player, house = await know(request), house_of(request)
    if request.query_params.get("confirm") != "true":
        says = "Send `?confirm=true` along to withdraw it."
        raise Problem("invalid", says, errors=["confirm: true"])
    await take_back(house, match, player, id)
    return Response(status_code=204)


# What the page does likewise


async def orders_of(house: House, match: str, player: str) -> Orders:
    """What is left of a player's orders as the match stands."""
    seen = await sight(house, match, player)
    known = await house.talk(orders.of(player, match))
    return orders.settled(known, seen.now, player)


async def give(
    house: House,
    match: str,
    player: str,
    move: bytes,
    when: dict[str, Any] | None = None,
    id: str = "",
) -> None:
    """Keep an order, or a Problem."""
    seen = await sight(house, match, player)
    now, seat = seen.now, seat_of(seen.now, player)
    if seat is None or now.over:
        raise no_seat(seen)
    if now.state is None:
        raise await refused(house, match, door.refusal(No.NOT_DEALT, now), None, 0)
    made = Order(id or orders.new_id(), seat, now.seq, _encoded(now, move), when)
    if await house.talk(orders.give(match, player, made)) is None:
        says = "You have {n} orders here, the most there may be: withdraw one."
        raise Problem("too-many", Said(says, {"n": orders.MOST}))


async def take_back(house: House, match: str, player: str, id: str) -> None:
    """Withdraw an order, or a Problem."""
    now = (await sight(house, match, player)).now
    if await house.talk(orders.withdraw(match, now, player, id)):
        return
    if any(one.id == id for one in (await orders_of(house, match, player)).waiting):
        raise Problem("busy", "It is being played just now: look again in a moment.")
    raise Problem("no-such-thing", GONE)


def _encoded(now: Match, move: bytes) -> Raw:
    """The move as the log would have it."""
    try:
        return Raw(encode(moves_of(now.game).decode(move)))
    except ValidationError as error:
        raise Problem("invalid", errors=[in_words(error)]) from error
    except (DecodeError, RecursionError) as error:
        raise Problem("bad-request", f"The move is not JSON: {error}.") from error


def said(known: Orders) -> OrdersSaid:
    waiting = (Ordered(one.id, one.seq, one.move, one.when, one.void) for one in known.waiting)
    return OrdersSaid(tuple(waiting), known.played)
