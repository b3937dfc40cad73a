"""Routes of players: an account, the tokens that stand for it, and its end."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Request, Response
from msgspec import UNSET, Meta, Struct

from engine.catalogue import GAMES
from engine.contract import Said
from engine.entries import Instant
from engine.match import DAY
from services import door, orders, ratings, roll, talk
from services.house import House
from services.invalid import NAME
from services.limits import address_of, too_many_accounts
from services.openapi import takes
from services.problems import Problem
from services.requests import house_of, know, read, replied
from services.said import Account, GivenToken, NewAccount, Token

routes = APIRouter()
FIRST = "first"  # the name of the token that comes with an account
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=NAME)]
FARTHEST = 366 * DAY
BODY = ("bad-request", "invalid", "not-json", "too-large")  # what may be wrong with one


class NewPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name


class Vacation(Struct, frozen=True, forbid_unknown_fields=True):
    until: Instant


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name  # what it is for, as in `phone`


@routes.post(
    "/players", openapi_extra=takes(body=NewPlayer, gives={201: NewAccount}, problems=BODY)
)
async def new_player(request: Request) -> Response:
    """An account, and the token that stands for it: shown once, kept only as a hash."""
    asked = await read(request, NewPlayer)
    return replied(await opened(request, printable(asked.name)), 201)


async def opened(request: Request, name: str) -> NewAccount:
    """A new account of this name, or a Problem if this address has had its share."""
    house, client = house_of(request), address_of(request.scope["client"])
    if wait := house.accounts.wait(client, time.monotonic()):
        raise too_many_accounts(house.limits, wait)
    player, token = roll.new_player(), roll.new_token()
    await house.ask(roll.add_player(player, name, door.now()))
    await house.talk(roll.give(token, player, FIRST, door.now(), house.limits.tokens))
    return NewAccount(player, name, token)


@routes.get(
    "/players/me",
    openapi_extra=takes(gives={200: Account}, problems=["who-are-you"], token=True),
)
async def me(request: Request) -> Response:
    """Whose token this is."""
    player = await know(request)
    return replied(await _account(house_of(request), player))


async def _account(house: House, player: str) -> Account:
    name, until = (
        await house.ask(roll.player_name(player)),
        await house.ask(roll.away_until(player)),
    )
    return Account(player, name or "", until if until and until > door.now() else UNSET)


@routes.post(
    "/players/me/vacation",
    openapi_extra=takes(
        body=Vacation,
        gives={200: Account},
        problems=["who-are-you", *BODY],
        token=True,
    ),
)
async def vacation(request: Request) -> Response:
    """Go on vacation until then: in all your matches, if their policy allows it, your clock stands
    still, and all see it. It can be made longer, not shorter; you may play whenever you like."""
    player, house = await know(request), house_of(request)
    await go_away(house, player, (await read(request, Vacation)).until)
    return replied(await _account(house, player))


async def go_away(house: House, player: str, until: int) -> None:
    """Have a player's clocks stand still until then, in ms since 1970 UTC, or a Problem."""
    now, most = door.now(), house.limits.vacation
    if not now < until < now + FARTHEST:
        raise Problem(
            "invalid", errors=["until: a time ahead, within a year, in ms since 1970 UTC"]
        )
    if await house.talk(roll.vacation(player, now, until, most)) is None:
        says = "You have {n} days of vacation a year: name an earlier day."
        raise Problem("too-many", Said(says, {"n": most}))


@routes.delete(
    "/players/me",
    openapi_extra=takes(
        gives={204: None},
        query={"confirm": "your player id, so that nobody does this by mistake"},
        problems=["bad-request", "who-are-you"],
        token=True,
    ),
)
async def leave_for_good(request: Request) -> Response:
    """Delete your account: its name and all its tokens are gone at once, for good.

    Matches keep the bare id, at its seats and in their logs. What still waits for a move of yours
    ends by its clock: resign first, if others wait for you.
    """
    player = await know(request)
    if request.query_params.get("confirm") != player:
        raise Problem("bad-request", f"To delete your account, send `?confirm={player}` along.")
    await house_of(request).talk(roll.delete_player(player))
    await house_of(request).talk(ratings.forget(player, GAMES))
    await house_of(request).ask(talk.forget(player))
    await house_of(request).ask(orders.forget(player))
    return Response(status_code=204)


@routes.get(
    "/players/me/tokens",
    openapi_extra=takes(gives={200: list[Token]}, problems=["who-are-you"], token=True),
)
async def my_tokens(request: Request) -> Response:
    """Your tokens, the oldest first, without what they are: that was shown once."""
    return replied(await house_of(request).ask(roll.tokens(await know(request))))


@routes.post(
    "/players/me/tokens",
    openapi_extra=takes(
        body=NewToken,
        gives={201: GivenToken},
        problems=[*BODY, "who-are-you", "too-many"],
        token=True,
    ),
)
async def new_token(request: Request) -> Response:
    """One more token that stands for you: for another device, or for a robot of yours."""
    player, asked = await know(request), await read(request, NewToken)
    house, token = house_of(request), roll.new_token()
    most = house.limits.tokens
    talk = roll.give(token, player, printable(asked.name), door.now(), most)
    made = await house.talk(talk)
    if made is None:
        raise Problem("too-many", f"You have {most} tokens, the most there may be: revoke one.")
    return replied(GivenToken(made.id, made.name, made.at, token), 201)


@routes.delete(
    "/players/me/tokens/{id}",
    openapi_extra=takes(gives={204: None}, problems=["who-are-you", "no-such-thing"], token=True),
)
async def revoke(id: str, request: Request) -> Response:
    """End a token of yours, perhaps the one you send: nobody is let in with it from here on.

    Your feeds are cut too. Come back with another token, and you have missed nothing.
    """
    if not await house_of(request).talk(roll.revoke(await know(request), id)):
        raise Problem("no-such-thing", "You have no token of this id; GET /players/me/tokens.")
    return Response(status_code=204)


@routes.get(
    "/players/{player}", openapi_extra=takes(gives={200: Account}, problems=["no-such-thing"])
)
async def player(player: str, request: Request) -> Response:
    """The name of a player."""
    name = None
    if len(player) == 16 and player.isalnum():
        name = await house_of(request).ask(roll.player_name(player))
    if name is None:
        raise Problem("no-such-thing", "There is no such player.")
    return replied(Account(player, name))


def printable(name: str) -> str:
    if not name.isprintable():
        raise Problem("invalid", errors=["name: letters, digits, signs and spaces - at `$.name`"])
    return name
