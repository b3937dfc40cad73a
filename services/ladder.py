"""Routes of ratings: who plays a game how well, and what its rated matches came to."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence

from fastapi import APIRouter, Request, Response

from engine.catalogue import GAMES
from services import ratings, roll
from services.house import House
from services.openapi import takes
from services.problems import Problem
from services.ratings import Standing
from services.requests import house_of, know, number, replied
from services.said import Ladder, Rated, Seated, Statistics

routes = APIRouter()
PAGE, MOST = 50, 200  # players on a page
RECENT = 1000  # results that statistics are made of


@routes.get(
    "/games/{game}/ratings",
    openapi_extra=takes(
        gives={200: Ladder},
        query={
            "after": "`next` of the page before",
            "limit": f"how many at the most, up to {MOST}",
        },
        problems=["bad-request", "no-such-thing"],
    ),
)
async def ladder(game: str, request: Request) -> Response:
    """The players of a game's rated matches, best first."""
    query = request.query_params
    after, limit = number(query, "after", 0, 2**53), max(1, number(query, "limit", PAGE, MOST))
    return replied(await page(house_of(request), _known(game), after, limit))


@routes.get(
    "/games/{game}/statistics",
    openapi_extra=takes(gives={200: Statistics}, problems=["no-such-thing"]),
)
async def statistics(game: str, request: Request) -> Response:
    """How many rated matches there were, and who wins them: which seat, of how many."""
    return replied(await tally(house_of(request), _known(game)))


@routes.get(
    "/players/{player}/ratings",
    openapi_extra=takes(
        gives={200: list[Rated]}, problems=["no-such-thing", "who-are-you"], token=True
    ),
)
async def of_player(player: str, request: Request) -> Response:
    """How well a player plays, game by game; `me` is yourself."""
    house = house_of(request)
    player = await know(request) if player == "me" else player
    if not (len(player) == 16 and player.isalnum()):
        raise Problem("no-such-thing", "There is no such player.")
    if await house.ask(roll.player_name(player)) is None:
        raise Problem("no-such-thing", "There is no such player.")
    return replied(await rated_of(house, player))


def _known(game: str) -> str:
    if game not in GAMES:
        raise Problem("no-such-thing", f"There is no game of this name, only {', '.join(GAMES)}.")
    return game


async def page(house: House, game: str, first: int, most: int) -> Ladder:
    """The players from a place on, counted from 0."""
    players = await house.ask(ratings.board(game, first, most + 1))
    rows = await _rows(house, game, players[:most], first)
    matches = await house.ask(ratings.count_results(game))
    return Ladder(game, matches, rows, first + most if len(players) > most else None)


async def rated_of(house: House, player: str) -> list[Rated]:
    """Of the games that the player has rated matches of."""
    rows: list[Rated] = []
    for game in GAMES:
        place = await house.ask(ratings.place(game, player))
        if place is not None:
            rows += await _rows(house, game, [player], place - 1)
    return rows


async def tally(house: House, game: str) -> Statistics:
    """Of the newest results."""
    matches = await house.ask(ratings.count_results(game))
    newest = await house.ask(ratings.results(game, max(0, matches - RECENT), matches))
    won: dict[int, Counter[int]] = defaultdict(Counter)
    played: Counter[int] = Counter()
    for _, result in newest:
        played[len(result.places)] += 1
        won[len(result.places)].update(s for s, place in enumerate(result.places) if place == 1)
    return Statistics(
        game,
        matches,
        await house.ask(ratings.count_rated(game)),
        tuple(
            Seated(seats, played[seats], tuple(won[seats][seat] for seat in range(seats)))
            for seats in sorted(played)
        ),
    )


async def _rows(house: House, game: str, players: Sequence[str], first: int) -> tuple[Rated, ...]:
    if not players:
        return ()
    known = await house.ask(ratings.standings(game, players))
    names = await asyncio.gather(*(house.ask(roll.player_name(player)) for player in players))
    rows = zip(players, known, names, strict=True)
    return tuple(
        _row(game, first + i, player, name or "", one or Standing())
        for i, (player, one, name) in enumerate(rows, 1)
    )


def _row(game: str, place: int, player: str, name: str, one: Standing) -> Rated:
    return Rated(game, place, player, name, one.rating, one.mu, one.sigma, one.matches, one.wins)
