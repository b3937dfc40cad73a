"""What is fuzzed: readers of what strangers send. Each takes any bytes, and raises only what it
says it raises; that is caught here, and whatever comes through is a bug."""

from __future__ import annotations

import gzip
import json as stdlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from msgspec import DecodeError

from engine import entries as e
from engine.audit import NoBundle, audit, opened
from engine.catalogue import GAMES
from engine.fold import fold, step
from engine.match import Line, moves_of, reader
from engine.snapshot import load, save
from services.moves import bearer, is_json
from services.packed import packed, plain
from services.visible import visible
from services.web.session import from_here, token_in
from tests.corpus.__main__ import MATCHES

SHORT = 60_000  # bytes of a bundle that is changed here and there
ODD = (
    *(None, True, False, 0, -1, 1, 2**31, 2**53, 2**63, 2**64, 10**400, -(10**30), 0.5, 1e308),
    *(float("nan"), float("inf"), "", "\0", "\ud800", "\x1b[2J", "é" * 40, "0" * 64, "x" * 9000),
    *([], {}, [[]], [None] * 500, {"type": "played"}, {"type": "accepted", "told": []}),
)


# Bundles


@cache
def bundles() -> tuple[bytes, ...]:
    """Real ones, of all games."""
    found = (gzip.decompress(path.read_bytes()) for path in sorted(MATCHES.iterdir()))
    return tuple(raw for raw in found if len(raw) < SHORT)


def bundle(raw: bytes) -> None:
    """The audit of any bytes comes to a verdict, or they are no bundle."""
    try:
        report = audit(opened(raw))
    except NoBundle:
        return
    assert report.ok == (not report.faults)
    assert all(fault.says.endswith(".") for fault in report.faults)


def changed_bundle(raw: bytes) -> None:
    """The same of a real bundle in which something is changed, as these bytes say."""
    draw = Random(raw)
    real = draw.choice(bundles())
    spoilt = changed(stdlib.loads(real), draw)
    text = stdlib.dumps(spoilt, ensure_ascii=draw.random() < 0.5)
    if draw.random() < 0.1:  # a name twice, or a value too deep
        text = text.replace('"seq"', draw.choice(['"seq":1,"seq"', '"s":' + "[" * 9000]), 1)
    bundle(text.encode(errors="surrogatepass"))


def bytes_of_bundle(raw: bytes) -> None:
    """The same of one in which bytes are changed, dropped, said twice."""
    draw = Random(raw)
    real = bytearray(draw.choice(bundles()))
    for _ in range(draw.randrange(1, 6)):
        at, length = draw.randrange(len(real)), draw.randrange(1, 9)
        part = draw.choice([b"", draw.randbytes(length), bytes(real[at : at + length]) * 2])
        real[at : at + length] = part
    bundle(bytes(real))


def changed(tree: Any, draw: Random) -> Any:
    """A few values of it are others: elsewhere in it, of any type, gone, twice, or in a text."""
    for _ in range(draw.randrange(1, 5)):
        places = list(_places(tree))
        inside, at = draw.choice(places)
        old = inside[at]
        match draw.randrange(6):
            case 0:
                inside[at] = draw.choice(ODD)
            case 1:
                other, there = draw.choice(places)
                inside[at] = stdlib.loads(stdlib.dumps(other[there]))
            case 2 if isinstance(inside, list):
                inside.insert(at, old)
            case 3:
                del inside[at]
            case 4 if isinstance(old, int):
                inside[at] = old + draw.choice([-1, 1, 2**32, -(2**40), 2**53 - 1 - old])
            case _ if isinstance(old, str) and old.startswith("{"):
                inside[at] = _changed_text(old, draw)
    return tree


def _changed_text(text: str, draw: Random) -> str:
    """An entry is JSON in a text."""
    try:
        return stdlib.dumps(changed(stdlib.loads(text), draw))
    except (ValueError, IndexError):
        return text


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for at, value in [*inner]:
        yield tree, at
        if isinstance(value, dict | list):
            yield from _places(value)


# What bundles, logs and requests are made of


def entry(raw: bytes) -> None:
    """Any bytes are an entry or unknown; after a real one any entry is accepted or refused."""
    with suppress(e.Unknown):
        e.decode(raw)
        step(None, Line(0, raw))
    for match in matches():
        with suppress(e.Unknown):
            step(match, Line(match.at, raw))


@cache
def matches() -> tuple[Any, ...]:
    """Real ones of all games, half played."""
    found = {}
    for raw in bundles():
        file = opened(raw)
        lines = [Line(one.at, one.entry.encode()) for one in file.entries]
        found.setdefault(file.game, fold(lines[: max(1, len(lines) // 2)]))
    return tuple(found.values())


def move(raw: bytes) -> None:
    """The moves and the options of all games."""
    for game in GAMES.values():
        for read in (moves_of(game).decode, reader(game.Options).decode):
            with suppress(DecodeError, RecursionError):
                read(raw)


def words(raw: bytes) -> None:
    """What people type: a move in the notation of each game, or a ValueError."""
    text = raw.decode(errors="replace")
    for game in GAMES.values():
        try:
            read = game.words.read(text)
        except ValueError:
            continue
        assert game.words.read(game.words.write(read)) == read


def snapshot(raw: bytes) -> None:
    """Any bytes are a match or none."""
    load(raw)
    draw = Random(raw)
    saved = bytearray(save(draw.choice(matches())))
    at = draw.randrange(len(saved))
    saved[at : at + draw.randrange(4)] = draw.randbytes(draw.randrange(4))
    load(bytes(saved))


def archived(raw: bytes) -> None:
    """Whatever is packed, or looks as if it were."""
    draw = Random(raw)
    real = bytearray(packed(raw))
    real[draw.randrange(len(real))] ^= 1 << draw.randrange(8)
    for some in (raw, bytes(real), bytes(real[: draw.randrange(len(real))])):
        with suppress(NoBundle):
            plain(some)


def headers(raw: bytes) -> None:
    """What the front reads of each request before anybody is known."""
    text = raw.decode("latin-1")
    bearer(raw)
    is_json(raw)
    token_in(text, "https")
    from_here({"origin": text, "host": text[:9]})
    assert visible(text).isprintable()


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target
    for target in (
        *(bundle, changed_bundle, bytes_of_bundle, entry, move, words, snapshot, archived, headers),
    )
}
