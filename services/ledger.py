"""The ledger: the one module that knows the keys of matches, and runs `scripts` on them.

Every function here gives an `Ask`: one command and how to read its reply. Who sends it, and
whether it blocks or awaits, is up to the process (`services/wire.py`). All keys of a shard share a
hash tag; the shard stands at the front of a match's id. The keys of players: `services/roll.py`.
"""

from __future__ import annotations

import re
import secrets
from base64 import b32encode
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from msgspec import Struct, json

from engine.entries import Millis
from engine.match import Line
from services.scripts import AGAIN, APPEND, COMMIT, COPY, LEAVE, PARK, SETTLE, SHA

if TYPE_CHECKING:
    from services.archive.volume import Volume

T = TypeVar("T")
FACTS = 256  # how many entries' facts are kept; older ones are folded again when asked for
MARK = 64  # every so many entries a snapshot is kept, so that no moment is further away
KEPT = 86_400  # seconds for which an offer's idempotency key is remembered
NAME = re.compile(r"(\d{1,4})-[a-z2-7]{16}")


class Kept(NamedTuple, Generic[T]):
    """Where the answer is if the server has none: in a match that the archive has."""

    match: str
    read: Callable[[Volume], T]


class Ask(NamedTuple, Generic[T]):
    """A command for the server and how to read its reply."""

    args: tuple[Any, ...]
    read: Callable[[Any], T]
    meanwhile: Callable[[], object] | None = None  # what an api can work out till the reply is here
    kept: Kept[T] | None = None
    near: str = ""  # of a command without keys: the key whose server is asked; else any


class Taken(NamedTuple):
    """The entry has its place in the log."""

    seq: int
    at: Millis
    folded: bool = False  # what it gives is written too


class Behind(NamedTuple):
    """It has not: the log ends at `seq`, of which `folded` entries have their facts."""

    seq: int
    folded: int


class Written(NamedTuple):
    """An entry as the log holds it."""

    seq: int
    line: Line


class Told(NamedTuple):
    """What folding an entry gave: its verdict and its note, as JSON."""

    seq: int
    verdict: bytes
    note: bytes


class Todo(NamedTuple):
    """A line of `unfolded`: a match to fold and, when a single entry was appended, that entry."""

    id: bytes
    match: str
    seq: int = 0  # 0: whatever the log holds beyond the snapshot
    after: Millis = 0  # `at` of the entry before
    line: Line = Line(0, b"")


class Done(NamedTuple):
    """One folded entry, for `commit`."""

    match: str
    seq: int
    at: Millis
    verdict: bytes
    note: bytes
    snapshot: bytes
    due: str  # the next deadline as a score, "+inf" without one, "over" at the end; "" as before
    todo: bytes  # the id of the line that asked for it, empty if another follows for that line


class Stuck(Struct, frozen=True):
    """Why a match waits: the entry that a release could not fold."""

    seq: int
    release: str
    trace: str


def _script(script: str, keys: Sequence[str], argv: Sequence[Any]) -> tuple[Any, ...]:
    return ("EVALSHA", SHA[script], len(keys), *keys, *argv)


# Names and keys


def new_match(shards: int) -> str:
    """A name for a match that nobody can guess: its shard and 80 random bits."""
    return f"{secrets.randbelow(shards)}-{b32encode(secrets.token_bytes(10)).decode().lower()}"


def is_match(name: str, shards: int) -> bool:
    """Could a match be called this? To be asked before a name from outside goes into a key."""
    found = NAME.fullmatch(name)
    return found is not None and int(found[1]) < shards and str(int(found[1])) == found[1]


def _of(match: str, what: str) -> str:
    return f"{{{match.partition('-')[0]}}}:match:{match}:{what}"


def _shard(match: str, what: str) -> str:
    return f"{{{match.partition('-')[0]}}}:{what}"


def _hints(shard: int | str) -> tuple[str, ...]:
    """What tells of all matches of a shard, in the order of the scripts that write a Done."""
    return tuple(f"{{{shard}}}:{what}" for what in ("unfolded", "folded", "live"))


