"""Where a player is told of its matches, on a page; and the link that ends mails."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from msgspec import DecodeError, ValidationError, convert, json

from services import notifying
from services.notices import channels
from services.notices.channels import KINDS, Channel, Email, Feed, Push, Webhook
from services.notifying import NewChannel
from services.problems import Problem
from services.requests import house_of
from services.web.render import page, told
from services.web.session import Form, Session, player_in, posted, session_of
from services.web.tongues import _

routes = APIRouter(include_in_schema=False)
WANTS = {
    "turn": "your turn",
    "reminder": "a deadline that comes near",
    "over": "the end of a match",
    "invited": "an invitation",
}
HERE = {"push": "A browser", "feed": "Feed reader and calendar"}


class Row(NamedTuple):
    """A channel in the list."""

    id: str
    name: str
    wants: tuple[str, ...]
    confirmed: bool
    feeds: tuple[str, ...]


@routes.get("/me/notices")
async def notices(request: Request) -> Response:
    """Where I am told of my matches, and what of."""
    return await _page(request, await session_of(house_of(request), request))


@routes.post("/me/notices")
async def add(request: Request) -> Response:
    """Be told there too; the page says what is wrong, or the secret of a webhook."""
    house = house_of(request)
    form = await posted(house, request)
    player = player_in(form)
    try:
        how = request.app.state.settings.notices
        made = await notifying.added(house, how, player, _asked(form))
    except Problem as problem:
        if problem.name not in ("invalid", "too-many"):
            raise
        errors = problem.more.get("errors")
        wrong = _(errors[0].removeprefix("to: ")) if errors else told(problem)
        return await _page(request, form.session, problem.status, wrong)
    if isinstance(made.to, Webhook):
        return await _page(request, form.session, secret=made.secret)
    return RedirectResponse("/me/notices", 303)


@routes.post("/me/notices/confirm")
async def confirm(request: Request) -> Response:
    """Say that an address is mine."""
    house = house_of(request)
    form = await posted(house, request)
    try:
        await notifying.confirmed(house, player_in(form), form.first("id"), form.first("code"))
    except Problem as problem:
        if problem.name != "invalid":
            raise
        return await _page(request, form.session, 422, _("That is not the code."))
    return RedirectResponse("/me/notices", 303)


@routes.post("/me/notices/end")
async def end(request: Request) -> Response:
    """Be told nothing more there."""
    house = house_of(request)
    form = await posted(house, request)
    await house.ask(channels.remove(player_in(form), form.first("id")))
    return RedirectResponse("/me/notices", 303)


@routes.get("/unsubscribe")
async def ask(request: Request) -> Response:
    """Whether mails shall end: looking changes nothing, for programs look at links too."""
    given = request.query_params.get("key", "")
    found = await house_of(request).talk(channels.opened(given))
    address = found[1].to.address if found and isinstance(found[1].to, Email) else ""
    return page(request, "unsubscribe.html", None, address=address)


@routes.post("/unsubscribe")
async def unsubscribe(request: Request) -> Response:
    """End them (RFC 8058); who has the link may, whoever it is."""
    house, given = house_of(request), request.query_params.get("key", "")
    found = await house.talk(channels.opened(given))
    if found is not None and isinstance(found[1].to, Email):
        await house.ask(channels.remove(found[0], found[1].id))
    return page(request, "unsubscribe.html", None, address="")


async def _page(
    request: Request,
    session: Session | None,
    status: int = 200,
    wrong: str = "",
    secret: str = "",
) -> Response:
    house = house_of(request)
    mine = await house.ask(channels.of(session.player)) if session else []
    rows = [_row(session.player, channel) for channel in mine] if session else []
    shown: dict[str, Any] = {"channels": rows, "wrong": wrong, "secret": secret, "kinds": WANTS}
    shown["mails"] = request.app.state.settings.notices.mails
    shown["key"] = await notifying.key_of(house)
    return page(request, "notices.html", session, status, **shown)


def _row(player: str, channel: Channel) -> Row:
    match channel.to:
        case Email(address):
            name = address
        case Webhook(url):
            name = urlsplit(url).netloc
        case Push():
            name = _(HERE["push"])
        case Feed():
            name = _(HERE["feed"])
    wants = tuple(_(WANTS[kind]) for kind in channel.wants)
    feeds = notifying.shown(player, channel).feeds
    return Row(channel.id, name, wants, channel.confirmed, feeds)


def _asked(form: Form) -> NewChannel:
    """What was filled in, or a Problem."""
    where, subscription = form.first("where").strip(), form.first("subscription")
    wants = form.all("wants") if where else KINDS
    to: dict[str, Any] = {"type": "webhook", "url": where}
    try:
        if subscription:
            to = {**json.decode(subscription, type=dict[str, Any]), "type": "push"}
        elif form.first("feed"):
            to = {"type": "feed"}
        elif "@" in where and "/" not in where:
            to = {"type": "email", "address": where}
        return convert({"to": to, "wants": wants}, NewChannel)
    except (ValidationError, DecodeError) as error:
        raise Problem("invalid", errors=[_("That is no address.")]) from error
