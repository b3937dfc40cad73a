"""A match as folded so far: its value, its verdicts, and the hashes that seal its log."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from heapq import merge
from hmac import digest as hmac
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from msgspec import UNSET, Struct, json

from engine import entries as e
from engine.catalogue import EARLIER, GAMES
from engine.contract import Game, Outcome, Refusal, Seat, Told, once

encode = json.Encoder().encode
reader = cache(json.Decoder)  # one decoder per type


@cache
def moves_of(game: Game) -> json.Decoder[Any]:
    """What reads the moves of a game. Its union of types costs more to look up than to decode."""
    return json.Decoder(game.Move)


class Line(NamedTuple):
    """An entry as it stands in a log: when, by the ledger's clock, and its bytes."""

    at: e.Millis
    raw: bytes


FOR_EVER = 2**60  # ms: later than any time that can be written
DAY = 86_400_000  # ms
Stretch = tuple[e.Millis, e.Millis]  # of time: from when, until when


class Holder(Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """Who holds a chair or, once dealt, a seat, and what the fold remembers of it."""

    chair: int
    player: str | None = None
    robot: e.ROBOTS | None = None
    entropy: str | None = None
    gone: Literal["resigned", "expired", "replaced"] | None = None
    since: int | None = None  # from which seq it has been waited for, without a break and unacted
    since_at: e.Millis = 0
    last: tuple[int, int] | None = None  # its last move: seq, and its `since` then or seq − 1
    keys: tuple[tuple[str, int], ...] = ()  # the last idempotency keys, with their seqs
    late: bool = False  # its time is up in this wait, and the others may claim
    bank: e.Millis | None = None  # ms that it had when its last wait began; None: it had none yet
    spent: tuple[e.Millis, e.Millis, bool] | None = None  # that wait: since, until; did it move?
    away: tuple[Stretch, ...] = ()  # vacations of its player: in order, and apart
    before: tuple[str, ...] = ()  # players who had the seat before
    missed: int = 0  # how often in a row a move was made for it, as its time was up

    @property
    def open(self) -> bool:
        return self.player is None and self.robot is None


class Guest(Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """A player who was invited, by which entry, and the seats that show it all faces, by which."""

    player: str
    seq: int
    admitted: tuple[tuple[Seat, int], ...] = ()


class Vote(Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """A proposal that is not settled: which entry made it, and who has agreed, that seat too."""

    seq: int
    seat: Seat
    what: e.What
    yes: tuple[Seat, ...]


class Match(Struct, frozen=True, forbid_unknown_fields=True, array_like=True, dict=True):
    """The first `seq` entries of a log, folded. Secret: it knows every card."""

    offered: e.Offered
    options: Any  # of its game
    opened_at: e.Millis
    holders: tuple[Holder, ...]  # by chair until dealt, by seat from then on
    seq: int = 0
    at: e.Millis = 0
    digest: bytes = bytes(32)
    seed: bytes | None = None
    rolls: int = 0  # how many entries used chance
    state: Any = None  # of its game; None until dealt
    dealt: int = 0  # the entry that dealt
    outcome: Outcome | None = None
    aborted: str | None = None
    guests: tuple[Guest, ...] = ()
    branched: int = 0  # the entry by which it left the match whose entries come before
    stops: tuple[Stretch, ...] = ()  # when clocks stood still: in order, and apart
    vote: Vote | None = None
    paused: e.Millis | None = None  # since when
    promised: tuple[tuple[Seat, str], ...] = ()  # seats, and which players may take them
    past: tuple[tuple[int, Any], ...] = ()  # the last entries that can be taken back, and the
    # state of its game before each

    @property
    def game(self) -> Game:
        """By the rules that it was offered with, whichever are the newest by now."""
        name, rules = self.offered.game, self.offered.rules
        game = GAMES[name]
        return game if rules == game.RULES else EARLIER[name, rules]

    @once
    def over(self) -> bool:
        return self.outcome is not None or self.aborted is not None

    @once
    def status(self) -> Literal["open", "running", "over"]:
        return "over" if self.over else "open" if self.state is None else "running"

    @once
    def to_act(self) -> tuple[Seat, ...]:
        """Whom the match waits for: nobody before the deal or once over, whatever its game says."""
        return () if self.over or self.state is None else self.game.to_act(self.state)

    @once
    def head(self) -> str:
        """What is shown of the digest: keyed, for a bare one could be searched."""
        inner, outer = _pads(self.offered.secret)
        inner, outer = inner.copy(), outer.copy()
        inner.update(b"head" + self.digest)
        outer.update(inner.digest())
        keyed: str = outer.hexdigest()
        return keyed

    @property
    def listed(self) -> bool:
        """Can others find it? A branch is for whoever knows its name."""
        return self.offered.policy.listed and not self.branched

    @property
    def shared(self) -> bool:
        """Are others dealt the same at other tables? Not what follows in a branch."""
        return self.offered.tournament is not UNSET and not self.branched

    def guest(self, player: str | None) -> Guest | None:
        return next((guest for guest in self.guests if guest.player == player), None)

    def admits(self, player: str | None) -> bool:
        """Do all seats that players hold let this one see all faces?"""
        guest = self.guest(player)
        held = {s for s, holder in enumerate(self.holders) if holder.robot is None}
        return guest is not None and bool(held) and held <= {seat for seat, _ in guest.admitted}

    @once
    def deadlines(self) -> tuple[e.Millis | None, ...]:
        """Of each seat."""
        if self.offered.policy.clock is None:
            return (None,) * len(self.holders)
        return tuple(self.deadline(seat) for seat in range(len(self.holders)))

    @property
    def banks(self) -> tuple[e.Millis, ...] | None:
        """What each seat has left, where they have banks, or had when its wait began."""
        if not isinstance(self.offered.policy.clock, e.Bank) or self.state is None:
            return None
        return tuple(self.bank(seat) for seat in range(len(self.holders)))

    @once
    def due(self) -> e.Millis | None:
        """When somebody has to look after it: a clock runs out, or nobody took its open seats."""
        if self.state is None:
            return None if self.over else self.lapses
        times = [self.deadlines[seat] for seat in self.to_act if not self.holders[seat].late]
        return min((at for at in times if at is not None), default=None)

    def deadline(self, seat: Seat) -> e.Millis | None:
        """When the time of this seat is up, if a clock runs for it: not for robots, nor in a
        branch."""
        clock, holder = self.offered.policy.clock, self.holders[seat]
        if clock is None or holder.since is None or holder.robot is not None:
            return None
        if self.branched or self.paused is not None:
            return None
        allowed = self.bank(seat) if isinstance(clock, e.Bank) else self._each(seat, clock)
        due = holder.since_at + allowed + self.stood(holder.since_at)
        for begun, ended in self._off(seat, holder.since_at):
            if begun >= due:
                break
            due += ended - begun - self.stood(begun, ended)
        return due

    def _each(self, seat: Seat, clock: e.PerMove) -> e.Millis:
        """What a seat has for a move: less once it has stayed away too often."""
        absent = self.offered.policy.absent
        short = absent and self.holders[seat].missed >= absent.after
        return (absent.seconds if short and absent else clock.seconds) * 1000

    def bank(self, seat: Seat) -> e.Millis:
        """What a seat has left of its time, or had when it began to be waited for."""
        clock, holder = self.offered.policy.clock, self.holders[seat]
        assert isinstance(clock, e.Bank)
        had = clock.seconds * 1000 if holder.bank is None else holder.bank
        if holder.spent is None:
            return had
        since, until, moved = holder.spent
        left = max(0, had - (until - since) + self.still(seat, since, until))
        return min(left + moved * clock.increment * 1000, clock.cap * 1000)

    def still(self, seat: Seat, since: e.Millis, until: e.Millis) -> e.Millis:
        """For how long the clock of a seat stood still between two times, for whatever reason."""
        spans, away = self._stops, self.holders[seat].away
        cuts = {at for span in (*spans, *away) for at in span if since < at < until}
        times = [since, *sorted(cuts), until]
        return sum(
            self._still(begun, ended, sum(a <= begun < b for a, b in spans), away)
            for begun, ended in pairwise(times)
            if begun < ended
        )

    def _still(
        self, begun: e.Millis, ended: e.Millis, stops: int, away: tuple[Stretch, ...]
    ) -> e.Millis:
        """The same of a time within which nothing begins or ends but days; `stops`: how many
        stretches it is part of in which all clocks stood still."""
        off = ended - begun
        if not any(a <= begun < b for a, b in away):
            off = _rested(begun, ended, self.offered.policy.rest or ())
        return stops * (ended - begun) + off * (1 - stops)

    def _off(self, seat: Seat, since: e.Millis) -> Iterator[Stretch]:
        """When this seat needs not play, after a time: vacations and days of rest, each once; but
        no days in which all clocks stood still anyway."""
        away = self.holders[seat].away
        for begun, ended in merge(
            away, _rest(since, self.offered.policy.rest or (), self.stops, away)
        ):
            begun = max(begun, since)
            if begun < ended:
                yield begun, ended
                since = ended

    @property
    def lapses(self) -> e.Millis:
        """When this offer lapses, unless all chairs are taken."""
        return self.opened_at + self.offered.policy.fill * 1000 + self.stood(self.opened_at)

    def stood(self, since: e.Millis, until: e.Millis = FOR_EVER) -> e.Millis:
        """For how long clocks have stood still between two times."""
        spans = ((max(a, since), min(b, until)) for a, b in self._stops)
        return sum(ended - begun for begun, ended in spans if ended > begun)

    @property
    def _stops(self) -> tuple[Stretch, ...]:
        """When all clocks stood still, or do since it was paused."""
        return self.stops if self.paused is None else (*self.stops, (self.paused, FOR_EVER))


Change = tuple[Match, tuple[Told, ...]]  # what an entry makes of a match, and what is told of it


class Accepted(Struct, frozen=True, tag="accepted"):
    told: tuple[Told, ...]


class Refused(Struct, frozen=True, tag="refused"):
    code: str
    rule: str
    says: str


Verdict = Accepted | Refused


class No(Refusal):
    """What is refused before a game is asked."""

    OVER = "match", "The match is over."
    NOT_DEALT = "match", "The match has not begun: there are open seats."
    DEALT = "match", "The match has begun already."
    NO_SUCH_SEAT = "match", "This match has no such seat."
    SEAT_TAKEN = "match", "That seat is taken."
    SEATED_ALREADY = "match", "You have a seat in this match already."
    NOT_SEATED = "match", "Nobody who could do that holds this seat."
    UNREADABLE = "match", "That is not a move of this game."
    TOO_EARLY = "match", "The time for that has not come."
    TOO_LONG = "match", "The match has as many entries as it may have."
    NOT_INVITED = "match", "That is for whom the table has invited."
    NO_GUEST = "match", "That player is not invited."
    CLOSED = "match", "Nobody but its players may watch this match."
    A_PLAYER = "match", "That player has a seat in this match."
    INVITED = "match", "That player is invited already."
    ADMITTED = "match", "This seat has admitted that player already."
    LET_IN = "match", "A seat has admitted that player already: there is no way back."
    TOO_MANY = "match", "The match has invited as many players as it may."
    ELSEWHERE = "match", "That is not the entry at which it branches."
    NO_TIME = "match", "That is no time since the match was offered."
    NO_CLOCK = "match", "No clock was running then, or it stood still already."
    NO_VACATION = "match", "No more vacation of this seat stops its clock."
    STAND_IN = "match", "That is not what is played here for a seat whose time is up."
    VOTE_OPEN = "match", "Another proposal waits for answers."
    NO_WAY_BACK = "match", "Something came to light since then, or it is no move, or long ago."
    NO_VOTE = "match", "There is no such proposal, or not any more."
    ANSWERED = "match", "This seat has agreed already."
    PAUSED = "match", "The match is paused already."
    SAID = "match", "It has been said already that the time of this seat is up."
    SAME_DEAL = (
        "match",
        "Others are dealt the same elsewhere: no pause, and nobody new.",
    )
    NO_CLAIM = "match", "There is nothing to claim of this seat."


def _rest(
    since: e.Millis,
    weekdays: tuple[int, ...],
    stops: tuple[Stretch, ...],
    away: tuple[Stretch, ...],
) -> Iterator[Stretch]:
    """Those days of all weeks, in UTC, beginning with that of a time; for ever. Days within a stop
    are passed over, but for a vacation: a forged log has as many as its author likes."""
    day = since // DAY
    while weekdays:
        begun, ended = day * DAY, (day + 1) * DAY
        stop = next((b for a, b in stops if a <= begun and ended <= b), 0)
        if stop and not any(a < ended and begun < b for a, b in away):
            day = max(day + 1, min([stop, *(a for a, _ in away if a >= ended)]) // DAY)
            continue
        if (day + 3) % 7 in weekdays:
            yield begun, ended
        day += 1


def _rested(since: e.Millis, until: e.Millis, weekdays: tuple[int, ...]) -> e.Millis:
    """How much of a time, whole weeks and more, those days of the week take."""
    weeks, rest = divmod(until - since, 7 * DAY)
    return weeks * len(set(weekdays)) * DAY + sum(
        min(ended, until) - max(begun, until - rest)
        for begun, ended in ((day * DAY, (day + 1) * DAY) for day in _days(until - rest, until))
        if (begun // DAY + 3) % 7 in weekdays
    )


def _days(since: e.Millis, until: e.Millis) -> range:
    """The days that a time touches, counted from 1970."""
    return range(since // DAY, -(-until // DAY))


def unseated(match: Match, seat: Seat) -> No | None:
    """What speaks against a seat: it is a chair as yet, or there is none."""
    if match.state is None:
        return No.NOT_DEALT
    return None if 0 <= seat < len(match.holders) else No.NO_SUCH_SEAT


def chained(digest: bytes, seq: int, line: Line) -> bytes:
    """digest(seq) from digest(seq − 1): a hash over the log alone, entry by entry."""
    return sha256(digest + _NUMBERS.pack(seq, line.at) + line.raw).digest()


_NUMBERS = struct.Struct(">QQ")


@lru_cache(maxsize=10_000)
def _pads(secret: str) -> tuple[Any, Any]:
    """HMAC-SHA-256 begun with this key: it is used for each entry, and this is most of its cost."""
    key = bytes.fromhex(secret).ljust(64, b"\0")
    return sha256(key.translate(_INNER)), sha256(key.translate(_OUTER))


_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def commitment(offered: e.Offered) -> str:
    """What everybody is told of the secret before the first entropy is drawn."""
    return committed(offered.secret)


@lru_cache(maxsize=10_000)
def committed(secret: str) -> str:
    """The commitment to a secret."""
    return sha256(bytes.fromhex(secret)).hexdigest()


def seed_of(match: Match) -> bytes:
    """HMAC of the entropies in force, by chair, null for a robot. Nobody could steer it alone."""
    chairs = sorted(match.holders, key=lambda holder: holder.chair)
    entropies = encode([holder.entropy for holder in chairs])
    return hmac(bytes.fromhex(match.offered.secret), b"seed" + entropies, "sha256")
