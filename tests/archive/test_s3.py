"""The archive on a real S3-compatible server, a process of its own. It needs the extra `s3`."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from importlib.util import find_spec

import httpx
import obstore
import pytest

from engine import entries as e
from services import finished, ledger
from services.archive import Unread, mover, proof
from services.archive.shelf import Shelf, path_of
from services.archive.store import Store
from tests.archive.matches import LONG, NAMES, put
from tests.engine.logs import dealt

M, N = NAMES[:2]
pytestmark = [
    pytest.mark.skipif("TURNFOLD_LONG" not in os.environ, reason="TURNFOLD_LONG is not set"),
    pytest.mark.skipif(find_spec("moto") is None, reason="the extra s3 is not installed"),
]


@pytest.fixture(scope="module")
def s3():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        while not answers(url):
            assert process.poll() is None
            time.sleep(0.1)
        assert httpx.put(f"{url}/bucket").status_code == 200
        yield url
    finally:
        process.kill()
        process.wait()


def answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).status_code < 500
    except httpx.TransportError:
        return False


@pytest.fixture
def store(s3, monkeypatch, tmp_path) -> Store:
    said = {"ENDPOINT_URL": s3, "ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "x"}
    for name, value in (said | {"REGION": "us-east-1"}).items():
        monkeypatch.setenv(f"AWS_{name}", value)
    return Store(f"s3://bucket/{tmp_path.name}")


def test_it_moves_reads_and_proves(hall, store):
    put(hall, M, LONG)
    hall.write(N, *dealt(2), e.Resigned(0))
    before = {name: finished.bundle(name, hall.wire.talk(finished.record(name))) for name in (M, N)}
    for name in (M, N):
        assert mover.move_these(hall.wire, store, [name]).matches == 1
    assert hall.server.run("KEYS", "*:match:*") == []
    for name, bundle in before.items():
        assert finished.bundle(name, hall.wire.talk(finished.record(name))) == bundle
    left = dict(hall.wire.walk(lambda *at: ledger.all_archived(0, *at)))
    found = proof.found(proof.prove(store, {}, left))
    assert (found.ok, found.matches) == (True, 2)


def test_what_is_there_is_never_overwritten(store):
    assert store.put("manifest/x", b"first")
    assert not store.put("manifest/x", b"second")
    assert store.get("manifest/x") == b"first"
    assert [one.path for one in store.all("manifest")] == ["manifest/x"]


def test_more_objects_than_a_page_of_a_list_has(store):
    for n in range(1005):
        store.put(f"manifest/{n}", b"x")
    assert len(list(store.all("manifest"))) == 1005


def test_what_is_lost_there_is_named(hall, store):
    hall.write(M, *dealt(2), e.Resigned(0))
    mover.move_these(hall.wire, store, [M])
    obstore.delete(store._there(), path_of(M))
    [fault] = proof.found(proof.prove(store)).faults
    assert (fault.kind, fault.where) == ("missing", M)
    hall.wire.shelf = Shelf(store)
    with pytest.raises(Unread):
        hall.wire.ask(ledger.newest(M))


def test_a_server_that_is_away_is_no_absence(hall, store, monkeypatch):
    hall.write(M, *dealt(2), e.Resigned(0))
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(Unread):
        mover.move(hall.wire, Store("s3://bucket/x"), 0)
    assert hall.match(M).over
