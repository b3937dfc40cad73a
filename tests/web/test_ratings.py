"""A rated match, from its last move to the page of ratings, through all processes of the house."""

from __future__ import annotations

import re
from html import unescape
from random import Random

import httpx

from services import door, ratings
from services.client import Client
from services.ratings import all_rated, known_at, result_of
from tests.http.people import Player, played, table
from tests.http.stage import until

PATIENCE = ratings.SETTLED / 1000 + 60
GAME = "high-card"


def test_what_a_rated_match_came_to_stands_on_the_page(house, base):
    names = iter(["<b>Ann</b>", "Bob"])
    make = lambda: Player(base, name=next(names))  # noqa: E731
    name, seats = table(make, GAME, policy={"rated": True})
    played(name, seats, Random(1))
    found = until(lambda: rows(base), PATIENCE)
    wire = house.wire()
    match = wire.talk(door.newest(name))
    wire.close()
    afresh = all_rated([(known_at(match), result_of(name, match))])
    assert dict(found) == {shown(one): afresh[one.id].rating for one in seats}
    with Client(base) as client:
        assert [(one.name, one.rating) for one in client.ratings(GAME)] == found
    assert [rating for _, rating in found] == sorted((r for _, r in found), reverse=True)


def shown(player: Player) -> str:
    return player.get("/players/me").json()["name"]


def rows(base: str) -> list[tuple[str, int]]:
    """Who stands on the page, and with what rating."""
    html = httpx.get(f"{base}/ratings", params={"game": GAME}, verify=False).text
    found = re.findall(r'<th scope="row">(.*?)</th>\s*<td>(-?\d+)</td>', html)
    return [(unescape(name), int(rating)) for name, rating in found]
