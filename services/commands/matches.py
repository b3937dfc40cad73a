"""`turnfold matches`: how matches stand, and what an operator may do to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, NoReturn

import typer
from msgspec import json
from rich.table import Table
from rich.text import Text

from engine import entries as e
from services import door, ledger, oversight
from services.commands import exports
from services.commands.options import (
    HOME,
    Data,
    Json,
    MatchName,
    MaybeServer,
    Shards,
    Yes,
    checked,
    console,
    print_json,
    print_table,
    server,
    sorry,
    utc,
)
from services.ledger import Stuck
from services.oversight import Filters, Sitter, Standing, Whole

app = typer.Typer(no_args_is_help=True, help="Matches: how they stand, and what to do about it.")
app.command()(exports.export)
app.command()(exports.audit)


@app.command("list")
def listed(
    state: Annotated[
        oversight.Status | None, typer.Option(help="unread: not folded, or not by this release.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="Only of this game.")] = None,
    player: Annotated[str | None, typer.Option(help="Only with this player, by id.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many at the most.")] = 50,
    redis: MaybeServer = None,
    data: Data = HOME,
    shards: Shards = 1,
    as_json: Json = False,
) -> None:
    """List matches, listed or not, the newest first. It reads the logs, not the lobby."""
    with server(redis, data) as wire:
        found = oversight.standings(wire, shards, Filters(state, game, player))
    if as_json:
        print_json(found[:limit])
    else:
        _print_list(found, limit)


def _print_list(found: list[Standing], limit: int) -> None:
    table = Table("match", "game", "state", "seq", "opened", "last entry", "players", "waits for")
    for one in found[:limit]:
        opened = "" if one.opened_at is None else utc(one.opened_at)
        seats = ", ".join(map(_sitter, one.seats))
        waits = ", ".join(_seat(seat) for seat in one.to_act)
        cells = (one.match, one.game or "?", _state(one), str(one.seq), opened, utc(one.at))
        table.add_row(*map(Text, (*cells, seats, waits)))
    print_table(table)
    console.print(f"{min(limit, len(found))} of {len(found)} matches.")


@app.command()
def show(
    match: MatchName, redis: MaybeServer = None, data: Data = HOME, as_json: Json = False
) -> None:
    """Show how a match stands: seats, clocks, what it waits for, why it is stuck.

    No hand and no secret is shown before the match is over; then the table is.
    """
    with server(redis, data) as wire:
        whole = wire.talk(oversight.whole(checked(match)))
    if whole is None:
        _no_such_match()
    if as_json:
        print_json(whole)
    else:
        _print_whole(whole)


def _print_whole(whole: Whole) -> None:
    for name, value in _said(whole):
        console.print(f"{name:11} {value}", markup=False, soft_wrap=True)
    if whole.standing.seats:
        print_table(_seats(whole))
    if whole.table is not None:
        console.print(whole.table, markup=False, soft_wrap=True)


@app.command()
def stuck(
    redis: MaybeServer = None, data: Data = HOME, shards: Shards = 1, as_json: Json = False
) -> None:
    """List the matches that no release has folded on: since which entry, by which, and why."""
    with server(redis, data) as wire:
        found = oversight.all_stuck(wire, shards)
    if as_json:
        print_json(found)
    else:
        _print_stuck(found)


def _print_stuck(found: dict[str, Stuck]) -> None:
    table = Table("match", "entry", "release", "why")
    for name, why in sorted(found.items()):
        last = why.trace.strip().splitlines()[-1]
        table.add_row(*map(Text, (name, str(why.seq), why.release, last)))
    if found:
        print_table(table)
    console.print(f"{len(found)} stuck." if found else "No match is stuck.")


@app.command()
def retry(match: MatchName, redis: MaybeServer = None, data: Data = HOME) -> None:
    """Let a stuck match go on from the entry it waits for, after a repair."""
    with server(redis, data) as wire:
        found = wire.ask(ledger.retry(checked(match)))
    if not found:
        _no_such_match()
    console.print(f"{match} goes on.")


@app.command()
def rebuild(match: MatchName, redis: MaybeServer = None, data: Data = HOME) -> None:
    """Forget all that was folded of a match and fold it again from its log. Safe at any time."""
    with server(redis, data) as wire:
        found = wire.ask(ledger.rebuild(checked(match)))
        left = wire.ask(ledger.archived(match))
    if left is not None:
        console.print(f"{match} is in the archive: it is folded anew whenever it is read.")
        return
    if not found:
        _no_such_match()
    console.print(f"{match} is being folded again.")


@app.command()
def abort(match: MatchName, redis: MaybeServer = None, data: Data = HOME, yes: Yes = False) -> None:
    """End a match without a result, for everybody and for good: `operator` is the reason given."""
    with server(redis, data) as wire:
        whole = wire.talk(oversight.whole(checked(match)))
        if whole is None:
            _no_such_match()
        if not yes:
            stands = whole.standing
            typer.confirm(f"End {stands.game or 'the match'} {match} at {stands.seq}?", abort=True)
        answer = wire.talk(door.enter(match, lambda _: e.Aborted("operator")))
    match answer:
        case door.Entered(seq):
            console.print(f"{match} is aborted by entry {seq}.")
        case door.NotAllowed(refused):
            sorry(refused.says)
        case door.Waits(why):
            sorry(_waits(why))


def _said(whole: Whole) -> Iterator[tuple[str, str]]:
    """What is said of a match, line by line."""
    stands, look = whole.standing, whole.look
    yield "match", stands.match
    yield "state", _state(stands)
    yield "log", f"{stands.seq} entries, the last at {utc(stands.at)}"
    if look is not None and stands.opened_at is not None:
        yield "game", f"{look.game}, rules {look.rules}, options {_text(look.options)}"
        yield "policy", _text(look.policy)
        yield "opened", utc(stands.opened_at)
        yield "commitment", look.commitment
        yield "head", f"{look.seq}:{look.head}"
        if look.aborted is not None:
            yield "aborted", look.aborted
        if look.outcome is not None:
            yield "outcome", _text(look.outcome)
    if stands.stuck is not None:
        yield "stuck", f"entry {stands.stuck.seq}, which release {stands.stuck.release} cannot fold"
        yield "", stands.stuck.trace.strip()


def _seats(whole: Whole) -> Table:
    table = Table("seat", "who", "name", "waited for", "since seq", "until")
    for seat, sits in enumerate(whole.standing.seats):
        name = whole.names.get(sits.player or "") or ("(deleted)" if sits.player else "")
        waited = "yes" if seat in whole.standing.to_act else ""
        since = "" if sits.since is None else str(sits.since)
        until = "" if sits.deadline is None else utc(sits.deadline)
        table.add_row(*map(Text, (str(seat), _sitter(sits), name, waited, since, until)))
    return table


def _sitter(sits: Sitter) -> str:
    who = sits.robot or sits.player or "(open)"
    return f"{who} ({sits.gone})" if sits.gone else who


def _seat(seat: int) -> str:
    return f"seat {seat}"


def _state(stands: Standing) -> str:
    return f"{stands.status}, stuck at {stands.stuck.seq}" if stands.stuck else stands.status


def _text(value: Any) -> str:
    return json.encode(value).decode()


def _waits(why: Stuck | None) -> str:
    if why is None:
        return "The match is not folded in time: is a fold worker running? See turnfold doctor."
    return f"The match is stuck at entry {why.seq}: it takes no entry until a release folds that."


def _no_such_match() -> NoReturn:
    sorry("There is no such match.")
