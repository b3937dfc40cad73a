"""Snapshots: a match as bytes. A cache, never the truth; another release may not read it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from msgspec import DecodeError, Raw, Struct, defstruct, json, structs

from engine.catalogue import version
from engine.contract import Game
from engine.match import Match, encode, reader


class _Snapshot(Struct, frozen=True):
    """A Match as saved. What is inside is read only if it has this release's layout."""

    game: str
    rules: int
    schema: str
    match: Raw


def save(match: Match) -> bytes:
    """A snapshot. A fold resumed from it, anywhere, ends in the same bytes."""
    game = match.game
    saved = _Snapshot(game.NAME, game.RULES, fingerprint(game), Raw(encode(match)))
    return encode(saved)


def load(snapshot: bytes) -> Match | None:
    """The match, or None if this release cannot read it: then it is folded from the log."""
    try:
        saved = reader(_Snapshot).decode(snapshot)
        game = version(saved.game, saved.rules)
        if game is None or saved.schema != fingerprint(game):
            return None
        return Match(*structs.astuple(_reader(game).decode(saved.match)))
    except DecodeError:
        return None


@cache
def _reader(game: Game) -> json.Decoder[Any]:
    """Reads a Match whose options and state are those of this game, in one go."""
    past: Any = tuple[tuple[int, game.State], ...]  # type: ignore[name-defined]
    own = {"options": game.Options, "state": game.State | None, "past": past}
    fields = [(f.name, own.get(f.name, f.type)) for f in structs.fields(Match)]
    return json.Decoder(defstruct("Folded", fields, array_like=True, forbid_unknown_fields=True))


@cache
def fingerprint(game: Game) -> str:
    """Changes when the layout of a Match or of this game's State does, and with its rules: a
    release that lacks those must not take it for a match by the rules that it has."""
    schemas, parts = json.schema_components((Match, game.Options, game.State))
    return sha256(encode([game.NAME, game.RULES, schemas, parts])).hexdigest()[:16]
