"""The roll: who has an account, and the tokens that stand for it. It knows the keys of players.

As in the ledger, each function gives an `Ask`, or a talk of several. The keys lie in no shard and
each stands alone: the order of what is written makes up for it.
"""

from __future__ import annotations

import secrets
from base64 import b32encode
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct, json

from engine.entries import Millis
from engine.match import DAY
from services.ledger import Ask
from services.notices import channels
from services.said import Token
from services.wire import Talk

REVOKED = 10_000  # lines of `revoked` that are kept, for apis that were away


class Listed(Struct, frozen=True):
    name: str
    at: Millis


def new_player() -> str:
    """An id for a player: 80 random bits."""
    return b32encode(secrets.token_bytes(10)).decode().lower()


def new_token() -> str:
    """256 random bits, marked so that whoever finds them in a file knows what they are."""
    return f"tf_{secrets.token_urlsafe(32)}"


def hashed(token: str) -> str:
    return sha256(token.encode()).hexdigest()


# Accounts


def add_player(player: str, name: str, at: Millis) -> Ask[Any]:
    return Ask(("HSET", _player(player), "name", name, "at", at), _whatever)


def player_name(player: str) -> Ask[str | None]:
    return Ask(("HGET", _player(player), "name"), lambda reply: reply and reply.decode())


def delete_player(player: str) -> Talk[bool]:
    """Forget a player's name, tokens, notes and channels; its seats keep the bare id. False if
    there was nothing.

    The name goes first: a token that is being added meanwhile sees that and goes too.
    """
    known = yield Ask(("DEL", _player(player)), bool)
    listed = yield tokens(player)
    for token in listed:
        yield Ask(("DEL", _token(token.id)), _whatever)
    yield _tell(player)
    claims = (_claims(player, "offers"), _claims(player, "seats"))
    yield Ask(("ZREM", "away", player), _whatever)
    for key in (_tokens(player), _notes(player), _vacations(player), channels.key(player), *claims):
        yield Ask(("DEL", key), _whatever)
    return bool(known or listed)


# Tokens


def add_token(token: str, player: str) -> Ask[Any]:
    """From here on the token stands for the player."""
    return Ask(("SET", _token(hashed(token)), player), _whatever)


def player_of(token: str) -> Ask[str | None]:
    return Ask(("GET", _token(hashed(token))), lambda reply: reply and reply.decode())


def tokens(player: str) -> Ask[list[Token]]:
    """A player's tokens, the oldest first."""

    def read(reply: list[bytes]) -> list[Token]:
        pairs = zip(reply[::2], reply[1::2], strict=True)
        listed = [(id.decode(), json.decode(said, type=Listed)) for id, said in pairs]
        return sorted((Token(id, one.name, one.at) for id, one in listed), key=lambda one: one.at)

    return Ask(("HGETALL", _tokens(player)), read)


def give(token: str, player: str, name: str, at: Millis, most: int) -> Talk[Token | None]:
    """Add a token to those of a player; None if it has as many as it may, or is no more.

    It is listed before it stands for anybody, so that every token can be revoked.
    """
    made = Token(hashed(token), name, at)
    listed = json.encode(Listed(name, at))
    yield Ask(("HSET", _tokens(player), made.id, listed), _whatever)
    count = yield Ask(("HLEN", _tokens(player)), int)
    if not most or count <= most:
        yield add_token(token, player)
        if (yield player_name(player)) is not None:
            return made
        yield Ask(("DEL", _token(made.id)), _whatever)
    yield Ask(("HDEL", _tokens(player), made.id), _whatever)
    return None


def revoke(player: str, id: str) -> Talk[bool]:
    """End a token of a player; False if it has none of this id.

    What is listed to the last can be revoked again, should we die in between.
    """
    if not (yield Ask(("HEXISTS", _tokens(player), id), bool)):
        return False
    yield Ask(("DEL", _token(id)), _whatever)
    yield _tell(player)
    yield Ask(("HDEL", _tokens(player), id), _whatever)
    return True


# What a player has open

What = Literal["offers", "seats"]


def claim(player: str, what: What, match: str, at: Millis) -> Ask[bool]:
    """Count a match among a player's; False if it was."""
    return Ask(("ZADD", _claims(player, what), "NX", at, match), bool)


def claims(player: str, what: What) -> Ask[list[tuple[str, Millis]]]:
    """The matches that are counted, and since when."""

    def read(reply: list[bytes]) -> list[tuple[str, Millis]]:
        pairs = zip(reply[::2], reply[1::2], strict=True)
        return [(match.decode(), int(at)) for match, at in pairs]

    return Ask(("ZRANGE", _claims(player, what), 0, -1, "WITHSCORES"), read)


