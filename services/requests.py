"""What the FastAPI routes share: who asks, what the body holds, how an answer is sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from fastapi import Request, Response
from msgspec import DecodeError, Struct, ValidationError
from starlette.requests import ClientDisconnect

from engine.match import reader
from services import door, traces
from services.answers import answer, encode, first_answer, refused
from services.house import House, own_seat
from services.invalid import in_words
from services.moves import LARGEST, is_json, who
from services.problems import Problem
from services.sight import NO_SEAT, hidden, no_seat, plays, sight
from services.wire import Talk

S = TypeVar("S", bound=Struct)
SAFE = ("GET", "HEAD")
OFTEN = {"vary": "Authorization, Cookie", "cache-control": "private, no-cache"}


def house_of(request: Request) -> House:
    house: House = request.app.state.house
    return house


async def visitor(request: Request) -> str | None:
    """The player who asks, None without a token."""
    scheme = request.url.scheme if request.method in SAFE else None
    return await who(house_of(request), dict(request.headers.raw), scheme)


async def know(request: Request) -> str:
    """The player who asks; a Problem without a token."""
    player = await visitor(request)
    if player is None:
        raise Problem("who-are-you")
    return player


async def read(request: Request, kind: type[S]) -> S:
    """The body, if it is of this kind."""
    raw = await body(request)
    try:
        found: S = reader(kind).decode(raw or b"{}")
    except ValidationError as error:
        raise Problem("invalid", errors=[in_words(error)]) from error
    except (DecodeError, RecursionError) as error:
        raise Problem("bad-request", f"The body is not JSON: {error}.") from error
    return found


async def body(request: Request) -> bytes:
    """The bytes of the body, within limits."""
    kind = request.headers.get("content-type", "application/json")
    if not is_json(kind.encode()):
        raise Problem("not-json")
    found = b""
    try:
        async for chunk in request.stream():
            found += chunk
            if len(found) > LARGEST:
                raise Problem("too-large")
    except ClientDisconnect as gone:
        raise Problem("bad-request", "The body broke off.") from gone
    return found


def idempotency(request: Request) -> str | None:
    key = request.headers.get("idempotency-key")
    if key is not None and len(key) > 255:
        raise Problem("bad-request", "An Idempotency-Key has at most 255 characters.")
    return key


def number(query: Mapping[str, str], name: str, usual: int, most: int) -> int:
    """A whole number of the query."""
    text = query.get(name)
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Problem("bad-request", f"`{name}` is a whole number.")
    return min(int(text), most)


def replied(thing: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(encode(thing), status, headers, "application/json")


def refusal(problem: Problem) -> Response:
    return Response(problem.body(), problem.status, problem.headers)


async def entered(request: Request, name: str, talk: Talk[door.Answer], player: str) -> Response:
    """Have the door take an entry, and answer once it is folded."""
    house, begun = house_of(request), traces.now()
    seen = await sight(house, name, player)
    if seen.late and not plays(seen.now, player):
        raise no_seat(seen)
    given = await house.talk(talk)
    response = await answered(house, name, given, player)
    if isinstance(given, door.Entered):
        what = f"{request.method} {request.scope['route'].path}"
        traces.span(what, name, given.seq, begun, root=True)
    return response


async def answered(house: House, name: str, given: door.Answer, player: str) -> Response:
    """201 with what the entry did, 202 if its fold takes too long, or a Problem."""
    if isinstance(given, door.Repeated):
        made = await first_answer(house, name, given.seq, player)
    elif not isinstance(given, door.Entered):
        raise await _problem(house, name, given, player)
    elif not (given.folded or await house.folded(name, given.seq)):
        return Response(status_code=202, headers={"location": _where(name, given.seq)})
    else:
        seat = own_seat(given.match, player)
        made = answer(name, given.match, given.verdict, seat)
    headers = {"location": _where(name, made.seq), "etag": f'"{made.seq}"'}
    return replied(made, 201, headers | {"cache-control": "no-store"})


async def _problem(house: House, name: str, given: door.Answer, player: str) -> Problem:
    """What is refused about seats has problems of its own."""
    if not isinstance(given, door.NotAllowed):
        return await refused(house, name, given, None, 0)
    code, seq, now = given.refused.code, given.seq, await house.newest(name)
    if hidden(now, player):
        unseated = code == "NOT_SEATED"
        return Problem("not-yours", NO_SEAT) if unseated else Problem("not-open", free=[])
    if code in ("SEAT_TAKEN", "SEATED_ALREADY", "NO_SUCH_SEAT"):
        free = [holder.chair for holder in now.holders if holder.open]
        detail = f"{given.refused.says} Take a chair of `free`, or find another match."
        return Problem("seat-taken", detail, free=free, seq=seq)
    if code == "DEALT":
        return Problem("not-open", seq=seq, free=[])
    if code == "NOT_SEATED":
        return Problem("not-yours", NO_SEAT, seq=seq)
    if code == "NOT_INVITED":
        return Problem("not-yours", given.refused.says, seq=seq)
    return await refused(house, name, given, None, 0)


def _where(name: str, seq: int) -> str:
    return f"/matches/{name}/look?seq={seq}"
