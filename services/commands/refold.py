"""`turnfold refold`: what would have become of finished matches by other rules of their games?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from engine.audit import LARGEST, Bundle, NoBundle, opened
from engine.catalogue import version
from engine.refold import Other, Refolded, Scored, refold, said
from services import finished, ledger, oversight
from services.commands.options import (
    HOME,
    Data,
    Json,
    MaybeServer,
    Shards,
    console,
    errors,
    print_json,
    server,
)
from services.oversight import Filters
from services.packed import plain

SAME, OTHER, UNREAD = 0, 1, 2
SHOWN = 3  # entries of a kind that are printed; all are in the JSON


class Sum(Struct):
    """Of all matches."""

    matches: int = 0
    same: int = 0
    other: int = 0
    left: int = 0  # of games that have no such rules here
    unread: int = 0


def again(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BUNDLE|FOLDER|MATCH]…",
            help="Bundles, folders of them, matches of a server; else all that it has finished.",
        ),
    ] = None,
    rules: Annotated[
        int | None, typer.Option(min=1, help="By which rules; else by those of each match.")
    ] = None,
    redis: MaybeServer = None,
    data: Data = HOME,
    shards: Shards = 1,
    as_json: Json = False,
) -> None:
    """Fold finished matches by other rules of their games, and say what comes out differently.

    Of each match: the first entry of which something else comes than is written, entries that
    became illegal, and the scores and places that changed. Without --rules it says what this
    release makes of what others wrote. With --json one line for each match.
    Exit status: 0 all are the same, 1 some are not, 2 something could not be read.
    """
    sum = Sum()
    for name, file in _files(what or [], redis, data, shards):
        sum.matches += 1
        if isinstance(file, str):
            sum.unread += 1
            errors.print(f"{name}: {file}.", markup=False, soft_wrap=True)
        elif rules is not None and version(file.game, rules) is None:
            sum.left += 1
        else:
            _one(name, file, rules, as_json, sum)
    if not as_json:
        _say(_summary(sum))
    raise typer.Exit(UNREAD if sum.unread else OTHER if sum.other else SAME)


def _one(name: str, file: Bundle, rules: int | None, as_json: bool, sum: Sum) -> None:
    try:
        found = refold(file, rules)
    except NoBundle as error:
        sum.unread += 1
        errors.print(f"{name}: {error}.", markup=False, soft_wrap=True)
        return
    sum.same += found.same
    sum.other += not found.same
    if as_json:
        print_json(found)
    elif not found.same:
        for line in _lines(name, found):
            _say(line)


def _files(
    what: list[str], redis: str | None, data: Path, shards: int
) -> Iterator[tuple[str, Bundle | str]]:
    """What is to be folded, by name; or why it cannot be read."""
    here = [one for one in what if Path(one).exists()]
    for one in here:
        yield from _of_path(Path(one))
    asked = [one for one in what if one not in here]
    if asked or not what:
        yield from _of_server(asked, redis, data, shards)


def _of_path(path: Path) -> Iterator[tuple[str, Bundle | str]]:
    """A bundle, or all in a folder: in that of an archive too, beside its manifest."""
    paths = [path]
    if path.is_dir():
        from services.archive.manifest import FOLDER  # it loads what only archives need

        paths = sorted(one for one in path.rglob("*.json*") if one.parent.name != FOLDER)
    for one in paths:
        try:
            with one.open("rb") as file:
                yield str(one), opened(plain(file.read(LARGEST + 1)))
        except (OSError, NoBundle) as error:
            yield str(one), str(error)


def _of_server(
    asked: list[str], redis: str | None, data: Path, shards: int
) -> Iterator[tuple[str, Bundle | str]]:
    """Finished matches of a server or of its archive; all of them if none is named."""
    with server(redis, data) as wire:
        names = asked or [
            one.match for one in oversight.standings(wire, shards, Filters(state="over"))
        ]
        for name in names:
            if not ledger.is_match(name, 10_000):
                yield name, "there is no such file, and it is no id of a match"
                continue
            stands = wire.talk(oversight.standing(name, None))
            if stands is None or stands.status != "over":
                yield name, "there is no such match" if stands is None else "it is not over"
                continue
            record = wire.talk(finished.record(name))
            yield name, opened(finished.bundle(name, record))


def _lines(name: str, found: Refolded) -> Iterator[str]:
    was, now = found.rules
    yield f"{name}: {found.game}, rules {was} as rules {now}"
    if found.first is not None:
        yield f"  first: {_entry(found.first)}"
    for what, others in (("illegal", found.illegal), ("allowed", found.allowed)):
        yield from (f"  {what}: {_entry(one)}" for one in others[:SHOWN])
        if left := others[SHOWN:]:
            yield f"  {what}: {len(left)} more, up to entry {left[-1].seq}"
    yield from (f"  seat {one.seat}: {_scored(one)}" for one in found.scores)
    if not found.ends:
        yield "  it does not end"


def _entry(one: Other) -> str:
    return f"entry {one.seq}: {said(one.was)} → {said(one.now)}"


def _scored(one: Scored) -> str:
    parts = (("score", one.score), ("place", one.place))
    return ", ".join(f"{what} {_or_none(a)} → {_or_none(b)}" for what, (a, b) in parts if a != b)


def _or_none(number: int | None) -> str:
    return "none" if number is None else str(number)


def _summary(sum: Sum) -> str:
    matches = f"{sum.matches} match{'' if sum.matches == 1 else 'es'}"
    said = f"{matches}: {sum.same} the same, {sum.other} not"
    said += f", {sum.left} of games without these rules" if sum.left else ""
    return f"{said}{f', {sum.unread} unread' if sum.unread else ''}."


def _say(line: str) -> None:
    console.print(line, markup=False, soft_wrap=True)
