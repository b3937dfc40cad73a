"""`feeds`: one api process, and watchers by the thousand: all of one match, or of many.

First as fast as it goes, then at a pace that leaves time, for what one waits. Players' moves come
over HTTP where there is one match; where there are many, they are appended to the ledger, so that
they ask nothing of the api but to be told. For how fast that goes the api is held still until all
are folded, round by round: it is measured, not what the others need of the same cores.
"""

from __future__ import annotations

import http.client
import resource
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Raw, json

from engine import entries as e
from engine.dice import Dice
from engine.fold import step
from engine.match import Line, Match
from engine.robots import stroll
from tests.bench.crowd import Crowd, Heard
from tests.bench.prepared import Table, accounts, add, offer, put
from tests.bench.recorded import player
from tests.bench.report import Row, at_least, just, show, under
from tests.bench.stage import Stage

GAME = "flipout"
PARTS = 100  # a second, in which moves are made where there is a pace


class Asked(NamedTuple):
    """What is to be reached, and at which pace one waits no longer than that."""

    deliveries: float  # a second
    p99: float  # ms
    pace: int  # deliveries a second


ONE, MANY = Asked(90_000, 400, 20_000), Asked(25_000, 50, 5_000)
KB = 12.0  # of the api's memory, a watcher


def run(quick: bool) -> bool:
    readers, matches, most = (500, 100, 4) if quick else (10_000, 2_000, 20)
    _let_open(readers)
    for n, asked in ((1, ONE), (matches, MANY)):
        with Stage() as stage:
            tokens = accounts(stage)
            tables = _dealt(stage, n)
            before = stage.memory("api")
            crowd = Crowd(stage.port, readers, [table.name for table in tables])
            size = (stage.memory("api") - before) / readers
            play = Posted(stage, tables[0], tokens) if n == 1 else Appended(stage, tables)
            rows = _rows(stage, crowd, play, readers // n, most, size, asked)
            crowd.close()
        show(f"feeds: {readers:,} watchers of {n:,} matches of {GAME}", rows)
    return True


def _let_open(readers: int) -> None:
    """An api and a crowd have a file for each reader."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 < most < readers + 100:
        raise SystemExit(f"{readers:,} files must be open at once: ulimit -n allows {most:,}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _rows(
    stage: Stage,
    crowd: Crowd,
    play: Posted | Appended,
    each: int,
    most: int,
    size: float,
    asked: Asked,
) -> list[Row]:
    """`each` match has so many watchers, and is played `most` moves as fast as that goes."""
    before = stage.used()["api"]
    fast = play.fast(crowd, most)
    entries = sum(one.entries for one in fast)
    spent = stage.used()["api"] - before
    stage.quiet()
    slow = crowd.counts(_paced(play, each, max(2, most // 2), asked.pace))
    rate = entries / sum(one.seconds for one in fast)
    return [
        at_least("deliveries, as fast as it goes", [rate], "/s", asked.deliveries),
        just("  of them in one write", [entries / sum(one.reads for one in fast)], ""),
        just("  api's CPU of a delivery", [spent / entries * 1e6], "us"),
        just("  crowd's", [sum(one.spent for one in fast) / entries * 1e6], "us"),
        under("memory of the api, a watcher", [size / 1000], "kB", KB),
        just(f"waited at {asked.pace:,}/s at the most, p50", [slow.p50], "ms"),
        under("  p99", [slow.p99], "ms", asked.p99),
    ]


def _paced(play: Posted | Appended, each: int, most: int, pace: int) -> Iterator[object]:
    """Rounds of moves, in parts, so that no more than `pace` deliveries come of them a second: what
    was held up is not made up for."""
    part = max(1, pace // PARTS // each)  # matches that may move within that time
    due = time.perf_counter()
    for _ in range(most):
        for moved in play.parts(part):
            due = max(due + moved * each / pace, time.perf_counter())
            time.sleep(max(0.0, due - time.perf_counter()))
            yield moved


def _dealt(stage: Stage, n: int) -> list[Table]:
    def join(_: int, match: Match) -> e.Joined:
        chair = match.seq - 1
        return e.Joined(chair, player(chair), f"{chair}" * 64)

    tables = put(stage, put(stage, offer(stage, GAME, n, (None, None)), join), join)
    stage.quiet()
    return tables


class Posted:
    """A match that is played over HTTP, each move once the last is answered."""

    def __init__(self, stage: Stage, table: Table, tokens: dict[str, str]) -> None:
        self._api = http.client.HTTPConnection("127.0.0.1", stage.port)
        self._table, self._tokens, self._dice = table, tokens, Dice(bytes(32), 1)

    def fast(self, crowd: Crowd, most: int) -> list[Heard]:
        """What comes of so many moves; an entry may come while the one before is still told."""
        return [crowd.counts(self() for _ in range(most))]

    def __call__(self) -> int:
        name, match = self._table
        entry = _move(match, self._dice)
        headers = {
            "Authorization": f"Bearer {self._tokens[match.holders[entry.seat].player or '']}",
            "If-Match": f'"{match.seq}"',
        }
        self._api.request("POST", f"/matches/{name}/moves", bytes(entry.move), headers)
        answer = self._api.getresponse()
        said = json.decode(answer.read())
        assert answer.status == 201, said
        self._table = Table(name, step(match, Line(said["at"], e.encode(entry)))[0])
        return 1

    def parts(self, size: int) -> Iterator[int]:
        yield self()


class Appended:
    """Matches that are played in the ledger, a move of each at a time."""

    def __init__(self, stage: Stage, tables: Sequence[Table]) -> None:
        self._stage, self._tables, self._dice = stage, list(tables), Dice(bytes(32), 1)

    def fast(self, crowd: Crowd, most: int) -> list[Heard]:
        """What comes of so many rounds, each by itself."""
        return [crowd.counts(self._round()) for _ in range(most)]

    def _round(self) -> Iterator[int]:
        self._stage.hold("api")
        yield from self.parts(len(self._tables))
        self._stage.quiet()
        self._stage.go_on("api")

    def parts(self, size: int) -> Iterator[int]:
        self._stage.quiet()
        for i in range(0, len(self._tables), size):
            some = self._tables[i : i + size]
            self._tables[i : i + size] = add(
                self._stage, some, lambda _, match: _move(match, self._dice)
            )
            yield len(some)


def _move(match: Match, dice: Dice) -> e.Played:
    seat = match.to_act[0]
    return e.Played(seat, Raw(e.encode(stroll(match.game, match.state, seat, dice))), None)
