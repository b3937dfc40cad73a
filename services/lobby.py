"""Routes before a match: games, offers, lists, joining and leaving."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct, json

from engine import entries as e
from engine.catalogue import GAMES, versions
from engine.contract import Game, Seat
from engine.look import places
from engine.match import Match, No
from services import door, ledger, offers, seats
from services.claims import claim
from services.house import House, seat_of
from services.invalid import in_words
from services.openapi import takes
from services.problems import Problem
from services.rematch import only_watches
from services.requests import (
    answered,
    entered,
    house_of,
    idempotency,
    know,
    number,
    read,
    replied,
    visitor,
)
from services.rooms import keep_apart
from services.said import Answer, Page, Summary
from services.sight import hidden, is_late, may_look, plays, shown, sight

routes = APIRouter()
PAGE, MOST = 50, 200  # matches on a page of the list


class GameSaid(Struct, frozen=True):
    name: str
    rules: int  # by which it is offered
    earlier: tuple[int, ...]  # by which matches that began so are played on, the newest first
    seats: tuple[Seat, Seat]  # fewest and most, with the usual options
    options: dict[str, Any]  # JSON Schema
    moves: dict[str, Any]
    facts: dict[str, Any]


class GameWhole(Struct, frozen=True):
    game: GameSaid
    text: str  # the rules as we play them, in Markdown


class Sit(Struct, frozen=True, forbid_unknown_fields=True):
    """`entropy`: 64 hex digits that you drew for this match; part of what the deal comes from.

    Draw it after you have seen the match's commitment, and keep both: then an audit can prove to
    you that the server could not choose the deal. Joining by the offer itself gives that up,
    unless others join after you.
    """

    entropy: e.Hex64
    seat: Annotated[int, Meta(ge=0, le=63)] | None = None


class Offer(Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    seats: Annotated[tuple[e.ROBOTS | None, ...], Meta(min_length=1, max_length=64)]
    options: dict[str, Any] = {}
    policy: e.Policy = e.Policy()
    join: Sit | None = None


@routes.get("/games", openapi_extra=takes(gives={200: list[GameSaid]}))
async def games() -> Response:
    """Which games there are, with their options and moves as JSON Schema."""
    return replied([_said(game) for game in GAMES.values()])


@routes.get(
    "/games/{game}", openapi_extra=takes(gives={200: GameWhole}, problems=["no-such-thing"])
)
async def game(game: str) -> Response:
    """One game, and its rules as we play them."""
    if game not in GAMES:
        raise Problem("no-such-thing", f"There is no game of this name; there are: {_names()}.")
    package = GAMES[game].__name__  # type: ignore[attr-defined]
    text = files(package).joinpath("README.md").read_text()
    return replied(GameWhole(_said(GAMES[game]), text))


@routes.post(
    "/matches",
    openapi_extra=takes(
        body=Offer,
        gives={201: Answer, 202: None},
        headers={"Idempotency-Key": "a repeat under the same key is the same match"},
        problems=[
            *("bad-request", "who-are-you", "seat-taken", "too-large", "not-json"),
            *("invalid", "key-reused", "stuck"),
        ],
        token=True,
    ),
)
async def offer(request: Request) -> Response:
    """Offer a match, and take a chair of it if you like. All robots: it is dealt at once."""
    player = await know(request)
    asked = await read(request, Offer)
    house = house_of(request)
    name, given = await offer_match(house, asked, player, idempotency(request))
    return await answered(house, name, given, player)


async def offer_match(
    house: House, asked: Offer, player: str, key: str | None
) -> tuple[str, door.Answer]:
    """The name of the match, and how its offer and the offerer's own seat were taken."""
    offered = _offered(asked, player)
    name = ledger.new_match(house.shards)
    if key and not await house.ask(ledger.remember_offer(player, key, name)):
        remembered = await house.ask(ledger.remembered_offer(player, key))
        name = remembered or name
    await claim(house, player, "offers", name)
    if asked.join is not None:
        await claim(house, player, "seats", name)
    given = await house.talk(offers.offer(name, offered))
    if asked.join is not None and isinstance(given, door.Entered | door.Repeated):
        sit = asked.join
        given = await house.talk(seats.join(name, player, sit.seat, sit.entropy))
    return name, given


