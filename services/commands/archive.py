"""`turnfold archive`, `turnfold verify-archive`: matches off the server, and are all there?"""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from services import archive as archives
from services import oversight
from services.archive import Unread
from services.commands.options import (
    HOME,
    Data,
    Json,
    MaybeServer,
    Shards,
    console,
    print_json,
    server,
    shelf,
    sorry,
)
from services.visible import visible
from services.wire import BlockingWire, Lost, Refused, without_password

if TYPE_CHECKING:
    from services.archive.proof import Found

NONE = f"There is no archive: {archives.ENV} names a folder, or s3://bucket/path."
TRUE, FAULTY, NO_ARCHIVE = 0, 1, 2


def archive(
    days: Annotated[
        float | None,
        typer.Option(min=0, help="What ended so long ago; else TURNFOLD_ARCHIVE_AFTER, 30."),
    ] = None,
    redis: MaybeServer = None,
    data: Data = HOME,
) -> None:
    """Move finished matches off the server into the archive that TURNFOLD_ARCHIVE names.

    The workers do so every few minutes; this does it now, at any time, also beside them.
    """
    from services.archive import mover

    into = shelf()
    if into is None:
        sorry(NONE)
    try:
        after = archives.days() if days is None else days
    except ValueError as error:
        sorry(f"{error}.")
    with server(redis, data) as wire:
        moved = mover.move(wire, into.store, after)
    console.print(
        f"{moved.matches} matches moved to {into.store.where}, {moved.size} bytes.",
        soft_wrap=True,
        markup=False,
    )


def verify(
    where: Annotated[
        str | None,
        typer.Argument(
            metavar="[ARCHIVE]", envvar=archives.ENV, help="A folder, or s3://bucket/path."
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        typer.Option(metavar="N:HEX", help="A head of the archive that you kept."),
    ] = None,
    redis: Annotated[
        str | None, typer.Option(help="Also: is every match there that has left this server?")
    ] = None,
    shards: Shards = 1,
    as_json: Json = False,
) -> None:
    """Prove that an archive is whole: every segment of its manifest follows the one before, every
    match is there to the byte and passes the audit, and nothing else is there.

    Keep the head that it prints: with `--head` it proves that nothing up to there was changed or
    taken away since. Exit status: 0 all is true, 1 something is not, 2 there is no archive there,
    or one with matches by rules that this release lacks.
    """
    from services.archive import proof

    try:
        there = archives.opened(where or "")
        if there is None:
            sorry(NONE, NO_ARCHIVE)
        found = proof.found(proof.prove(there.store, _kept(head or []), _left(redis, shards)))
    except (Unread, Lost, Refused, ValueError) as error:
        sorry(f"{error}.", NO_ARCHIVE)
    if as_json:
        print_json(found)
    else:
        _print(found)
    raise typer.Exit(FAULTY if found.faults else NO_ARCHIVE if found.unknown else TRUE)


def _kept(heads: list[str]) -> dict[int, str]:
    """Heads of the archive as somebody kept them, if they have the form of that."""
    kept = {}
    for text in heads:
        found = re.fullmatch("([1-9][0-9]*):([0-9a-fA-F]{64})", text)
        if found is None:
            raise ValueError(f"--head takes N:HEX, as in 12:04ab…, not {text!r}")
        kept[int(found[1])] = found[2].lower()
    return kept


def _left(redis: str | None, shards: int) -> dict[str, bytes] | None:
    """The matches that have left this server, with the digests of their objects."""
    if redis is None:
        return None
    try:
        wire = BlockingWire(redis)
    except ValueError as error:
        raise ValueError(f"{without_password(redis)} is no address of a server") from error
    with closing(wire):
        return dict(one for shard in range(shards) for one in oversight.archived(wire, shard))


def _print(found: Found) -> None:
    for fault in found.faults:
        _say("red", "FAULT", f"({fault.kind}): {fault.where}: {fault.says}")
    for unknown in found.unknown:
        _say("yellow", "UNKNOWN", f": {unknown.where}: {unknown.says}")
    matches = f"{found.matches} match{'' if found.matches == 1 else 'es'}"
    console.print(f"Head: {found.head}", soft_wrap=True)
    if found.ok:
        says = f": {matches} as they were archived, and they fold to what is written."
        _say("green", "True", says)
    else:
        _say("red", "Not true", f": {len(found.faults)} faults; {matches} are true.")


def _say(colour: str, word: str, says: str) -> None:
    console.print(f"[{colour}]{word}[/]", end="" if says.startswith(":") else " ")
    console.print(visible(says), markup=False, soft_wrap=True)
