"""A finished match as a file: what to read of the ledger, and the bundle made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine import audit
from engine import entries as e
from engine.fold import replay
from engine.match import Accepted, Line, Match, encode, moves_of
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


def notation(name: str, record: Record) -> str:
    """It as text: a line for each entry that was accepted, moves as their game writes them."""
    lines, match = [], None
    for line, (match, verdict) in zip(record.lines, replay(record.lines), strict=True):
        if isinstance(verdict, Accepted):
            lines.append(f"{match.seq}. {_noted(e.decode(line.raw), match)}")
    assert match is not None
    offered, places = match.offered, match.outcome.places if match.outcome else ()
    ended = ", ".join(f"seat {seat} place {place}" for seat, place in enumerate(places))
    head = f"# {offered.game}, rules {offered.rules}, match {name}"
    options = f"# options {bytes(offered.options).decode()}"
    return "\n".join([head, options, *lines, f"# {ended or match.aborted}; head {match.head}", ""])


def _noted(entry: e.Entry, match: Match) -> str:
    if isinstance(entry, e.Played):
        move = moves_of(match.game).decode(entry.move)
        return f"{entry.seat}: {match.game.words.write(move)}"
    seat = getattr(entry, "seat", None)
    what = type(entry).__name__.lower()
    return what if seat is None else f"{seat}: ({what})"


def _folded(record: Record) -> Iterator[tuple[Line, Match, bytes]]:
    for line, (then, verdict) in zip(record.lines, replay(record.lines), strict=True):
        yield line, then, record.verdicts.get(then.seq) or encode(verdict)
