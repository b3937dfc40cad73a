"""The door: every command comes in here, from the api, from robots and from the clock alike.

It judges with the fold's own `step` and writes only what was accepted; so a refusal is answered at
once and a bug writes nothing. What it has stepped it commits along with the entry; workers fold
what is left: by the clock, by a door whose time is off, after a repair.

Each function is a talk with the ledger: it yields what to ask (or seconds to wait) and returns an
answer; `services/wire.py` has the drivers.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple

from msgspec import DecodeError, Raw

from engine import entries as e
from engine.contract import Seat
from engine.fold import fold, restamped, step
from engine.look import note
from engine.match import Line, Match, No, Refused, Verdict, encode, moves_of
from engine.snapshot import load, save
from services import ledger, traces
from services.ledger import Behind, Done, Stuck, Told
from services.wire import Talk

PATIENCE: Final = 5.0  # seconds that a command waits for the entry before it to be folded
PAUSE: Final = 0.005
# Entries that are judged by the time.
TAGS = ("expired", "aborted", "stopped", "proposed", "answered", "resumed", "seated")
TIMED = tuple(b'{"type":"%s"' % tag.encode() for tag in TAGS)
COMMITS = True  # what the door has stepped it commits; workers fold what is left


class Entered(NamedTuple):
    """The entry is in the log; `match` is what it comes to, `verdict` its verdict."""

    seq: int
    match: Match
    verdict: Verdict
    folded: bool = False  # else a worker is about to do it
    told: Told | None = None  # what was committed with it, if that was done here
    upon: str = ""  # and the head before it


class Repeated(NamedTuple):
    """It was already there, at `seq`: the first answer holds."""

    seq: int
    match: Match  # the newest known


class Stale(NamedTuple):
    """It was meant for an earlier moment than `match`."""

    match: Match


class NotAllowed(NamedTuple):
    refused: Refused
    seq: int


class KeyReused(NamedTuple):
    """The idempotency key came with another move before."""

    seq: int


class NoMatch(NamedTuple):
    """There is no such match."""


class Waits(NamedTuple):
    """The match is stuck and says why, or (None) is not folded in time."""

    why: Stuck | None


class Invalid(NamedTuple):
    says: str


Foresee = Callable[[Match, Verdict], None]
Answer = Entered | Repeated | Stale | NotAllowed | KeyReused | NoMatch | Waits | Invalid


class Book:
    """The newest matches that a process knows, so that most commands need not be read again.

    What it remembers may be old: the ledger decides. It must be emptied when the connection to
    the server was lost (`Wire.epoch`), for the log may have lost its tail.
    """

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._matches: OrderedDict[str, Match] = OrderedDict()

    def get(self, name: str) -> Match | None:
        return self._matches.get(name)

    def put(self, name: str, match: Match) -> None:
        self._matches[name] = match
        if len(self._matches) > self._most:
            self._matches.popitem(last=False)

    def drop(self, name: str) -> None:
        self._matches.pop(name, None)

    def clear(self) -> None:
        self._matches.clear()


def newest(name: str) -> Talk[Match | None]:
    """The match as last committed; folded from the log if this release cannot read that."""
    snapshot = yield ledger.newest(name)
    if snapshot is None:
        return None
    match = load(snapshot)
    if match is not None:
        return match
    told = yield ledger.last_facts(name)
    return (yield from moment(name, told.seq)) if told else None


def readable(name: str) -> Talk[Match | None]:
    """The same; None also if it is for another release, as by rules that this one lacks."""
    try:
        return (yield from newest(name))
    except e.Unknown:
        return None


def moment(name: str, seq: int) -> Talk[Match | None]:
    """The match as it was at `seq`, at most `ledger.MARK` steps from a kept snapshot."""
    mark = yield ledger.mark(name, seq)
    match = None if mark is None else load(mark)
    while match is None or match.seq < seq:
        after = match.seq if match else 0
        written = yield ledger.log(name, after, min(1000, seq - after))
        if not written:
            return None
        match = fold((one.line for one in written), match)
    return match


def play(
    name: str,
    known: Match | None,
    seat: Seat,
    move: bytes,
    key: str | None,
    fresh: int,
    player: str | None = None,
    foresee: Foresee | None = None,
) -> Talk[Answer]:
    """A move of a seat, made for the moment `fresh`; `key` is the hash of its idempotency key.

    `known` is the newest match that the caller remembers, if any. A `player` must hold the seat
    when the entry is written, not only when it asked. `foresee` is told, while the ledger is at
    it, what the match comes to if it is taken as it was stepped.
    """

    def judge(match: Match) -> Answer | bytes:
        if not 0 <= seat < len(match.holders):
            return refusal(No.NO_SUCH_SEAT, match)
        holder = match.holders[seat]
        if player is not None and (holder.player != player or holder.gone is not None):
            return refusal(No.OVER if match.over else No.NOT_SEATED, match)
        try:
            raw = Raw(encode(moves_of(match.game).decode(move)))
        except (DecodeError, RecursionError) as error:
            return Invalid(str(error))
        repeated = _repeat(match, seat, key, fresh)
        if repeated is not None:
            return Repeated(repeated, match)
        since = holder.since
        if fresh != match.seq if since is None else not since <= fresh <= match.seq:
            return Stale(match)
        return e.encode(e.Played(seat, raw, key))

    answer = yield from judged(name, known, judge, foresee)
    if not isinstance(answer, Repeated):
        return answer
    first = yield ledger.entry(name, answer.seq)
    if first is not None and _same_move(first.line.raw, answer.match, move):
        return answer
    if answer.match is known:  # an old memory, perhaps of a log that lost its tail
        return (yield from play(name, None, seat, move, key, fresh, player, foresee))
    return Stale(answer.match) if key is None else KeyReused(answer.match.seq)


def _repeat(match: Match, seat: Seat, key: str | None, fresh: int) -> int | None:
    """The seq of the entry that this command may be a repeat of."""
    holder = match.holders[seat]
    if key is not None:
        return dict(holder.keys).get(key)
    if holder.last is None:
        return None
    seq, since = holder.last
    return seq if since <= fresh < seq else None


def _same_move(entry: bytes, match: Match, move: bytes) -> bool:
    played, read = e.decode(entry), moves_of(match.game)
    return isinstance(played, e.Played) and encode(read.decode(move)) == bytes(played.move)


def enter(name: str, make: Callable[[Match], e.Entry | No]) -> Talk[Answer]:
    """Append what `make` makes of the newest match: leaving, resigning, aborting, expiring."""

    def judge(match: Match) -> Answer | bytes:
        made = make(match)
        return refusal(made, match) if isinstance(made, No) else e.encode(made)

    return (yield from judged(name, None, judge))


def hashed_key(key: str) -> str:
    """What the log keeps of an Idempotency-Key."""
    return sha256(key.encode()).hexdigest()[:32]


Judge = Callable[[Match], Answer | bytes]


def judged(
    name: str, known: Match | None, judge: Judge, foresee: Foresee | None = None
) -> Talk[Answer]:
    """Append the entry that `judge` gives, or return its answer.

    What an old memory says no to is judged again at the newest match before it counts; what the
    log says no to, likewise, until it is taken or there is an answer.
    """
    until = time.monotonic() + PATIENCE
    match = known
    while True:
        if match is None:
            match = yield from newest(name)
            if match is None:
                seq, _ = yield ledger.ends(name)
                if not seq:
                    return NoMatch()
                waits = yield from _behind(name, Behind(seq, 0), until)
                if waits is not None:
                    return waits
                continue
        judged = judge(match)
        if isinstance(judged, bytes):
            taken = yield from _append(name, match, judged, foresee)
            if isinstance(taken, Behind):
                waits = yield from _behind(name, taken, until)
                if waits is not None:
                    return waits
                known = match = None
                continue
            judged = taken
        if match is not known or isinstance(judged, Entered | Repeated):
            return judged
        known = match = None


def _append(
    name: str, match: Match, raw: bytes, foresee: Foresee | None
) -> Talk[Entered | NotAllowed | Behind]:
    """Step the entry, and write it and what it gives if the log still ends here.

    What is judged by the time is judged by the ledger's: a worker folds it.
    """
    timed = raw.startswith(TIMED)
    here = (yield ledger.clock(int(name.partition("-")[0]))) if timed else now()
    line = Line(max(match.at, here), raw)
    after, verdict = step(match, line)
    if isinstance(verdict, Refused):
        return NotAllowed(verdict, match.seq)
    whole = done(name, match, after, verdict) if COMMITS and not timed else None
    append = ledger.append(name, match.seq, match.at, raw, whole)
    if foresee is not None and whole is not None:
        append = append._replace(meanwhile=partial(foresee, after, verdict))
    begun = traces.now()
    taken = yield append
    if isinstance(taken, Behind):
        return taken
    traces.span("append", name, taken.seq, begun, folded=taken.folded)
    if taken.folded:
        told = Told(whole.seq, whole.verdict, whole.note) if whole is not None else None
        return Entered(taken.seq, after, verdict, True, told, match.head)
    line = Line(taken.at, raw)
    if timed:
        return Entered(taken.seq, *step(match, line))
    return Entered(taken.seq, restamped(match, after, line), verdict)


def done(
    name: str, before: Match | None, after: Match, verdict: Verdict, todo: bytes = b""
) -> Done:
    """What is to be written of the entry that leads from `before` to `after`."""
    same = before is not None and (before.due, before.over) == (after.due, after.over)
    when = "" if same else due(after)
    facts, noted = encode(verdict), encode(note(after))
    return Done(name, after.seq, after.at, facts, noted, save(after), when, todo)


def due(match: Match) -> str:
    """When somebody has to look after this match, as a score of `live`."""
    if match.over:
        return "over"
    return "+inf" if match.due is None else str(match.due)


def _behind(name: str, at: Behind, until: float) -> Talk[Waits | None]:
    """The log went on. If its last entry is still to be folded, wait a little."""
    if at.seq == at.folded:
        return None
    stuck = yield ledger.stuck(name)
    if stuck is not None and stuck.seq <= at.folded:
        stuck = None  # another release has folded it since
    if stuck is not None or time.monotonic() > until:
        return Waits(stuck)
    yield PAUSE
    return None


def refusal(no: No, match: Match) -> NotAllowed:
    return NotAllowed(Refused(no.name, no.rule, no.says), match.seq)


def now() -> e.Millis:
    return time.time_ns() // 1_000_000
