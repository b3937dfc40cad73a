"""Routes of notes: what a player writes down of a match, each with the seq it was written at.

They are seen by their author alone, and go with its account.
"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from services import roll
from services.house import House
from services.openapi import takes
from services.problems import Problem
from services.requests import house_of, know, read, replied
from services.said import Jotted
from services.sight import moment, sight

routes = APIRouter()


@routes.get(
    "/matches/{match}/notes",
    openapi_extra=takes(
        gives={200: list[Jotted]}, problems=["who-are-you", "no-such-thing"], token=True
    ),
)
async def my_notes(match: str, request: Request) -> Response:
    """Your notes on a match, by seq. Nobody else sees them."""
    house, player = house_of(request), await know(request)
    return replied(await notes_of(house, house.checked(match), player))


@routes.put(
    "/matches/{match}/notes",
    openapi_extra=takes(
        body=Jotted,
        gives={200: list[Jotted]},
        problems=[
            *("bad-request", "who-are-you", "no-such-thing", "too-large", "not-json", "invalid"),
            "stuck",
        ],
        token=True,
    ),
)
async def note(match: str, request: Request) -> Response:
    """Write a note at a seq that you can see, instead of the one that stood there; an empty text
    takes that away. All your notes on the match come back."""
    house, player = house_of(request), await know(request)
    asked = await read(request, Jotted)
    await jot(house, match, player, asked)
    return replied(await notes_of(house, match, player))


async def notes_of(house: House, match: str, player: str) -> list[Jotted]:
    return [Jotted(*one) for one in (await house.talk(roll.notes(player, match))).items()]


async def jot(house: House, match: str, player: str, asked: Jotted) -> None:
    """Write it down, or a Problem."""
    await moment(house, await sight(house, match, player), asked.seq)
    most = house.limits.notes
    if not await house.talk(roll.put_note(player, match, asked.seq, asked.text, most)):
        raise Problem("too-many", f"You have {most} notes, the most there may be: take one away.")