def _kept(match: str) -> tuple[str, ...]:
    """What is kept of a match, likewise."""
    return tuple(_of(match, what) for what in ("log", "facts", "now", "marks"))


# Writing


def append(
    match: str, seen: int, at: Millis, entry: bytes, done: Done | None = None
) -> Ask[Taken | Behind]:
    """Take place `seen + 1` in the log, if `seen`, stamped `at`, is the last entry and folded.

    `done` is what the entry gives at the time that it names; it is committed along with it if
    that is the server's time, within a second. Else a worker folds it.
    """
    keys = (*_hints(match.partition("-")[0]), *_kept(match))
    keys += () if seen else (_shard(match, "archived"),)
    argv = done or Done(match, seen + 1, 0, b"", b"", b"", "", b"")

    def read(reply: Any) -> Taken | Behind:
        taken, seq, rest = reply
        return Taken(seq, rest, taken == 2) if taken else Behind(seq, rest)

    return Ask(_script(APPEND, keys, (*argv, at, entry)), read)


def commit(shard: int, done: Sequence[Done]) -> Ask[list[int]]:
    """Write what folding gave, for matches of one shard: 1 written, 0 known, −1, −2 refused."""
    keys = list(_hints(shard))
    argv: list[Any] = []
    for one in done:
        keys += _kept(one.match)
        argv += one
    return Ask(_script(COMMIT, keys, argv), list)


def copy(lines: Sequence[Line], done: Done) -> Ask[bool]:
    """Begin a match with these entries, all folded: the last gave `done`. False if it stands
    already, with whatever entries."""
    keys = (*_hints(done.match.partition("-")[0]), *_kept(done.match))
    keys += (_shard(done.match, "archived"),)
    argv = [part for line in lines for part in line]
    return Ask(_script(COPY, keys, (*done, *argv)), bool)


def settle(shard: int, lines: Sequence[Todo]) -> Ask[Any]:
    """These lines have nothing to fold; those of which that is not yet so stay."""
    keys = [f"{{{shard}}}:unfolded"]
    for line in lines:
        keys += [_of(line.match, what) for what in ("log", "facts")]
    return Ask(_script(SETTLE, keys, [line.id for line in lines]), _whatever)


def park(match: str, why: Stuck, todo: bytes) -> Ask[Any]:
    """The match is stuck: it takes no entry until a release folds the one it waits for."""
    keys = (_shard(match, "unfolded"), _shard(match, "stuck"))
    return Ask(_script(PARK, keys, (match, json.encode(why), todo)), _whatever)


def retry(match: str) -> Ask[bool]:
    """Fold on from the snapshot. False if there is no such match."""
    keys = (_shard(match, "unfolded"), _shard(match, "stuck"), _of(match, "log"))
    return Ask(_script(AGAIN, keys, (match,)), bool)


def rebuild(match: str) -> Ask[bool]:
    """Forget all that can be folded again, and have it folded. False if there is no such match."""
    keys = [_shard(match, "unfolded"), _shard(match, "stuck"), _of(match, "log")]
    keys += [_of(match, what) for what in ("facts", "now", "marks")]
    return Ask(_script(AGAIN, keys, (match,)), bool)


# Reading a match


def newest(match: str) -> Ask[bytes | None]:
    """The newest snapshot."""
    return Ask(("GET", _of(match, "now")), _whatever, None, Kept(match, lambda kept: kept.now))


def all_newest(matches: Sequence[str]) -> Ask[list[bytes | None]]:
    """The newest snapshots of matches of one shard, as far as they are on the server."""
    return Ask(("MGET", *(_of(match, "now") for match in matches)), list)


def mark(match: str, seq: int) -> Ask[bytes | None]:
    """The last kept snapshot at or before `seq`."""
    args = ("XREVRANGE", _of(match, "marks"), f"{seq}-0", "-", "COUNT", 1)
    kept = Kept(match, lambda kept: kept.mark(seq))
    return Ask(args, lambda reply: reply[0][1][1] if reply else None, None, kept)