def _offered(asked: Offer, player: str) -> e.Offered:
    if asked.game not in GAMES:
        raise Problem("invalid", errors=[f"game: there is none of this name, only {_names()}"])
    policy, later = asked.policy, []
    if policy.rated and any(asked.seats):
        later.append("seats: a rated match is for people, without robots")
    sit = asked.join
    if sit is not None:
        wanted = asked.seats if sit.seat is None else asked.seats[sit.seat : sit.seat + 1]
        if None not in wanted:
            later.append("join: there is no such open seat")
    made = offers.offered(asked.game, json.encode(asked.options), player, asked.seats, policy)
    if isinstance(made, door.Invalid) or later:
        says = [in_words(made.says)] if isinstance(made, door.Invalid) else []
        raise Problem("invalid", errors=[*says, *later])
    return made


@routes.get(
    "/matches",
    openapi_extra=takes(
        gives={200: Page},
        query={
            "state": "open (the usual), running or over",
            "game": "only of this game",
            "player": "only those in which this player has a seat; `me` for yourself",
            "invited": "`me`: only those to which you are invited, and have no seat in",
            "after": "`next` of the page before",
            "limit": f"how many at the most, up to {MOST}",
        },
        problems=["bad-request", "who-are-you"],
    ),
)
async def matches(request: Request) -> Response:
    """Matches, the newest first."""
    query, house = request.query_params, house_of(request)
    state, game = query.get("state"), query.get("game")
    if state not in (None, "open", "running", "over"):
        raise Problem("bad-request", "`state` is open, running or over.")
    if game is not None and game not in GAMES:
        raise Problem("bad-request", f"`game` is one of {_names()}.")
    after, limit = query.get("after"), max(1, number(query, "limit", PAGE, MOST))
    whose, invited = query.get("player"), query.get("invited")
    if invited not in (None, "me") or (invited and whose):
        raise Problem("bad-request", "`invited` is `me`, and comes without `player`.")
    if invited:
        return replied(await invited_to(house, await know(request), state, game, after, limit))
    me = await visitor(request)
    if whose == "me":
        whose = await know(request)
    return replied(await listed(house, me, state, game, whose, after, limit))


async def listed(
    house: House,
    me: str | None,
    state: str | None,
    game: str | None = None,
    whose: str | None = None,
    after: str | None = None,
    limit: int = PAGE,
) -> Page:
    """A page of the matches that `me` may find."""
    index = f"player:{whose}" if whose else ":".join(filter(None, (state or "open", game)))
    names, after = await _page(house, index, after, limit)
    mine = whose is not None and whose == me
    found = [
        _summary(name, seen)
        for name, _, seen in await _matches(house, names, me, state, game)
        if mine or _finds(seen, me)
    ]
    return Page(tuple(found), after)


async def invited_to(
    house: House,
    me: str,
    state: str | None = None,
    game: str | None = None,
    after: str | None = None,
    limit: int = PAGE,
) -> Page:
    """A page of the matches to which this player is invited."""
    names, after = await _page(house, f"guest:{me}", after, limit)
    found = [
        _summary(name, seen)
        for name, now, seen in await _matches(house, names, me, state, game)
        if now.guest(me) and not plays(now, me)
    ]
    return Page(tuple(found), after)


def _finds(match: Match, me: str | None) -> bool:
    """Is it listed for them? What only the invited can join is listed for them alone."""
    policy = match.offered.policy
    asked = match.status != "open" or policy.join != "invited" or plays(match, me)
    asked = asked or me == match.offered.by or match.guest(me) is not None
    return match.listed and asked


async def _page(
    house: House, index: str, after: str | None, limit: int
) -> tuple[list[str], str | None]:
    """Names of an index and the cursor to go on with: the last one's score and name."""
    score, _, last = (after or "+inf").partition(".")
    plain = score.isascii() and score.isdigit() and len(score) < 16
    if after is not None and not (plain and ledger.is_match(last, house.shards)):
        raise Problem("bad-request", "`after` is `next` of the page before.")
    found = await house.ask(ledger.listed(index, limit + 100, score))
    rest = [one for one in found if after is None or (one[1], one[0]) < (int(score), last)]
    page = rest[:limit]
    cursor = f"{page[-1][1]}.{page[-1][0]}" if len(rest) > limit else None
    return [name for name, _ in page], cursor


