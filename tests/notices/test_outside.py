"""Whom we ask at a player's word: nobody who is near us, however the address is written."""

from __future__ import annotations

import socket
from threading import Event

import pytest

from services.notices import outside
from services.notices.outside import Failed, NotAllowed, addresses, post, target
from tests.notices.outdoors import Receiver, certificate

NEAR = [
    *("127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255"),
    *("192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1"),
    *("198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1"),
    *("255.255.255.255", "::1", "::", "fe80::1", "fe80::1%2", "fc00::1", "fd12::1", "fec0::1"),
    *("ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1"),
    *("64:ff9b:1::1", "2002:7f00:1::", "2002:808:808::", "2001:0:1::1", "2001:db8::1", "100::1"),
]
FAR = ["8.8.8.8", "93.184.216.34", "2606:4700::1111"]


def resolving(monkeypatch, *hosts: str) -> list[str]:
    """What names stand for from here on, and whose were asked for."""
    asked = []

    def getaddrinfo(host, port, **_):
        asked.append(host)
        return [(2, 1, 6, "", (one, port)) for one in hosts]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("host", NEAR)
def test_no_address_near_us(monkeypatch, host):
    resolving(monkeypatch, host)
    with pytest.raises(NotAllowed):
        addresses(target("https://example.org/"))
    plain = f"[{host}]" if ":" in host else host
    with pytest.raises(NotAllowed):
        target(f"https://{plain}/")


@pytest.mark.parametrize("host", FAR)
def test_addresses_of_the_world(monkeypatch, host):
    resolving(monkeypatch, host)
    assert addresses(target("https://example.org/")) == [host]


def test_one_address_near_us_is_one_too_many(monkeypatch):
    resolving(monkeypatch, "8.8.8.8", "10.0.0.1")
    with pytest.raises(NotAllowed):
        addresses(target("https://example.org/"))


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "0177.0.0.1", "localhost"])
def test_whatever_stands_for_us(host):
    with pytest.raises(NotAllowed):
        addresses(target(f"https://{host}/"))


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org/", "ftp://example.org/", "file:///etc/passwd", "//example.org"),
        *("https://", "https:///x", "https://a:b@example.org/", "https://a@example.org/"),
        *("https://example.org:x/", "https://example.org:99999/", "https://exa mple.org/"),
        *("https://example.org/\r\nX: y", "https://[::1", "gopher://x", "", "https://é.example/"),
    ],
)
def test_no_address_at_all(url):
    with pytest.raises(NotAllowed):
        target(url)


def test_loopback_only_where_it_is_allowed():
    assert addresses(target("http://127.0.0.1:8/", loopback=True), loopback=True) == ["127.0.0.1"]
    for url in ("http://10.0.0.1/", "https://169.254.169.254/"):
        with pytest.raises(NotAllowed):
            target(url, loopback=True)


def test_without_tls_it_stays_on_this_machine(monkeypatch):
    resolving(monkeypatch, "8.8.8.8")
    with pytest.raises(NotAllowed):
        addresses(target("http://example.org/", loopback=True), loopback=True)


@pytest.fixture(scope="module")
def pem(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("pem") / "localhost.pem")


@pytest.fixture(scope="module")
def web(pem):
    receiver = Receiver("web", pem, pem.with_name("web.log"))
    yield receiver
    receiver.stop()


@pytest.fixture
def trusted(pem, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))


def sent(web, path: str, host: str = "localhost") -> int:
    return post(f"https://{host}:{web.port}{path}", {"X-One": "1"}, b"{}", loopback=True)


def test_a_post_says_its_status_and_follows_nobody(web, trusted):
    assert [sent(web, path) for path in ("/hook?a=b", "/broken", "/elsewhere")] == [204, 500, 307]
    assert [one["path"] for one in web.got()] == ["/hook?a=b", "/broken", "/elsewhere"]


def test_a_name_is_resolved_once_and_that_very_address_is_asked(web, trusted, monkeypatch):
    """Whatever the name stands for a moment later."""
    asked = resolving(monkeypatch, "127.0.0.1")
    connect = socket.create_connection
    peers = []

    def connected(address, patience):
        peers.append(address[0])
        monkeypatch.undo()  # create_connection resolves what it is given
        return connect(address, patience)

    monkeypatch.setattr(socket, "create_connection", connected)
    monkeypatch.setenv("SSL_CERT_FILE", str(web.file.with_name("localhost.pem")))
    with pytest.raises(Failed):  # `undo` has also taken back whom we trust
        sent(web, "/hook")
    assert (asked, peers) == (["localhost"], ["127.0.0.1"])


def test_a_certificate_of_nobody_we_know_is_refused(web):
    with pytest.raises(Failed, match="CERTIFICATE_VERIFY_FAILED"):
        sent(web, "/hook")


def test_nor_one_of_another_name(web, trusted):
    with pytest.raises(Failed, match="CERTIFICATE_VERIFY_FAILED"):
        sent(web, "/hook", host="127.0.0.1")


@pytest.mark.parametrize("said", [b"", b"220 mail\r\n", b"x" * 9000, b"HTTP/1.1 2"])
def test_what_gives_no_answer_of_http_has_not_taken_it(said):
    with pytest.raises(Failed):
        outside._status(Peer(said), outside.time.monotonic() + 1)


class Peer:
    """A peer that says this, and no more."""

    def __init__(self, said: bytes) -> None:
        self.said = said

    def settimeout(self, seconds: float) -> None:
        pass

    def recv(self, most: int) -> bytes:
        part, self.said = self.said[: min(most, 7)], self.said[min(most, 7) :]
        return part


def test_who_answers_too_slowly_is_left():
    one, other = socket.socketpair()
    with one, other, pytest.raises(OSError, match="timed out"):
        outside._status(one, outside.time.monotonic())


def test_a_name_server_that_never_answers_is_left(monkeypatch):
    """Its domain may be the one who gave us the address."""
    forever = Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: forever.wait(60) and [])
    monkeypatch.setattr(outside, "PATIENCE", 0.03)
    with pytest.raises(Failed, match="no name server"):
        post("https://example.org/", {}, b"")
    assert not forever.is_set()
    forever.set()