def log(match: str, after: int = 0, most: int = 1000) -> Ask[list[Written]]:
    """The entries from `after` + 1 on, at most so many."""
    args = ("XRANGE", _of(match, "log"), f"{after + 1}-0", "+", "COUNT", most)
    kept = Kept(match, lambda kept: kept.log(after, most))
    return Ask(args, lambda reply: [_written(*item) for item in reply], None, kept)


def entry(match: str, seq: int) -> Ask[Written | None]:
    args = ("XRANGE", _of(match, "log"), f"{seq}-0", f"{seq}-0")
    kept = Kept(match, lambda kept: kept.entry(seq))
    return Ask(args, lambda reply: _written(*reply[0]) if reply else None, None, kept)


def facts(match: str, after: int = 0, most: int = FACTS) -> Ask[list[Told]]:
    """What folding gave for the entries from `after` + 1 on, as far as it is kept."""
    args = ("XRANGE", _of(match, "facts"), f"{after + 1}-0", "+", "COUNT", most)
    kept = Kept(match, lambda kept: kept.facts(after, most))
    return Ask(args, lambda reply: [_told(*item) for item in reply], None, kept)


def last_facts(match: str) -> Ask[Told | None]:
    args = ("XREVRANGE", _of(match, "facts"), "+", "-", "COUNT", 1)
    kept = Kept(match, lambda kept: kept.last_facts())
    return Ask(args, lambda reply: _told(*reply[0]) if reply else None, None, kept)


def ends(match: str) -> Ask[tuple[int, Millis]]:
    """The last entry's seq and time; 0, 0 if there is no such match."""
    args = ("XREVRANGE", _of(match, "log"), "+", "-", "COUNT", 1)
    kept = Kept(match, lambda kept: (len(kept.lines), kept.lines[-1].at))
    read = lambda reply: (_seq(reply[0][0]), int(reply[0][1][1])) if reply else (0, 0)  # noqa: E731
    return Ask(args, read, None, kept)


def stuck(match: str) -> Ask[Stuck | None]:
    args = ("HGET", _shard(match, "stuck"), match)
    return Ask(args, lambda reply: reply and json.decode(reply, type=Stuck))


# Matches that have left for the archive


def leave(match: str, seq: int, digest: bytes) -> Ask[bool]:
    """The archive holds all of this finished match, in the object of this digest: take it off the
    server. False if its log or facts end elsewhere than at `seq`."""
    keys = (_shard(match, "archived"), _shard(match, "stuck"), *_kept(match))
    return Ask(_script(LEAVE, keys, (match, seq, digest)), bool)


def archived(match: str) -> Ask[bytes | None]:
    """The digest of the object that holds this match, if it has left."""
    return Ask(("HGET", _shard(match, "archived"), match), _whatever)


def all_archived(shard: int, cursor: int, most: int) -> Ask[tuple[int, list[tuple[str, bytes]]]]:
    """Some of the matches that have left, with those digests, and the cursor of the next; 0
    begins and ends."""
    args = ("HSCAN", f"{{{shard}}}:archived", cursor, "COUNT", most)

    def read(reply: Any) -> tuple[int, list[tuple[str, bytes]]]:
        pairs = zip(reply[1][::2], reply[1][1::2], strict=True)
        return int(reply[0]), [(name.decode(), digest) for name, digest in pairs]

    return Ask(args, read)


def count_archived(shard: int) -> Ask[int]:
    return Ask(("HLEN", f"{{{shard}}}:archived"), int)


def hint(match: str) -> Ask[Any]:
    """Have react see to a match that has left, as it does to one that was folded."""
    return Ask(("XADD", _shard(match, "folded"), "*", "m", match, "seq", 0), _whatever)


# All keys of a server


LOG = re.compile(rb"\{(\d+)\}:match:(\1-[a-z2-7]{16}):log")
DERIVED = re.compile(
    rb"\{\d+\}:(unfolded|folded|live|stuck|match:[^:]+:(facts|now|marks))|(lobby|rq|here):.*|here"
)


