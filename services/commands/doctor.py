"""`turnfold doctor`: is everything as it should be, and if not, what to do?"""

from __future__ import annotations

from contextlib import closing

import typer
from msgspec import Struct

from services.commands.options import (
    HOME,
    Data,
    JobsServer,
    Json,
    MaybeServer,
    Shards,
    console,
    for_jobs,
    print_json,
    shelf,
    sorry,
)
from services.doctor import Finding, Patient, examine
from services.server import socket_of
from services.wire import BlockingWire

SIGNS = {"ok": "[green]✓[/]", "warn": "[yellow]![/]", "bad": "[red]✗[/]"}


class Report(Struct, frozen=True):
    ok: bool
    findings: list[Finding]


def doctor(
    redis: MaybeServer = None,
    data: Data = HOME,
    jobs_redis: JobsServer = None,
    shards: Shards = 1,
    as_json: Json = False,
) -> None:
    """Check the server, its log, memory and clock, the workers, stuck matches, and the folder.

    Each line says ✓, ! (look at it) or ✗ (act), and what to do. Exit status: 0 without a ✗, else 1.
    """
    url = redis or f"unix://{socket_of(data)}"
    try:
        wire = BlockingWire(url, shelf())
    except ValueError as error:
        sorry(f"That is no address of a server: {error}.")
    for_jobs(url, jobs_redis)
    with closing(wire):
        patient = Patient(wire, jobs_redis or url, shards, None if redis else data.absolute())
        findings = list(examine(patient))
    ok = all(one.state != "bad" for one in findings)
    if as_json:
        print_json(Report(ok, findings))
    else:
        for one in findings:
            _print(one)
    raise typer.Exit(0 if ok else 1)


def _print(one: Finding) -> None:
    console.print(SIGNS[one.state], end=" ")
    console.print(f"{one.check:9} {one.says}", markup=False, soft_wrap=True)
    if one.todo:
        console.print(f"            → {one.todo}", markup=False, soft_wrap=True)
