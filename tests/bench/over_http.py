"""`http`: accepted moves a second over HTTP, each of another match, beside an empty route.

Server, api, fold worker and load share the cores. Before each run its matches are prepared, and
each mover looks at the table over HTTP, as it must to know which seq to name; an empty route of the
same process is loaded by the same clients right before, for the ratio.
"""

from __future__ import annotations

from collections import defaultdict
from statistics import median
from typing import NamedTuple

from tests.bench.load import WRK, Result, load
from tests.bench.prepared import Move, accounts, moves
from tests.bench.report import Row, at_least, just, show, under
from tests.bench.stage import Stage

GAMES = ("high-card", "qwirkle")
CLIENTS = (1, 32, 256)
RATIO = {"high-card": 0.18, "qwirkle": 0.10}  # of the empty route, at 32 clients
P99, P50_OF_ONE = 25.0, 1.0  # ms
MOST = 9_500  # matches prepared: what a fold worker remembers
LOOKING = 20  # seconds in which all movers have looked
SPARE = 2  # times as many as the fastest run so far would have needed
EMPTY = b"GET /empty HTTP/1.1\r\nHost: bench\r\n\r\n"


class Run(NamedTuple):
    empty: Result
    moves: Result
    idle: dict[str, float]  # CPU microseconds of each empty request, by process
    used: dict[str, float]  # of each move


def run(quick: bool, pinned: bool = False) -> bool:
    times, seconds = (1, 1) if quick else (3, 2)
    runs: dict[tuple[int, str], list[Run]] = defaultdict(list)
    with Stage(pinned=pinned) as stage:
        tokens = accounts(stage)
        for _ in range(times):
            for clients in CLIENTS:
                for game in GAMES:
                    enough = _enough(runs[clients, game], clients, seconds)
                    ready = moves(stage, game, enough, tokens)
                    runs[clients, game].append(_run(stage, clients, seconds, ready))
                    stage.quiet()  # what was on its way at the end is answered too
    layout = "api and load on one core, server and fold on the other" if pinned else "not pinned"
    by = "wrk -t1" if WRK else "our own client, for want of wrk"
    print(f"\nhttp: median of {times} runs of {seconds} s, {by}, everysec, {layout}")
    good = True
    for clients in CLIENTS:
        for game in GAMES:
            show(f"http: {game}, {clients} clients", _rows(game, clients, runs[clients, game]))
            good = good and _all_taken(runs[clients, game])
    return good


def request(move: Move) -> bytes:
    return (
        f"POST /matches/{move.name}/moves HTTP/1.1\r\nHost: bench\r\n"
        f'Authorization: Bearer {move.token}\r\nIf-Match: "{move.seq}"\r\n'
        f"Content-Type: application/json\r\nContent-Length: {len(move.body)}\r\n\r\n"
    ).encode() + move.body


def look(move: Move) -> bytes:
    return (
        f"GET /matches/{move.name}/look HTTP/1.1\r\nHost: bench\r\n"
        f"Authorization: Bearer {move.token}\r\n\r\n"
    ).encode()


def _enough(before: list[Run], clients: int, seconds: int) -> int:
    """How many matches a run may need, going by the ones before."""
    guess = 1_800 if clients == 1 else 5_000
    fastest = max((one.moves.rate for one in before), default=guess / SPARE)
    return min(MOST, int(fastest * SPARE * seconds))


def _run(stage: Stage, clients: int, seconds: int, ready: list[Move]) -> Run:
    looks = [look(move) for move in ready]
    load(stage.port, 32, LOOKING, looks, stage.front, wanted=200)
    before = stage.used()
    empty = load(stage.port, clients, seconds, [EMPTY], stage.front, wanted=200, again=True)
    between = stage.used()
    taken = load(stage.port, clients, seconds, [request(move) for move in ready], stage.front)
    return Run(empty, taken, _each(empty, before, between), _each(taken, between, stage.used()))


def _each(ran: Result, before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    used = {name: after[name] - before[name] for name in after} | {"load": ran.cpu}
    return {name: spent / ran.answered * 1e6 for name, spent in used.items()}


def _rows(game: str, clients: int, runs: list[Run]) -> list[Row]:
    ratios = [one.moves.rate / one.empty.rate for one in runs]
    p50, p99 = [one.moves.p50 for one in runs], [one.moves.p99 for one in runs]
    goal = RATIO[game]
    ran_out = any(one.moves.ran_out for one in runs)
    return [
        just("empty route", [one.empty.rate for one in runs], "/s"),
        Row("  CPU of a request, us", _shares([one.idle for one in runs])),
        just("accepted moves", [one.moves.rate for one in runs], "/s"),
        at_least("  of the empty route", ratios, "", goal)
        if clients == 32
        else just("  of the empty route", ratios, ""),
        under("  p50", p50, "ms", P50_OF_ONE) if clients == 1 else just("  p50", p50, "ms"),
        under("  p99", p99, "ms", P99) if clients == 32 else just("  p99", p99, "ms"),
        Row("  CPU of a move, us", _shares([one.used for one in runs])),
        *([Row("  ran out of matches before the time was up", "")] if ran_out else []),
    ]


def _shares(used: list[dict[str, float]]) -> str:
    by_process = {name: median([one[name] for one in used]) for name in used[0]}
    return ", ".join(f"{name} {spent:.0f}" for name, spent in by_process.items() if spent >= 1)


def _all_taken(runs: list[Run]) -> bool:
    """Was every answer the wanted one?"""
    bad = [one for run in runs for one in (run.empty, run.moves) if one.bad]
    for one in bad:
        print(f"  WRONG: {one.bad} of {one.answered} answers; the first: {one.first_bad}")
    return not bad
