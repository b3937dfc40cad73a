"""Who may see a match, as whom, and up to which moment: the one place that knows.

Before the deal there is nothing to hide: whoever knows its name sees the offer. From the deal on
players see the match as it is. Watchers see it if its policy lets them and, where they are late,
as it was so many entries or seconds earlier, but never less than the offer as it last stood open.
Once the match is over watchers who are late by entries see its end; by seconds, that is late too.

A match whose deal others share is *opened* no sooner than all of those are over. Until then it is
for its players alone, and even once it is over each of them sees no more than from the own seat.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from msgspec import UNSET

from engine.contract import OPEN, Said, Viewer
from engine.entries import LateEntries, Millis
from engine.fold import replay
from engine.look import note
from engine.match import Match, encode
from services import door, ledger, tournaments
from services.house import NO_MATCH, House, own_seat
from services.ledger import FACTS, Told
from services.problems import Problem
from services.wire import Talk

BEFORE = "What came before is for the match that this one branched from to show."
SHARED = "Others are dealt the same: it opens once all matches of this round are over."
NO_SEAT = "You have no seat in this match."


class Sight(NamedTuple):
    """What somebody may see of a match: its moments up to `newest`, as `viewer`."""

    name: str
    now: Match  # as the ledger has it: nothing of it may be shown
    newest: Match
    viewer: Viewer
    player: str | None
    late: bool
    opened: bool  # is nothing of it to be kept from those who were dealt the same elsewhere?

    @property
    def open(self) -> bool:
        """May whoever sees it know all of it?"""
        return self.newest.over and self.opened

    @property
    def guarded(self) -> bool:
        """May not everybody watch, or not at once?"""
        policy = self.now.offered.policy
        return policy.watchers != "public" or policy.late is not None

    @property
    def lateness(self) -> str:
        """How late this sight is, in words; nothing if it is not."""
        late = self.now.offered.policy.late
        return f"{late.n} {late.__struct_config__.tag}" if self.late and late else ""

    @property
    def headers(self) -> dict[str, str]:
        return {"turnfold-late": self.lateness} if self.late else {}

    def at(self, then: Match) -> Viewer:
        """As whom to look at an earlier moment: who has a seat now had a chair, or none yet."""
        own = isinstance(self.viewer, int) and self.viewer == own_seat(self.now, self.player)
        return own_seat(then, self.player) if own and then.state is None else self.viewer


async def sight(
    house: House, name: str, player: str | None = None, wanted: str | None = None
) -> Sight:
    """What a player, None for anybody, may see of a match, looking as `wanted`; or a Problem."""
    now = await house.newest(name)
    opened = not now.shared or await house.talk(tournaments.opened(name, now))
    if not may_look(now, player, opened):
        raise Problem("no-such-thing", NO_MATCH)
    late = is_late(now, player)
    newest = await shown(house, name, now) if late else now
    seen = Sight(name, now, newest, None, player, late, opened)
    return seen._replace(viewer=_viewer(seen, wanted))


async def moment(house: House, seen: Sight, seq: int | None) -> Match:
    """The match as it was at `seq`, None for the newest that may be seen; or a Problem."""
    if seq is None or seq == seen.newest.seq:
        return seen.newest
    if 1 <= seq < seen.newest.branched:
        raise Problem("no-such-thing", BEFORE, seq=seen.newest.seq)
    then = None
    if 1 <= seq < seen.newest.seq:
        then = await house.talk(door.moment(seen.name, seq))
    if then is None:
        raise Problem(
            "no-such-thing", Said("There is no entry {n}.", {"n": seq}), seq=seen.newest.seq
        )
    return then


def may_look(now: Match, player: str | None, opened: bool = False) -> bool:
    """May they look at all? Once over, this says to whom its log is open. `opened`: is nothing of
    it kept any more from those who were dealt the same?"""
    watchers, shared = now.offered.policy.watchers, now.offered.tournament is not UNSET
    if now.state is None or watchers == "public" or (shared and opened):
        return True
    if plays(now, player):
        return True
    return watchers == "invited" and now.guest(player) is not None


def plays(now: Match, player: str | None) -> bool:
    """Is this one of its players, be it one whose seat a robot has taken?"""
    return player is not None and any(holder.player == player for holder in now.holders)


def is_late(now: Match, player: str | None) -> bool:
    """Is there a delay for them? Not before the deal, nor for who has a seat."""
    if now.state is None or now.offered.policy.late is None:
        return False
    return own_seat(now, player) is None


def hidden(now: Match, player: str | None) -> bool:
    """Is there anything of `now` that they may not know, or not yet?"""
    return not may_look(now, player) or is_late(now, player)


def see_all(seen: Sight) -> None:
    """A Problem for who asks for all of a match that is not over, or not opened."""
    if not seen.open:
        why = SHARED if seen.newest.over else ""
        raise Problem("not-over", why, seq=seen.newest.seq)


def no_seat(seen: Sight) -> Problem:
    """For who cannot do it, by what they may know of the match."""
    newest = seen.newest
    if newest.over:
        return Problem("over", seq=newest.seq)
    return Problem("not-yours", NO_SEAT, seq=newest.seq)


def yourself(now: Match, player: str | None) -> Viewer:
    """Your seat; OPEN if all seats have admitted you to that; else a watcher."""
    seat = own_seat(now, player)
    return OPEN if seat is None and now.admits(player) else seat


def _viewer(seen: Sight, wanted: str | None) -> Viewer:
    """As whom to look: as one's own seat, or as a watcher; as any seat or OPEN once opened."""
    now, own = seen.now, yourself(seen.now, seen.player)
    if wanted is None:
        return own
    if wanted == "watcher":
        return None
    seat = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 4 else None
    if wanted != OPEN and (seat is None or seat >= len(now.holders)):
        raise Problem("bad-request", "`as` is a seat, `watcher` or `open`.")
    viewer: Viewer = OPEN if seat is None else seat
    if viewer != own and not seen.open:
        why = SHARED if seen.newest.over else "While a match runs you look as yourself."
        raise Problem("not-yours", why, seq=seen.newest.seq)
    return viewer


