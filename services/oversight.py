"""What operators may know of matches: how they stand and what they wait for, nothing hidden.

While a match runs that is what a watcher may see, less the table; and why it is stuck.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

from msgspec import Struct, structs

from engine import entries as e
from engine.contract import OPEN, Seat
from engine.look import Look, look
from engine.match import Match
from engine.sentences import names
from services import door, ledger, roll
from services.ledger import Stuck
from services.wire import BlockingWire, Talk

Status = Literal["open", "running", "over", "unread"]  # unread: this release cannot, or not yet


class Sitter(Struct, frozen=True):
    """A chair or, once dealt, a seat."""

    player: e.Player | None
    robot: str | None
    gone: str | None
    since: int | None  # from which seq it is waited for
    deadline: e.Millis | None


class Standing(Struct, frozen=True):
    """How a match stands."""

    match: str
    status: Status
    seq: int  # of its log
    at: e.Millis
    game: str | None
    rules: int | None
    opened_at: e.Millis | None
    seats: tuple[Sitter, ...]
    to_act: tuple[Seat, ...]
    stuck: Stuck | None


class Whole(Struct, frozen=True):
    """One match, whole; its table only once it is over."""

    standing: Standing
    names: dict[e.Player, str | None]  # None: the player is deleted
    look: Look | None  # a watcher's, without the view; None if it is unread
    table: str | None


class Filters(Struct, frozen=True):
    state: Status | None = None
    game: str | None = None
    player: str | None = None

    def fit(self, one: Standing) -> bool:
        return (
            self.state in (None, one.status)
            and self.game in (None, one.game)
            and (self.player is None or any(seat.player == self.player for seat in one.seats))
        )


def standings(wire: BlockingWire, shards: int, filters: Filters) -> list[Standing]:
    """All matches that fit, the newest first."""
    if filters.state in ("open", "running"):
        found = {name for shard in range(shards) for name in live(wire, shard)}
    else:
        found = set(logs(wire))
        found.update(name for shard in range(shards) for name, _ in archived(wire, shard))
    stuck = all_stuck(wire, shards)
    all_of_them = (wire.talk(standing(name, stuck.get(name))) for name in found)
    fit = [one for one in all_of_them if one is not None and filters.fit(one)]
    return sorted(fit, key=lambda one: (one.opened_at or one.at, one.match), reverse=True)


def logs(wire: BlockingWire) -> Iterator[str]:
    """All matches that are on a server; one may come twice."""
    for key in wire.walk(partial(ledger.keys, "{*}:match:*:log")):
        if (name := ledger.match_of(key)) is not None:
            yield name


def archived(wire: BlockingWire, shard: int) -> Iterator[tuple[str, bytes]]:
    """The matches of a shard that are in the archive, with their digests; one may come twice."""
    return wire.walk(partial(ledger.all_archived, shard))


def live(wire: BlockingWire, shard: int) -> Iterator[str]:
    """The matches of a shard that are not over; one may come twice."""
    return wire.walk(partial(ledger.live, shard))


def all_stuck(wire: BlockingWire, shards: int) -> dict[str, Stuck]:
    parts = [wire.ask(ledger.all_stuck(shard)) for shard in range(shards)]
    return {name: why for part in parts for name, why in part.items()}


def standing(name: str, stuck: Stuck | None) -> Talk[Standing | None]:
    """How a match stands, if there is one of this name."""
    seq, at = yield ledger.ends(name)
    match = yield from door.readable(name)
    return _standing(name, seq, at, match, stuck) if seq else None


def whole(name: str) -> Talk[Whole | None]:
    """All that an operator may know of a match."""
    seq, at = yield ledger.ends(name)
    if not seq:
        return None
    stuck = yield ledger.stuck(name)
    match = yield from door.readable(name)
    stands = _standing(name, seq, at, match, stuck)
    if match is None:
        return Whole(stands, {}, None, None)
    called = {}
    for player in sorted({holder.player for holder in match.holders if holder.player}):
        called[player] = yield roll.player_name(player)
    seen = structs.replace(look(match, None, name), view=None)
    return Whole(stands, called, seen, _table(match))


def _standing(
    name: str, seq: int, at: e.Millis, match: Match | None, stuck: Stuck | None
) -> Standing:
    if match is None:
        return Standing(name, "unread", seq, at, None, None, None, (), (), stuck)
    seats = tuple(
        Sitter(holder.player, holder.robot, holder.gone, holder.since, match.deadline(seat))
        for seat, holder in enumerate(match.holders)
    )
    offered = match.offered
    return Standing(
        *(name, match.status, seq, at),
        *(offered.game, offered.rules, match.opened_at),
        *(seats, match.to_act, stuck),
    )


def _table(match: Match) -> str | None:
    """The whole table, once it is no secret any more."""
    if not match.over or match.state is None:
        return None
    return match.game.words.show(match.game.view(match.state, OPEN), names(match.holders))
