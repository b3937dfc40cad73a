"""The proof of an archive: is every match there as it was, and nothing else?

Each segment of the manifest must follow the one before, each object that it names must be there to
the byte, hold that match, and pass the audit; no object may be there that it does not name. With a
head that somebody kept, that nothing up to there was changed since; with the server, that every
match that has left it is in the manifest, with the same digest.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from engine.audit import NoBundle, audit, opened
from services.archive import Unread, manifest
from services.archive.manifest import FIRST, Entry, Head, Segment
from services.archive.shelf import path_of
from services.archive.store import Store, Thing, digest
from services.packed import plain

YOUNG: Final = 3600.0  # seconds for which an object may wait for its line in the manifest


class Fault(Struct, frozen=True):
    """What is wrong, and of which object or match."""

    kind: str
    where: str
    says: str


class Unknown(Struct, frozen=True):
    """A match that this release cannot fold: nothing was proved of it."""

    where: str
    says: str


class Found(Struct, frozen=True):
    """What an archive came to."""

    ok: bool
    matches: int  # proved to be as they were
    head: str
    faults: tuple[Fault, ...]
    unknown: tuple[Unknown, ...]


Finding = Fault | Unknown | Entry | Head  # an Entry: this match is proved; the Head comes last


def found(findings: Iterator[Finding]) -> Found:
    """All findings as one."""
    all_of_them = list(findings)
    faults = tuple(one for one in all_of_them if isinstance(one, Fault))
    unknown = tuple(one for one in all_of_them if isinstance(one, Unknown))
    matches = sum(isinstance(one, Entry) for one in all_of_them)
    head = next((str(one) for one in all_of_them if isinstance(one, Head)), "")
    return Found(not faults and not unknown, matches, head, faults, unknown)


def prove(
    store: Store, kept: Mapping[int, str] = {}, left: Mapping[str, bytes] | None = None
) -> Iterator[Finding]:
    """All that is found. `kept`: heads, by number; `left`: the matches that a server has given
    away, with their digests. Unread if the store is away."""
    things = {one.path: one for one in store.all("matches")}  # before the manifest that names them
    segments: dict[int, bytes] = dict(manifest.stored(store))
    named: dict[str, Entry] = {}
    for number, segment in _chained(segments):
        if isinstance(segment, Fault):
            yield segment
        else:
            yield from _named(number, segment, named)
    yield from _kept(segments, kept)
    for entry in named.values():
        yield _proved(store, entry, things.pop(path_of(entry.match), None))
    yield from _extra(things)
    if left is not None:
        yield from _left(left, named)
    last = max(segments, default=0)
    yield Head(last, digest(segments[last]).hex() if last else FIRST)


def _chained(segments: Mapping[int, bytes]) -> Iterator[tuple[int, Segment | Fault]]:
    """Each segment, or what is wrong with it; both if it is one that does not follow."""
    before = FIRST
    for number in range(1, max(segments, default=0) + 1):
        path, raw = manifest.path_of(number), segments.get(number)
        if raw is None:
            yield number, Fault("manifest", path, "This segment is missing.")
            continue
        segment = manifest.opened(raw)
        if segment is None or segment.number != number:
            yield number, Fault("manifest", path, "This is not the segment of its number.")
        elif segment.previous != before:
            says = "It does not follow the segment before it, of which something was changed."
            yield number, Fault("manifest", path, says)
            yield number, segment
        else:
            yield number, segment
        before = digest(raw).hex()


def _named(number: int, segment: Segment, named: dict[str, Entry]) -> Iterator[Fault]:
    """Note its matches; of one that two movers wrote down both must say the same."""
    for entry in segment.matches:
        if named.setdefault(entry.match, entry) != entry:
            path = manifest.path_of(number)
            yield Fault("manifest", path, f"It names {entry.match} otherwise than one before it.")


def _kept(segments: Mapping[int, bytes], kept: Mapping[int, str]) -> Iterator[Fault]:
    for number, head in kept.items():
        if number not in segments or digest(segments[number]).hex() != head:
            says = "It, or one before it, is not what it was when its head was kept."
            yield Fault("kept-head", manifest.path_of(number), says)


def _proved(store: Store, entry: Entry, thing: Thing | None) -> Entry | Fault | Unknown:
    """The match if it is there as it was, else what is wrong with it."""
    if thing is None:
        return Fault("missing", entry.match, "Its object is not there.")
    try:
        raw = store.get(path_of(entry.match))
    except Unread as error:
        return Fault("missing", entry.match, f"Its object cannot be read: {error}.")
    if (len(raw), digest(raw).hex()) != (entry.size, entry.digest):
        return Fault("changed", entry.match, "Its object is not what the manifest says.")
    return _audited(entry, raw)


def _audited(entry: Entry, raw: bytes) -> Entry | Fault | Unknown:
    try:
        file = opened(plain(raw))
        report = audit(file)
    except NoBundle as error:
        return Unknown(entry.match, f"It cannot be audited: {error}.")
    if not report.ok:
        return Fault("audit", entry.match, report.faults[0].says)
    if (file.match, len(file.entries), report.head) != (entry.match, entry.seq, entry.head):
        return Fault("audit", entry.match, "It is another match than the manifest says.")
    return entry


def _extra(things: Mapping[str, Thing]) -> Iterator[Fault]:
    """Objects that the manifest does not name; a mover may be about to write down the youngest."""
    for path, thing in things.items():
        if thing.at < time.time() - YOUNG:
            yield Fault("extra", path, "The manifest does not name this object.")


def _left(left: Mapping[str, bytes], named: Mapping[str, Entry]) -> Iterator[Fault]:
    for match, id in left.items():
        entry = named.get(match)
        if entry is None or entry.digest != id.hex():
            says = "It has left the server, and the manifest does not say the same of it."
            yield Fault("server", match, says)
