"""`python -m tests.corpus`: add matches of this release to the corpus, of rules that have none.

Those that stand there are never written again: they are what earlier releases made of a log.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

from msgspec import json

from engine.audit import bundle
from engine.catalogue import GAMES
from engine.contract import Game
from engine.match import Refused, encode
from tests.games.matches import Step, random_match

MATCHES = Path(__file__).parent / "matches"
SEEDS, ENOUGH, LONG = range(1, 160), 14, 900


def chosen(game: Game) -> Iterator[tuple[int, tuple[Step, ...]]]:
    """Few matches that show every option, every number of seats and every way to be refused."""
    seen: set[object] = set()
    left = ENOUGH
    for seed in SEEDS:
        steps = random_match(game, seed)
        new = shown(steps) - seen
        if left and new and steps[-1].match.over and len(steps) <= LONG:
            seen, left = seen | new, left - 1
            yield seed, steps


def shown(steps: tuple[Step, ...]) -> set[object]:
    match = steps[-1].match
    options = json.decode(bytes(match.offered.options))
    why = match.outcome.why.split()[0] if match.outcome else match.aborted
    refused = {step.verdict.code for step in steps if isinstance(step.verdict, Refused)}
    seats = ("seats", len(match.holders))
    return {*((name, str(value)) for name, value in options.items()), *refused, seats, why}


def main() -> None:
    for name, game in GAMES.items():
        if any(MATCHES.glob(f"{name}-{game.RULES}-*")):
            continue
        for seed, steps in chosen(game):
            raw = bundle(f"0-{name}", ((s.line, s.match, encode(s.verdict)) for s in steps))
            path = MATCHES / f"{name}-{game.RULES}-{seed}.json.gz"
            path.write_bytes(gzip.compress(raw, 9, mtime=0))
            print(path.name)


if __name__ == "__main__":
    main()
