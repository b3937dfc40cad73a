"""The route that branches from a finished match: what if, from any of its entries, against robots.

A branch begins with the parent's own entries, so its heads and its chance are the parent's as far
as they go: whoever has read the parent's log may know what will be drawn.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct

from engine import entries as e
from engine.fold import fold, step
from engine.match import Line, Match, Refused, Verdict
from services import door, ledger
from services.claims import claim
from services.house import House
from services.openapi import takes
from services.problems import Problem
from services.requests import answered, house_of, idempotency, know, read
from services.said import Answer
from services.sight import moment, see_all, sight
from services.wire import Talk

routes = APIRouter()


class Branch(Struct, frozen=True, forbid_unknown_fields=True):
    seq: Annotated[int, Meta(ge=1, le=e.LONGEST, description="the last entry that stays")]
    seat: Annotated[int, Meta(ge=0, le=63, description="the seat that you take")]
    robots: e.ROBOTS = "greedy"


@routes.post(
    "/matches/{match}/branch",
    openapi_extra=takes(
        body=Branch,
        gives={201: Answer, 202: None},
        headers={"Idempotency-Key": "a repeat under the same key is the same branch"},
        problems=[
            *("bad-request", "who-are-you", "no-such-thing", "not-over", "too-large", "not-json"),
            *("refused", "key-reused", "invalid", "too-many", "stuck"),
        ],
        token=True,
    ),
)
async def branch(match: str, request: Request) -> Response:
    """Go on from any entry of a finished match as one of its seats, robots at the others: a match
    of its own, without clocks, unlisted and unrated, that names none of its players."""
    player, house = await know(request), house_of(request)
    asked, key = await read(request, Branch), idempotency(request)
    name, given = await branch_off(house, match, player, asked, key)
    return await answered(house, name, given, player)


async def branch_off(
    house: House, match: str, player: str, asked: Branch, key: str | None = None
) -> tuple[str, door.Answer]:
    """The name of the branch, and how it was begun; or a Problem."""
    seen = await sight(house, match, player)
    see_all(seen)
    await moment(house, seen, asked.seq)
    entry = e.Branched(match, asked.seq, asked.seat, player, asked.robots)
    name = ledger.new_match(house.shards)
    if key and not await house.ask(ledger.remember_offer(player, key, name)):
        remembered = await house.ask(ledger.remembered_offer(player, key))
        name = remembered or name
    await claim(house, player, "seats", name)
    given = await _branched(house, name, entry)
    if isinstance(given, door.NotAllowed):
        code, rule, says = given.refused.code, given.refused.rule, given.refused.says
        raise Problem("refused", says, code=code, rule=rule, says=says, seq=seen.newest.seq)
    return name, given


async def _branched(house: House, name: str, entry: e.Branched) -> door.Answer:
    """Begin the match with the parent's entries and this one, unless it stands already."""
    lines = await house.talk(_lines(entry.parent, entry.seq))
    now = await house.ask(ledger.clock(int(name.partition("-")[0])))
    line = Line(max(now, lines[-1].at), e.encode(entry))
    before, match, verdict = await asyncio.to_thread(_folded, lines, line)
    if isinstance(verdict, Refused):
        return door.NotAllowed(verdict, before.seq)
    done = door.done(name, None, match, verdict)
    if await house.ask(ledger.copy([*lines, line], done)):
        return door.Entered(match.seq, match, verdict, folded=True)
    stands = await house.ask(ledger.entry(name, match.seq))
    same = stands is not None and stands.line.raw == line.raw
    return door.Repeated(match.seq, match) if same else door.KeyReused(match.seq)


def _lines(name: str, until: int) -> Talk[list[Line]]:
    lines: list[Line] = []
    while len(lines) < until:
        written = yield ledger.log(name, len(lines), min(1000, until - len(lines)))
        lines += [one.line for one in written]
    return lines


def _folded(lines: list[Line], line: Line) -> tuple[Match, Match, Verdict]:
    before = fold(lines)
    return before, *step(before, line)
