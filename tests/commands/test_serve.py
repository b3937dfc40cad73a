"""`turnfold serve` with real processes, some of which are killed."""

from __future__ import annotations

import os
import signal
import socket

import pytest
from typer.testing import CliRunner

from services.cli import app
from tests.commands.processes import Serve, alive, run, soon

PARTS = {"server", "fold", "react", "jobs", "films", "notify", "services.listen"}


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    one = Serve(tmp_path_factory.mktemp("serve") / "data")
    yield one
    one.stop()


def test_it_says_where_it_is_and_what_to_try(serve):
    assert serve.said.startswith("Turnfold ")
    assert "data in /" in serve.said
    assert serve.http.get("/healthz").json()["ok"]
    assert set(serve.children()) == PARTS


def test_robots_answer_and_the_lobby_knows(serve):
    serve.player()
    look = serve.offer(None, "random", "greedy")
    serve.play(look)
    soon(lambda: serve.look(look["match"])["status"] == "over")
    soon(lambda: look["match"] in serve.http.get("/matches?state=over").text)


def test_whatever_dies_is_started_again(serve):
    serve.player()
    look = serve.offer(None, "random")
    before = serve.children()
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    soon(lambda: set(serve.children()) == PARTS and not before.items() & serve.children().items())
    soon(lambda: serve.http.get(f"/matches/{look['match']}/look").status_code == 200)
    serve.play(serve.look(look["match"]))
    soon(lambda: serve.look(look["match"])["status"] == "over")


def test_all_outlive_the_server(serve):
    serve.player()
    look = serve.offer(None, "random")
    before = serve.children()
    os.kill(before.pop("server"), signal.SIGKILL)
    soon(lambda: serve.http.get(f"/matches/{look['match']}/look").status_code == 200)
    serve.play(serve.look(look["match"]))
    soon(lambda: serve.look(look["match"])["status"] == "over")
    assert before.items() <= serve.children().items()


def test_its_folder_and_its_port_are_taken(serve, tmp_path):
    data = serve.said.partition("data in ")[2].partition(". Ctrl")[0]
    second = run("serve", "--data", data, "--port", "0")
    assert second.returncode == 1
    assert "Another Turnfold" in second.stderr
    assert second.stderr.count("\n") == 1
    second = run("serve", "--data", str(tmp_path), "--port", serve.url.rpartition(":")[2])
    assert second.returncode == 1
    assert "cannot be had: address already in use. Another one: --port." in second.stderr
    assert second.stderr.count("\n") == 1
    assert serve.http.get("/healthz").json()["ok"]


def test_operators_ask_its_server(serve):
    data = serve.said.partition("data in ")[2].partition(". Ctrl")[0]
    serve.player()
    match = serve.offer("random", "random")["match"]
    for command in ("rebuild", "retry"):
        assert CliRunner().invoke(app, [command, match, "--data", data]).exit_code == 0
        none = CliRunner().invoke(app, [command, "0-" + "a" * 16, "--data", data])
        assert (none.exit_code, none.stderr) == (1, "There is no such match.\n")
    soon(lambda: serve.look(match).get("status") == "over")


def test_a_signal_ends_all_even_those_that_hang(tmp_path):
    serve = Serve(tmp_path / "data")
    pids = serve.children()
    assert set(pids) == PARTS
    os.kill(pids["react"], signal.SIGSTOP)
    assert serve.stop(signal.SIGTERM) < 5
    assert serve.process.returncode == 0
    assert [pid for pid in pids.values() if alive(pid)] == []


def test_after_kill_9_the_next_one_finds_everything(tmp_path):
    serve = Serve(tmp_path / "data")
    token = serve.player()
    look = serve.offer(None, "random")
    pids = serve.children()
    serve.process.kill()
    serve.process.wait()
    soon(lambda: not any(alive(pid) for name, pid in pids.items() if name != "server"))
    assert alive(pids["server"])
    again = Serve(tmp_path / "data")
    assert not alive(pids["server"])
    again.http.headers["authorization"] = f"Bearer {token}"
    soon(lambda: again.http.get(f"/matches/{look['match']}/look").status_code == 200)
    again.play(again.look(look["match"]))
    soon(lambda: again.look(look["match"])["status"] == "over")
    assert again.stop() < 5


def test_a_server_that_is_not_there_is_named():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"redis://:secret@127.0.0.1:{port}/0"
    says = f"No Redis or Valkey server answers at redis://127.0.0.1:{port}/0.\n"
    done = run("serve", "--redis", url, "--port", "0")
    assert (done.returncode, done.stderr) == (1, says)
    done = CliRunner().invoke(app, ["api", "--redis", url, "--port", "0"])
    assert (done.exit_code, done.stderr) == (1, says)
