"""`step`: how fast a log is folded, looked at, sought in and audited, per game, in one process.

Seconds are those of this process's CPU: what else the machine does is no matter.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from random import Random
from time import process_time
from typing import TypeVar

from engine.audit import audit, bundle, opened
from engine.catalogue import GAMES
from engine.fold import fold, replay, step
from engine.look import look
from engine.match import Line, Match, encode
from engine.snapshot import load, save
from services.ledger import MARK
from tests.bench.recorded import Recorded, many
from tests.bench.report import Row, at_least, just, percentile, show, under

T = TypeVar("T")
STEPS = {  # a second
    "high-card": 60_000,
    "qwirkle": 10_000,
    "flipout": 30_000,
    "captain-flip": 25_000,
    "flipology": 25_000,
}
LOOK, SEEK = {"qwirkle": 0.4}, 20.0  # ms
NAME = "0-aaaaaaaaaaaaaaaa"


def run(quick: bool) -> bool:
    for game in GAMES:
        matches = many(game, quick)
        gc.collect()
        gc.freeze()  # as the services do
        rows = [*_steps(game, matches, 3 if quick else 7), *_looks(game, matches)]
        longest = max(matches, key=lambda match: len(match.log))
        rows += [*_seeks(longest, 50 if quick else 300), *_audits(longest, 3 if quick else 5)]
        entries = sum(len(match.log) for match in matches)
        show(f"step: {game}, {len(matches)} random matches, {entries:,} entries", rows)
    return True


# Steps


def _steps(game: str, matches: list[Recorded], runs: int) -> list[Row]:
    moves = [(match.dealt, match.log[match.dealt.seq :]) for match in matches]
    whole = [(None, match.log) for match in matches]
    rates = [rate(moves) for _ in range(runs)]
    name = "moves: decode, allows, apply, facts, head"
    target = STEPS.get(game)
    row = at_least(name, rates, "/s", target) if target else just(name, rates, "/s")
    return [row, just("whole logs, with joins and deal", [rate(whole) for _ in range(runs)], "/s")]


def rate(logs: Iterable[tuple[Match | None, tuple[Line, ...]]]) -> float:
    n, began = 0, process_time()
    for match, lines in logs:
        for line in lines:
            match, _ = step(match, line)
            _ = match.head
        n += len(lines)
    return n / (process_time() - began)


# Looks


def _looks(game: str, matches: list[Recorded]) -> list[Row]:
    """Of the seat to act, in the middle half of each match; each moment is looked at once."""
    warm, cold, saves, loads, sizes = [], [], [], [], []
    for recorded in matches:
        match, last = recorded.dealt, len(recorded.log)
        for line in recorded.log[match.seq :]:
            match, _ = step(match, line)
            if match.over or not last / 4 < match.seq < last * 3 / 4:
                continue
            warm.append(_timed(lambda m=match: encode(look(m, m.to_act[0], NAME)))[0])
            spent, snapshot = _timed(lambda m=match: save(m))
            saves.append(spent)
            sizes.append(float(len(snapshot)))
            spent, loaded = _timed(lambda s=snapshot: load(s))
            loads.append(spent)
            assert loaded is not None
            cold.append(_timed(lambda m=loaded: encode(look(m, m.to_act[0], NAME)))[0])
    return [
        *_times("look of the seat to act, just stepped", warm, LOOK.get(game)),
        *_times("the same, loaded from a snapshot", cold, LOOK.get(game)),
        just("snapshot load", [percentile(loads, 0.5)], "ms"),
        just("snapshot save", [percentile(saves, 0.5)], "ms"),
        just("snapshot size", [percentile(sizes, 0.5)], "bytes"),
    ]


def _times(what: str, spent: list[float], target: float | None) -> list[Row]:
    half, most = [percentile(spent, 0.5)], [percentile(spent, 0.95)]
    first = under(what, half, "ms", target) if target else just(what, half, "ms")
    return [first, just("  p95", most, "ms")]


def _timed(do: Callable[[], T]) -> tuple[float, T]:
    """Milliseconds, and what came of it."""
    began = process_time()
    done = do()
    return (process_time() - began) * 1000, done


# Seeks and audits


def _seeks(longest: Recorded, samples: int) -> list[Row]:
    """Any seq as the api finds it: load the mark before it, fold on, look, encode."""
    log = longest.log
    marks = {m.seq: save(m) for m, _ in replay(log) if m.seq % MARK == 0}

    def seek(seq: int) -> bytes:
        mark = marks.get(seq - seq % MARK)
        match = None if mark is None else load(mark)
        rest = log[match.seq if match else 0 : seq]
        match = fold(rest, match)
        viewer = match.to_act[0] if match.to_act else None
        return encode(look(match, viewer, NAME))

    chance = Random(1)
    spent = [_timed(lambda: seek(chance.randint(1, len(log))))[0] for _ in range(samples)]
    worst = min(len(log), len(log) // MARK * MARK + MARK - 1)
    far = [_timed(lambda: seek(worst))[0] for _ in range(5)]
    what = f"seek in the longest, {len(log)} entries"
    return [
        under(what, [percentile(spent, 0.5)], "ms", SEEK),
        under("  p99", [percentile(spent, 0.99)], "ms", SEEK),
        under(f"  to {worst}, the furthest from a mark", far, "ms", SEEK),
    ]


def _audits(longest: Recorded, runs: int) -> list[Row]:
    folded = zip(longest.log, replay(longest.log), strict=True)
    raw = bundle(NAME, ((line, match, encode(verdict)) for line, (match, verdict) in folded))

    def check() -> None:
        assert audit(opened(raw)).ok

    entries = len(longest.log)
    each = [_timed(check)[0] * 1000 / entries for _ in range(runs)]
    return [just("audit of its bundle, per entry", each, "us")]
