"""Bundles packed with zstd, as the archive keeps them; whatever a file claims, within limits."""

from __future__ import annotations

import zstandard

from engine.audit import LARGEST, NoBundle

MAGIC = b"\x28\xb5\x2f\xfd"
LEVEL = 10


def packed(raw: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(raw)


def plain(raw: bytes) -> bytes:
    """The bundle, packed or not; NoBundle if it is damaged or larger than a bundle may be."""
    if not raw.startswith(MAGIC):
        return raw
    try:
        with zstandard.ZstdDecompressor().stream_reader(raw) as reader:
            found = reader.read(LARGEST + 1)
    except zstandard.ZstdError as error:
        raise NoBundle(f"this is not a bundle: {error}") from error
    if len(found) > LARGEST:
        raise NoBundle(f"a bundle has at most {LARGEST} bytes")
    return found
