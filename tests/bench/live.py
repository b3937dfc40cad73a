"""`live`: what a hundred thousand live matches cost: memory, disk, a start, a walk, a move.

A few hundred matches of all games are played to some moment of theirs through the door; their keys
are then restored under as many other names as it takes, byte for byte what playing them would have
left. Figures for ten million are reckoned from those, in docs/scale.md.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from engine import entries as e
from engine.catalogue import GAMES
from engine.match import Match
from services import door, ledger
from services.ledger import Ask
from services.wire import converse
from tests.bench.load import load
from tests.bench.over_http import look, request
from tests.bench.prepared import AT_ONCE, Move, accounts, moves
from tests.bench.recorded import recorded
from tests.bench.report import Row, just, show
from tests.bench.stage import Stage

SOON = 86_400_000  # ms until the deadline of a match
REACT = ["workers.react", "--redis"]
PARTS = ("log", "facts", "now", "marks")
CLIENTS, SECONDS, READY = 32, 2, 4_000


class Model(NamedTuple):
    """A match that was played, as its keys are."""

    dumps: dict[str, bytes]
    bytes: dict[str, int]  # that each takes
    entries: int


def run(quick: bool) -> bool:
    live, models = (5_000, 4) if quick else (100_000, 40)
    with Stage() as stage:
        stage.begin("react", [*REACT, stage.url])
        tokens = accounts(stage)
        chance = Random("live")
        played = [_model(stage, game, n, chance) for game in GAMES for n in range(models)]
        few = _rates(stage, tokens)
        held, indexed = _memory(stage), _settled(stage)
        _restored(stage, played, live, chance)
        kept = (_memory(stage) - held) / live
        walked = _walk(stage, indexed + live)
        whole = (_memory(stage) - held) / live
        many = _rates(stage, tokens)
        react = stage.memory("react")
        show(f"live: {live:,} matches of all games, each at some moment of it", [
            *_shares(played),
            just("memory of the server, a match", [kept / 1000], "kB"),
            just("  with indexes, once react has walked", [whole / 1000], "kB"),
            *walked,
            just("memory of react after it", [react / 1e6], "MB"),
            just("a look for deadlines", [_looked(stage, live)], "ms"),
            just("looks at Qwirkle at 32 clients, with few", [few.looks], "/s"),
            just("  with all of these", [many.looks], "/s"),
            just("moves of matches that were looked at, with few", [few.known], "/s"),
            just("  with all of these", [many.known], "/s"),
            just("moves of others, with few", [few.unknown], "/s"),
            just("  with all of these", [many.unknown], "/s"),
            *_disk(stage, live),
        ])  # fmt: skip
    return True


def _model(stage: Stage, game: str, seed: int, chance: Random) -> Model:
    """A recorded match, played until some moment after its deal."""
    whole, name = recorded(game, seed), ledger.new_match(1)
    until = chance.randrange(whole.dealt.seq, len(whole.log))
    stage.wire.ask(ledger.append(name, 0, 0, whole.log[0].raw))
    for line in whole.log[1:until]:
        entry = e.decode(line.raw)
        answer = converse(door.enter(name, _just(entry)), stage.wire.ask)
        assert isinstance(answer, door.Entered), answer
    stage.quiet()
    dumps, sizes = {}, {}
    for part in PARTS:
        dump = stage.wire.ask(Ask(("DUMP", _key(name, part)), _as_is))
        if dump is not None:
            dumps[part] = dump
            sizes[part] = stage.wire.ask(Ask(("MEMORY", "USAGE", _key(name, part)), int))
    return Model(dumps, sizes, until)


def _just(entry: e.Entry) -> Any:
    def make(match: Match) -> e.Entry:
        return entry

    return make


def _restored(stage: Stage, models: list[Model], live: int, chance: Random) -> None:
    """So many matches, each like one of the models."""
    due = int(time.time() * 1000) + SOON
    for begun in range(0, live, AT_ONCE):
        asks = []
        for n in range(begun, min(begun + AT_ONCE, live)):
            name = ledger.new_match(1)
            for part, dump in models[n % len(models)].dumps.items():
                asks.append(Ask(("RESTORE", _key(name, part), 0, dump), _as_is))
            asks.append(Ask(("ZADD", "{0}:live", due + chance.randrange(SOON), name), int))
        stage.wire.all(asks)


def _walk(stage: Stage, wanted: int) -> list[Row]:
    """React is begun anew: it walks all that is live."""
    stage.stop("react")
    stage.begin("react", [*REACT, stage.url])
    begun, before = time.perf_counter(), stage.used()
    _walked(stage, wanted)
    spent, after = time.perf_counter() - begun, stage.used()
    cpu = after["react"] - before["react"]
    return [
        just("react walks all of them in", [spent], "s"),
        just("  its CPU of a match", [cpu / wanted * 1e6], "us"),
    ]


def _walked(stage: Stage, wanted: int) -> None:
    while _indexed(stage) < wanted:
        time.sleep(0.05)


def _settled(stage: Stage) -> int:
    """How many matches are indexed once all are that were played here."""
    while (before := _indexed(stage)) != (time.sleep(1), _indexed(stage))[1]:
        pass
    return before


def _indexed(stage: Stage) -> int:
    return stage.wire.ask(Ask(("ZCARD", "lobby:running"), int))


class Rates(NamedTuple):
    """A second, over HTTP: looks; moves of matches that were looked at before, and of others."""

    looks: float
    known: float
    unknown: float


def _rates(stage: Stage, tokens: dict[str, str]) -> Rates:
    ready = moves(stage, "qwirkle", 2 * READY, tokens)
    looks = [look(move) for move in ready[:READY]]
    looked = load(stage.port, CLIENTS, 20, looks, stage.front, wanted=200)
    known, unknown = (_moved(stage, some) for some in (ready[:READY], ready[READY:]))
    return Rates(looked.rate, known, unknown)


def _moved(stage: Stage, ready: list[Move]) -> float:
    posts = [request(move) for move in ready]
    ran = load(stage.port, CLIENTS, SECONDS, posts, stage.front)
    assert not ran.bad, ran.first_bad
    stage.quiet()
    return ran.rate


def _looked(stage: Stage, live: int) -> float:
    """ms that the server takes to say whose time is up, as react asks each second."""
    now, took = int(time.time() * 1000), []
    for _ in range(100):
        begun = time.perf_counter()
        stage.wire.ask(ledger.due(0, now, 128))
        took.append(time.perf_counter() - begun)
    return sorted(took)[50] * 1000


def _shares(models: list[Model]) -> list[Row]:
    """What of a match the memory goes to."""
    parts: Counter[str] = Counter()
    for model in models:
        parts.update(model.bytes)
    entries = sum(model.entries for model in models) / len(models)
    shares = [f"{part} {parts[part] / len(models) / 1000:.1f}" for part in PARTS]
    return [
        just("entries of a match", [entries], ""),
        Row("  kB of its keys", ", ".join(shares)),
    ]


def _disk(stage: Stage, live: int) -> list[Row]:
    """The log of the server written anew, and how long a start from it takes."""
    stage.wire.ask(Ask(("BGREWRITEAOF",), _as_is))
    stage.quiet()
    weight = sum(file.stat().st_size for file in _files(stage.folder))
    for name in ("react", "api", "fold"):
        stage.stop(name)
    begun = time.perf_counter()
    stage.restart()
    spent = time.perf_counter() - begun
    return [
        just("the server's log on disk, a match", [weight / live / 1000], "kB"),
        just("a start of the server takes", [spent], "s"),
    ]


def _files(folder: Path) -> list[Path]:
    return [file for file in folder.glob("appendonlydir/*") if file.is_file()]


def _memory(stage: Stage) -> int:
    info = stage.wire.ask(Ask(("INFO", "memory"), _as_is))
    return int(info.split(b"used_memory:")[1].split(b"\r\n")[0])


def _key(name: str, part: str) -> str:
    return f"{{0}}:match:{name}:{part}"


def _as_is(reply: Any) -> Any:
    return reply
