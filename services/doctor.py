"""The doctor: looks at the server, the workers and the data folder, and says what to do.

Each check is a few lines that yield findings. They only read.
"""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct
from redis.client import Redis
from redis.exceptions import RedisError

from engine import RELEASE
from engine.catalogue import GAMES, versions
from engine.entries import Unknown
from engine.fold import step
from services import archive, ledger, oversight, uptime, vitals
from services.archive import Unread
from services.vitals import log_fault
from services.wire import BlockingWire, Lost, Refused

State = Literal["ok", "warn", "bad"]
SOON, LATE = 5, 60  # seconds that a line may wait until we mention it, until we call it bad
FULL = 0.8  # of its memory, from which a server that never evicts will soon refuse to write
NEEDED = (6, 2)  # the first version of Redis that has XAUTOCLAIM


class Finding(Struct, frozen=True):
    check: str
    state: State
    says: str
    todo: str = ""


class Patient(NamedTuple):
    """What is looked at. Without a folder it is a server of somebody else's."""

    wire: BlockingWire
    jobs: str  # where rq's jobs are
    shards: int
    folder: Path | None


def examine(patient: Patient) -> Iterator[Finding]:
    """All findings; what cannot be asked is a finding too."""
    if patient.folder is not None:
        yield from _folder(patient.folder)
    try:
        yield from _server(patient.wire)
        for shard in range(patient.shards):
            yield from _workers(patient.wire, shard)
            yield _api(patient.wire, shard)
            yield from _releases(patient.wire, shard)
        yield from _stuck(patient)
        yield from _archive(patient)
    except (Lost, Refused) as error:
        todo = "Start `turnfold serve` on the folder, or name --redis; server.log says more."
        yield Finding("server", "bad", f"It does not answer: {error}.", todo)
    yield from _jobs(patient.jobs)


