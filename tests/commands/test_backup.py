"""`turnfold backup` and `turnfold restore`: whole houses in a file, taken while they are busy."""

from __future__ import annotations

import gzip
import os
import re
import secrets
import signal
import threading
from contextlib import closing, suppress
from copy import deepcopy
from random import Random

import httpx
import pytest
from typer.testing import CliRunner

from engine.audit import Kept, audit, opened
from services import backup, ledger, uptime
from services.cli import app
from services.wire import BlockingWire
from tests.commands.processes import Serve, soon
from tests.http.people import Player, Visitor

GAMES = ("high-card", "qwirkle", "uno-flip", "captain-flip")


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})


class Heads(dict[str, dict[int, str]]):
    """The head of every answer, kept by match and seq."""

    def keep(self, look: dict) -> dict:
        self.setdefault(look["match"], {})[look["seq"]] = look["head"]
        return look


def move(who: Visitor, match: str, heads: Heads, chance: Random) -> str:
    """A move at random, if it is our turn; the status of the match."""
    look = heads.keep(who.look(match))
    if look["viewer"] in look["to_act"]:
        got = who.play(match, who.ready(match, look, chance), look["seq"])
        look = heads.keep(got.json()["look"]) if got.status_code == 201 else look
    return look["status"]


def killed(serve: Serve) -> None:
    for pid in (serve.process.pid, *serve.children().values()):
        os.kill(pid, signal.SIGKILL)
    serve.process.wait()
    serve.http.close()


def test_a_busy_house_goes_on_elsewhere(tmp_path):
    """Matches under play, a backup, kill -9 of everything; elsewhere all of them go on."""
    chance, file, heads = Random(7), tmp_path / "house.backup", Heads()
    serve = Serve(tmp_path / "here")
    guest = Player(serve.url)
    matches = [guest.offer(game, seats=[None, "random"]) for game in GAMES]
    while move(guest, matches[0], heads, chance) != "over":
        pass
    for match in matches:
        move(guest, match, heads, chance)
    noted = guest.put(f"/matches/{matches[0]}/notes", json={"seq": 1, "text": "mine"}).json()
    acknowledged, stop = deepcopy(heads), threading.Event()

    def go_on() -> None:
        with suppress(httpx.HTTPError):
            while not stop.is_set():
                for match in matches:
                    move(guest, match, heads, chance)

    busy = threading.Thread(target=go_on)
    busy.start()
    done = run("backup", file, "--data", tmp_path / "here")
    stop.set()
    killed(serve)
    busy.join()
    assert re.match(r"4 matches with \d+ entries, and \d+ keys", done.output), done.output

    done = run("restore", file, "--data", tmp_path / "there")
    assert done.exit_code == 0, done.output
    serve = Serve(tmp_path / "there")
    try:
        again = guest.at(serve.url)
        soon(lambda: again.get(f"/matches/{matches[0]}/notes").json() == noted)
        for match, kept in acknowledged.items():
            soon(lambda match=match: again.see(match).status_code == 200)
            for seq, head in kept.items():
                assert again.look(match, seq=seq)["head"] == head
        for match in matches:
            for _ in range(3):
                status = move(again, match, acknowledged, chance)
            if status != "over":
                again.post(f"/matches/{match}/resign").raise_for_status()
            bundle = again.get(f"/matches/{match}/bundle").content
            kept = Kept(acknowledged[match], (guest.entropy,))
            assert audit(opened(bundle), kept).faults == ()
        soon(lambda: len(again.get("/matches?state=over").json()["matches"]) == 4)
        assert len(again.get("/matches?state=over&player=me").json()["matches"]) == 4
        assert run("doctor", "--data", tmp_path / "there").output.count("✗") == 0
    finally:
        serve.stop()


def test_what_can_be_folded_again_is_left_out(alone, redis, tmp_path):
    derived = ("{0}:match:0-aaaaaaaaaaaaaaaa:now", "{0}:stuck", "lobby:open", "rq:queue:robots")
    for key in (*derived, "here", "here:apis"):
        redis.set(key, "x")
    assert run("backup", tmp_path / "file", "--redis", alone.url).output.startswith("0 matches")
    lines = gzip.decompress((tmp_path / "file").read_bytes()).splitlines()
    assert len(lines) == 2


def test_every_kind_of_key_comes_back_as_it_was(alone, redis, tmp_path):
    every = bytes(range(256))
    redis.set("new:string", every)
    redis.set("new:empty", "")
    redis.set("new:brief", "x", ex=1000)
    redis.hset("player:x", mapping={b"name": "Ö".encode(), every: every})
    redis.sadd("new:set", "a", every)
    redis.zadd("new:zset", {"a": 1.5, every: float("inf")})
    redis.rpush("new:list", "b", "a", "b")
    long = "{0}:match:0-aaaaaaaaaaaaaaaa:log"
    for n in range(1, backup.PAGE * 2 + 2):
        redis.xadd(long, {"at": n, "=": every}, id=f"{n}-0")
    before = {key: redis.dump(key) for key in redis.scan_iter() if key != b"{0}:unfolded"}
    said = run("backup", tmp_path / "file", "--redis", alone.url).output
    assert said.startswith("1 matches with 2001 entries, and 7 keys")
    assert "is not empty" in run("restore", tmp_path / "file", "--redis", alone.url).output
    redis.flushall()
    assert run("restore", tmp_path / "file", "--redis", alone.url).exit_code == 0
    assert redis.xlen("{0}:unfolded") == 1
    redis.delete("{0}:unfolded")
    assert {key: redis.dump(key) for key in redis.scan_iter()} == before
    assert 990 < redis.ttl("new:brief") <= 1000


