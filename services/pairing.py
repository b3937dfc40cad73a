"""Who meets whom in a tournament, and who stands where: pure functions of what was played.

Points are counted in halves: 2 for a win or a bye, 1 for a draw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count

from msgspec import Struct

WIN, DRAW = 2, 1
TRIES = 10_000  # ways to pair a round that are tried


class Game(Struct, frozen=True, array_like=True):
    """Two players of a round and their match; a bye has one and none. `halves` once it is over."""

    players: tuple[str, ...]
    match: str = ""
    halves: tuple[int, ...] | None = None


class Row(Struct, frozen=True):
    """A player of a tournament: `points` won, and `others`, those of everybody met, to part who
    has as many."""

    place: int
    player: str
    points: float
    others: float
    played: int


Round = tuple[Game, ...]


def everybody_meets(players: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Rounds in which each player meets each other once, by the circle; who is alone has a bye."""
    circle: list[str] = [*players, *([""] if len(players) % 2 else [])]
    rounds = []
    for turn in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        rounds.append(tuple(_pair(one, other, bool(turn % 2)) for one, other in pairs))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(rounds)


def _pair(one: str, other: str, turned: bool) -> tuple[str, ...]:
    pair = (other, one) if turned else (one, other)
    return tuple(player for player in pair if player)


def alike_meet(players: Sequence[str], rounds: Sequence[Round]) -> tuple[tuple[str, ...], ...]:
    """The next round of a Swiss tournament: players of like points, no two of whom have met before
    if that can be; of an odd number the last one who has had none gets a bye."""
    order = [row.player for row in standings(players, rounds)]
    met = defaultdict[str, set[str]](set)
    for game in _all(rounds):
        for player in game.players:
            met[player] |= {*game.players} - {player}
    byes = {game.players[0] for game in _all(rounds) if len(game.players) == 1}
    bye: tuple[tuple[str, ...], ...] = ()
    if len(order) % 2:
        alone = next((p for p in reversed(order) if p not in byes), order[-1])
        order.remove(alone)
        bye = ((alone,),)
    pairs = _paired(order, met, count(1))
    if pairs is None:  # no two of whom have met before: that cannot be, or is too hard to find
        pairs = tuple(zip(order[::2], order[1::2], strict=True))
    return (*pairs, *bye)


def _paired(
    order: Sequence[str], met: dict[str, set[str]], tried: Iterator[int]
) -> tuple[tuple[str, ...], ...] | None:
    """The best players paired with the next best they have not met; None if somebody is left."""
    if not order:
        return ()
    if next(tried) > TRIES:
        return None
    first, *rest = order
    for other in rest:
        if other in met[first]:
            continue
        left = _paired([one for one in rest if one != other], met, tried)
        if left is not None:
            return ((first, other), *left)
    return None


def standings(players: Sequence[str], rounds: Sequence[Round]) -> tuple[Row, ...]:
    """Best first: by points, then by those of everybody met, then in the order of coming."""
    points, played = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    games = [game for game in _all(rounds) if game.halves is not None]
    for game in games:
        for player, halves in zip(game.players, game.halves or (), strict=True):
            points[player] += halves
            played[player] += 1
    others = dict.fromkeys(players, 0)
    for game in games:
        for player in game.players:
            others[player] += sum(points[one] for one in game.players if one != player)
    keys = {player: (points[player], others[player]) for player in players}
    order = sorted(players, key=lambda player: keys[player], reverse=True)
    return tuple(
        Row(
            1 + sum(key > keys[player] for key in keys.values()),
            player,
            points[player] / 2,
            others[player] / 2,
            played[player],
        )
        for player in order
    )


def _all(rounds: Sequence[Round]) -> Iterator[Game]:
    return (game for one in rounds for game in one)
