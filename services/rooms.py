"""Routes of talk: what is said at a table and, apart, among its watchers; and block lists.

Off unless the table's policy says otherwise. While a match is played, players do not read what
watchers say, who may see more than they do, and who sees all hands says nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Request, Response
from msgspec import UNSET, Meta, Struct

from engine.match import Match
from services import roll, talk
from services.house import House
from services.openapi import takes
from services.problems import Problem
from services.requests import house_of, know, number, read, replied, visitor
from services.said import Blocks
from services.sight import Sight, plays, sight
from services.talk import Message, Report, Room
from services.wire import Wire

routes = APIRouter()
PAGE, MOST = 50, 200  # messages of an answer
WAIT, DEAF = 5000, 15.0  # ms that a read waits for news; seconds after which it is given up
OFF = "Nobody talks at this match: its offer did not ask for `chat`."
BODY = ("bad-request", "who-are-you", "no-such-thing", "too-large", "not-json", "invalid")
log = logging.getLogger("turnfold.api")


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Why(Struct, frozen=True, forbid_unknown_fields=True):
    room: Room
    why: Annotated[str, Meta(min_length=1, max_length=500)]


@routes.get(
    "/matches/{match}/talk",
    openapi_extra=takes(
        gives={200: list[Message]},
        query={
            "room": "table (of who plays) or watchers; if left out, the one that is yours",
            "after": "the id of a message: what was said since; if left out, the newest ones",
            "limit": f"how many at the most, up to {MOST}",
        },
        problems=["bad-request", "no-such-thing", "not-yours"],
    ),
)
async def what_was_said(match: str, request: Request) -> Response:
    """What was said in a room that you may read, without those whom you have blocked. A feed of
    the match says `talk` when there is more."""
    house, query, player = house_of(request), request.query_params, await visitor(request)
    seen = await sight(house, match, player)
    room = _asked(seen, query.get("room"))
    if not may_read(seen, room):
        raise Problem("not-yours", _whose(room))
    after, most = query.get("after", ""), max(1, number(query, "limit", PAGE, MOST))
    return replied(await heard(house, match, room, player, after, most))


@routes.post(
    "/matches/{match}/talk",
    openapi_extra=takes(
        body=Said, gives={201: Message}, problems=[*BODY, "not-yours", "too-many"], token=True
    ),
)
async def speak(match: str, request: Request) -> Response:
    """Say something: at the table if you play, else among the watchers."""
    player, asked = await know(request), await read(request, Said)
    return replied(await utter(house_of(request), match, player, asked.text), 201)


@routes.post(
    "/matches/{match}/talk/{id}/report",
    openapi_extra=takes(body=Why, gives={204: None}, problems=[*BODY, "not-yours"], token=True),
)
async def report(match: str, id: str, request: Request) -> Response:
    """Tell those who run this house of a message that should not stand there."""
    house, player, asked = house_of(request), await know(request), await read(request, Why)
    seen = await sight(house, match, player)
    if not may_read(seen, asked.room):
        raise Problem("not-yours", _whose(asked.room))
    found = await house.ask(talk.message(match, asked.room, id)) if _is_id(id) else None
    if found is None:
        raise Problem("no-such-thing", "There is no such message.")
    if await house.ask(talk.count_reports()) < talk.REPORTS:
        await house.ask(talk.report(Report(match, asked.room, found, player, asked.why)))
    return Response(status_code=204)


@routes.get(
    "/players/me/blocks",
    openapi_extra=takes(gives={200: Blocks}, problems=["who-are-you"], token=True),
)
async def my_blocks(request: Request) -> Response:
    """Whom you have blocked: what they say you do not read, and neither sits down at an open table
    of the other."""
    return replied(Blocks(tuple(sorted(await blocks_of(house_of(request), await know(request))))))


@routes.put(
    "/players/me/blocks/{player}",
    openapi_extra=takes(
        gives={204: None}, problems=["who-are-you", "no-such-thing", "too-many"], token=True
    ),
)
async def block(player: str, request: Request) -> Response:
    """Block a player. Matches that you play together go on."""
    house, me = house_of(request), await know(request)
    if player == me or not await _exists(house, player):
        raise Problem("no-such-thing", "There is no such other player.")
    most = house.limits.blocks
    if not await house.talk(talk.block(me, player, most)):
        raise Problem("too-many", f"You have blocked {most} players, the most there may be.")
    return Response(status_code=204)


@routes.delete(
    "/players/me/blocks/{player}",
    openapi_extra=takes(gives={204: None}, problems=["who-are-you"], token=True),
)
async def unblock(player: str, request: Request) -> Response:
    await house_of(request).ask(talk.unblock(await know(request), player))
    return Response(status_code=204)


# What the page does likewise


def room_of(seen: Sight) -> Room:
    """Where somebody speaks."""
    return "table" if plays(seen.now, seen.player) else "watchers"


def open_rooms(now: Match) -> tuple[Room, ...]:
    """Which rooms a match has by its policy."""
    chat = now.offered.policy.chat
    return () if chat is UNSET else ("table",) if chat == "seats" else ("table", "watchers")


def may_read(seen: Sight, room: Room) -> bool:
    """Players read what is said at the table, watchers what watchers say; once over, all both."""
    if seen.open and seen.now.over:
        return True
    return room == room_of(seen)


def may_speak(seen: Sight) -> bool:
    """Not who sees all hands, as long as others may not."""
    now = seen.now
    knows = now.admits(seen.player) and not now.over
    return room_of(seen) in open_rooms(now) and not (knows and not plays(now, seen.player))


async def utter(house: House, match: str, player: str, text: str) -> Message:
    """Say it, or a Problem."""
    if not text.strip() or not text.replace("\n", "").isprintable():
        raise Problem("invalid", errors=["text: letters, digits, signs and spaces - at `$.text`"])
    seen = await sight(house, match, player)
    _asked(seen, room_of(seen))
    if not may_speak(seen):
        raise Problem("not-yours", "You see all hands: say nothing until the match is over.")
    if silent := await house.ask(talk.silenced(player)):
        raise Problem("too-many", "You may say nothing for a while.", {"retry-after": str(silent)})
    if wait := house.talking.wait(player, time.monotonic()):
        later = {"retry-after": str(int(wait) + 1)}
        raise Problem("too-many", "You say a lot. Wait a little.", later)
    return await house.talk(talk.say(match, room_of(seen), player, text.strip()))


async def heard(
    house: House, match: str, room: Room, player: str | None, after: str = "", most: int = PAGE
) -> list[Message]:
    """What a reader reads of a room."""
    if after and not _is_id(after):
        raise Problem("bad-request", "`after` is the id of a message.")
    ask = talk.said(match, room, after, most) if after else talk.last_said(match, room, most)
    unwanted = await blocks_of(house, player)
    return [one for one in await house.ask(ask) if one.player not in unwanted]


async def blocks_of(house: House, player: str | None) -> frozenset[str]:
    return await house.ask(talk.blocked(player)) if player else frozenset()


async def keep_apart(house: House, match: str, player: str) -> None:
    """A Problem for who would sit down with somebody whom it has blocked, or who has blocked it."""
    now = await house.newest(match)
    others = {h.player for h in now.holders if h.player} | {now.offered.by or player}
    mine = await blocks_of(house, player)
    if mine & others:
        raise Problem("apart", "You have blocked somebody at this table: unblock them first.")
    theirs = await asyncio.gather(*(blocks_of(house, other) for other in sorted(others - {player})))
    if any(player in blocks for blocks in theirs):
        raise Problem("apart", "Somebody at this table does not play with you.")


class Gossip:
    """Hears which rooms have news, and tells `told` of each."""

    def __init__(self, url: str, told: Callable[[str, str], object]) -> None:
        self._wire, self._told = Wire(url), told
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._listen())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._wire.close()

    async def _listen(self) -> None:
        after = b""
        while True:
            try:
                after = after or await self._wire.ask(talk.last_news())
                async with asyncio.timeout(DEAF):
                    news = await self._wire.ask(talk.news(after, WAIT))
                for after, match, room in news:  # noqa: B007
                    self._told(match, room)
            except Exception as error:
                after = b""
                self._wire.close()
                log.warning("listening to talk: %s", error or "no answer")
                await asyncio.sleep(0.2)


async def _exists(house: House, player: str) -> bool:
    if not (len(player) == 16 and player.isascii() and player.isalnum()):
        return False
    return await house.ask(roll.player_name(player)) is not None


def _asked(seen: Sight, room: str | None) -> Room:
    """The room that was asked for, or a Problem."""
    if room not in (None, *talk.ROOMS):
        raise Problem("bad-request", "`room` is table or watchers.")
    wanted: Room = room_of(seen) if room is None else "table" if room == "table" else "watchers"
    if wanted not in open_rooms(seen.now):
        raise Problem("no-such-thing", OFF)
    return wanted


def _whose(room: Room) -> str:
    whose = "its players" if room == "table" else "watchers"
    return f"What is said there is for {whose} until the match is over."


def _is_id(id: str) -> bool:
    ms, dash, n = id.partition("-")
    digits = f"{ms}{n}"
    return dash == "-" and bool(ms and n) and digits.isascii() and digits.isdigit() and len(id) < 40
