"""`turnfold jobs`: a jobs worker, and how the queues of jobs stand."""

from __future__ import annotations

from typing import Annotated

import typer
from redis.exceptions import RedisError
from rich.table import Table

from services import settings
from services.commands.options import (
    HOME,
    Data,
    JobsServer,
    Log,
    MaybeServer,
    become,
    console,
    for_jobs,
    print_table,
    sorry,
)
from services.queues import QUEUES, stands
from services.server import Unusable, socket_of

app = typer.Typer(help="Run a jobs worker, or say how the queues of jobs stand.")
Delay = Annotated[
    float, typer.Option(min=0, max=30, help="Seconds for which a robot seems to think.")
]


@app.callback(invoke_without_command=True)
def jobs(
    context: typer.Context,
    redis: MaybeServer = None,
    jobs_redis: JobsServer = None,
    robot_delay: Delay = 0.4,
    log: Log = None,
) -> None:
    """Run a jobs worker: it moves for robots. Run one or more."""
    if context.invoked_subcommand is not None:
        return
    from services.serve import reachable

    if redis is None:
        raise typer.BadParameter("A worker needs it.", param_hint="--redis")
    words = for_jobs(redis, jobs_redis)
    try:
        reachable(redis)
    except Unusable as error:
        sorry(error)
    settings.export(log=log)
    become("workers.jobs", "--redis", redis, "--delay", str(robot_delay), *words)


@app.command()
def status(redis: MaybeServer = None, jobs_redis: JobsServer = None, data: Data = HOME) -> None:
    """How the queues stand: what waits, what is at work, what failed within a day."""
    url = jobs_redis or redis or f"unix://{socket_of(data)}"
    try:
        found = stands(url)
    except (RedisError, OSError, ValueError) as error:
        sorry(f"The jobs' server cannot be asked: {error}.")
    table = Table("queue", "what", "workers", "waiting", "at work", "failed")
    for one in found:
        counts = (one.workers, one.waiting, one.started, one.failed)
        table.add_row(one.queue, QUEUES[one.queue], *map(str, counts))
    print_table(table)
    for one in found:
        for id, why in one.died:
            console.print(f"{one.queue}: {id} failed of {why}", markup=False, soft_wrap=True)
