"""What a request may hold besides its body: 32 KiB, however it comes."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from select import select

import pytest

from services.protocol import MOST
from tests.http.people import problem

ASK = b"GET /healthz HTTP/1.1\r\nhost: x\r\n"


@pytest.mark.parametrize("n", [1, 60])
def test_headers_up_to_that(visitor, n):
    large = {f"x-{i}": "x" * (30 * 1024 // n) for i in range(n)}
    assert visitor.get("/healthz", headers=large).status_code == 200
    assert visitor.get(f"/healthz?{'x' * 30 * 1024}").status_code == 200


@pytest.mark.parametrize("n", [1, 60])
def test_headers_beyond_that(visitor, n):
    large = {f"x-{i}": "x" * (MOST // n) for i in range(n)}
    answer = visitor.get("/healthz", headers=large)
    assert problem(answer) == "431 headers-too-large"
    assert answer.headers["connection"] == "close"
    assert visitor.get("/healthz").status_code == 200


def test_an_address_beyond_that(visitor):
    assert problem(visitor.get(f"/healthz?{'x' * MOST}")) == "431 headers-too-large"


def test_each_request_of_a_connection_is_measured_anew(visitor, make):
    large = {"x": "x" * 20_000}
    for _ in range(4):
        assert visitor.get("/healthz", headers=large).status_code == 200
        body = b'{"name":"Ann"%s}' % (b" " * 60_000)
        assert visitor.post("/players", content=body, headers=large).status_code == 201


ENDLESS = {
    "an address": (b"GET /", b"x" * 9_000),
    "a name": (ASK, b"x" * 9_000),
    "a value": (ASK + b"x: ", b"x" * 9_000),
    "many": (ASK, b"x: x\r\n" * 1_500),
    "a value after the body": (
        b"POST /players HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: ",
        b"x" * 9_000,
    ),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_what_never_ends_is_refused_soon(api, what):
    begins, goes_on = ENDLESS[what]
    host, _, port = api.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as peer:
        peer.sendall(begins)
        sent = sum(_sent(peer, goes_on))
        assert b"HTTP/1.1 431 " in peer.recv(4096)
    assert MOST - 9_000 < sent < 4 * MOST


def _sent(peer: socket.socket, data: bytes) -> Iterator[int]:
    """Send this until there is an answer, or often enough."""
    for _ in range(20):
        peer.sendall(data)
        yield len(data)
        if select([peer], [], [], 0.05)[0]:
            return
