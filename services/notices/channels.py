"""Channels: where a player wants to be told of its matches, and of what. It knows their keys.

They live with the account, and go with it. What is secret of a channel stands in it: the key that
signs a webhook, that opens feeds, that ends mails from a link in one.
"""

from __future__ import annotations

import secrets
from base64 import b32encode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, json
from msgspec.structs import replace

from engine.entries import Millis
from services.ledger import Ask
from services.wire import Talk

Kind = Literal["turn", "reminder", "over", "invited"]
KINDS: tuple[Kind, ...] = ("turn", "reminder", "over", "invited")
GUESSES = 10  # tries at the code of an address
DAY = 86_400  # seconds
MAILS = 3  # codes that are mailed to one address in a day
ASKED = 20  # codes that one player has mailed in a day, to whatever addresses
Address = Annotated[
    str,
    Meta(max_length=254, pattern=r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]+(?!\n)$"),
]
Url = Annotated[str, Meta(max_length=2000, pattern=r"^[!-~]+(?!\n)$")]
Base64 = Annotated[str, Meta(max_length=200, pattern=r"^[A-Za-z0-9_-]+=*(?!\n)$")]


class Webhook(Struct, frozen=True, forbid_unknown_fields=True, tag="webhook"):
    """An https address that takes CloudEvents."""

    url: Url


class Email(Struct, frozen=True, forbid_unknown_fields=True, tag="email"):
    """An address; nothing but a code is sent to it before that was sent back to us."""

    address: Address


class Keys(Struct, frozen=True):
    p256dh: Base64
    auth: Base64


class Push(Struct, frozen=True, tag="push"):
    """A browser, as its PushSubscription says."""

    endpoint: Url
    keys: Keys


class Feed(Struct, frozen=True, forbid_unknown_fields=True, tag="feed"):
    """Addresses for a feed reader and a calendar, which come and ask by themselves."""


To = Webhook | Email | Push | Feed


class Channel(Struct, frozen=True):
    id: str
    to: To
    wants: tuple[Kind, ...]
    at: Millis  # since when there is this channel
    secret: str
    tongue: str = "en"
    code: str = ""  # that was mailed, until it is sent back

    @property
    def confirmed(self) -> bool:
        return not self.code


def made(to: To, wants: Sequence[Kind], at: Millis, tongue: str) -> Channel:
    """A new channel; to be confirmed, if it is an address of mail."""
    code = f"{secrets.randbelow(10**8):08}" if isinstance(to, Email) else ""
    id = b32encode(secrets.token_bytes(5)).decode().lower()
    some = tuple(kind for kind in KINDS if kind in wants)
    return Channel(id, to, some, at, _secret(to), tongue, code)


def _secret(to: To) -> str:
    if isinstance(to, Webhook):
        return f"whsec_{b64encode(secrets.token_bytes(32)).decode()}"
    return b32encode(secrets.token_bytes(20)).decode().lower()


# Keeping them


def of(player: str) -> Ask[list[Channel]]:
    """A player's channels, the oldest first."""

    def read(reply: list[bytes]) -> list[Channel]:
        found = [json.decode(said, type=Channel) for said in reply]
        return sorted(found, key=lambda channel: channel.at)

    return Ask(("HVALS", key(player)), read)


def one(player: str, id: str) -> Ask[Channel | None]:
    args = ("HGET", key(player), id)
    return Ask(args, lambda reply: reply and json.decode(reply, type=Channel))


def put(player: str, channel: Channel) -> Ask[Any]:
    return Ask(("HSET", key(player), channel.id, json.encode(channel)), _whatever)


def add(player: str, channel: Channel, most: int) -> Talk[bool]:
    """False if the player has as many as it may."""
    yield put(player, channel)
    count = yield Ask(("HLEN", key(player)), int)
    if most and count > most:
        yield remove(player, channel.id)
        return False
    return True


def remove(player: str, id: str) -> Ask[bool]:
    return Ask(("HDEL", key(player), id), bool)


def confirm(player: str, id: str, code: str) -> Talk[bool]:
    """Is this the code that was mailed? Each guess counts before it is looked at, so that no more
    than GUESSES are, however many are sent at once."""
    channel = yield one(player, id)
    if channel is None or channel.confirmed:
        return channel is not None
    count = yield from _counted(f"guessed:{player}-{id}", 366)
    if count > GUESSES or not compare_digest(channel.code.encode(), code.encode()):
        return False
    yield put(player, replace(channel, code=""))
    return True


def may_mail(player: str, address: str) -> Talk[bool]:
    """Count one more code to this address, and by this player, today. False if that is too many."""
    asked = yield from _counted(f"mailed-by:{player}")
    if asked > ASKED:
        return False
    hashed = sha256(address.lower().encode()).hexdigest()
    return (yield from _counted(f"mailed:{hashed}")) <= MAILS


def _counted(name: str, days: int = 1) -> Talk[int]:
    """How often this was counted within so many days of the first time, with this one."""
    yield Ask(("SET", name, 0, "NX", "EX", days * DAY), _whatever)
    return (yield Ask(("INCR", name), int))  # type: ignore[no-any-return]


# What opens a channel without a token: the feeds' key, the link that ends mails


def pass_of(player: str, channel: Channel) -> str:
    return f"{player}-{channel.id}-{channel.secret}"


def opened(given: str) -> Talk[tuple[str, Channel] | None]:
    """The channel that this opens, and whose it is."""
    player, _, rest = given.partition("-")
    id, _, secret = rest.partition("-")
    if not (player.isalnum() and player.isascii() and id.isalnum() and len(given) < 100):
        return None
    channel = yield one(player, id)
    if channel is None or not compare_digest(channel.secret.encode(), secret.encode()):
        return None
    return player, channel


def key(player: str) -> str:
    return f"channels:{player}"


def _whatever(reply: Any) -> Any:
    return reply