def keys(pattern: str, cursor: int, most: int) -> Ask[tuple[int, list[bytes]]]:
    """Some of the keys of a server, and the cursor of the next; 0 begins and ends.

    Whatever is there all the while is named at least once.
    """
    args = ("SCAN", cursor, "MATCH", pattern, "COUNT", most)
    return Ask(args, lambda reply: (int(reply[0]), reply[1]))


def size() -> Ask[int]:
    """How many keys a server has."""
    return Ask(("DBSIZE",), int)


def match_of(key: bytes) -> str | None:
    """The match whose log this is."""
    found = LOG.fullmatch(key)
    return found and found[2].decode()


def is_derived(key: bytes) -> bool:
    """Can this be folded again from logs, or called for again? All else is truth."""
    return DERIVED.fullmatch(key) is not None


# Reading a server and a shard


def condition() -> Ask[dict[str, str]]:
    """What a server says of itself: versions, memory, persistence."""

    def read(reply: bytes) -> dict[str, str]:
        lines = [line.partition(":") for line in reply.decode().splitlines()]
        return {name: value for name, colon, value in lines if colon}

    return Ask(("INFO",), read)


def clock(shard: int) -> Ask[Millis]:
    """The time by the server that stamps the entries of this shard."""
    read = lambda reply: int(reply[0]) * 1000 + int(reply[1]) // 1000  # noqa: E731
    return Ask(("TIME",), read, near=f"{{{shard}}}")


def groups(shard: int) -> list[Ask[Any]]:
    """Makes the consumer groups; an answer BUSYGROUP says that they are there."""
    made = (("unfolded", "fold"), ("folded", "react"))
    return [
        Ask(("XGROUP", "CREATE", f"{{{shard}}}:{stream}", group, "0", "MKSTREAM"), _whatever)
        for stream, group in made
    ]


def todo(shard: int, worker: str, most: int, wait_ms: int | None) -> Ask[list[Todo]]:
    """New lines for a fold worker; waits for the first, not at all with None."""
    block = () if wait_ms is None else ("BLOCK", wait_ms)
    key = f"{{{shard}}}:unfolded"
    args = ("XREADGROUP", "GROUP", "fold", worker, "COUNT", most, *block, "STREAMS", key, ">")
    return Ask(args, lambda reply: [_todo(*item) for item in reply[0][1]] if reply else [])


def discard(shard: int, ids: Sequence[bytes]) -> list[Ask[Any]]:
    """Lines that nobody can read."""
    key = f"{{{shard}}}:unfolded"
    return [Ask(("XACK", key, "fold", *ids), _whatever), Ask(("XDEL", key, *ids), _whatever)]


def take_over(shard: int, worker: str, idle_ms: int, most: int) -> Ask[list[Todo]]:
    """Lines that some worker took and has not dealt with for so long."""
    args = ("XAUTOCLAIM", f"{{{shard}}}:unfolded", "fold", worker, idle_ms, "0", "COUNT", most)
    return Ask(args, lambda reply: [_todo(*item) for item in reply[1] if item[1]])


def deliveries(shard: int, ids: Sequence[bytes]) -> Ask[dict[bytes, int]]:
    """How often each of these lines, the oldest and newest of which are first and last, was given
    to a worker."""
    key = f"{{{shard}}}:unfolded"
    args = ("XPENDING", key, "fold", ids[0], ids[-1], 10 * len(ids) + 100)
    return Ask(args, lambda reply: {item[0]: item[3] for item in reply})


def length(shard: int, stream: str) -> Ask[int]:
    return Ask(("XLEN", f"{{{shard}}}:{stream}"), int)


def line_after(shard: int, stream: str, id: bytes) -> Ask[bytes | None]:
    """The id of the first line after one."""
    args = ("XRANGE", f"{{{shard}}}:{stream}", b"(" + id, "+", "COUNT", 1)
    return Ask(args, lambda reply: reply[0][0] if reply else None)


def taken(shard: int, stream: str, group: str) -> Ask[bytes | None]:
    """The oldest line that some worker of the group has taken and not dealt with."""
    return Ask(("XPENDING", f"{{{shard}}}:{stream}", group), lambda reply: reply[1])


