"""The embedded server: one on a folder, whatever was killed before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from redis.client import Redis

from services import server
from services.server import Server, Unusable, socket_of
from tests.commands.processes import ROOT, alive, soon

ORPHAN = """
import os, sys
from pathlib import Path
from services.server import Server
server = Server(Path(sys.argv[1]))
server.start()
print(server._process.pid, flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def started(tmp_path):
    one = Server(tmp_path / "data")
    one.start()
    yield one
    one.stop()


def client(of: Server) -> Redis:
    return Redis.from_url(of.url)


def orphan(folder: Path) -> int:
    """A server whose parent was killed: its process."""
    words = [sys.executable, "-c", ORPHAN, str(folder)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, env=env, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return int(done.stdout)


def test_what_was_written_is_there_after_a_restart(tmp_path):
    for n in range(3):
        one = Server(tmp_path)
        one.start()
        assert client(one).incr("n") == n + 1
        one.stop()


def test_it_is_set_up_to_lose_nothing(started):
    wanted = {"appendonly": "yes", "appendfsync": "everysec", "save": "", "port": "0"}
    wanted["maxmemory-policy"] = "noeviction"
    redis = client(started)
    assert {k: redis.config_get(k)[k] for k in wanted} == wanted


def test_it_can_be_told_to_sync_always(tmp_path):
    one = Server(tmp_path, "always")
    one.start()
    assert client(one).config_get("appendfsync") == {"appendfsync": "always"}
    one.stop()


def test_nobody_else_may_read_its_folder(tmp_path):
    """Whatever the umask: the secrets of running matches are in there."""
    umask, one = os.umask(0), Server(tmp_path / "data")
    try:
        one.start()
    finally:
        os.umask(umask)
    client(one).set("secret", 1)
    one.stop()
    found = [one.folder, *one.folder.rglob("*")]
    assert len(found) > 4
    assert [path for path in found if path.stat().st_mode & 0o077] == []


def test_a_folder_has_one_owner(started):
    with pytest.raises(Unusable, match=f"process {os.getpid()}.*{started.folder}"):
        Server(started.folder).start()
    assert client(started).ping()


def test_a_server_left_behind_is_ended_and_nothing_is_lost(tmp_path):
    pid = orphan(tmp_path)
    assert alive(pid)
    Redis.from_url(f"unix://{socket_of(tmp_path)}").set("kept", "yes")
    one = Server(tmp_path)
    one.start()
    assert not alive(pid)
    assert client(one).get("kept") == b"yes"
    one.stop()


def test_a_server_left_behind_that_hangs_is_killed(tmp_path, monkeypatch):
    pid = orphan(tmp_path)
    os.kill(pid, signal.SIGSTOP)
    monkeypatch.setattr(server, "FLUSH", 0.2)
    one = Server(tmp_path)
    one.start()
    assert not alive(pid)
    one.stop()


def test_there_are_never_two_servers_on_a_folder(tmp_path, monkeypatch):
    """Not even if the one left behind cannot be reached."""
    pid = orphan(tmp_path)
    socket_of(tmp_path).unlink()
    monkeypatch.setattr(server, "PATIENCE", 0.2)
    with pytest.raises(Unusable, match="does not end"):
        Server(tmp_path).start()
    os.kill(pid, signal.SIGKILL)
    soon(lambda: not alive(pid))
    one = Server(tmp_path)
    one.start()
    one.stop()


def test_a_server_that_died_can_be_started_again(started):
    redis = client(started)
    redis.set("kept", "yes")
    os.kill(redis.info("server")["process_id"], signal.SIGKILL)
    soon(lambda: not started.alive())
    started.start()
    assert client(started).get("kept") == b"yes"


def test_a_long_path_has_its_socket_elsewhere(tmp_path):
    folder = tmp_path / ("long" * 30)
    assert len(bytes(socket_of(folder))) < 100
    assert socket_of(folder) != socket_of(tmp_path / ("long" * 31))
    one = Server(folder)
    one.start()
    assert client(one).config_get("dir") == {"dir": str(folder)}
    one.stop()


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Unusable, match=r"The data folder .*file/data cannot be written to: .*\.$"):
        Server(tmp_path / "file" / "data").start()


def test_a_log_that_cannot_be_read_is_not_started_on(tmp_path):
    one = Server(tmp_path)
    one.start()
    one.stop()
    for path in (tmp_path / "appendonlydir").glob("*.manifest"):
        path.write_text("nonsense")
    with pytest.raises(Unusable, match=r"did not start; .*server\.log says why"):
        one.start()
    assert b"MANIFEST" in (tmp_path / "server.log").read_bytes()
