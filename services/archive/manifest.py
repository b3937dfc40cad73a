"""The manifest: which matches the archive has, in segments written once and chained by digest.

Each pass of a mover writes one segment. The number and the digest of the newest, its head, stand
for all of them: who keeps a head can tell later that nothing up to there was changed or taken out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from msgspec import DecodeError, Struct, json

from engine.entries import Millis
from engine.match import encode
from services.archive import Unread
from services.archive.store import Store, digest

FOLDER: Final = "manifest"
FIRST: Final = "0" * 64  # what the first segment follows


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A match that was archived."""

    match: str
    seq: int  # of its last entry
    head: str  # after that
    size: int  # of its object
    digest: str  # SHA-256 of that


class Segment(Struct, frozen=True, forbid_unknown_fields=True, tag="turnfold-archive"):
    format: Literal[1]
    number: int  # from 1
    previous: str  # digest of the segment before
    at: Millis  # when it was written, by the server that the matches left
    matches: tuple[Entry, ...]


class Head(NamedTuple):
    number: int
    digest: str

    def __str__(self) -> str:
        return f"{self.number}:{self.digest}"


_segment = json.Decoder(Segment)


def newest(store: Store) -> Head:
    """The head of the archive."""
    number = max((_number(one.path) for one in store.all(FOLDER)), default=0)
    return Head(number, digest(store.get(path_of(number))).hex() if number else FIRST)


def add(store: Store, entries: Sequence[Entry], at: Millis) -> Head:
    """Write these down, after whatever stands there; who else adds meanwhile comes before."""
    while True:
        before = newest(store)
        number = before.number + 1
        raw = encode(Segment(1, number, before.digest, at, tuple(entries)))
        if store.put(path_of(number), raw):
            if store.get(path_of(number)) != raw:
                raise Unread(f"{path_of(number)} in {store.where} is not what was written")
            return Head(number, digest(raw).hex())


def path_of(number: int) -> str:
    return f"{FOLDER}/{number:08}.json"


def stored(store: Store) -> Iterator[tuple[int, bytes]]:
    """All segments that there are, in their order, as they are."""
    for number in sorted(_number(one.path) for one in store.all(FOLDER)):
        yield number, store.get(path_of(number))


def opened(raw: bytes) -> Segment | None:
    """The segment; None if it is none."""
    try:
        return _segment.decode(raw)
    except DecodeError:
        return None


def _number(path: str) -> int:
    """Of a segment; 0 of whatever else lies there."""
    name = path.rpartition("/")[2].removesuffix(".json")
    number = int(name) if name.isascii() and name.isdigit() else 0
    return number if path == path_of(number) else 0