def test_what_has_lapsed_since_does_not_come_back(alone, redis, tmp_path):
    redis.set("offer:x:y", "m", px=30)
    redis.set("offer:x:z", "m")
    run("backup", tmp_path / "file", "--redis", alone.url)
    soon(lambda: redis.get("offer:x:y") is None)
    redis.flushall()
    run("restore", tmp_path / "file", "--redis", alone.url)
    assert redis.keys() == [b"offer:x:z"]


def test_whoever_is_named_in_the_file_is_in_it(alone, redis, tmp_path, monkeypatch):
    """Accounts are read last: somebody who takes a seat during a backup has one in it. Signs of
    life come first: they are older than whatever is missing."""
    read, order = backup._read, []
    monkeypatch.setattr(backup, "_read", lambda wire, keys: order.extend(keys) or read(wire, keys))
    log = b"{0}:match:0-aaaaaaaaaaaaaaaa:log"
    redis.xadd(log, {"at": 1, "=": "x"}, id="1-0")
    for key in (b"{0}:alive", b"player:x", b"tokens:x", b"token:x", b"another"):
        redis.set(key, "x")
    with closing(BlockingWire(alone.url)) as wire:
        backup.save(wire, tmp_path / "file")
    assert order == [b"{0}:alive", log, b"another", b"token:x", b"tokens:x", b"player:x"]


def test_the_time_from_a_backup_to_its_restore_is_downtime(alone, redis, tmp_path):
    with closing(BlockingWire(alone.url)) as wire:
        an_hour_ago = wire.ask(ledger.clock(0)) - 3_600_000
        redis.set("{0}:alive", an_hour_ago)
        run("backup", tmp_path / "file", "--redis", alone.url)
        redis.flushall()
        run("restore", tmp_path / "file", "--redis", alone.url)
        wire.ask(uptime.sign(0))
        assert [down.since for down in wire.ask(uptime.downtimes(0))] == [an_hour_ago]


def test_the_file_is_for_its_owner_alone_and_whole_or_not_there(
    alone, redis, tmp_path, monkeypatch
):
    file = tmp_path / "file"
    assert "cannot be written" in run("backup", tmp_path, "--redis", alone.url).output
    run("backup", file, "--redis", alone.url)
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    redis.set("x", "y")
    monkeypatch.setattr(backup, "_read", lambda *_: 1 / 0)
    assert run("backup", file, "--redis", alone.url).exit_code == 1
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def _cut(raw: bytes) -> bytes:
    return raw[:-1]


def _flipped(raw: bytes) -> bytes:
    return raw[:40] + bytes([raw[40] ^ 1]) + raw[41:]


def _shortened(raw: bytes) -> bytes:
    """A line is missing, in a file that gzip finds nothing wrong with."""
    lines = gzip.decompress(raw).splitlines(True)
    return gzip.compress(b"".join(lines[:1] + lines[2:]))


def _endless(raw: bytes) -> bytes:
    return gzip.compress(b"".join(gzip.decompress(raw).splitlines(True)[:-1]))


@pytest.mark.parametrize("spoil", [_cut, _flipped, _shortened, _endless, lambda _: b"x"])
def test_what_is_no_whole_backup_is_not_restored(alone, redis, tmp_path, spoil):
    file, folder = tmp_path / "file", tmp_path / "there"
    for n in range(10):
        redis.set(f"player:{n}", secrets.token_hex(9))
    run("backup", file, "--redis", alone.url)
    file.write_bytes(spoil(file.read_bytes()))
    done = run("restore", file, "--data", folder)
    assert (done.exit_code, "is no whole backup" in done.output) == (1, True)
    assert not folder.exists()


def test_a_folder_must_be_empty(alone, redis, tmp_path):
    run("backup", tmp_path / "file", "--redis", alone.url)
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "x").write_text("")
    done = run("restore", tmp_path / "file", "--data", tmp_path / "there")
    assert (done.exit_code, done.output) == (1, f"{tmp_path / 'there'} is not empty.\n")
    assert "No such file" in run("restore", tmp_path / "none", "--data", tmp_path / "other").output


def test_a_restore_that_dies_leaves_nothing_to_start_on(alone, redis, tmp_path, monkeypatch):
    redis.set("player:x", "x")
    run("backup", tmp_path / "file", "--redis", alone.url)
    monkeypatch.setattr(backup, "restore", lambda *_: 1 / 0)
    there = tmp_path / "there"
    assert run("restore", tmp_path / "file", "--data", there).exit_code == 1
    assert list(there.iterdir()) == []


def test_a_password_is_not_repeated():
    for url in ("redis://:hunter2@127.0.0.1:1/0", "http://:hunter2@127.0.0.1"):
        for command in (
            ("doctor",),
            ("backup", "x"),
            ("matches", "list"),
            ("restore", "/dev/null"),
        ):
            done = run(*command, "--redis", url)
            assert done.exit_code == 1
            assert "hunter2" not in done.output
