"""Routes of tournaments: who organises them, who plays in them, who stands where."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Raw, Struct, json

from engine import entries as e
from engine.catalogue import GAMES
from engine.match import committed
from services import deals, door, offers, tournaments
from services.accounts import printable
from services.house import House
from services.invalid import NAME, in_words
from services.openapi import takes
from services.pairing import Round, Row, standings
from services.problems import Problem
from services.requests import house_of, know, read, replied
from services.tournaments import Kind, Tournament

routes = APIRouter()
LISTED = 50


class NewTournament(Struct, frozen=True, forbid_unknown_fields=True):
    """`rounds` are those of a Swiss tournament; in a round-robin all meet all. With `same_deals`
    all tables of a round are dealt the same, and closed to others until all of them are over."""

    name: Annotated[str, Meta(min_length=1, max_length=60, pattern=NAME)]
    game: str
    kind: Kind = "swiss"
    rounds: Annotated[int, Meta(ge=1, le=20)] = 5
    options: dict[str, Any] = {}
    policy: e.Policy = e.Policy(clock=e.PerMove(259_200), fill=259_200)
    same_deals: bool = False


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """`entropy`: 64 hex digits that you drew after you had seen the `commitments`. Where all tables
    are dealt the same it is part of what the deals come from; elsewhere it says nothing."""

    entropy: e.Hex64 | None = None


class TournamentSaid(Struct, frozen=True):
    """A tournament: its rounds with their matches, and who stands where by now.

    `commitments` are to the secrets of its rounds, if their tables are dealt the same; `entropies`
    those of its players who gave one, once nobody can join any more.
    """

    id: str
    name: str
    by: str
    game: str
    options: Raw
    policy: e.Policy
    kind: Kind
    rounds: int
    status: str
    players: tuple[str, ...]
    played: tuple[Round, ...]
    standings: tuple[Row, ...]
    same_deals: bool
    commitments: tuple[str, ...]
    entropies: dict[str, str]


BODY = ("bad-request", "invalid", "not-json", "too-large", "who-are-you")
CHANGED = ("who-are-you", "no-such-thing", "not-now")
CHANGING = takes(gives={200: TournamentSaid}, problems=[*CHANGED], token=True)
JOINING = takes(body=Part, gives={200: TournamentSaid}, problems=[*{*BODY, *CHANGED}], token=True)


@routes.get("/tournaments", openapi_extra=takes(gives={200: list[TournamentSaid]}))
async def newest(request: Request) -> Response:
    """The newest tournaments."""
    house = house_of(request)
    ids = await house.ask(tournaments.newest(LISTED))
    found = await asyncio.gather(*(house.ask(tournaments.read(id)) for id in ids))
    return replied([said(one) for one in found if one is not None])


@routes.post(
    "/tournaments",
    openapi_extra=takes(
        body=NewTournament, gives={201: TournamentSaid}, problems=[*BODY, "too-many"], token=True
    ),
)
async def organise(request: Request) -> Response:
    """Begin a tournament of matches for two. Players join it; you start it."""
    player, asked = await know(request), await read(request, NewTournament)
    return replied(said(await organised(house_of(request), player, asked)), 201)


@routes.get(
    "/tournaments/{id}",
    openapi_extra=takes(gives={200: TournamentSaid}, problems=["no-such-thing"]),
)
async def one(id: str, request: Request) -> Response:
    return replied(said(await found(house_of(request), id)))


@routes.post("/tournaments/{id}/join", openapi_extra=JOINING)
async def join(id: str, request: Request) -> Response:
    """Take part. Each of your matches is offered to you when its round begins; whoever has not
    taken the seat when the offer lapses has lost. With `same_deals` it is dealt at once, to be
    played by its clock."""
    player, part = await know(request), await read(request, Part)
    change = tournaments.joined(player, part.entropy)
    return replied(said(await changed(house_of(request), id, change)))


@routes.post("/tournaments/{id}/leave", openapi_extra=CHANGING)
async def leave(id: str, request: Request) -> Response:
    """Take no part, before it starts."""
    player = await know(request)
    return replied(said(await changed(house_of(request), id, tournaments.left(player))))


@routes.post("/tournaments/{id}/start", openapi_extra=CHANGING)
async def start(id: str, request: Request) -> Response:
    """Start it, as who organises it: nobody joins any more."""
    player, house = await know(request), house_of(request)
    return replied(said(await started(house, id, player)))


# What the page does likewise


async def organised(house: House, player: str, asked: NewTournament) -> Tournament:
    options = json.encode(asked.options)
    if asked.game not in GAMES:
        raise Problem("invalid", errors=[f"game: there is none of this name, only {_names()}"])
    made = offers.offered(asked.game, options, None, (None, None), asked.policy)
    if isinstance(made, door.Invalid):
        raise Problem("invalid", errors=[in_words(made.says)])
    policy = deals.closed(asked.policy) if asked.same_deals else asked.policy
    if policy is None:
        raise Problem("invalid", errors=[deals.UNFIT])
    if wait := house.organising.wait(player, time.monotonic()):
        later = {"retry-after": str(int(wait) + 1)}
        raise Problem("too-many", "You have organised enough for now: come back later.", later)
    rounds = tournaments.most_rounds(asked.kind, asked.rounds)
    new = Tournament(
        tournaments.new_id(),
        printable(asked.name),
        player,
        asked.game,
        made.options,
        policy,
        asked.kind,
        house.shards,
        asked.rounds,
        secrets=deals.drawn(rounds if asked.same_deals else 0),
    )
    await house.talk(tournaments.begin(new, door.now()))
    return new


async def found(house: House, id: str) -> Tournament:
    known = await house.ask(tournaments.read(id)) if tournaments.is_id(id) else None
    if known is None:
        raise Problem("no-such-thing", "There is no such tournament.")
    return known


async def changed(house: House, id: str, change: tournaments.Change) -> Tournament:
    """The tournament after this change, or a Problem."""
    await found(house, id)
    after = await house.talk(tournaments.changed(id, change))
    if not isinstance(after, Tournament):
        raise Problem("not-now", after)
    return after


async def started(house: House, id: str, player: str) -> Tournament:
    if (await found(house, id)).by != player:
        raise Problem("not-now", "Only who organises a tournament can start it.")
    await changed(house, id, tournaments.begun)
    await house.talk(tournaments.advance(id))
    return await found(house, id)


def said(one: Tournament) -> TournamentSaid:
    return TournamentSaid(
        one.id,
        one.name,
        one.by,
        one.game,
        one.options,
        one.policy,
        one.kind,
        one.rounds,
        one.status,
        one.players,
        one.shown,
        standings(one.players, one.shown),
        one.same_deals,
        tuple(map(committed, one.secrets)),
        {} if one.status == "open" else one.entropies,
    )


def _names() -> str:
    return ", ".join(GAMES)
