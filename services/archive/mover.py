"""The mover: brings finished matches into the archive, each off the server only once it is there.

It writes a match's object, reads it back, writes it into the manifest, and then has the server
forget the match and remember where it is, in one. Whoever dies on the way leaves nothing worse than
an object or a line of the manifest too many, which the next one takes up. Several may be at it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec import json

from engine.audit import LARGEST, Bundle
from engine.entries import Millis, Unknown
from services import door, finished, ledger, oversight, tournaments
from services.archive import manifest
from services.archive.manifest import Entry
from services.archive.shelf import path_of
from services.archive.store import Store, digest
from services.packed import packed, plain
from services.wire import BlockingWire

BATCH = 100  # matches in one segment of the manifest
DAY = 86_400_000  # ms
log = logging.getLogger("turnfold.archive")


class Moved(NamedTuple):
    matches: int
    size: int  # of their objects


def move(wire: BlockingWire, store: Store, days: float, seconds: float = float("inf")) -> Moved:
    """Move the matches of all shards that ended so many days ago; what is not done after so many
    seconds is left to the next."""
    until = time.monotonic() + seconds
    before = wire.ask(ledger.clock(0)) - int(days * DAY)
    ended = _ended(wire, before)
    matches = size = 0
    while some := list(islice(ended, BATCH)):
        moved = move_these(wire, store, some)
        matches, size = matches + moved.matches, size + moved.size
        if time.monotonic() >= until:
            break
    return Moved(matches, size)


def move_these(wire: BlockingWire, store: Store, names: Sequence[str]) -> Moved:
    """Move these finished matches, those of them that can be."""
    there = [entry for name in names if (entry := _stored(wire, store, name)) is not None]
    if not there:
        return Moved(0, 0)
    manifest.add(store, there, wire.ask(ledger.clock(0)))
    left = [
        one
        for one in there
        if wire.ask(ledger.leave(one.match, one.seq, bytes.fromhex(one.digest)))
    ]
    return Moved(len(left), sum(one.size for one in left))


def _ended(wire: BlockingWire, before: Millis) -> Iterator[str]:
    """The matches on the server that ended before a time; one may come twice."""
    names = oversight.logs(wire)
    while some := list(islice(names, BATCH)):
        ends = wire.all([ledger.ends(name) for name in some])
        for name, (seq, at) in zip(some, ends, strict=True):
            if seq and at <= before and _over(wire, name, seq):
                yield name


def _over(wire: BlockingWire, name: str, seq: int) -> bool:
    """Is it over with this entry, and folded; and opened, if others are dealt the same?"""
    try:
        match = wire.talk(door.newest(name))
    except Unknown:  # for another release
        return False
    if match is None or not match.over or match.seq != seq:
        return False
    return not match.shared or wire.talk(tournaments.opened(name, match))


def _stored(wire: BlockingWire, store: Store, name: str) -> Entry | None:
    """Have the match's object there, and say what it is; None if that cannot be."""
    record = wire.talk(finished.record(name))
    if not record.lines:
        return None
    try:
        raw = finished.bundle(name, record)
        if len(raw) > LARGEST:
            raise ValueError(f"it is larger than {LARGEST} bytes")
        store.put(path_of(name), packed(raw))
        there = store.get(path_of(name))
        file = json.decode(plain(there), type=Bundle)
        lines = [(one.at, one.entry.encode()) for one in file.entries]
        if (file.match, lines) != (name, [tuple(line) for line in record.lines]):
            raise ValueError(f"{path_of(name)} in {store.where} holds something else")
    except (Unknown, ValueError) as error:
        log.warning("%s stays on the server: %s", name, error)
        return None
    last = file.entries[-1]
    return Entry(name, last.seq, last.head, len(there), digest(there).hex())
