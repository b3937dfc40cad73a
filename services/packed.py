"""Bundles packed: with zstd, as the archive keeps them, or gzip; whatever a file claims, within
limits."""

from __future__ import annotations

import gzip
import zlib
from io import BytesIO

import zstandard

from engine.audit import LARGEST, NoBundle

ZSTD, GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"
LEVEL = 10


def packed(raw: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(raw)


def plain(raw: bytes) -> bytes:
    """The bundle, packed or not; NoBundle if it is damaged or larger than a bundle may be."""
    try:
        if raw.startswith(ZSTD):
            with zstandard.ZstdDecompressor().stream_reader(raw) as reader:
                found = reader.read(LARGEST + 1)
        elif raw.startswith(GZIP):
            with gzip.GzipFile(fileobj=BytesIO(raw)) as file:
                found = file.read(LARGEST + 1)
        else:
            return raw
    except (zstandard.ZstdError, OSError, EOFError, zlib.error) as error:
        raise NoBundle(f"this is not a bundle: {error}") from error
    if len(found) > LARGEST:
        raise NoBundle(f"a bundle has at most {LARGEST} bytes")
    return found
