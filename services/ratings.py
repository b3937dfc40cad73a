"""Ratings: how well players play a game, folded from what its rated matches came to.

Results are folded in the order in which their ends could be known, so whoever folds them anew, from
the logs, comes to the very same numbers. A result that comes late, before others that are counted,
has all counted again. The keys of a game share a hash tag of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct, json
from openskill.models import PlackettLuce

from engine.contract import ranked
from engine.entries import LateSeconds, Millis
from engine.match import Match
from services.ledger import Ask
from services.scripts import RATE, RESULT, SHA
from services.wire import Talk

SETTLED = 5_000  # ms after which no earlier result is to be expected
BATCH = 100  # results counted at once
NEWCOMER, POINTS = 1000, 40  # what a player without matches has; for one of openskill's units
MODEL: Final = PlackettLuce()


class Result(Struct, frozen=True, array_like=True):
    """What a rated match came to: its players by seat, and their places."""

    match: str
    players: tuple[str, ...]
    places: tuple[int, ...]


class Standing(Struct, frozen=True, array_like=True):
    """What is known of a player at a game: a normal distribution of skill, and counts."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    matches: int = 0
    wins: int = 0  # first places, shared ones too

    @property
    def rating(self) -> int:
        """What the player is good for with near certainty: three deviations below the mean."""
        return round(NEWCOMER + POINTS * (self.mu - 3 * self.sigma))


class Counted(NamedTuple):
    """Up to which result a game's ratings go."""

    upto: bytes
    rank: int  # how many results that are


Standings = Mapping[str, Standing]


# What counts


def result_of(name: str, match: Match) -> Result | None:
    """The result of a match, if it counts: rated, played to a result, by the same people all along.

    Who left is behind all who stayed, whatever a robot made of the seat since.
    """
    players = tuple(holder.player for holder in match.holders)
    if not match.offered.policy.rated or match.branched or match.outcome is None:
        return None
    if None in players or len(players) < 2 or not match.dealt:
        return None  # a robot played, or one player alone
    if any(holder.before or holder.gone == "replaced" for holder in match.holders):
        return None  # the table gave a seat to somebody else
    places = match.outcome.places
    stayed = [holder.gone is None for holder in match.holders]
    if not all(stayed):
        keys = [(here, -place) for here, place in zip(stayed, places, strict=True)]
        places = ranked((0,) * len(keys), "", keys).places
    return Result(name, tuple(player for player in players if player), places)


def known_at(match: Match) -> Millis:
    """When the end of a match that is over may be known: watchers may be late."""
    late = match.offered.policy.late
    return match.at + (late.n * 1000 if isinstance(late, LateSeconds) else 0)


def rated(before: Standings, result: Result) -> dict[str, Standing]:
    """The standings of those who played, after this result."""
    old = [before.get(player, Standing()) for player in result.players]
    teams = [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in old]
    new = MODEL.rate(teams, ranks=[float(place) for place in result.places])
    after = {}
    for player, one, place, (skill,) in zip(result.players, old, result.places, new, strict=True):
        wins = one.wins + (place == 1)
        after[player] = Standing(skill.mu, skill.sigma, one.matches + 1, wins)
    return after


def all_rated(results: Iterable[tuple[Millis, Result]]) -> dict[str, Standing]:
    """The standings that all results of a game come to."""
    standings: dict[str, Standing] = {}
    for _, result in sorted(results, key=lambda one: (one[0], json.encode(one[1]))):
        standings |= rated(standings, result)
    return standings


# Keys, and what is asked of them


def add(game: str, at: Millis, result: Result) -> Ask[Any]:
    """Note a result, once. If later ones are counted already, all will be counted again."""
    keys = [_key(game, what) for what in ("results", "upto", "standings", "board")]
    return Ask(("EVALSHA", SHA[RESULT], 4, *keys, at, json.encode(result)), _as_is)


def results(game: str, first: int, until: int) -> Ask[list[tuple[Millis, Result]]]:
    """Some results in their order, counted from 0, both ends included."""
    args = ("ZRANGE", _key(game, "results"), first, until, "WITHSCORES")

    def read(reply: list[bytes]) -> list[tuple[Millis, Result]]:
        pairs = zip(reply[::2], reply[1::2], strict=True)
        return [(int(at), json.decode(result, type=Result)) for result, at in pairs]

    return Ask(args, read)


def settled(game: str, now: Millis) -> Ask[int]:
    """How many results can be counted by now."""
    return Ask(("ZCOUNT", _key(game, "results"), "-inf", now - SETTLED), int)


def count_results(game: str) -> Ask[int]:
    return Ask(("ZCARD", _key(game, "results")), int)


def counted(game: str) -> Talk[Counted]:
    upto = yield Ask(("GET", _key(game, "upto")), _as_is)
    if upto is None:
        return Counted(b"", 0)
    rank = yield Ask(("ZRANK", _key(game, "results"), upto), _as_is)
    return Counted(upto, 0 if rank is None else rank + 1)


def standings(game: str, players: Sequence[str]) -> Ask[list[Standing | None]]:
    """Of these players, None for a newcomer."""
    args = ("HMGET", _key(game, "standings"), *players)
    return Ask(args, lambda reply: [one and json.decode(one, type=Standing) for one in reply])


def board(game: str, first: int, most: int) -> Ask[list[str]]:
    """The players of a game from a place on, counted from 0, best first."""
    args = ("ZREVRANGE", _key(game, "board"), first, first + most - 1)
    return Ask(args, lambda reply: [player.decode() for player in reply])


def count_rated(game: str) -> Ask[int]:
    return Ask(("ZCARD", _key(game, "board")), int)


def place(game: str, player: str) -> Ask[int | None]:
    """Where a player stands on the board, from 1."""
    args = ("ZREVRANK", _key(game, "board"), player)
    return Ask(args, lambda reply: None if reply is None else reply + 1)


def forget(player: str, games: Iterable[str]) -> Talk[None]:
    """Take a player off all boards; the numbers stay with the bare id."""
    for game in games:
        yield Ask(("ZREM", _key(game, "board"), player), _as_is)


def count(game: str, now: Millis) -> Talk[int]:
    """Count the next settled results; how many. Another who does the same comes to the same."""
    was = yield from counted(game)
    until = min((yield settled(game, now)), was.rank + BATCH)
    batch = (yield results(game, was.rank, until - 1)) if until > was.rank else []
    if not batch:
        return 0
    players = sorted({player for _, result in batch for player in result.players})
    known = yield standings(game, players)
    after = {p: one for p, one in zip(players, known, strict=True) if one is not None}
    for _, result in batch:
        after |= rated(after, result)
    yield _commit(game, was.upto, json.encode(batch[-1][1]), after)
    return len(batch)


def _commit(game: str, was: bytes, upto: bytes, after: Standings) -> Ask[Any]:
    """Write these standings, if nothing was counted or begun again in between."""
    keys = [_key(game, what) for what in ("upto", "standings", "board")]
    argv: list[Any] = [was, upto]
    for player, one in after.items():
        argv += [player, json.encode(one), one.rating]
    return Ask(("EVALSHA", SHA[RATE], 3, *keys, *argv), _as_is)


def _key(game: str, what: str) -> str:
    return f"{{rating:{game}}}:{what}"


def _as_is(reply: Any) -> Any:
    return reply
