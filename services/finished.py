"""A finished match as a file: what to read of the ledger, and the bundle made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine import audit
from engine.fold import replay
from engine.match import Line, Match, encode
from services import ledger
from services.wire import Talk


class Record(NamedTuple):
    """The whole log of a match, and those of its verdicts that are still written."""

    lines: list[Line]
    verdicts: Mapping[int, bytes]


def record(name: str) -> Talk[Record]:
    lines: list[Line] = []
    while written := (yield ledger.log(name, len(lines))):
        lines += [one.line for one in written]
    told = yield ledger.facts(name)
    return Record(lines, {one.seq: one.verdict for one in told})


def bundle(name: str, record: Record) -> bytes:
    """The file of a match that is over; a verdict that is not written any more is folded again."""
    return audit.bundle(name, _folded(record))


def report(name: str, record: Record) -> audit.Report:
    """What an audit finds of it."""
    return audit.audit(audit.opened(bundle(name, record)))


def _folded(record: Record) -> Iterator[tuple[Line, Match, bytes]]:
    for line, (then, verdict) in zip(record.lines, replay(record.lines), strict=True):
        yield line, then, record.verdicts.get(then.seq) or encode(verdict)
