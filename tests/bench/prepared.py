"""Matches prepared in the ledger, many at once: begun, joined, and each ready for one move."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from msgspec import Raw

from engine import entries as e
from engine.catalogue import GAMES
from engine.dice import Dice
from engine.fold import step
from engine.match import Line, Match
from engine.robots import stroll
from services import ledger, offers, roll
from tests.bench.recorded import POLICY, player
from tests.bench.stage import Stage

T = TypeVar("T")
AT_ONCE = 500  # appends in one write
PLAYERS = 64
TRIES = 20


class Table(NamedTuple):
    name: str
    match: Match


class Move(NamedTuple):
    """A move that will be accepted, and with whose token."""

    name: str
    seq: int
    token: str
    body: bytes


def accounts(stage: Stage) -> dict[str, str]:
    """Players and their tokens."""
    tokens = {player(n): secrets.token_urlsafe(32) for n in range(PLAYERS)}
    for who, token in tokens.items():
        stage.wire.ask(roll.add_player(who, who, 0))
        stage.wire.ask(roll.add_token(token, who))
    return tokens


def offer(stage: Stage, game: str, n: int, seats: tuple[e.ROBOTS | None, ...]) -> list[Table]:
    """New matches; not waited for."""
    entries = []
    for _ in range(n):
        offered = offers.offered(game, b"{}", None, seats, POLICY)
        assert isinstance(offered, e.Offered)
        entries.append((ledger.new_match(1), None, offered))
    return list(_appended(stage, entries))


Make = Callable[[int, Match], e.Entry]


def put(stage: Stage, tables: Sequence[Table], make: Make) -> list[Table]:
    """One entry more for each, once the one before is folded; not waited for."""
    stage.quiet()
    return add(stage, tables, make)


def add(stage: Stage, tables: Sequence[Table], make: Make) -> list[Table]:
    """One entry more for each, where the one before is folded; not waited for."""
    entries = [(t.name, t.match, make(i, t.match)) for i, t in enumerate(tables)]
    return list(_appended(stage, entries))


def moves(stage: Stage, game: str, n: int, tokens: dict[str, str]) -> list[Move]:
    """So many matches of two players, folded; of each second one the first move is played."""
    players, dice, rules = list(tokens), Dice(bytes(32), 0), GAMES[game]

    def join(i: int, match: Match) -> e.Joined:
        chair = match.seq - 1
        return e.Joined(chair, players[(i + chair) % PLAYERS], secrets.token_hex(32))

    def play(i: int, match: Match) -> e.Played:
        seat = match.to_act[0]
        for _ in range(TRIES):
            move = stroll(rules, match.state, seat, dice)
            if type(move).__name__ != "Swap":  # rather a move that changes the board
                break
        return e.Played(seat, Raw(e.encode(move)), None)

    tables = offer(stage, game, n, (None, None))
    tables = put(stage, tables, join)
    tables = put(stage, tables, join)
    tables[::2] = put(stage, tables[::2], play)
    stage.quiet()
    ready = []
    for i, table in enumerate(tables):
        move, match = play(i, table.match), table.match
        who = match.holders[move.seat].player
        assert who is not None
        ready.append(Move(table.name, match.seq, tokens[who], bytes(move.move)))
    return ready


def _appended(
    stage: Stage, entries: Sequence[tuple[str, Match | None, e.Entry]]
) -> Iterator[Table]:
    for part in _parts(entries, AT_ONCE):
        raws = [e.encode(entry) for _, _, entry in part]
        asks = [
            ledger.append(name, match.seq if match else 0, match.at if match else 0, raw)
            for (name, match, _), raw in zip(part, raws, strict=True)
        ]
        stage.wire.send(*asks)
        for ask, (name, match, _), raw in zip(asks, part, raws, strict=True):
            taken = stage.wire.receive(ask)
            assert isinstance(taken, ledger.Taken), taken
            yield Table(name, step(match, Line(taken.at, raw))[0])


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for i in range(0, len(items), size):
        yield items[i : i + size]
