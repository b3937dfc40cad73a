"""Here: who looks at which match just now, as the api processes tell each other.

Each process keeps a hash of what it serves, which expires unless the process says that it lives;
a stream tells the others of changes at once. It knows these keys, which lie in no shard. Nothing of
it is truth: a server that lost it is told again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from services.ledger import Ask

TOLD = 10_000  # lines of the stream that are kept, for processes that were away


class Looking(NamedTuple):
    """Whose feeds of a match are open: players who have a seat, and how many others."""

    players: frozenset[str] = frozenset()
    watchers: int = 0


class Told(NamedTuple):
    """A process serves this of a match from here on; nothing at all if no match is named."""

    id: bytes
    api: str
    match: str
    looking: Looking


NOBODY = Looking()


def together(parts: Iterable[Looking]) -> Looking:
    """All of these, each player once."""
    found = [*parts]
    players = frozenset[str]().union(*(one.players for one in found))
    return Looking(players, sum(one.watchers for one in found))


def tell(api: str, match: str, looking: Looking, lasts: int) -> list[Ask[Any]]:
    """Tell what a process serves of a match; it counts for `lasts` ms."""
    said = _written(looking)
    kept = ("HSET", _of(api), match, said) if said else ("HDEL", _of(api), match)
    line = ("XADD", "here", "MAXLEN", "~", TOLD, "*", "a", api, "m", match, "=", said)
    asks = (kept, ("PEXPIRE", _of(api), lasts), ("SADD", "here:apis", api), line)
    return [Ask(args, _whatever) for args in asks]


def lives(api: str, lasts: int) -> Ask[bool]:
    """What a process told counts for so long again; False if it is gone."""
    return Ask(("PEXPIRE", _of(api), lasts), bool)


def gone(api: str) -> list[Ask[Any]]:
    """A process serves nothing any more."""
    line = ("XADD", "here", "MAXLEN", "~", TOLD, "*", "a", api, "m", "", "=", "")
    asks = (("DEL", _of(api)), ("SREM", "here:apis", api), line)
    return [Ask(args, _whatever) for args in asks]


def apis() -> Ask[list[str]]:
    """The processes that serve something, or did."""
    return Ask(("SMEMBERS", "here:apis"), lambda reply: [api.decode() for api in reply])


def forget(api: str) -> Ask[Any]:
    return Ask(("SREM", "here:apis", api), _whatever)


def served(api: str) -> Ask[dict[str, Looking]]:
    """What a process serves; nothing if it has not told that it lives."""

    def read(reply: list[bytes]) -> dict[str, Looking]:
        pairs = zip(reply[::2], reply[1::2], strict=True)
        return {match.decode(): _read(said) for match, said in pairs}

    return Ask(("HGETALL", _of(api)), read)


def last_told() -> Ask[bytes]:
    """The id of the newest line, to listen from."""
    args = ("XREVRANGE", "here", "+", "-", "COUNT", 1)
    return Ask(args, lambda reply: reply[0][0] if reply else b"0-0")


def told(after: bytes, wait_ms: int) -> Ask[list[Told]]:
    """What was told since; waits for the first."""
    args = ("XREAD", "COUNT", 512, "BLOCK", wait_ms, "STREAMS", "here", after)

    def read(reply: Any) -> list[Told]:
        lines = reply[0][1] if reply else []
        return [Told(id, f[1].decode(), f[3].decode(), _read(f[5])) for id, f in lines]

    return Ask(args, read)


def _of(api: str) -> str:
    return f"here:{api}"


def _written(looking: Looking) -> str:
    """`3 aaaaaaaaaaaaaaaa …`: watchers, then players; empty for nobody."""
    if looking == NOBODY:
        return ""
    return " ".join([str(looking.watchers), *sorted(looking.players)])


def _read(said: bytes) -> Looking:
    watchers, *players = said.decode().split() or ["0"]
    return Looking(frozenset(players), int(watchers))


def _whatever(reply: Any) -> Any:
    return reply
