"""Talk: what players and watchers of a match say, kept beside its log and never folded.

It knows the keys of rooms, of reports and of who is silenced or blocked; each stands alone. A
stream tells all api processes which room has news.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct, json

from engine.entries import Millis
from services.ledger import Ask
from services.wire import Talk

Room = Literal["table", "watchers"]
ROOMS: Final[tuple[Room, ...]] = ("table", "watchers")
KEPT = 500  # messages of a room
TOLD = 10_000  # lines of news that are kept, for processes that were away
REPORTS = 10_000  # reports that are kept


class Message(Struct, frozen=True):
    """Something that a player has said. `id` grows; `at` is the ledger's time."""

    id: str
    at: Millis
    player: str
    text: str


class Report(Struct, frozen=True):
    """A message that somebody finds should not stand there, as it read then."""

    match: str
    room: Room
    message: Message
    by: str
    why: str


class News(NamedTuple):
    line: bytes
    match: str
    room: str


def say(match: str, room: Room, player: str, text: str) -> Talk[Message]:
    """Say it in a room, and tell all processes that there is news."""
    args = ("XADD", _room(match, room), "MAXLEN", "~", KEPT, "*", "p", player, "=", text)
    id = yield Ask(args, bytes)
    yield Ask(("XADD", "talk", "MAXLEN", "~", TOLD, "*", "m", match, "r", room), _as_is)
    return Message(id.decode(), int(id.partition(b"-")[0]), player, text)


def said(match: str, room: Room, after: str, most: int) -> Ask[list[Message]]:
    """What was said in a room after a message, the oldest first."""
    args = ("XRANGE", _room(match, room), f"({after}" if after else "-", "+", "COUNT", most)
    return Ask(args, _messages)


def last_said(match: str, room: Room, most: int) -> Ask[list[Message]]:
    """The newest messages of a room, the oldest of them first."""
    args = ("XREVRANGE", _room(match, room), "+", "-", "COUNT", most)
    return Ask(args, lambda reply: _messages(reply)[::-1])


def message(match: str, room: Room, id: str) -> Ask[Message | None]:
    args = ("XRANGE", _room(match, room), id, id)
    return Ask(args, lambda reply: next(iter(_messages(reply)), None))


def take_away(match: str, room: Room, id: str) -> Talk[bool]:
    """Take a message away; False if there is none."""
    gone = yield Ask(("XDEL", _room(match, room), id), bool)
    yield Ask(("XADD", "talk", "MAXLEN", "~", TOLD, "*", "m", match, "r", room), _as_is)
    return bool(gone)


# News


def last_news() -> Ask[bytes]:
    args = ("XREVRANGE", "talk", "+", "-", "COUNT", 1)
    return Ask(args, lambda reply: reply[0][0] if reply else b"0-0")


def news(after: bytes, wait_ms: int) -> Ask[list[News]]:
    """Which rooms have news since; waits for the first."""
    args = ("XREAD", "COUNT", 512, "BLOCK", wait_ms, "STREAMS", "talk", after)

    def read(reply: Any) -> list[News]:
        lines = reply[0][1] if reply else []
        return [News(line, f[1].decode(), f[3].decode()) for line, f in lines]

    return Ask(args, read)


# Reports, and what operators do about them


def report(one: Report) -> Ask[bool]:
    """Keep a report; False if this player has reported the message before."""
    field = f"{one.match} {one.room} {one.message.id} {one.by}"
    return Ask(("HSETNX", "talk:reports", field, json.encode(one)), bool)


def count_reports() -> Ask[int]:
    return Ask(("HLEN", "talk:reports"), int)


def reports(cursor: int, most: int) -> Ask[tuple[int, list[tuple[str, Report]]]]:
    """Some reports by their names, and the cursor of the next; 0 begins and ends."""

    def read(reply: Any) -> tuple[int, list[tuple[str, Report]]]:
        pairs = zip(reply[1][::2], reply[1][1::2], strict=True)
        found = [(name.decode(), json.decode(one, type=Report)) for name, one in pairs]
        return int(reply[0]), found

    return Ask(("HSCAN", "talk:reports", cursor, "COUNT", most), read)


def settle(names: Sequence[str]) -> Ask[Any]:
    """These reports are dealt with."""
    return Ask(("HDEL", "talk:reports", *names), _as_is)


def silence(player: str, seconds: int) -> Ask[Any]:
    """Let a player say nothing for so long."""
    return Ask(("SET", f"silenced:{player}", "1", "EX", seconds), _as_is)


def unsilence(player: str) -> Ask[bool]:
    """Let a player speak again; False if nobody has silenced it."""
    return Ask(("DEL", f"silenced:{player}"), bool)


def silenced(player: str) -> Ask[int]:
    """For how many seconds a player has still to be silent; 0 for who may speak."""
    return Ask(("TTL", f"silenced:{player}"), lambda reply: max(0, reply))


# Whom a player does not want to meet


def block(player: str, whom: str, most: int) -> Talk[bool]:
    """False if the player has blocked as many as it may."""
    new = yield Ask(("SADD", _blocks(player), whom), bool)
    count = yield Ask(("SCARD", _blocks(player)), int)
    if new and most and count > most:
        yield unblock(player, whom)
        return False
    return True


def unblock(player: str, whom: str) -> Ask[Any]:
    return Ask(("SREM", _blocks(player), whom), _as_is)


def blocked(player: str) -> Ask[frozenset[str]]:
    """Whom this player has blocked."""
    args = ("SMEMBERS", _blocks(player))
    return Ask(args, lambda reply: frozenset(one.decode() for one in reply))


def forget(player: str) -> Ask[Any]:
    """A player's account is gone."""
    return Ask(("DEL", _blocks(player)), _as_is)


def _room(match: str, room: Room) -> str:
    return f"talk:{match}:{room}"


def _blocks(player: str) -> str:
    return f"blocks:{player}"


def _messages(reply: Any) -> list[Message]:
    return [
        Message(id.decode(), int(id.partition(b"-")[0]), f[1].decode(), f[3].decode())
        for id, f in reply
    ]


def _as_is(reply: Any) -> Any:
    return reply
