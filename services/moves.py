"""POST /matches/{match}/moves: the hot route, a plain ASGI callable beside the FastAPI app."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from engine.match import Match, No, Refused, Verdict
from services import door, logs, traces
from services.answers import answer, encode, first_answer, refused
from services.house import House, seat_of
from services.problems import Problem
from services.sight import no_seat, sight
from services.web.session import token_in

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Reply = tuple[int, bytes, list[tuple[bytes, bytes]]]
LARGEST = 64 * 1024  # bytes of a body
GONE = (No.OVER.name, No.NOT_SEATED.name)  # refusals of who has no seat, or none any more
log = logging.getLogger("turnfold.api")


async def post_move(
    house: House,
    name: str,
    headers: dict[bytes, bytes],
    player: str | None,
    receive: Receive,
    send: Send,
) -> int:
    """Take a move: 201 with what it did, or a problem. `player` is who asks, if that is known.

    The status that was sent.
    """
    try:
        status, body, said = await _move(house, name, headers, player, receive)
        house.tally.moves["accepted"] += 1
    except Problem as problem:
        status, body, said = _problem(house, problem, logs.numbered(headers))
    except Exception:
        id = logs.numbered(headers)
        log.exception("a move at %s", name)
        status, body, said = _problem(house, Problem("bug"), id)
    said.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": said})
    await send({"type": "http.response.body", "body": body})
    return status


def _problem(house: House, problem: Problem, id: bytes) -> Reply:
    house.tally.moves[problem.more.get("code", problem.name)] += 1
    headers = [(k.encode(), v.encode()) for k, v in problem.headers.items()]
    return problem.status, problem.body(), [*headers, (b"x-request-id", id)]


async def _move(
    house: House, name: str, headers: dict[bytes, bytes], player: str | None, receive: Receive
) -> Reply:
    begun = traces.now()
    player = player or await who(house, headers)
    if player is None:
        raise Problem("who-are-you")
    if not is_json(headers.get(b"content-type", b"application/json")):
        raise Problem("not-json")
    body = await read_body(headers, receive)
    known = house.known(house.checked(name))
    seat = None if known is None else seat_of(known, player)
    if seat is None:
        known = await house.newest(name)
        seat = seat_of(known, player)
    assert known is not None
    if seat is None:
        raise no_seat(await sight(house, name, player))
    fresh = await _fresh(house, name, headers.get(b"if-match"))
    if known.state is None:  # what is a chair now may be another's seat in a moment
        no = No.OVER if known.over else No.NOT_DEALT
        refusal = door.NotAllowed(Refused(no.name, no.rule, no.says), known.seq)
        raise await refused(house, name, refusal, None, fresh)
    key = headers.get(b"idempotency-key")
    if key is not None and len(key) > 255:
        raise Problem("bad-request", "An Idempotency-Key has at most 255 characters.")
    hashed = door.hashed_key(key.decode("latin-1")) if key else None
    patient = b"respond-async" not in headers.get(b"prefer", b"")
    foreseen: list[bytes] = []

    def foresee(match: Match, verdict: Verdict) -> None:
        foreseen[:] = [encode(answer(name, match, verdict, seat))]

    foreseeing = foresee if patient else None
    asked = time.perf_counter()
    given = await house.talk(door.play(name, known, seat, body, hashed, fresh, player, foreseeing))
    took = time.perf_counter() - asked
    if isinstance(given, door.Repeated):
        first = await first_answer(house, name, given.seq, player)
        return _created(name, given.seq, encode(first))
    if isinstance(given, door.NotAllowed) and given.refused.code in GONE:
        raise no_seat(await sight(house, name, player))
    if not isinstance(given, door.Entered):
        raise await refused(house, name, given, seat, fresh)
    house.tally.appends.put(took)
    if given.folded:
        house.committed(name, given)
    folded = given.folded or (patient and await house.folded(name, given.seq))
    traces.span("POST /matches/{match}/moves", name, given.seq, begun, root=True, folded=folded)
    if not patient or not folded:
        return _accepted(name, given.seq)
    if not given.folded:  # stamped by the ledger, it is not what was foreseen
        house.book.put(name, given.match)
        foresee(given.match, given.verdict)
    return _created(name, given.seq, foreseen[0])


def _created(name: str, seq: int, body: bytes) -> Reply:
    where = b"/matches/%s/look?seq=%d" % (name.encode(), seq)
    headers = [
        (b"content-type", b"application/json"),
        (b"etag", b'"%d"' % seq),
        (b"location", where),
        (b"cache-control", b"no-store"),
    ]
    return 201, body, headers


def _accepted(name: str, seq: int) -> Reply:
    """It is in the log; what it did can be looked up once it is folded."""
    where = b"/matches/%s/look?seq=%d" % (name.encode(), seq)
    return 202, b"", [(b"location", where), (b"preference-applied", b"respond-async")]


async def _fresh(house: House, name: str, if_match: bytes | None) -> int:
    """The seq that the mover decided on."""
    if if_match is None:
        raise Problem("if-match-missing", seq=(await house.newest(name)).seq)
    number = if_match.strip().removeprefix(b"W/").strip(b'"')
    if not number.isdigit() or len(number) > 9:
        raise Problem("bad-request", 'If-Match is the seq of a look, as in `If-Match: "41"`.')
    return int(number)


async def who(house: House, headers: dict[bytes, bytes], scheme: str | None = None) -> str | None:
    """The player whose token came along; None without one, a Problem for a token of nobody.

    `scheme` is that of a request which changes nothing: a browser's cookie counts for it too.
    """
    given = headers.get(b"authorization")
    if given is None:
        cookies = headers.get(b"cookie", b"").decode("latin-1")
        token = token_in(cookies, scheme) if scheme is not None else None
        return None if token is None else await house.player_of(token)
    token = bearer(given)
    player = None if token is None else await house.player_of(token)
    if player is None:
        raise Problem(
            "who-are-you", "This token is nobody's: send the one that POST /players gave you."
        )
    return player


def bearer(authorization: bytes) -> str | None:
    """The token of an Authorization header, if it is of our kind."""
    scheme, _, token = authorization.decode("latin-1").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


async def read_body(headers: dict[bytes, bytes], receive: Receive) -> bytes:
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length) > LARGEST:
        raise Problem("too-large")
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Problem("bad-request", "The body broke off.")
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > LARGEST:
            raise Problem("too-large")
    return body


def is_json(content_type: bytes) -> bool:
    kind = content_type.partition(b";")[0].strip().lower()
    return kind == b"application/json" or kind.endswith(b"+json")
