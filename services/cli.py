"""`turnfold`: the one command, of which everything else can be started, played and checked."""

from __future__ import annotations

import logging
import signal
import time
from pathlib import Path
from typing import Annotated

import typer

from engine import RELEASE
from engine.catalogue import GAMES
from engine.entries import ROBOTS
from services import bundles, logs, settings, terminal
from services.commands import (
    archive,
    backup,
    doctor,
    games,
    imports,
    jobs,
    matches,
    notices,
    players,
    refold,
    robot,
    talk,
)
from services.commands.options import (
    HOME,
    AccessLog,
    Data,
    JobsServer,
    LimitsSaid,
    Log,
    MaybeServer,
    MetricsToken,
    Server,
    Shards,
    TrustedProxy,
    become,
    console,
    errors,
    for_jobs,
    sorry,
)
from services.guests import invite
from services.server import Fsync, Unusable
from services.wire import without_password

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Host = Annotated[str, typer.Option(help="The address to listen on.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any.")]
Shard = Annotated[
    int | None, typer.Option(min=0, help="Look after one shard alone, this one; else after all.")
]
Delay = Annotated[
    float, typer.Option(min=0, max=30, help="Seconds for which a robot seems to think.")
]
File = Annotated[Path, typer.Argument(help="A bundle, as GET /matches/ID/bundle gives it.")]


@app.callback(invoke_without_command=True)
def turnfold(
    version: Annotated[bool, typer.Option("--version", help="Say which release this is.")] = False,
) -> None:
    """Play-by-turn games as logs: play them, watch them, replay them, audit them.

    `turnfold serve` starts everything on this machine; `turnfold play GAME` needs no server.
    """
    if version:
        console.print(f"turnfold {RELEASE}")
        raise typer.Exit
    invite()


@app.command()
def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    data: Data = HOME,
    redis: MaybeServer = None,
    jobs_redis: JobsServer = None,
    shards: Shards = 1,
    fsync: Annotated[
        Fsync, typer.Option(help="When the embedded server writes to disk: always costs speed.")
    ] = "everysec",
    robot_delay: Delay = 0.4,
    limits: LimitsSaid = None,
    metrics_token: MetricsToken = None,
    trusted_proxy: TrustedProxy = None,
    access_log: AccessLog = False,
    log: Log = None,
) -> None:
    """Run all of Turnfold on this machine: a server for the data, the api and the workers.

    Whatever dies is started again; Ctrl-C ends everything. All that has to be kept, and backed
    up, is the data folder.
    """
    from services.serve import Stack  # it loads much that others do not need

    _end_by_signals()
    settings.export(log=log, limits=limits, metrics_token=metrics_token, jobs_redis=jobs_redis)
    settings.export(trusted_proxy=trusted_proxy, access_log=access_log)
    _settings()
    if redis is not None:
        for_jobs(redis, jobs_redis)
    logs.begin("serve")
    say = logging.getLogger("turnfold.serve").warning
    stack = Stack(data, redis, jobs_redis, host, port, fsync, robot_delay, say, shards)
    try:
        stack.start()
        kept = f"data in {data.absolute()}" if redis is None else f"on {without_password(redis)}"
        console.print(
            f"Turnfold {RELEASE} is at {stack.url}, {kept}. Ctrl-C ends it.", soft_wrap=True
        )
        console.print(f"Try:  curl {stack.url}/games", soft_wrap=True)
        while True:
            time.sleep(0.2)
            stack.tend()
    except Unusable as error:
        sorry(error)
    finally:
        stack.stop()


@app.command()
def api(
    redis: Server,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    shards: Shards = 1,
    jobs_redis: JobsServer = None,
    limits: LimitsSaid = None,
    metrics_token: MetricsToken = None,
    trusted_proxy: TrustedProxy = None,
    access_log: AccessLog = False,
    log: Log = None,
) -> None:
    """Run an api process: HTTP and feeds, nothing else. Run as many as you like."""
    from services.listen import listen
    from services.serve import listener, reachable

    settings.export(log=log, limits=limits, metrics_token=metrics_token, jobs_redis=jobs_redis)
    settings.export(trusted_proxy=trusted_proxy, access_log=access_log)
    how = _settings()
    for_jobs(redis, how.jobs_redis)
    try:
        reachable(redis)
        at = listener(host, port)
    except Unusable as error:
        sorry(error)
    logs.begin("api")
    listen(redis, shards, at, how)


@app.command()
def fold(redis: Server, shards: Shards = 1, shard: Shard = None, log: Log = None) -> None:
    """Run a fold worker: it folds what is appended to the logs. Run one or more, all alike."""
    settings.export(log=log)
    _answers(redis)
    become("workers.fold", "--redis", redis, *_shards(shards, shard))