def group(shard: int, stream: str, group: str) -> Ask[dict[bytes, Any] | None]:
    """What the server knows of a group: lag, pending, last-delivered-id."""
    args = ("XINFO", "GROUPS", f"{{{shard}}}:{stream}")

    def read(reply: Any) -> dict[bytes, Any] | None:
        groups = [_pairs(one) for one in reply]
        return next((one for one in groups if one[b"name"] == group.encode()), None)

    return Ask(args, read)


def consumers(shard: int, stream: str, group: str) -> Ask[list[dict[bytes, Any]]]:
    args = ("XINFO", "CONSUMERS", f"{{{shard}}}:{stream}", group)
    return Ask(args, lambda reply: [_pairs(one) for one in reply])


def forget_consumer(shard: int, stream: str, group: str, name: bytes) -> Ask[Any]:
    args = ("XGROUP", "DELCONSUMER", f"{{{shard}}}:{stream}", group, name)
    return Ask(args, _whatever)


def all_stuck(shard: int) -> Ask[dict[str, Stuck]]:
    def read(reply: list[bytes]) -> dict[str, Stuck]:
        pairs = zip(reply[::2], reply[1::2], strict=True)
        return {name.decode(): json.decode(why, type=Stuck) for name, why in pairs}

    return Ask(("HGETALL", f"{{{shard}}}:stuck"), read)


def count_stuck(shard: int) -> Ask[int]:
    return Ask(("HLEN", f"{{{shard}}}:stuck"), int)


def count_live(shard: int) -> Ask[int]:
    return Ask(("ZCARD", f"{{{shard}}}:live"), int)


Heard = list[tuple[bytes, str, int]]  # line id, match, seq


def heard(shard: int, after: bytes, most: int, wait_ms: int) -> Ask[Heard]:
    """Lines of `folded` after one, for an api that listens."""
    args = ("XREAD", "COUNT", most, "BLOCK", wait_ms, "STREAMS", f"{{{shard}}}:folded", after)
    return Ask(args, _heard)


def last_heard(shard: int) -> Ask[bytes]:
    """The id of the newest line of `folded`, to listen from."""
    args = ("XREVRANGE", f"{{{shard}}}:folded", "+", "-", "COUNT", 1)
    return Ask(args, lambda reply: reply[0][0] if reply else b"0-0")


def reacts(shard: int, worker: str, most: int, wait_ms: int | None) -> Ask[Heard]:
    """New lines of `folded` for react."""
    block = () if wait_ms is None else ("BLOCK", wait_ms)
    key = f"{{{shard}}}:folded"
    args = ("XREADGROUP", "GROUP", "react", worker, "COUNT", most, *block, "STREAMS", key, ">")
    return Ask(args, _heard)


def take_over_folded(shard: int, worker: str, idle_ms: int, most: int) -> Ask[Heard]:
    args = ("XAUTOCLAIM", f"{{{shard}}}:folded", "react", worker, idle_ms, "0", "COUNT", most)
    return Ask(args, lambda reply: [_hint(*item) for item in reply[1] if item[1]])


def reacted(shard: int, ids: Sequence[bytes]) -> Ask[Any]:
    return Ask(("XACK", f"{{{shard}}}:folded", "react", *ids), _whatever)


def trim_folded(shard: int, before: bytes) -> Ask[Any]:
    return Ask(("XTRIM", f"{{{shard}}}:folded", "MINID", "~", before), _whatever)


def due(shard: int, until: Millis, most: int) -> Ask[list[str]]:
    """Live matches whose deadline lies before a time."""
    args = ("ZRANGEBYSCORE", f"{{{shard}}}:live", "-inf", until, "LIMIT", 0, most)
    return Ask(args, lambda reply: [name.decode() for name in reply])


def first_deadline(shard: int) -> Ask[float | None]:
    """When the deadline that comes first is, in ms since 1970; None if no match has one."""
    args = ("ZRANGE", f"{{{shard}}}:live", 0, 0, "WITHSCORES")
    return Ask(args, lambda reply: float(reply[1]) if reply and reply[1] != b"inf" else None)


