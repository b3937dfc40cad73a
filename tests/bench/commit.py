"""`commit`: one fold worker works off a backlog, each entry of another match."""

from __future__ import annotations

import time

from msgspec import Raw

from engine import entries as e
from engine.match import Match
from tests.bench.prepared import Table, offer, put
from tests.bench.report import Row, at_least, just, show
from tests.bench.stage import UNFOLDED, Stage

TARGET = 10_000  # entries a second
POLL = 0.01


def run(quick: bool) -> bool:
    backlog = 4_000 if quick else 20_000
    with Stage(api=False) as stage:
        stage.hold("fold")
        tables = offer(stage, "high-card", backlog, ("random",) * 4)
        deals, _ = _worked_off(stage, backlog)
        runs = []
        for _ in range(3):
            tables = _played(stage, tables)
            runs.append(_worked_off(stage, backlog))
    rows: list[Row] = [
        at_least("moves of High card folded and committed", [r for r, _ in runs], "/s", TARGET),
        just("offers (deals) of the same", [deals], "/s"),
        just("  fold worker's CPU of a move", [used["fold"] for _, used in runs], "us"),
        just("  server's CPU of a move", [used["server"] for _, used in runs], "us"),
    ]
    show(f"commit: a backlog of {backlog:,} entries, one fold worker, everysec", rows)
    return True


def _played(stage: Stage, tables: list[Table]) -> list[Table]:
    """One move of each match more, the worker stopped."""

    def trade(i: int, match: Match) -> e.Played:
        return e.Played(match.to_act[0], Raw(b'{"type":"trade"}'), None)

    stage.quiet()
    stage.hold("fold")
    return put(stage, tables, trade)


def _worked_off(stage: Stage, backlog: int) -> tuple[float, dict[str, float]]:
    """Entries a second, and CPU microseconds of each by process."""
    before, began = stage.used(), time.perf_counter()
    stage.go_on("fold")
    while stage.wire.ask(UNFOLDED):
        time.sleep(POLL)
    spent = time.perf_counter() - began
    after = stage.used()
    return backlog / spent, {name: (after[name] - before[name]) / backlog * 1e6 for name in after}
