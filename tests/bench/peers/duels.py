"""`peers`: the duel on boardgame.io, Colyseus and Turnfold, in one run on one machine.

Every match is a closed loop of two clients: the next move is sent once both have seen the last. One
node process (`wire/load.cjs`) is the load for all of them, by the wire each has for its clients.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from tests.bench.peers.installed import WIRE, Missing, node_modules
from tests.bench.peers.systems import COUNTED, Down, OnNode, Ours, System, answers, kill
from tests.bench.report import Row, at_least, show, under

MEMORY, FLAT = "boardgame.io, in memory", "boardgame.io, FlatFile"
COLYSEUS, OURS = "Colyseus", "Turnfold"
MATCHES = (1, 32, 100, 256)
ROUNDS = 100  # of a match; another one follows
TIMES, LEVEL, P50_BEYOND = 2.0, 1.0, 0.4  # boardgame.io's moves; Colyseus'; ms
HELD, KILLED_AFTER = 5.0, 2.0  # seconds that moves are played, and after which one is killed
Make = Callable[[], System]


class Ran(NamedTuple):
    """What `load.cjs` says of a run; `load` and `server` are CPU seconds, memory MB."""

    moves: int
    seconds: float
    p50: float
    p99: float
    load: float
    server: dict[str, float]
    memory: dict[str, float]

    @property
    def rate(self) -> float:
        return self.moves / self.seconds


class Fate(NamedTuple):
    """After a kill: moves that are gone, of how many; and whether it did not start again."""

    lost: int
    acknowledged: int
    down: bool


Runs = dict[tuple[str, int], list[Ran]]


def run(quick: bool) -> bool:
    try:
        modules = node_modules()
    except Missing as error:
        show(f"peers: {error}", [])
        return True
    _many_files()
    times, seconds, counts = (1, 1, MATCHES[:2]) if quick else (3, 6, MATCHES)
    systems = compared(modules)
    runs: Runs = {}
    for _ in range(times):
        for name, make in systems.items():
            with make() as system:
                for n in counts:
                    runs.setdefault((name, n), []).append(_speed(modules, system, n, seconds))
    print(f"\npeers: the duel, median of {times} runs of {seconds} s, two clients a match")
    for n in counts:
        show(
            f"peers: matches at once: {n}", [*_figures(list(systems), n, runs), *_targets(n, runs)]
        )
    secrets = _secrets(modules, quick)
    show("peers: bytes of the other's hand that reach a client", secrets)
    show("peers: acknowledged moves lost on kill -9", _losses(modules, systems, quick))
    return all(row.good is not False for row in secrets)


def _many_files() -> None:
    """512 clients have a connection or two each: let our processes open as many as they may."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def compared(modules: Path) -> dict[str, Make]:
    """How to make each of them, by name."""
    return {
        MEMORY: lambda: OnNode(modules, "boardgame", "memory", "1"),
        FLAT: lambda: OnNode(modules, "boardgame", "flatfile", "1"),
        COLYSEUS: lambda: OnNode(modules, "colyseus"),
        OURS: Ours,
    }


# Speed


def _speed(modules: Path, system: System, matches: int, seconds: float) -> Ran:
    pids = system.pids()
    ids = ",".join(map(str, pids.values()))
    said = _load(modules, system, "speed", matches, seconds, ROUNDS, ids)
    by_name = {part: dict(zip(pids, said.pop(part), strict=True)) for part in ("server", "memory")}
    return Ran(**said, **by_name)


def _figures(names: list[str], n: int, runs: Runs) -> list[Row]:
    rows = []
    for name in names:
        ran = runs[name, n]
        rate, p50, p99 = (
            median(part) for part in zip(*((r.rate, r.p50, r.p99) for r in ran), strict=True)
        )
        memory = median(_counted(one.memory) for one in ran)
        busy = median(one.load / one.seconds for one in ran)
        shares = ", ".join(f"{who} {spent:.0f}" for who, spent in _shares(ran).items())
        says = f"{rate:,.0f} moves/s, p50 {p50:.2f}, p99 {p99:.1f} ms, {memory:.0f} MB"
        rows += [Row(name, says), Row("  CPU of a move, us", f"{shares}; load {busy:.0%} busy")]
    return rows


def _counted(memory: dict[str, float]) -> float:
    return sum(size for name, size in memory.items() if name in COUNTED)