@app.command()
def react(
    redis: Server,
    jobs_redis: JobsServer = None,
    shards: Shards = 1,
    shard: Shard = None,
    log: Log = None,
) -> None:
    """Run a react worker: lobby, clocks that ran out, calls to robots. Run one or more, alike."""
    settings.export(log=log)
    words = for_jobs(redis, jobs_redis)
    _answers(redis)
    become("workers.react", "--redis", redis, *_shards(shards, shard), *words)


@app.command()
def films(redis: Server, jobs_redis: JobsServer = None, log: Log = None) -> None:
    """Run a films worker: it makes animated pictures of finished matches. Run one."""
    settings.export(log=log)
    words = for_jobs(redis, jobs_redis)
    _answers(redis)
    become("workers.films", "--redis", redis, *words)


@app.command()
def notify(redis: Server, log: Log = None) -> None:
    """Run a sender of notices: webhooks, mail, push. Run one or more."""
    settings.export(log=log)
    _settings()
    _answers(redis)
    become("workers.notify", "--redis", redis)


@app.command()
def play(
    game: Annotated[str, typer.Argument(help=", ".join(GAMES))],
    seats: Annotated[int, typer.Option(min=1, max=64, help="How many play, you included.")] = 2,
    robot: Annotated[ROBOTS, typer.Option(help="What you play against.")] = "greedy",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="An option of the game.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Where to write the finished match, as a bundle.")
    ] = None,
) -> None:
    """Play a game against robots, here in the terminal, without any server.

    It is a match like any other: a log that is folded, with a commitment shown first and heads
    to keep; its bundle can be audited and replayed.
    """
    try:
        terminal.play(game, seats, robot, settings or [], save, console, input)
    except terminal.NotPlayable as error:
        sorry(error)


@app.command()
def demo(
    url: Annotated[
        str | None, typer.Option(help="An api to play on. Without it, one is started.")
    ] = None,
    stay: Annotated[bool, typer.Option("--stay", help="Leave it up afterwards.")] = False,
) -> None:
    """Let robots play a match of each game over HTTP, then audit what they played.

    Without --url it starts everything on a folder of its own, and throws that away at the end;
    with --stay that is when you press Ctrl-C.
    """
    from services.demo import demonstrate
    from services.robot import Failed

    _end_by_signals()
    try:
        demonstrate(url, stay, console)
    except (Failed, Unusable) as error:
        sorry(error)


@app.command()
def audit(
    file: File,
    head: Annotated[
        list[str] | None,
        typer.Option(metavar="SEQ:HEX", help="A head that you kept, and of which entry."),
    ] = None,
    entropy: Annotated[
        list[str] | None, typer.Option(metavar="HEX", help="An entropy that you drew.")
    ] = None,
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment that you were shown.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The whole report, as JSON.")] = False,
) -> None:
    """Fold a finished match again and compare, without a server.

    Alone this shows that the bundle fits itself; with a head that you kept, that nothing up to
    there was changed since; with your entropy and the commitment, that the deal came from them.
    Exit status: 0 all is true, 1 something is not, 2 it is no bundle, or of rules we lack.
    """
    code = bundles.audit_file(file, head or [], entropy or [], commitment, json, console, errors)
    raise typer.Exit(code)


@app.command()
def replay(
    file: File,
    viewer: Annotated[
        str, typer.Option("--as", metavar="SEAT|watcher|open", help="Through whose eyes.")
    ] = "open",
) -> None:
    """Tell a finished match in sentences, entry by entry."""
    raise typer.Exit(bundles.replay_file(file, viewer, console, errors))


app.add_typer(matches.app, name="matches")
app.add_typer(players.app, name="players")
app.add_typer(jobs.app, name="jobs")
app.add_typer(talk.app, name="talk")
app.add_typer(notices.app, name="notices")
app.command()(matches.rebuild)
app.command()(matches.retry)
app.command()(doctor.doctor)
app.command()(archive.archive)
app.command("verify-archive")(archive.verify)
app.command("refold")(refold.again)
app.command()(backup.backup)
app.command()(backup.restore)
app.command("import")(imports.bring)
app.command()(games.new)
app.command()(games.check)
app.command()(robot.robot)


def _shards(shards: int, shard: int | None) -> list[str]:
    return ["--shards", str(shards)] if shard is None else ["--shard", str(shard)]


def _settings() -> settings.Settings:
    try:
        return settings.read()
    except ValueError as error:
        sorry(f"{error}.")


def _answers(redis: str) -> None:
    """The server must be there at the start; whoever loses it later waits for it."""
    from services.serve import reachable

    try:
        reachable(redis)
    except Unusable as error:
        sorry(error)


def _end_by_signals() -> None:
    """From here on the first signal ends us, through every `finally`; later ones do nothing."""
    signs = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup
        signs.append(signal.SIGHUP)

    def end(*_: object) -> None:
        for sign in signs:
            signal.signal(sign, signal.SIG_IGN)
        raise SystemExit(0)

    for sign in signs:
        signal.signal(sign, end)


def main() -> None:
    app()


if __name__ == "__main__":
    main()
