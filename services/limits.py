"""What one may ask of us: the limits, how they are named, and the counting of what is asked.

A client is a player, whichever token or cookie it sends, or an address without one. Rates and feeds
are counted by each api process for itself, in memory; offers and seats in the ledger, for all.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from msgspec import Struct, structs

from services.problems import Problem

CLIENTS = 100_000  # whose rates are remembered
HOUR = 3600


class Limits(Struct, frozen=True):
    """How many there may be; 0 is no limit."""

    requests: int = 50
    burst: int = 500
    accounts: int = 30
    feeds: int = 16
    all_feeds: int = 20_000
    offers: int = 50
    seats: int = 200
    tokens: int = 20
    notes: int = 1000
    vacation: int = 30
    blocks: int = 500
    messages: int = 20
    tournaments: int = 10
    channels: int = 10


SAYS = {
    "requests": "requests a second of one client",
    "burst": "requests of one client at once, after a rest",
    "accounts": "new accounts an hour from one address",
    "feeds": "open feeds of one client",
    "all_feeds": "open feeds of one api process",
    "offers": "open offers of one player, matches of robots alone included",
    "seats": "seats of one player in matches that are not over",
    "tokens": "tokens of one player",
    "notes": "notes of one player",
    "vacation": "days of vacation of one player in a year",
    "blocks": "players whom one player has blocked",
    "messages": "messages of one player in a minute",
    "tournaments": "new tournaments of one player in an hour",
    "channels": "channels by which one player is told of its matches",
}
DEFAULT, OFF = Limits(), Limits(*(0 for _ in SAYS))


def read(text: str) -> Limits:
    """`off`, or some of them as in `requests=200 feeds=64`; ValueError if it is neither."""
    if text == "off":
        return OFF
    given: dict[str, int] = {}
    for word in text.replace(",", " ").split():
        name, _, number = word.partition("=")
        if name not in SAYS or not (number.isascii() and number.isdigit()):
            known = ", ".join(SAYS)
            raise ValueError(f"{word!r} is no limit; say `off`, or NAME=NUMBER with {known}")
        given[name] = int(number)
    return structs.replace(DEFAULT, **given)


def said(limits: Limits) -> list[str]:
    """The limits, a line each, in Markdown."""
    named = structs.asdict(limits).items()
    return [f"- `{name}`: {number or 'any number of'} {SAYS[name]}" for name, number in named]


class Rate:
    """So many a second of each client on average, and `burst` of them at once.

    All that is kept of a client is when it will have used up what it took.
    """

    __slots__ = ("_each", "_free", "_slack")

    def __init__(self, a_second: float, burst: int) -> None:
        self._each = 1 / a_second if a_second else 0.0  # 0: no limit
        self._slack = (burst - 1) * self._each
        self._free: dict[str, float] = {}

    def wait(self, client: str, now: float) -> float:
        """0.0, and one is taken; or the seconds until there is one again. `now` is monotonic."""
        free = self._free.get(client, now)
        if free - now > self._slack:
            return free - now - self._slack
        self._free[client] = (free if free > now else now) + self._each
        if len(self._free) > CLIENTS:
            self._sweep(now)
        return 0.0

    def _sweep(self, now: float) -> None:
        """Forget who has nothing used up; everybody, if those are too many still."""
        self._free = {client: free for client, free in self._free.items() if free > now}
        if len(self._free) > CLIENTS // 2:
            self._free.clear()


class Feeds:
    """How many feeds are open here, of whom."""

    def __init__(self, limits: Limits) -> None:
        self.open = 0
        self._limits = limits
        self._of: Counter[str] = Counter()

    @contextmanager
    def one_of(self, client: str) -> Iterator[None]:
        """For as long as a feed is open; a Problem if there are too many."""
        each, most = self._limits.feeds, self._limits.all_feeds
        if each and self._of[client] >= each:
            says = f"You have {each} feeds open, the most a client may have: close one first."
            raise Problem("too-many", f"{says} `GET /feed` tells of all your matches in one.")
        if most and self.open >= most:
            raise Problem("too-many", "All feeds of this server are taken: come back in a minute.")
        self.open += 1
        self._of[client] += 1
        try:
            yield
        finally:
            self.open -= 1
            self._of[client] -= 1
            if not self._of[client]:
                del self._of[client]


def too_fast(limits: Limits, seconds: float) -> Problem:
    says = f"You ask more than {limits.requests} times a second. Wait, then ask less often:"
    wait = {"retry-after": str(ceil(seconds))}
    return Problem("too-many", f"{says} a feed tells you of news as it happens.", wait)


def too_many_accounts(limits: Limits, seconds: float) -> Problem:
    says = f"There are {limits.accounts} new accounts an hour from one address, no more:"
    return Problem("too-many", f"{says} come back later.", {"retry-after": str(ceil(seconds))})


def address_of(client: tuple[str, int] | None) -> str:
    """The address of a peer, as a client: of IPv6 the network that one household has."""
    if client is None:
        return "local"
    try:
        address = ipaddress.ip_address(client[0].partition("%")[0])
    except ValueError:
        return client[0]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.IPv6Network((address, 64), strict=False))
