"""Backups: everything of a server that nobody could fold again, as one file, while it runs.

That is the logs, the accounts, and whatever key is not known to be derived. A log only grows, so
each part of one that is read is a true match; and what is there from the beginning to the end of
the walk is in the file: nothing that was acknowledged before a backup began is missing in it. A
copy of the server's own files would hold the same and thrice as much beside, for this very kind of
server alone.

The file is gzip, which notices damage, of lines of JSON: a Header, an Item for each key (several
for a long stream), an End. Bytes are written as Latin-1, so that any come back as they were.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import DecodeError, Struct, json

from engine import RELEASE
from engine.entries import Millis
from services import ledger, uptime
from services.ledger import Ask
from services.wire import BlockingWire

BATCH = 100  # keys that are read, and commands that are written, at once
LAST = (b"token:", b"tokens:", b"player:")  # what is read last, each before what it speaks of
PAGE = 1000  # entries of a stream in one line


class Header(Struct, frozen=True, forbid_unknown_fields=True, tag="turnfold-backup"):
    format: Literal[1]
    release: str
    at: Millis  # when it was begun, by the server


class Item(Struct, frozen=True, forbid_unknown_fields=True, tag="item"):
    """A key; of a stream up to PAGE entries."""

    key: str
    kind: str
    until: Millis | None  # when it is forgotten
    value: Any


class End(Struct, frozen=True, forbid_unknown_fields=True, tag="end"):
    items: int


class Counts(NamedTuple):
    matches: int
    entries: int
    others: int


class NoBackup(ValueError):
    """This file is no whole backup; the message says why."""


_lines = json.Decoder(Header | Item | End)


# Writing one


def save(wire: BlockingWire, path: Path) -> Counts:
    """Write a backup of the server to this path. It is there whole, or not at all."""
    part = path.with_name(path.name + ".part")
    kept = Tally()
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6) as file:
                for line in _written(wire, kept):
                    file.write(json.encode(line) + b"\n")
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return kept.counts()


class Tally:
    """Counts what goes by."""

    def __init__(self) -> None:
        self.items = self.entries = 0
        self.matches, self.others = set[str](), set[str]()

    def add(self, item: Item) -> None:
        self.items += 1
        match = ledger.match_of(_bytes(item.key))
        if match is None:
            self.others.add(item.key)
        else:
            self.matches.add(match)
            self.entries += len(item.value)

    def counts(self) -> Counts:
        return Counts(len(self.matches), self.entries, len(self.others))


def _written(wire: BlockingWire, kept: Tally) -> Iterator[Header | Item | End]:
    yield Header(1, RELEASE, wire.ask(ledger.clock(0)))
    for keys in _walked(wire):
        for item in _read(wire, keys):
            kept.add(item)
            yield item
    yield End(kept.items)


def _walked(wire: BlockingWire) -> Iterator[list[bytes]]:
    """The keys to keep, in parts, each before what it speaks of: a log before the accounts of its
    players. So nothing in the file speaks of what is not. The signs of life come first: what
    the file has not happened after them, so that a restored house takes it for downtime."""
    patterns = ("{*}:alive", "{*}:match:*:log", "*", *(f"{_text(one)}*" for one in LAST))
    for n, pattern in enumerate(patterns):
        keys = {
            key
            for key in wire.walk(partial(ledger.keys, pattern))
            if n == _turn(key) and not ledger.is_derived(key)
        }
        wanted = iter(sorted(keys))
        while some := list(islice(wanted, BATCH)):
            yield some


def _turn(key: bytes) -> int:
    """By which of those patterns a key is read."""
    if uptime.is_sign(key):
        return 0
    if ledger.match_of(key):
        return 1
    return next((n for n, prefix in enumerate(LAST, 3) if key.startswith(prefix)), 2)


def _read(wire: BlockingWire, keys: list[bytes]) -> Iterator[Item]:
    """What is under these keys now; several items of a long stream."""
    kinds = wire.all([Ask(("TYPE", key), bytes.decode) for key in keys])
    lives = wire.all([Ask(("PTTL", key), int) for key in keys])
    now = wire.ask(ledger.clock(0))
    there = [(key, kind) for key, kind in zip(keys, kinds, strict=True) if kind != "none"]
    values = wire.all([_reads(key, kind) for key, kind in there])
    until = {key: now + life for key, life in zip(keys, lives, strict=True) if life >= 0}
    for (key, kind), value in zip(there, values, strict=True):
        while value or value == b"":  # of a key that is gone by now, nothing
            yield Item(_text(key), kind, until.get(key), _texts(value))
            if kind != "stream" or len(value) < PAGE:
                break
            value = wire.ask(_reads(key, kind, b"(" + value[-1][0]))


def _reads(key: bytes, kind: str, after: bytes = b"-") -> Ask[Any]:
    args = {
        "string": ("GET", key),
        "hash": ("HGETALL", key),
        "set": ("SMEMBERS", key),
        "zset": ("ZRANGE", key, 0, -1, "WITHSCORES"),
        "list": ("LRANGE", key, 0, -1),
        "stream": ("XRANGE", key, after, "+", "COUNT", PAGE),
    }
    return Ask(args[kind], lambda reply: reply)


# Reading one


def restore(path: Path, wire: BlockingWire) -> Counts:
    """Write what the file holds to an empty server, and have all matches folded from their logs."""
    kept = Tally()
    items = (item for item in _opened(path) if isinstance(item, Item))
    now = wire.ask(ledger.clock(0))
    while some := list(islice(items, BATCH)):
        for item in some:
            kept.add(item)
        wire.all([ask for item in some for ask in _writes(item, now)])
    matches = iter(sorted(kept.matches))
    while names := list(islice(matches, BATCH)):
        wire.all([ledger.retry(name) for name in names])
    return kept.counts()


def check(path: Path) -> Header:
    """Read it all, and raise NoBackup if it is not whole."""
    header, last, items = None, None, 0
    for last in _opened(path):
        if isinstance(last, Header):
            header = last
        items += isinstance(last, Item)
    if header is None or not isinstance(last, End) or last.items != items:
        raise NoBackup(f"{path} is no whole backup.")
    return header


def _opened(path: Path) -> Iterator[Header | Item | End]:
    try:
        with gzip.open(path) as file:
            for line in file:
                yield _lines.decode(line)
    except (EOFError, gzip.BadGzipFile, DecodeError, zlib.error) as error:
        raise NoBackup(f"{path} is no whole backup: {error}.") from error


def _writes(item: Item, now: Millis) -> Iterator[Ask[Any]]:
    """The commands that bring a key back, unless its time has come since."""
    if item.until is not None and item.until <= now:
        return
    key, value = _bytes(item.key), _raw(item.value)
    if item.kind == "stream":
        for id, fields in value:
            yield _does("XADD", key, id, *fields)
    elif item.kind == "zset":
        pairs = zip(value[1::2], value[::2], strict=True)
        yield _does("ZADD", key, *(word for pair in pairs for word in pair))
    else:
        words = {"string": "SET", "hash": "HSET", "set": "SADD", "list": "RPUSH"}
        yield _does(words[item.kind], key, *([value] if item.kind == "string" else value))
    if item.until is not None:
        yield _does("PEXPIREAT", key, item.until)


def _does(*args: Any) -> Ask[Any]:
    return Ask(args, lambda reply: reply)


# Bytes as text, and back, however deep in lists


def _text(raw: bytes) -> str:
    return raw.decode("latin-1")


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")


def _texts(value: Any) -> Any:
    return _text(value) if isinstance(value, bytes) else [_texts(one) for one in value]


def _raw(value: Any) -> Any:
    return _bytes(value) if isinstance(value, str) else [_raw(one) for one in value]