def live(shard: int, cursor: int, most: int) -> Ask[tuple[int, list[str]]]:
    """Some of the matches that are not over, and the cursor of the next; 0 begins and ends."""
    args = ("ZSCAN", f"{{{shard}}}:live", cursor, "COUNT", most)
    return Ask(args, lambda reply: (int(reply[0]), [name.decode() for name in reply[1][::2]]))


def alive(shard: int, matches: Sequence[str]) -> Ask[list[str]]:
    """Those of these matches of a shard that are not over."""
    args = ("ZMSCORE", f"{{{shard}}}:live", *matches)
    return Ask(args, lambda reply: [m for m, at in zip(matches, reply, strict=True) if at])


# Offers under a key


def remember_offer(player: str, key: str, match: str) -> Ask[bool]:
    """True for the first offer of this player under this key."""
    args = ("SET", f"offer:{player}:{_hashed(key)}", match, "NX", "EX", KEPT)
    return Ask(args, lambda reply: reply is not None)


def remembered_offer(player: str, key: str) -> Ask[str | None]:
    args = ("GET", f"offer:{player}:{_hashed(key)}")
    return Ask(args, lambda reply: reply and reply.decode())


def remember_rematch(match: str, again: str) -> Ask[Any]:
    """`again` follows this match, unless another does already."""
    return Ask(("SET", _of(match, "rematch"), again, "NX"), _whatever)


def rematch(match: str) -> Ask[str | None]:
    return Ask(("GET", _of(match, "rematch")), lambda reply: reply and reply.decode())


def remember_before(again: str, match: str) -> Ask[Any]:
    """The seats of this match are for those who played that one."""
    return Ask(("SET", _of(again, "before"), match), _whatever)


def before(again: str) -> Ask[str | None]:
    return Ask(("GET", _of(again, "before")), lambda reply: reply and reply.decode())


# Indexes, kept by react: which matches there are. Each stands alone.


def index(name: str, match: str, score: int) -> Ask[Any]:
    return Ask(("ZADD", f"lobby:{name}", score, match), _whatever)


def unindex(name: str, match: str) -> Ask[Any]:
    return Ask(("ZREM", f"lobby:{name}", match), _whatever)


def listed(name: str, most: int, before: str = "+inf") -> Ask[list[tuple[str, int]]]:
    """The newest matches of an index, with their scores; `before` is the score to go on from."""
    args = ("ZREVRANGEBYSCORE", f"lobby:{name}", before, "-inf", "WITHSCORES", "LIMIT", 0, most)

    def read(reply: list[bytes]) -> list[tuple[str, int]]:
        pairs = zip(reply[::2], reply[1::2], strict=True)
        return [(match.decode(), int(score)) for match, score in pairs]

    return Ask(args, read)


# Replies


def _whatever(reply: Any) -> Any:
    return reply


def _pairs(reply: list[Any]) -> dict[bytes, Any]:
    return dict(zip(reply[::2], reply[1::2], strict=True))


def _seq(id: bytes) -> int:
    return int(id.partition(b"-")[0])


def _written(id: bytes, fields: list[bytes]) -> Written:
    return Written(_seq(id), Line(int(fields[1]), fields[3]))


def _told(id: bytes, fields: list[bytes]) -> Told:
    return Told(_seq(id), fields[1], fields[3])


def _todo(id: bytes, fields: list[bytes]) -> Todo:
    """A line; of no match if it is none of ours."""
    try:
        match = fields[1].decode()
        if NAME.fullmatch(match) is None:
            return Todo(id, "")
        if len(fields) == 2:
            return Todo(id, match)
        return Todo(id, match, int(fields[3]), int(fields[5]), Line(int(fields[7]), fields[9]))
    except (ValueError, IndexError):
        return Todo(id, "")


def _hint(id: bytes, fields: list[bytes]) -> tuple[bytes, str, int]:
    """Likewise."""
    try:
        match, seq = fields[1].decode(), int(fields[3])
    except (ValueError, IndexError):
        return id, "", 0
    return id, match if NAME.fullmatch(match) else "", seq


def _heard(reply: Any) -> Heard:
    return [_hint(*item) for item in reply[0][1]] if reply else []


def _hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()
