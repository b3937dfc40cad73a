"""Offers: the first entry of a log, if setup takes it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from msgspec import UNSET, Raw, ValidationError
from msgspec.structs import replace

from engine import entries as e
from engine.catalogue import GAMES
from engine.fold import fold, restamped, step
from engine.match import Line, Match, encode, reader
from services import door, ledger
from services.door import Answer, Entered, Invalid, KeyReused, Repeated
from services.ledger import Behind
from services.wire import Talk


def offer(name: str, offered: e.Offered) -> Talk[Answer]:
    """Begin a log, if setup takes this offer: a trial deal with made-up players is done first."""
    raw = e.encode(offered)
    try:
        fold(Line(0, entry) for entry in _trial(offered))
    except (e.Unknown, ValueError) as error:
        return Invalid(str(error))
    line = Line(door.now(), raw)
    match, verdict = step(None, line)
    whole = door.done(name, None, match, verdict) if door.COMMITS else None
    taken = yield ledger.append(name, 0, 0, raw, whole)
    if isinstance(taken, Behind):
        return (yield from _offered_before(name, offered))
    match = restamped(None, match, Line(taken.at, raw))
    return Entered(taken.seq, match, verdict, taken.folded)


def _offered_before(name: str, offered: e.Offered) -> Talk[Answer]:
    """The match stands already: a repeat of its offer, or a key used for another one."""

    def judge(match: Match) -> Answer | bytes:
        same = replace(offered, secret=match.offered.secret) == match.offered
        return Repeated(1, match) if same else KeyReused(match.seq)

    return (yield from door.judged(name, None, judge))


def _trial(offered: e.Offered) -> list[bytes]:
    """The offer as one to anybody, and joins for every open chair."""
    anybody = replace(offered, policy=replace(offered.policy, join=UNSET))
    open_chairs = [chair for chair, robot in enumerate(offered.seats) if robot is None]
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    players = [letters[i // 32] + letters[i % 32] + "a" * 14 for i in range(len(open_chairs))]
    joins = [
        e.Joined(chair, player, "0" * 64)
        for chair, player in zip(open_chairs, players, strict=True)
    ]
    return [e.encode(entry) for entry in (anybody, *joins)]


def offered(
    game: str, options: bytes, by: str | None, seats: Sequence[e.ROBOTS | None], policy: e.Policy
) -> e.Offered | Invalid:
    """The entry of an offer, its options encoded again with their defaults, a new secret drawn."""
    rules = GAMES[game]
    try:
        given = reader(rules.Options).decode(options)
    except ValidationError as error:
        return Invalid(f"options: {error}")
    allowed = rules.seats(given)
    if len(seats) not in allowed:
        n = f"{allowed[0]} to {allowed[-1]}" if len(allowed) > 1 else str(allowed[0])
        return Invalid(f"seats: {game} with these options is for {n}, not {len(seats)}")
    return e.Offered(
        format=e.FORMAT,
        game=game,
        rules=rules.RULES,
        options=Raw(encode(given)),
        by=by,
        seats=tuple(seats),
        policy=policy,
        secret=secrets.token_hex(32),
    )


def inviting(player: str) -> door.Judge:
    """To invite a player to an offer, as its offerer; nothing where that is done or too late."""

    def judge(now: Match) -> Answer | bytes:
        seated = any(holder.player == player for holder in now.holders)
        known = seated or player == now.offered.by or now.guest(player) is not None
        if known or now.state is not None or now.over:
            return Repeated(1, now)
        return e.encode(e.Invited(None, player))

    return judge
