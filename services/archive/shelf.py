"""Reading through: matches of the archive as whoever asks the server for them needs them.

A process keeps those it has read last, within bounds; nothing of them goes back to the server.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from msgspec import DecodeError, json

from engine.audit import Bundle, NoBundle
from services.archive import Unread
from services.archive.store import Store, digest
from services.archive.volume import Volume
from services.packed import plain

MOST: Final = 64 * 2**20  # bytes of bundles that a process keeps open
_bundle = json.Decoder(Bundle)


class Shelf:
    def __init__(self, store: Store, most: int = MOST) -> None:
        self.store, self._most = store, most
        self._open: OrderedDict[bytes, tuple[Volume, int]] = OrderedDict()
        self._size, self._lock = 0, Lock()

    def open(self, id: bytes) -> Volume | None:
        """The match in the object of this digest, if it was read a short while ago."""
        with self._lock:
            found = self._open.get(id)
            if found is None:
                return None
            self._open.move_to_end(id)
            return found[0]

    def volume(self, match: str, id: bytes) -> Volume:
        """The match in the object of this digest; Unread if the archive has no such thing."""
        found = self.open(id)
        if found is None:
            raw = self._bundle(match, id)
            found = Volume(_decoded(match, raw))
            self._keep(id, found, len(raw))
        return found

    def _bundle(self, match: str, id: bytes) -> bytes:
        raw = self.store.get(path_of(match))
        if digest(raw) != id:
            raise Unread(f"{match} in {self.store.where} is not as it was when it was archived")
        return plain(raw)

    def _keep(self, id: bytes, volume: Volume, size: int) -> None:
        with self._lock:
            if id not in self._open:
                self._open[id] = volume, size
                self._size += size
            while self._size > self._most and len(self._open) > 1:
                _, (_, size) = self._open.popitem(last=False)
                self._size -= size


def path_of(match: str) -> str:
    """The path of the object that holds a match; a folder for every thousandth of them."""
    return f"matches/{match.partition('-')[2][:2]}/{match}.json.zst"


def _decoded(match: str, raw: bytes) -> Bundle:
    try:
        return _bundle.decode(raw)
    except (DecodeError, NoBundle) as error:
        raise Unread(f"{match} in the archive is no bundle: {error}") from error
