"""Snapshots: a match as bytes. A cache, never the truth; another release may not read it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from msgspec import DecodeError, Raw, Struct, defstruct, json, structs

from engine.catalogue import GAMES
from engine.match import Match, encode, reader


class _Snapshot(Struct, frozen=True):
    """A Match as saved. What is inside is read only if it has this release's layout."""

    game: str
    schema: str
    match: Raw


def save(match: Match) -> bytes:
    """A snapshot. A fold resumed from it, anywhere, ends in the same bytes."""
    game = match.offered.game
    return encode(_Snapshot(game, fingerprint(game), Raw(encode(match))))


def load(snapshot: bytes) -> Match | None:
    """The match, or None if this release cannot read it: then it is folded from the log."""
    try:
        saved = reader(_Snapshot).decode(snapshot)
        game = GAMES.get(saved.game)
        if game is None or saved.schema != fingerprint(game.NAME):
            return None
        return Match(*structs.astuple(_reader(game.NAME).decode(saved.match)))
    except DecodeError:
        return None


@cache
def _reader(name: str) -> json.Decoder[Any]:
    """Reads a Match whose options and state are those of this game, in one go."""
    game = GAMES[name]
    past: Any = tuple[tuple[int, game.State], ...]  # type: ignore[name-defined]
    own = {"options": game.Options, "state": game.State | None, "past": past}
    fields = [(f.name, own.get(f.name, f.type)) for f in structs.fields(Match)]
    return json.Decoder(defstruct("Folded", fields, array_like=True, forbid_unknown_fields=True))


@cache
def fingerprint(name: str) -> str:
    """Changes when the layout of a Match or of this game's State does."""
    game = GAMES[name]
    schemas, parts = json.schema_components((Match, game.Options, game.State))
    return sha256(encode([schemas, parts])).hexdigest()[:16]
