"""Routes of notices: a player's channels, and what opens without a token: feeds, a mail's link."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct

from engine.entries import Millis
from services import door, roll
from services.house import House
from services.notices import channels, feeds, outbox, push
from services.notices.channels import KINDS, Channel, Email, Feed, Kind, Push, To, Webhook
from services.notices.how import How
from services.notices.outbox import Name, Wanted
from services.notices.outside import NotAllowed, target
from services.openapi import takes
from services.problems import Problem
from services.requests import house_of, know, read, replied
from services.web.tongues import speak, speak_as, spoken

routes = APIRouter()
BODY = ("bad-request", "invalid", "not-json", "too-large")
NO_CHANNEL = "You have no channel of this id: `GET /players/me/channels` lists yours."
CODES = "Wait until tomorrow: that address has been sent all the codes it gets in a day."


class NewChannel(Struct, frozen=True, forbid_unknown_fields=True):
    """`wants`: your turn; a reminder before your deadline; a match that is over; an invitation."""

    to: To
    wants: Annotated[tuple[Kind, ...], Meta(max_length=4)] = KINDS


class Code(Struct, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(max_length=20)]


class Shown(Struct, frozen=True):
    """A channel. `feeds`: where feed readers and calendars find theirs; keep that to yourself."""

    id: str
    to: To
    wants: tuple[Kind, ...]
    at: Millis
    confirmed: bool
    feeds: tuple[str, ...] = ()


class Given(Struct, frozen=True):
    """A new channel; `secret` is shown once, and signs what a webhook gets."""

    channel: Shown
    secret: str | None


class PushKey(Struct, frozen=True):
    key: str  # for `applicationServerKey`


@routes.get(
    "/players/me/channels",
    openapi_extra=takes(gives={200: list[Shown]}, problems=["who-are-you"], token=True),
)
async def my_channels(request: Request) -> Response:
    """Where you want to be told of your matches, and of what."""
    player = await know(request)
    found = await house_of(request).ask(channels.of(player))
    return replied([shown(player, channel) for channel in found])


@routes.post(
    "/players/me/channels",
    openapi_extra=takes(
        body=NewChannel,
        gives={201: Given},
        problems=[*BODY, "who-are-you", "too-many"],
        token=True,
    ),
)
async def new_channel(request: Request) -> Response:
    """Be told of your matches there too: by a webhook, by mail, in a browser, or by feeds.

    Mail is sent a code first, and nothing else until you confirm it with that.
    """
    player, asked = await know(request), await read(request, NewChannel)
    speak(request)
    channel = await added(house_of(request), request.app.state.settings.notices, player, asked)
    secret = channel.secret if isinstance(channel.to, Webhook) else None
    return replied(Given(shown(player, channel), secret), 201)


@routes.post(
    "/players/me/channels/{id}/confirm",
    openapi_extra=takes(
        body=Code,
        gives={204: None},
        problems=[*BODY, "who-are-you", "no-such-thing"],
        token=True,
    ),
)
async def confirm(id: str, request: Request) -> Response:
    """Say that an address is yours, with the code that was mailed to it."""
    player, asked = await know(request), await read(request, Code)
    await confirmed(house_of(request), player, id, asked.code)
    return Response(status_code=204)


@routes.delete(
    "/players/me/channels/{id}",
    openapi_extra=takes(gives={204: None}, problems=["who-are-you", "no-such-thing"], token=True),
)
async def no_channel(id: str, request: Request) -> Response:
    """Be told nothing more there."""
    if not await house_of(request).ask(channels.remove(await know(request), id)):
        raise Problem("no-such-thing", NO_CHANNEL)
    return Response(status_code=204)


@routes.get("/push-key", openapi_extra=takes(gives={200: PushKey}))
async def push_key(request: Request) -> Response:
    """The key by which push services know this house: a browser needs it to subscribe."""
    return replied(PushKey(await key_of(house_of(request))))


KEYED = takes(
    gives={200: ("application/atom+xml", "text/calendar"), 304: None},
    query={"key": "of a channel of yours that is for feeds"},
    problems=["no-such-thing"],
)


@routes.get("/players/me/turns.atom", openapi_extra=KEYED)
async def turns(request: Request) -> Response:
    """The matches that wait for you, as an Atom feed."""
    player, channel = await _opened(request)
    found = await house_of(request).talk(feeds.waits(player))
    text = feeds.atom(found, f"{player}-{channel.id}", _site(request), channel.at)
    return _kept(request, text, "application/atom+xml")


@routes.get("/players/me/deadlines.ics", openapi_extra=KEYED)
async def deadlines(request: Request) -> Response:
    """Your deadlines, as a calendar to subscribe to."""
    player, _ = await _opened(request)
    found = await house_of(request).talk(feeds.waits(player))
    return _kept(request, feeds.calendar(found, _site(request)), "text/calendar")


async def added(house: House, how: How, player: str, asked: NewChannel) -> Channel:
    """A new channel, or a Problem. To an address of mail its code goes out."""
    _check(asked.to, how)
    wants = () if isinstance(asked.to, Feed) else asked.wants
    channel = channels.made(asked.to, wants, door.now(), spoken())
    if isinstance(channel.to, Email) and not await house.talk(
        channels.may_mail(player, channel.to.address)
    ):
        raise Problem("too-many", CODES, {"retry-after": str(channels.DAY)})
    most = house.limits.channels
    if not await house.talk(channels.add(player, channel, most)):
        raise Problem("too-many", f"You have {most} channels, the most there may be: end one.")
    if await house.ask(roll.player_name(player)) is None:  # it has left meanwhile
        await house.ask(channels.remove(player, channel.id))
        raise Problem("who-are-you")
    if not channel.confirmed:
        await _mail_codes(house, player, channel)
    return channel


async def _mail_codes(house: House, player: str, new: Channel) -> None:
    """Have the code of this channel mailed; those of others stay as they are."""
    name = f"player-{player}"
    rows = [
        Wanted(Name(name, None, 0, one.id, "confirm"), player, new.at if one.id == new.id else None)
        for one in await house.ask(channels.of(player))
        if not one.confirmed
    ]
    await house.ask(outbox.put(name, 0, rows))


async def confirmed(house: House, player: str, id: str, code: str) -> None:
    """It is, or a Problem."""
    if await house.ask(channels.one(player, id)) is None:
        raise Problem("no-such-thing", NO_CHANNEL)
    if not await house.talk(channels.confirm(player, id, code.strip())):
        raise Problem("invalid", errors=["code: it is another one"])


def shown(player: str, channel: Channel) -> Shown:
    key, paths = channels.pass_of(player, channel), ("turns.atom", "deadlines.ics")
    addresses = [f"/players/me/{path}?key={key}" for path in paths]
    where = tuple(addresses) if isinstance(channel.to, Feed) else ()
    return Shown(channel.id, channel.to, channel.wants, channel.at, channel.confirmed, where)


async def key_of(house: House) -> str:
    return push.public(await house.talk(push.house_key()))


def _check(to: To, how: How) -> None:
    """A Problem if nothing can be sent there."""
    try:
        if isinstance(to, Webhook | Push):
            target(to.url if isinstance(to, Webhook) else to.endpoint, how.loopback)
        if isinstance(to, Push) and not push.is_browser(to.keys):
            raise NotAllowed("These are no keys of a browser.")
        if isinstance(to, Email) and not how.mails:
            raise NotAllowed("This house sends no mail.")
    except NotAllowed as error:
        raise Problem("invalid", errors=[f"to: {error}"]) from error


async def _opened(request: Request) -> tuple[str, Channel]:
    """Whose feeds these are, or a Problem."""
    given = request.query_params.get("key", "")
    found = await house_of(request).talk(channels.opened(given))
    if found is None or not isinstance(found[1].to, Feed):
        raise Problem("no-such-thing", "This key opens nothing, or nothing any more.")
    speak_as(found[1].tongue)
    return found


def _kept(request: Request, body: bytes, kind: str) -> Response:
    """What was made, unless the reader has it."""
    etag = f'"{sha256(body).hexdigest()[:16]}"'
    headers = {"etag": etag, "cache-control": "private, no-cache"}
    if request.headers.get("if-none-match") == etag:
        return Response(None, 304, headers)
    return Response(body, 200, headers, f"{kind}; charset=utf-8")


def _site(request: Request) -> str:
    return str(request.base_url).rstrip("/")
