"""Routes for another match of the same players: offered once, by whoever asks first.

The ledger remembers it beside the match that it follows, so that all who ask come to the same one.
Its seats are for the players of that match alone: they are invited, and so is, to watch, whoever
was invited to that one.
"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from msgspec import Struct
from msgspec.structs import replace

from engine.match import Match
from services import door, ledger, offers
from services.claims import claim
from services.house import House
from services.openapi import takes
from services.problems import Problem
from services.requests import answered, house_of, know, replied, visitor
from services.said import Answer
from services.sight import NO_SEAT, Sight, may_look, plays, sight
from services.wire import Talk

routes = APIRouter()


class Rematch(Struct, frozen=True):
    match: str


@routes.post(
    "/matches/{match}/rematch",
    openapi_extra=takes(
        gives={201: Answer, 202: None},
        problems=[
            *("who-are-you", "not-yours", "no-such-thing", "not-over", "over", "invalid", "stuck"),
            "too-many",
        ],
        token=True,
    ),
)
async def rematch(match: str, request: Request) -> Response:
    """Offer the same match again to those who played it, once it is over. All who ask get the same
    new match, and take a seat in it as in any other."""
    player, house = await know(request), house_of(request)
    name, given = await offer_again(house, match, player)
    return await answered(house, name, given, player)


async def offer_again(house: House, match: str, player: str) -> tuple[str, door.Answer]:
    """The name of the match that follows, and how its offer was taken."""
    now = await _theirs(house, match, player)
    if not now.over:
        raise Problem("not-over", seq=now.seq)
    name = await house.ask(ledger.rematch(match))
    if name is None:
        new = ledger.new_match(house.shards)
        await claim(house, player, "offers", new)
        await house.ask(ledger.remember_rematch(match, new))
        name = await house.ask(ledger.rematch(match)) or new
    await house.ask(ledger.remember_before(name, match))
    return name, await house.talk(_offer(name, now, player))


@routes.get(
    "/matches/{match}/rematch",
    openapi_extra=takes(
        gives={200: Rematch},
        problems=["who-are-you", "no-such-thing", "stuck"],
    ),
)
async def rematch_of(match: str, request: Request) -> Response:
    """Which match the players of this one were offered after it; for whoever may watch both."""
    player, house = await visitor(request), house_of(request)
    name = await next_of(house, await sight(house, match, player))
    if name is None:
        raise Problem("no-such-thing", "Nobody has asked for a rematch.")
    return replied(Rematch(name))


async def next_of(house: House, seen: Sight) -> str | None:
    """The match that follows, once it is offered, for who may look at it."""
    if not seen.newest.over or seen.now.branched:
        return None
    name = await house.ask(ledger.rematch(seen.name))
    now = None if name is None else await house.talk(door.newest(name))
    return name if now is not None and may_look(now, seen.player) else None


async def only_watches(house: House, match: str, player: str) -> bool:
    """Is this one invited to watch a rematch, as it was to watch the match before?"""
    before = await house.ask(ledger.before(match))
    was = None if before is None else await house.talk(door.newest(before))
    return was is not None and was.guest(player) is not None and not plays(was, player)


async def _theirs(house: House, match: str, player: str) -> Match:
    """The match as one of its players may see it."""
    seen = await sight(house, match, player)
    if seen.now.branched:
        raise Problem("no-such-thing", "A branch has no rematch: branch again.")
    if not plays(seen.now, player):
        raise Problem("not-yours", NO_SEAT, seq=seen.newest.seq)
    return seen.newest


def _offer(name: str, before: Match, player: str) -> Talk[door.Answer]:
    """The offer and its invitations, as far as they are not written yet."""
    was = before.offered
    policy = replace(was.policy, join="invited")
    offered = offers.offered(was.game, bytes(was.options), player, was.seats, policy)
    if isinstance(offered, door.Invalid):
        return offered
    given = yield from offers.offer(name, offered)
    if not isinstance(given, door.Entered | door.Repeated | door.KeyReused):
        return given  # by the rules of this release it cannot be dealt
    players = {h.player for h in before.holders if h.player}
    for invited in sorted(players):
        given = yield from door.judged(name, None, offers.inviting(invited))
        if not isinstance(given, door.Entered | door.Repeated):
            return given
    for guest in before.guests if was.policy.watchers == "invited" else ():
        if guest.player not in players:  # what is refused is one too many
            yield from door.judged(name, None, offers.inviting(guest.player))
    newest = yield from door.newest(name)
    return door.NoMatch() if newest is None else door.Repeated(1, newest)