def _shares(ran: list[Ran]) -> dict[str, float]:
    """CPU microseconds of a move, by process."""
    each = {name: [one.server[name] / one.moves * 1e6 for one in ran] for name in ran[0].server}
    each["load"] = [one.load / one.moves * 1e6 for one in ran]
    return {name: spent for name, all_ in each.items() if (spent := median(all_)) >= 1}


def _targets(n: int, runs: Runs) -> list[Row]:
    def ratios(peer: str) -> list[float]:
        return [a.rate / b.rate for a, b in zip(runs[OURS, n], runs[peer, n], strict=True)]

    ours_later = [a.p50 - b.p50 for a, b in zip(runs[OURS, n], runs[MEMORY, n], strict=True)]
    beside = "Turnfold's moves, of boardgame.io's in memory"
    level = "Turnfold's moves, of Colyseus'"
    return [
        at_least(beside, ratios(MEMORY), "", TIMES)
        if n >= 32
        else under("Turnfold's p50 beyond boardgame.io's", ours_later, "ms", P50_BEYOND),
        *([at_least(level, ratios(COLYSEUS), "", LEVEL)] if n == 100 else []),
    ]


# Secrets


def _secrets(modules: Path, quick: bool) -> list[Row]:
    matches, moves = (2, 20) if quick else (10, 100)
    open_: dict[str, Make] = {
        "boardgame.io, STRIP_SECRETS": lambda: OnNode(modules, "boardgame", "memory", "1"),
        "boardgame.io, no playerView": lambda: OnNode(modules, "boardgame", "memory", "0"),
        COLYSEUS: lambda: OnNode(modules, "colyseus"),
        OURS: Ours,
    }
    rows = []
    for name, make in open_.items():
        with make() as system:
            said = _load(modules, system, "secrets", matches, moves)
        says = f"{said['bytes']:,} of {said['received']:,}"
        rows.append(Row(name, says, "0", said["bytes"] == 0) if name == OURS else Row(name, says))
    return rows


# What a kill loses


def _losses(modules: Path, systems: dict[str, Make], quick: bool) -> list[Row]:
    matches, kills = (8, 1) if quick else (32, 3)
    rows = []
    for name, make in systems.items():
        with make() as system:
            victims = system.victims
        for victim in victims:
            fates = [_lost(modules, make, victim, matches) for _ in range(kills)]
            lost, of = sum(fate.lost for fate in fates), sum(fate.acknowledged for fate in fates)
            down = sum(fate.down for fate in fates)
            says = f"{lost:,} of {of:,}" + f"; {down} times it did not start again" * (down > 0)
            what, ours = f"{name}: {victim}, {kills} times", name == OURS
            rows.append(Row(what, says, "0", lost == 0) if ours else Row(what, says))
    return rows


def _lost(modules: Path, make: Make, victim: str, matches: int) -> Fate:
    """What is left of acknowledged moves after a kill."""
    with make() as system, tempfile.NamedTemporaryFile(prefix="turnfold-bench-") as file:
        words = _words(system, "hold", matches, HELD, file.name)
        with subprocess.Popen(words, env=_env(modules), stdout=subprocess.PIPE) as load:
            assert load.stdout is not None
            load.stdout.readline()  # it is going
            time.sleep(KILLED_AFTER)
            kill(system, victim)
            while load.poll() is None:
                if system.wire == "turnfold":  # as its supervisor would
                    system.tend()
                time.sleep(0.1)
        try:
            system.tend()
            answers(system.base, system.tend)
        except Down:
            told = sum(one["acknowledged"] for one in json.loads(Path(file.name).read_text()))
            return Fate(told, told, True)
        said = _load(modules, system, "found", file.name)
        return Fate(said["lost"], said["acknowledged"], False)


# The load


def _load(modules: Path, system: System, *words: Any) -> Any:
    ran = subprocess.run(_words(system, *words), env=_env(modules), capture_output=True, text=True)
    if ran.returncode:
        raise SystemExit(f"The load of {system.wire} failed:\n{ran.stderr[-2000:]}")
    return json.loads(ran.stdout.splitlines()[-1])


def _words(system: System, *words: Any) -> list[str]:
    return ["node", str(WIRE / "load.cjs"), system.wire, system.base, *map(str, words)]


def _env(modules: Path) -> dict[str, str]:
    return os.environ | {"NODE_PATH": str(modules), "NODE_ENV": "production"}
