"""Finished matches as files, in a terminal: checked by `audit`, told by `replay`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import json
from rich.console import Console

from engine.audit import LARGEST, Bundle, Kept, NoBundle, Report, audit, opened
from engine.contract import OPEN, Viewer
from engine.entries import MatchAborted, MatchOver, Unknown
from engine.fold import replay
from engine.look import heard
from engine.match import Line, Match, Refused, Verdict
from engine.sentences import names, say, say_ours
from services.packed import plain
from services.visible import visible

TRUE, FAULTY, NO_BUNDLE = 0, 1, 2


def audit_file(
    path: Path,
    heads: list[str],
    entropies: list[str],
    commitment: str | None,
    as_json: bool,
    out: Console,
    errors: Console,
) -> int:
    """Fold a bundle again, say what was found, give the exit status."""
    try:
        kept = _kept(heads, entropies, commitment)
        file = opened(_bytes(path))
        report = audit(file, kept)
    except NotKept as error:
        errors.print(str(error), markup=False, soft_wrap=True)
        return NO_BUNDLE
    except (OSError, NoBundle, ValueError) as error:
        errors.print(f"{path}: {visible(_why(error))}", markup=False, soft_wrap=True)
        return NO_BUNDLE
    if as_json:
        out.file.write(json.encode(report).decode() + "\n")
    else:
        for line in _report(file, kept, report):
            out.print(visible(line), markup=False, soft_wrap=True)
    return TRUE if report.ok else FAULTY


def _kept(heads: list[str], entropies: list[str], commitment: str | None) -> Kept:
    """What somebody kept, if it has the form of that: a slip of the pen is no fraud."""
    shown: dict[int, str] = {}
    for text in heads:
        seq, _, head = text.partition(":")
        if not seq.isdecimal() or not int(seq):
            raise NotKept(f"--head takes SEQ:HEX, as in 12:04ab…, not {text!r}.")
        if shown.setdefault(int(seq), _hex("--head", head)) != head.lower():
            raise NotKept(f"Two heads of entry {seq} cannot both be kept.")
    drawn = tuple(_hex("--entropy", text) for text in entropies)
    committed = None if commitment is None else _hex("--commitment", commitment)
    return Kept(shown, drawn, committed)


def _hex(option: str, text: str) -> str:
    if re.fullmatch("[0-9a-fA-F]{64}", text) is None:
        raise NotKept(f"{option} takes 64 hex digits, not {text!r}.")
    return text.lower()


class NotKept(ValueError):
    """An option of the audit does not have the form of what could have been kept."""


def _report(file: Bundle, kept: Kept, report: Report) -> Iterator[str]:
    """The findings, in sentences."""
    yield f"{file.game}, rules {file.rules}, match {file.match}: {len(file.entries)} entries"
    drew = [one for one in report.entries if one.draws]
    if drew:
        draws = sum(len(one.draws) for one in drew)
        yield f"Chance: {draws} draws, in entries {', '.join(str(one.seq) for one in drew)}"
    if report.outcome is not None:
        yield say_ours(MatchOver(report.outcome)).sentence(names(report.places))
    if report.aborted is not None:
        yield say_ours(MatchAborted(report.aborted)).sentence([])
    yield f"Head: {report.head}"
    for fault in report.faults:
        yield f"FAULT ({fault.kind}): {fault.says}"
    if not report.ok:
        yield f"Not true: {len(report.faults)} fault{'s' if report.faults[1:] else ''}."
        return
    yield f"True: it folds to what is written. {_proved(kept, file.seed is not None)}"


def _proved(kept: Kept, dealt: bool) -> str:
    """What this proves to somebody who kept that."""
    proved = []
    if kept.heads:
        proved.append(f"nothing up to entry {max(kept.heads)} was changed since you kept its head")
    if kept.entropies and kept.commitment and dealt:
        proved.append("the deal came from your entropy and the secret committed to")
    if proved:
        return f"And {' and '.join(proved)}."
    return "With a head, an entropy or a commitment that you kept it proves more: see --help."


def replay_file(path: Path, viewer: str, out: Console, errors: Console) -> int:
    """Tell a bundle, entry by entry, as one viewer heard it; the exit status."""
    match = None
    try:
        file = opened(_bytes(path))
        for match, verdict in replay(Line(one.at, one.entry.encode()) for one in file.entries):
            for line in _told(match, verdict, _viewer(viewer, match)):
                out.print(visible(line), markup=False, soft_wrap=True)
    except (OSError, NoBundle, Unknown, ValueError) as error:
        errors.print(f"{path}: {visible(_why(error))}", markup=False, soft_wrap=True)
        return NO_BUNDLE
    if match is not None and match.state is not None:
        view = match.game.view(match.state, _viewer(viewer, match))
        shown = visible(match.game.words.show(view, names(match.holders)), "\n")
        out.print(shown, markup=False, soft_wrap=True)
    out.print(f"This is told, not checked: turnfold audit {path}", markup=False, soft_wrap=True)
    return TRUE


def _bytes(path: Path) -> bytes:
    """What the file holds, packed or not, as far as a bundle may go."""
    with path.open("rb") as file:
        return plain(file.read(LARGEST + 1))


def _why(error: Exception) -> str:
    return f"{error.strerror}." if isinstance(error, OSError) and error.strerror else str(error)


def _viewer(text: str, match: Match) -> Viewer:
    if text in ("watcher", "open"):
        return OPEN if text == "open" else None
    if not text.isdecimal() or int(text) >= len(match.holders):
        raise ValueError(f"{text!r} is no seat of this match, nor `watcher` or `open`")
    return int(text)


def _heard(verdict: Verdict, viewer: Viewer) -> Iterable[Any]:
    """What a viewer heard; for OPEN what those were told who were told most."""
    if viewer != OPEN or isinstance(verdict, Refused):
        return heard(verdict, viewer)
    best = [told.heard_by(viewer)[: max(1, len(told.to))] for told in verdict.told]
    return (fact for facts in best for fact in facts)


def _told(match: Match, verdict: Verdict, viewer: Viewer) -> Iterator[str]:
    """One entry: its number and time, and a line for each fact that was heard."""
    at = datetime.fromtimestamp(match.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    said = [f"(refused: {verdict.says})"] if isinstance(verdict, Refused) else []
    called = names(match.holders)
    said += [say(match.game, fact).sentence(called) for fact in _heard(verdict, viewer)]
    for i, sentence in enumerate(said or ["…"]):
        yield f"{match.seq:>5}  {at}  {sentence}" if i == 0 else f"{'':28}{sentence}"
