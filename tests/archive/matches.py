"""Finished matches of the corpus, played again on a fake server."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

from msgspec import json

from engine.audit import Bundle
from services import ledger
from tests.commands.processes import ROOT
from tests.workers.hall import Hall

CORPUS = ROOT / "tests" / "corpus" / "matches"
SHORT, LONG = "high-card-1-26", "flipout-1-10"  # 23 entries, 278: more than have their facts kept
NAMES = ["0-" + letter * 16 for letter in "abcdefgh"]


def bundle_of(name: str) -> Bundle:
    raw = gzip.decompress((CORPUS / f"{name}.json.gz").read_bytes())
    return json.decode(raw, type=Bundle)


def put(hall: Hall, match: str, of: str = SHORT) -> None:
    """Have the entries of a match of the corpus taken, and folded by a worker."""
    at = seq = 0
    for one in bundle_of(of).entries:
        hall.clock.ns = max(hall.clock.ns, one.at * 1_000_000)
        taken = hall.server.ask(ledger.append(match, seq, at, one.entry.encode()))
        hall.server.work()
        seq, at = taken.seq, taken.at


def everything(hall: Hall, match: str) -> Iterator[object]:
    """All that can be asked of a match, at every seq."""
    ask, talk = hall.wire.ask, hall.wire.talk
    seq, _ = end = ask(ledger.ends(match))
    yield end, ask(ledger.newest(match)), ask(ledger.last_facts(match)), seq
    yield _talked(talk, match)
    for at in range(0, seq + 2, 1 + seq // 30):
        yield ask(ledger.mark(match, at)), ask(ledger.entry(match, at))
        yield ask(ledger.log(match, at, 7)), ask(ledger.facts(match, at, 7))
        yield ask(ledger.log(match, at)), ask(ledger.facts(match, at))


def _talked(talk, match: str) -> object:
    from services import finished, oversight

    return talk(finished.record(match)), talk(oversight.whole(match))
