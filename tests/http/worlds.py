"""Two worlds over HTTP: a match whose log we write ourselves, and all that a visitor gets of it.

Each world is a database of its own on the stage's server; its api answers in this process.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable

import httpx
from redis.client import Redis

from engine import entries as e
from engine.fold import step
from engine.match import Line
from services import door, ledger, roll
from services.api import make_app
from services.wire import BlockingWire
from tests.engine.logs import player

NAME = "0-" + "w" * 16
HEAD = re.compile(rb'("head":")[0-9a-f]{64}')  # keyed, over entries that nobody can guess
ASKED = ("", "?as=watcher", "?as=open", "?as=0", *(f"?seq={n}" for n in (1, 4, 5, 6, 8)))
OWN = (b"date", b"x-request-id")  # headers of one answer alone
NOW = time.time_ns() // 1_000_000


def world(url: str, place: int, entries: Iterable[tuple[float, e.Entry]]) -> str:
    """The address of a database that holds one match, its entries so many seconds old."""
    url = f"{url}?db={place}"
    match, wire, server = None, BlockingWire(url), Redis.from_url(url)
    server.flushdb()
    for seq, (age, entry) in enumerate(entries, 1):
        line = Line(int(NOW - age * 1000), e.encode(entry))
        server.xadd(f"{{0}}:match:{NAME}:log", {"at": line.at, "=": line.raw}, f"{seq}-0")
        before = match
        match, verdict = step(before, line)
        [written] = wire.ask(ledger.commit(0, [door.done(NAME, before, match, verdict)]))
        assert written == 1
        server.zadd(f"lobby:{'open' if match.status == 'open' else 'running'}", {NAME: 1})
    for n in range(10):
        wire.ask(roll.add_token(f"token {n}", player(n)))
        wire.ask(roll.add_player(player(n), "Ann", NOW))
    return url


def sent(url: str, who: int | None, heads: bool = True) -> list[bytes]:
    """All that this player, None for anybody, is sent that asks for everything."""

    async def asked() -> list[bytes]:
        token = {} if who is None else {"authorization": f"Bearer token {who}"}
        transport = httpx.ASGITransport(make_app(url))
        how = {"transport": transport, "base_url": "http://house", "headers": token}
        async with httpx.AsyncClient(**how) as client:
            answers = [answer async for answer in _all(client)]
        return [_bytes(answer, heads) for answer in answers]

    return asyncio.run(asked())


def differs(one: list[bytes], other: list[bytes]) -> str:
    """Nothing, or where two visitors got something else."""
    pairs = enumerate(zip(one, other, strict=True))
    n, (a, b) = next((pair for pair in pairs if pair[1][0] != pair[1][1]), (0, (b"", b"")))
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), 0)
    return "" if a == b else f"answer {n}: {a[max(0, at - 300) : at + 200]!r}\n{b[at : at + 200]!r}"


async def _all(client: httpx.AsyncClient):
    match, ours = f"/matches/{NAME}", {"player": player(9)}
    for query in ASKED:
        yield await client.get(f"{match}/look{query}")
        yield await client.get(f"{match}/replay{query.replace('seq', 'after')}")
    yield await client.get(f"{match}/look", headers={"if-none-match": '"5"'})
    yield await client.get(f"{match}/bundle")
    for state in ("open", "running", "over"):
        yield await client.get(f"/matches?state={state}")
    yield await client.get(f"/matches?player={player(0)}")
    yield await client.get("/matches?player=me")
    for what, body in (
        *(("grow", {}), ("moves", {}), ("leave", {}), ("resign", {}), ("abort", {})),
        *(("join", {"entropy": "0" * 64}), ("invite", ours), ("admit", ours)),
    ):
        for fresh in ("1", "7"):
            headers = {"if-match": fresh}
            yield await client.post(f"{match}/{what}", json=body, headers=headers)
    yield await client.get(f"{match}/feed?as=1")


def _bytes(answer: httpx.Response, heads: bool) -> bytes:
    shown = [value for value in answer.headers.raw if value[0] not in OWN]
    body = answer.content if heads else HEAD.sub(rb"\1", answer.content)
    return b"%d %r %s" % (answer.status_code, shown, body)
