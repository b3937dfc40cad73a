"""`peers`: RLCard's rules, then the servers of boardgame.io and Colyseus, beside ours."""

from __future__ import annotations

from tests.bench.peers import duels, rlcard


def run(quick: bool) -> bool:
    return all([rlcard.run(quick), duels.run(quick)])
