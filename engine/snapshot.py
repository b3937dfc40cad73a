"""Snapshots: a match as bytes. A cache, never the truth; another release may not read it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from msgspec import Raw, Struct, json

from engine.catalogue import GAMES
from engine.match import Match, encode, reader


class _Snapshot(Struct, frozen=True):
    """A Match as saved. What is inside is read only if it has this release's layout."""

    game: str
    schema: str
    match: Raw


class _Folded(Match, frozen=True, forbid_unknown_fields=True):
    """A Match, but what belongs to the game is left for the game to read."""

    options: Raw
    state: Raw = Raw(b"null")


def save(match: Match) -> bytes:
    """A snapshot. A fold resumed from it, anywhere, ends in the same bytes."""
    game = match.offered.game
    return encode(_Snapshot(game, fingerprint(game), Raw(encode(match))))


def load(snapshot: bytes) -> Match | None:
    """The match, or None if its layout is another release's: then it is folded from the log."""
    saved = reader(_Snapshot).decode(snapshot)
    game = GAMES.get(saved.game)
    if game is None or saved.schema != fingerprint(game.NAME):
        return None
    folded = reader(_Folded).decode(saved.match)
    state = reader(game.State | None).decode(folded.state)
    options = reader(game.Options).decode(folded.options)
    return Match(
        folded.offered,
        options,
        folded.opened_at,
        folded.holders,
        folded.seq,
        folded.at,
        folded.digest,
        folded.seed,
        folded.rolls,
        state,
        folded.outcome,
        folded.aborted,
    )


@cache
def fingerprint(name: str) -> str:
    """Changes when the layout of a Match or of this game's State does."""
    game = GAMES[name]
    schemas, parts = json.schema_components((Match, game.Options, game.State))
    return sha256(encode([schemas, parts])).hexdigest()[:16]