def unclaim(player: str, what: What, matches: Sequence[str]) -> Ask[Any]:
    return Ask(("ZREM", _claims(player, what), *matches), _whatever)


# Notes


def notes(player: str, match: str) -> Talk[dict[int, str]]:
    """What a player has noted of a match, by the seq that it was written at, in that order."""
    found: dict[int, str] = {}
    cursor = None
    while cursor != 0:
        args = ("HSCAN", _notes(player), cursor or 0, "MATCH", f"{match} *", "COUNT", 1000)
        cursor, said = yield Ask(args, lambda reply: (int(reply[0]), reply[1]))
        for field, text in zip(said[::2], said[1::2], strict=True):
            found[int(field.partition(b" ")[2])] = text.decode()
    return dict(sorted(found.items()))


def put_note(player: str, match: str, seq: int, text: str, most: int) -> Talk[bool]:
    """Note this at a seq, instead of what stood there; an empty text takes it away. False if the
    player has as many notes as it may, or is no more."""
    field = f"{match} {seq}"
    if not text:
        yield Ask(("HDEL", _notes(player), field), _whatever)
        return True
    new = yield Ask(("HSET", _notes(player), field, text), bool)
    count = yield Ask(("HLEN", _notes(player)), int)
    if (yield player_name(player)) is None:
        yield Ask(("DEL", _notes(player)), _whatever)
        return False
    if new and most and count > most:
        yield Ask(("HDEL", _notes(player), field), _whatever)
        return False
    return True


# Vacations


def vacation(player: str, now: Millis, until: Millis, most: int) -> Talk[Millis | None]:
    """Go away until then, from now or from the end of what was said before; until when, None if
    that is more days than a year has for it. Begun days count, in the year in which they begin.

    A vacation is never made shorter: the matches have been told.
    """
    before = yield away_until(player)
    since = max(now, before or 0)
    days, year = begun(since, until), _year(since)
    if days > 0:
        used = yield Ask(("HINCRBY", _vacations(player), year, days), int)
        if most and used > most:
            yield Ask(("HINCRBY", _vacations(player), year, -days), _whatever)
            return None
        yield Ask(("ZADD", "away", "GT", until, player), _whatever)
    return max(until, before or 0)


def begun(since: Millis, until: Millis) -> int:
    """How many days begin between two times."""
    return -(-(until - since) // DAY)


def used(player: str, at: Millis) -> Ask[int]:
    """How many days of vacation a player has had of the year of this time."""
    return Ask(("HGET", _vacations(player), _year(at)), lambda reply: int(reply or 0))


def _year(at: Millis) -> int:
    return datetime.fromtimestamp(at / 1000, UTC).year


def away_until(player: str) -> Ask[Millis | None]:
    return Ask(("ZSCORE", "away", player), lambda reply: None if reply is None else int(reply))


def away(now: Millis) -> Ask[dict[str, Millis]]:
    """Who is on vacation, and until when."""

    def read(reply: list[bytes]) -> dict[str, Millis]:
        pairs = zip(reply[::2], reply[1::2], strict=True)
        return {player.decode(): int(until) for player, until in pairs}

    return Ask(("ZRANGEBYSCORE", "away", now, "+inf", "WITHSCORES"), read)


# Revocations

Heard = list[tuple[bytes, str]]  # line id, player


def last_revoked() -> Ask[bytes]:
    """The id of the newest line of `revoked`, to listen from."""
    args = ("XREVRANGE", "revoked", "+", "-", "COUNT", 1)
    return Ask(args, lambda reply: reply[0][0] if reply else b"0-0")


def revoked(after: bytes, wait_ms: int) -> Ask[Heard]:
    """Players who had tokens revoked since; waits for the first."""
    args = ("XREAD", "COUNT", 512, "BLOCK", wait_ms, "STREAMS", "revoked", after)

    def read(reply: Any) -> Heard:
        return [(id, fields[1].decode()) for id, fields in reply[0][1]] if reply else []

    return Ask(args, read)


def _tell(player: str) -> Ask[Any]:
    """Every api hears that it must ask again whose tokens those of this player are."""
    return Ask(("XADD", "revoked", "MAXLEN", "~", REVOKED, "*", "p", player), _whatever)


def _claims(player: str, what: What) -> str:
    return f"{what}:{player}"


def _player(player: str) -> str:
    return f"player:{player}"


def _tokens(player: str) -> str:
    return f"tokens:{player}"


def _notes(player: str) -> str:
    return f"notes:{player}"


def _vacations(player: str) -> str:
    return f"vacations:{player}"


def _token(hash: str) -> str:
    return f"token:{hash}"


def _whatever(reply: Any) -> Any:
    return reply
