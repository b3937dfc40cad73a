"""Requests to addresses that players give: to hosts of the world, never to what is near us.

A name is resolved once, all its addresses must be public, and that very one is connected to; the
certificate is checked against the name. No redirect is followed, and of the answer no more is read
than its status.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Mapping
from queue import Empty, Queue
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

PATIENCE = 15.0  # seconds for all of it
MOST = 4096  # bytes of an answer in which its status must be
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})[ \r\n]")
UNICAST = ipaddress.IPv6Network("2000::/3")  # all that was ever given out
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class NotAllowed(ValueError):
    """No request is sent there; the message says why."""


class Failed(Exception):
    """The request did not do what it should; the message says why."""


class Gone(Failed):
    """Nobody wants requests there any more."""


class Target(NamedTuple):
    """An address of the web, taken apart."""

    host: str
    port: int
    path: str
    tls: bool

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


def target(url: str, loopback: bool = False) -> Target:
    """Where a URL leads; NotAllowed if nobody may be asked there, as far as that can be told
    without resolving a name. `loopback`: our own machine is allowed, by http too."""
    try:
        at = urlsplit(url)
        port = at.port
    except ValueError as error:
        raise NotAllowed(f"That is no address: {error}.") from error
    host = at.hostname or ""
    if re.fullmatch(r"[!-~]+", url) is None or at.scheme not in ("https", "http") or not host:
        raise NotAllowed("That is no address that begins with https://.")
    if at.username is not None or at.password is not None:
        raise NotAllowed("An address holds no name and no password.")
    literal = _literal(host)
    if literal is not None:
        _allow(literal, loopback)
    if at.scheme == "http" and not loopback:
        raise NotAllowed("Only addresses that begin with https:// are asked.")
    path = (at.path or "/") + (f"?{at.query}" if at.query else "")
    return Target(host, port or (443 if at.scheme == "https" else 80), path, at.scheme == "https")


def post(url: str, headers: Mapping[str, str], body: bytes, loopback: bool = False) -> int:
    """The status of the answer to this; NotAllowed, or Failed if there is none in time."""
    at, until = target(url, loopback), time.monotonic() + PATIENCE
    lines = [f"POST {at.path} HTTP/1.1", f"Host: {at.authority}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    head = "\r\n".join([*lines, "User-Agent: turnfold", "Connection: close", "", ""]).encode()
    try:
        with _connected(at, loopback) as peer:
            peer.sendall(head + body)
            return _status(peer, until)
    except NotAllowed:
        raise
    except (OSError, ValueError) as error:  # ssl's are among them
        raise Failed(f"{type(error).__name__}: {error}") from error


def addresses(at: Target, loopback: bool = False) -> list[str]:
    """What the name stands for just now; NotAllowed if any of it is not of the public world."""
    hosts = list(dict.fromkeys(str(address[0]) for *_, address in _resolved(at)))
    for host in hosts:
        address = _literal(host)
        if address is None:
            raise NotAllowed(f"{host} is no address.")
        local = _allow(address, loopback)
        if not at.tls and not local:
            raise NotAllowed("Only addresses that begin with https:// are asked.")
    return hosts


def _resolved(at: Target) -> list[tuple[Any, ...]]:
    """What the system says of the name; TimeoutError if its name server takes too long. No limit
    can be set on that, so it is asked in a thread, which is left to itself by then."""
    said: Queue[list[tuple[Any, ...]] | Exception] = Queue()

    def ask() -> None:
        try:
            said.put(list(socket.getaddrinfo(at.host, at.port, type=socket.SOCK_STREAM)))
        except Exception as error:
            said.put(error)

    Thread(target=ask, daemon=True).start()
    try:
        found = said.get(timeout=PATIENCE / 3)
    except Empty:
        raise TimeoutError("no name server answers") from None
    if isinstance(found, Exception):
        raise found
    return found


def _allow(address: Address, loopback: bool) -> bool:
    """NotAllowed unless it is public; whether it is our own machine, where that is allowed."""
    if loopback and address.is_loopback:
        return True
    if not (_is_public(address) and address.is_global) or address.is_multicast:
        raise NotAllowed("Nobody is asked at an address that is not public.")
    return False


def _is_public(address: Address) -> bool:
    """Is it none that is set apart, and none that leads to another?"""
    if isinstance(address, ipaddress.IPv4Address):
        return not address.is_reserved
    leads = address.sixtofour or address.teredo or address.scope_id
    return address in UNICAST and not leads


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _connected(at: Target, loopback: bool) -> socket.socket:
    """To the first address that answers, of those that were found and allowed."""
    error: OSError = OSError("it has no address")
    for host in addresses(at, loopback)[:2]:
        try:
            plain = socket.create_connection((host, at.port), PATIENCE / 3)
            break
        except OSError as failed:
            error = failed
    else:
        raise error
    if not at.tls:
        return plain
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=at.host)
    except BaseException:
        plain.close()
        raise


def _status(peer: socket.socket, until: float) -> int:
    said = b""
    while len(said) < MOST and (found := STATUS.match(said)) is None:
        peer.settimeout(max(0.01, until - time.monotonic()))
        more = peer.recv(MOST - len(said))
        if not more:
            break
        said += more
    else:
        found = STATUS.match(said)
    if found is None:
        raise Failed("It gave no answer of HTTP.")
    return int(found[1])