def _folder(folder: Path) -> Iterator[Finding]:
    if not folder.is_dir():
        yield Finding("folder", "bad", f"There is no folder {folder}.", "Name it with --data.")
        return
    files = dict(_files(folder))
    open_to_all = [path for path, stat in files.items() if stat.st_mode & 0o077]
    if open_to_all:
        says = f"Others may read or write {open_to_all[0]}: running matches' secrets are in there."
        yield Finding("folder", "bad", says, f"chmod -R go-rwx {folder}")
    else:
        yield Finding("folder", "ok", f"{folder} is for its owner alone.")
    held = sum(stat.st_size for stat in files.values())
    free = shutil.disk_usage(folder).free
    says = f"{_mib(free)} are free, {_mib(held)} are used by the data."
    if free < 2 * held or free < 2**28:
        todo = "Make room: when the server rewrites its log, it needs the size of it once more."
        yield Finding("disk", "bad" if free < held else "warn", says, todo)
    else:
        yield Finding("disk", "ok", says)


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The folder and what is in it; the server may take files away meanwhile."""
    for path in (folder, *folder.rglob("*")):
        with suppress(FileNotFoundError):
            yield path, path.stat()


def _server(wire: BlockingWire) -> Iterator[Finding]:
    for said in wire.everywhere(ledger.condition()):
        yield _version(said)
        yield _log(said)
        yield _memory(said)
    yield _clock(wire)


def _version(said: dict[str, str]) -> Finding:
    speaks = said.get("redis_version", "0")
    says = f"It speaks Redis {speaks}."
    if "valkey_version" in said:
        says = f"Valkey {said['valkey_version']}, which speaks Redis {speaks}."
    if tuple(map(int, speaks.split(".")[:2])) < NEEDED:
        return Finding("server", "bad", says, "Use Valkey, or Redis 6.2 or newer.")
    return Finding("server", "ok", says)


def _log(said: dict[str, str]) -> Finding:
    """Is what is acknowledged on its way to the disk?"""
    fault = log_fault(said)
    if fault is not None:
        todo = "Set `appendonly yes`, make room on the disk, look at the server's log: without it"
        return Finding("log", "bad", fault, f"{todo} a restart loses what was acknowledged.")
    return Finding("log", "ok", "The append-only file is on; its last write and rewrite went well.")


def _memory(said: dict[str, str]) -> Finding:
    policy, most = said.get("maxmemory_policy", "unknown"), int(said.get("maxmemory", 0))
    used = int(said["used_memory"])
    if policy != "noeviction":
        todo = "Set `maxmemory-policy noeviction` there: it may throw logs away."
        return Finding("memory", "bad", f"maxmemory-policy is {policy}.", todo)
    says = f"Nothing is evicted; {_mib(used)} are used{f' of {_mib(most)}' if most else ''}."
    if most and used > FULL * most:
        return Finding("memory", "warn", says, "Raise maxmemory: at the limit all writes fail.")
    return Finding("memory", "ok", says)


def _clock(wire: BlockingWire) -> Finding:
    before = time.time()
    there = [at / 1000 for at in wire.everywhere(ledger.clock(0))]
    after = time.time()
    off = max(before - min(there) - 0.001, max(there) - after, 0.0)
    says = f"The server's clock and ours differ by {off:.1f} s."
    if off > 0.5:
        todo = "Set the clocks (NTP): beyond a second each move waits for a fold worker."
        return Finding("clock", "warn", says, todo)
    return Finding("clock", "ok", says)


def _workers(wire: BlockingWire, shard: int) -> Iterator[Finding]:
    """The groups of a shard, who works for them, and how long the oldest line has waited."""
    for kind in vitals.STREAMS:
        try:
            group = wire.talk(vitals.group(shard, kind))
        except Refused:
            group = None
        start = f"Start `turnfold {kind} --shard {shard}`."
        if group is None:
            yield Finding(f"{kind} {shard}", "bad", f"No {kind} worker was ever here.", start)
            continue
        says = f"{group.there} {kind} worker{'' if group.there == 1 else 's'} at work"
        if not group.there:
            yield Finding(f"{kind} {shard}", "bad", f"{says}.", start)
            continue
        waits = group.waits
        state: State = "ok" if waits < SOON else "warn" if waits < LATE else "bad"
        todo = f"See what the {kind} workers log; start more of them."
        said_so = f"{says}; the oldest line waits {waits:.0f} s." if waits else f"{says}."
        yield Finding(f"{kind} {shard}", state, said_so, "" if state == "ok" else todo)


def _api(wire: BlockingWire, shard: int) -> Finding:
    """Does an api give signs of life? While none does, no clock runs."""
    last, now = wire.ask(uptime.last_sign(shard)), wire.ask(ledger.clock(shard))
    if last is not None and now - last < vitals.AWAY:
        return Finding(f"api {shard}", "ok", "An api is there.")
    since = "ever" if last is None else f"for {(now - last) / 1000:.0f} s"
    todo = "Start `turnfold api`: until then nobody can move, and nobody's time is up."
    return Finding(f"api {shard}", "bad", f"No api was there {since}.", todo)


def _releases(wire: BlockingWire, shard: int) -> Iterator[Finding]:
    """Can this release fold the matches that are not over?"""
    foreign: Counter[str] = Counter()
    names = set(oversight.live(wire, shard))
    for name in names:
        first = wire.ask(ledger.entry(name, 1))
        try:
            if first is not None:
                step(None, first.line)
        except Unknown as unknown:
            foreign[str(unknown)] += 1
    says = f"{len(names)} matches are not over"
    if not foreign:
        yield Finding(f"rules {shard}", "ok", f"{says}; release {RELEASE} folds them all.")
        return
    kinds = ", ".join(f"{n} of {kind}" for kind, n in foreign.most_common(5))
    todo = f"Keep a worker of the release that wrote them; this one has {_rules()}."
    yield Finding(f"rules {shard}", "bad", f"{says}; release {RELEASE} lacks: {kinds}.", todo)


def _stuck(patient: Patient) -> Iterator[Finding]:
    stuck = sorted(oversight.all_stuck(patient.wire, patient.shards))
    if not stuck:
        yield Finding("stuck", "ok", "No match is stuck.")
        return
    says = f"{len(stuck)} stuck: {', '.join(stuck[:5])}{' …' if stuck[5:] else ''}"
    todo = "turnfold matches stuck says why; after a repair, turnfold matches retry MATCH."
    yield Finding("stuck", "bad", says, todo)


def _archive(patient: Patient) -> Iterator[Finding]:
    """Can what has left the server be read?"""
    from services.archive import manifest  # it loads what only archives need

    shelf, shards = patient.wire.shelf, range(patient.shards)
    left = sum(patient.wire.ask(ledger.count_archived(shard)) for shard in shards)
    says = f"{left} matches have left for it"
    if shelf is None:
        if left:
            todo = f"Set {archive.ENV}, for every process: those matches are not found."
            yield Finding("archive", "bad", f"{says}, and none is named.", todo)
        return
    try:
        number = manifest.newest(shelf.store).number if left else 0
    except Unread as error:
        todo = "Bring it back: those matches are answered with 503."
        yield Finding("archive", "bad", f"{says}, and it does not answer: {error}.", todo)
        return
    if left and not number:
        todo = "Is this the right one? turnfold verify-archive says what is there."
        yield Finding("archive", "bad", f"{says}, and {shelf.store.where} is empty.", todo)
    else:
        yield Finding("archive", "ok", f"{says}.")


def _jobs(url: str) -> Iterator[Finding]:
    """Is somebody there to move for robots?"""
    from rq import Queue, Worker  # they load much that others do not need

    try:
        with Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5) as server:
            robots = Queue("robots", server)
            there, waiting = Worker.count(queue=robots), robots.count
    except (RedisError, OSError) as error:
        todo = "Start it, or name it with --jobs-redis: robots do not move."
        yield Finding("jobs", "bad", f"The jobs' server does not answer: {error}.", todo)
        return
    says = f"{there} jobs workers at work; {waiting} jobs wait."
    if not there:
        yield Finding("jobs", "bad", says, "Start `turnfold jobs`: robots do not move.")
    else:
        yield Finding("jobs", "ok", says)


def _rules() -> str:
    """What this release has: `qwirkle 2 1` of two versions."""
    return ", ".join(" ".join((name, *_numbers(name))) for name in sorted(GAMES))


def _numbers(name: str) -> list[str]:
    return [str(game.RULES) for game in versions(name)]


def _mib(size: int) -> str:
    return f"{size / 2**20:,.0f} MiB"
