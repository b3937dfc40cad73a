"""`turnfold jobs status`: what waits, what is at work, what failed, and of what."""

from __future__ import annotations

import pytest
from redis.client import Redis
from rq import Queue
from rq.serializers import JSONSerializer
from typer.testing import CliRunner

from services.cli import app
from services.queues import QUEUES
from tests.commands.processes import soon


def status(house) -> str:
    done = CliRunner().invoke(app, ["jobs", "status", "--data", str(house.data)])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_job_that_dies_is_shown_with_the_kind_of_error_alone(house):
    lines = [line.split("│") for line in status(house).splitlines() if "│" in line]
    assert [line[1].strip() for line in lines] == list(QUEUES)
    with Redis.from_url(house.redis) as server:
        ratings = Queue("ratings", server, serializer=JSONSerializer)
        ratings.enqueue_call("workers.ratings.count", args=("secret", 1), job_id="dies")
        soon(lambda: "dies" in status(house))
        assert "ratings: dies failed of TypeError" in status(house)
        assert "secret" not in status(house)
        ratings.fetch_job("dies").delete()


def test_no_server_is_one_sentence(tmp_path):
    done = CliRunner().invoke(app, ["jobs", "status", "--data", str(tmp_path)])
    assert done.exit_code == 1
    assert "The jobs' server cannot be asked" in done.output
    done = CliRunner().invoke(app, ["jobs"], env={"TURNFOLD_REDIS": None})
    assert done.exit_code == 2
    assert "--redis" in done.output


@pytest.mark.parametrize(
    "command", [["jobs"], ["react"], ["films"], ["api"], ["serve"], ["doctor"]]
)
def test_jobs_are_on_one_server(command):
    """rq cannot be on several: that is said at once."""
    several = "redis+cluster://127.0.0.1:1,127.0.0.1:2"
    done = CliRunner().invoke(app, [*command, "--redis", several], env={"TURNFOLD_JOBS_REDIS": ""})
    assert (done.exit_code, "--jobs-redis" in done.output) == (1, True)