async def _matches(
    house: House, names: list[str], me: str | None, state: str | None, game: str | None
) -> list[tuple[str, Match, Match]]:
    """Those of these matches that I may look at: as they are, and as I may see them."""
    found: list[tuple[str, Match, Match]] = []
    for name in names:
        now = await house.talk(door.readable(name))
        if now is None or not may_look(now, me) or game not in (None, now.offered.game):
            continue
        seen = await shown(house, name, now) if is_late(now, me) else now
        if state in (None, seen.status):
            found.append((name, now, seen))
    return found


def _summary(name: str, match: Match) -> Summary:
    return Summary(
        name,
        match.offered.game,
        match.status,
        match.opened_at,
        match.seq,
        match.at,
        places(match),
        match.to_act,
        match.offered.policy,
    )


SEATING = takes(
    body=Sit,
    gives={201: Answer, 202: None},
    problems=[
        *("bad-request", "who-are-you", "not-yours", "no-such-thing", "seat-taken", "not-open"),
        *("apart", "over", "too-large", "not-json", "invalid", "stuck"),
    ],
    token=True,
)
LEAVING = takes(
    gives={201: Answer, 202: None},
    problems=["who-are-you", "not-yours", "no-such-thing", "not-open", "over", "refused", "stuck"],
    token=True,
)


@routes.post("/matches/{match}/join", openapi_extra=SEATING)
async def join(match: str, request: Request) -> Response:
    """Take a chair, any open one if you name none. Whoever takes the last one deals."""
    player, house = await know(request), house_of(request)
    sit = await read(request, Sit)
    given = await sat_down(house, match, player, sit.seat, sit.entropy)
    return await answered(house, match, given, player)


async def sat_down(
    house: House, match: str, player: str, chair: int | None, entropy: str
) -> door.Answer:
    """The door's answer to who asks for a chair. Whoever may not see what has become of the match
    is told no more than that the chair is gone."""
    now = await house.newest(match)
    if hidden(now, player) and not plays(now, player):
        raise Problem("not-open", free=[])
    if not plays(now, player):
        await keep_apart(house, match, player)
        if await only_watches(house, match, player):
            raise Problem("not-yours", "These seats are for who played before; you may watch.")
    await claim(house, player, "seats", match)
    return await house.talk(seats.join(match, player, chair, entropy))


@routes.post("/matches/{match}/leave", openapi_extra=LEAVING)
async def leave(match: str, request: Request) -> Response:
    """Give your chair back before the deal."""
    player = await know(request)

    def make(now: Match) -> e.Entry | No:
        seat = seat_of(now, player)
        if now.over or now.state is not None:
            return No.OVER if now.over else No.DEALT
        return No.NOT_SEATED if seat is None else e.Left(seat)

    return await entered(request, match, door.enter(match, make), player)


@routes.post("/matches/{match}/resign", openapi_extra=LEAVING)
async def resign(match: str, request: Request) -> Response:
    """Give up your seat once dealt: what follows is in the match's policy."""
    player = await know(request)
    return await entered(request, match, seats.resign(match, player), player)


@routes.post("/matches/{match}/abort", openapi_extra=LEAVING)
async def abort(match: str, request: Request) -> Response:
    """Withdraw your offer, as long as it is not dealt."""
    player = await know(request)
    newest = (await sight(house_of(request), match, player)).newest
    if newest.offered.by != player:
        raise Problem("not-yours", "Only who offered a match may withdraw it.", seq=newest.seq)
    withdrawn = door.enter(match, lambda now: e.Aborted("withdrawn"))
    return await entered(request, match, withdrawn, player)


def _said(game: Game) -> GameSaid:
    allowed = game.seats(game.Options())
    schemas = [json.schema(part) for part in (game.Options, game.Move, game.Fact)]
    earlier = tuple(old.RULES for old in versions(game.NAME)[1:])
    return GameSaid(game.NAME, game.RULES, earlier, (allowed[0], allowed[-1]), *schemas)


def _names() -> str:
    return ", ".join(sorted(GAMES))
