"""Small logs by hand: entries with their obvious values filled in, each a second after the last."""

from __future__ import annotations

from base64 import b32encode
from hashlib import sha256

from msgspec import Raw, convert, json

from engine import entries as e
from engine.audit import bundle
from engine.catalogue import GAMES
from engine.fold import replay, step
from engine.match import Line, Match, Verdict, encode

START, SECOND = 1_700_000_000_000, 1000
SECRET = bytes(range(32)).hex()


def player(n: int) -> str:
    return b32encode(sha256(b"player %d" % n).digest()).decode().lower()[:16]


def entropy(n: int) -> str:
    return sha256(b"entropy %d" % n).hexdigest()


def offered(*seats, game="high-card", options=None, secret=SECRET, by=None, **policy) -> e.Offered:
    """By default two open chairs of High card, in the order of joining."""
    options = convert(options or {}, GAMES[game].Options)
    policy = convert({"order": "joined"} | policy, e.Policy)
    seats, rules = seats or (None, None), GAMES[game].RULES
    return e.Offered(1, game, rules, Raw(json.encode(options)), by, seats, policy, secret)


def joined(chair: int, who: int | None = None) -> e.Joined:
    who = chair if who is None else who
    return e.Joined(chair, player(who), entropy(who))


def played(seat: int, move: str, key: str | None = None) -> e.Played:
    return e.Played(seat, Raw(b'{"type":"%s"}' % move.encode()), key)


def dealt(n: int = 2, **how) -> list[e.Entry]:
    """An offer, and players for all its chairs."""
    return [offered(*(None,) * n, **how), *map(joined, range(n))]


def lines(*entries: e.Entry, at: int = START) -> list[Line]:
    return [Line(at + i * SECOND, e.encode(entry)) for i, entry in enumerate(entries)]


def sealed(*entries: e.Entry, start: int = START) -> bytes:
    """The bundle of a log that ends its match."""
    log = lines(*entries, at=start)
    steps = zip(log, replay(log), strict=True)
    return bundle("0-match", [(line, match, encode(verdict)) for line, (match, verdict) in steps])


def told(*entries: e.Entry) -> list[tuple[Match, Verdict]]:
    return list(replay(lines(*entries)))


def after(*entries: e.Entry) -> Match:
    return told(*entries)[-1][0]


def then(match: Match, entry: e.Entry, at: int | None = None) -> tuple[Match, Verdict]:
    """One entry more, a second later unless a time is given."""
    return step(match, Line(match.at + SECOND if at is None else at, e.encode(entry)))
