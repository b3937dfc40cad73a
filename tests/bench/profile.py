"""`profile api|fold`: where one process spends its time under moves of High card at 32 clients."""

from __future__ import annotations

import pstats

from tests.bench.load import load
from tests.bench.over_http import request
from tests.bench.prepared import accounts, moves
from tests.bench.stage import Stage

SHOWN = 60  # functions


def run(process: str, game: str = "high-card") -> None:
    with Stage(profiled=process) as stage:
        ready = moves(stage, game, 6_000, accounts(stage))
        ran = load(stage.port, 32, 5, [request(move) for move in ready], stage.front)
        print(f"{ran.answered:,} moves, after {len(ready):,} matches were prepared")
        print(f"{ran.rate:,.0f} moves/s of {game} while profiled, {ran.bad} not taken")
        stage.quiet()
        stage.stop(process)
        pstats.Stats(stage.profile).sort_stats("tottime").print_stats(SHOWN)