# What is late


async def shown(house: House, name: str, now: Match) -> Match:
    """The newest moment that late watchers may see."""
    seq, _ = await house.talk(due(name, now))
    if seq == now.seq:
        return now
    then = await house.talk(door.moment(name, seq))
    if then is None:
        raise Problem("busy", "The match is being folded.")
    return then


def due(name: str, now: Match) -> Talk[tuple[int, Millis | None]]:
    """The newest entry that late watchers may know of, and the ms until time brings another."""
    late, first = now.offered.policy.late, max(now.dealt - 1, now.branched, 1)
    assert late is not None
    if isinstance(late, LateEntries):
        return (now.seq if now.over else max(first, now.seq - late.n)), None
    clock = yield ledger.clock(int(name.partition("-")[0]))
    until = clock - late.n * 1000
    if now.at <= until or first == now.seq:
        return now.seq, None
    last, last_at = now.seq, now.at  # `first` may be seen, `last` not yet
    while last - first > 1:
        middle = yield ledger.entry(name, (first + last) // 2)
        if middle is None or middle.line.at <= until:
            first = (first + last) // 2
        else:
            last, last_at = middle.seq, middle.line.at
    return first, last_at - until


async def told_again(house: House, name: str, after: int, until: int) -> list[Told]:
    """What folding gave for entries `after` + 1 to `until`, as many as the ledger keeps; folded
    again if they are older than that."""
    most = min(until - after, FACTS)
    if most <= 0:
        return []
    kept = await house.ask(ledger.facts(name, after, most))
    if kept and kept[0].seq == after + 1:
        return kept
    before = await house.talk(door.moment(name, after)) if after else None
    lines = [one.line for one in await house.ask(ledger.log(name, after, most))]

    def folded() -> list[Told]:
        steps = replay(lines, before)
        return [Told(then.seq, encode(verdict), encode(note(then))) for then, verdict in steps]

    return await asyncio.to_thread(folded)
