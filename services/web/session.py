"""Who sits at a browser: a token in a cookie, and what keeps other sites from using it.

A browser sends our cookie with whatever any page makes it ask of us. What is defended, and how:

- *Reading by another page.* The cookie is HttpOnly, so no script reads it, and answers name no
  foreign origin that may read them.
- *Writing by another page* (cross-site request forgery). The cookie counts for GET and HEAD only,
  which change nothing. The page's own forms are the one exception: `posted` takes them if the
  browser says that they come from this very origin (Sec-Fetch-Site, Origin; one of both must be
  there), and if they carry `csrf`, which is made from the cookie's token: another site cannot
  read it, and it is of no use to another session. SameSite=Lax keeps the cookie back as well.
- *Signing somebody in as somebody else.* The forms that need no session yet are held to the same
  origin too.
- *Theft on the way.* Over https the cookie is Secure, and named `__Host-…`: no other host of the
  domain can set or shadow it.
- *The link that ends mails* takes no session at all: its key is in it.
- *The API.* Its unsafe methods take a token by Authorization alone, which no foreign page can send.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from hmac import compare_digest
from hmac import digest as hmac
from typing import NamedTuple
from urllib.parse import parse_qsl

from fastapi import Request, Response

from services.house import House
from services.problems import Problem

NAMES = {"http": "turnfold", "https": "__Host-turnfold"}
LASTS = 400 * 24 * 3600  # seconds; more than that browsers do not keep
LARGEST, FIELDS = 64 * 1024, 500  # of a form


class Session(NamedTuple):
    """A browser that has an account: its player, and the token of its cookie."""

    player: str
    token: str

    @property
    def csrf(self) -> str:
        return hmac(self.token.encode(), b"csrf", "sha256").hex()


class Form(NamedTuple):
    """What a form of ours holds, and who sent it, if the browser has a session."""

    session: Session | None
    fields: list[tuple[str, str]]

    def first(self, name: str, usual: str = "") -> str:
        return next((value for field, value in self.fields if field == name), usual)

    @property
    def entropy(self) -> str:
        """What the browser drew and kept; without scripts it is drawn here."""
        drawn = self.first("entropy")
        return drawn if re.fullmatch("[0-9a-f]{64}", drawn) else secrets.token_hex(32)

    def all(self, name: str) -> list[str]:
        return [value for field, value in self.fields if field == name]


def player_in(form: Form) -> str:
    """Who sent it, or a Problem."""
    if form.session is None:
        raise Problem("who-are-you", "This browser has no account yet: play something first.")
    return form.session.player


def token_in(cookies: str, scheme: str) -> str | None:
    """The token that a Cookie header carries."""
    given = dict(part.strip().partition("=")[::2] for part in cookies.split(";"))
    return given.get(_name(scheme))


def _name(scheme: str) -> str:
    """Of the cookie; a proxy may pass on whatever scheme it was told."""
    return NAMES.get(scheme, NAMES["http"])


async def session_of(house: House, request: Request) -> Session | None:
    """The session of a browser; none if its token is nobody's any more."""
    token = token_in(request.headers.get("cookie", ""), request.url.scheme)
    player = None if token is None else await house.player_of(token)
    return None if token is None or player is None else Session(player, token)


def remember(response: Response, request: Request, token: str) -> None:
    """Have the browser keep this token."""
    name, secure = _name(request.url.scheme), request.url.scheme == "https"
    response.set_cookie(name, token, LASTS, secure=secure, httponly=True, samesite="lax")


def forget(response: Response, request: Request) -> None:
    name, secure = _name(request.url.scheme), request.url.scheme == "https"
    response.delete_cookie(name, secure=secure, httponly=True, samesite="lax")


async def posted(house: House, request: Request) -> Form:
    """A form that was sent from our own page, or a Problem; see the module."""
    if not from_here(request.headers):
        raise Problem("not-yours", "This form was not sent from our own page.")
    fields = await _fields(request)
    form = Form(await session_of(house, request), fields)
    if form.session is not None and not compare_digest(
        form.first("csrf").encode(), form.session.csrf.encode()
    ):
        raise Problem("not-yours", "This page is of another session: load it again.")
    return form


def from_here(headers: Mapping[str, str]) -> bool:
    """Does the browser say that one of our own pages asks?"""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is None and origin is None:
        return False
    same = origin is None or origin.partition("://")[1:] == ("://", headers.get("host"))
    return same and site in (None, "same-origin")


async def _fields(request: Request) -> list[tuple[str, str]]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Problem("bad-request", "A form is sent as application/x-www-form-urlencoded.")
    raw = b""
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > LARGEST:
            raise Problem("too-large")
    try:
        text = raw.decode()
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=FIELDS)
    except ValueError as error:
        raise Problem("bad-request", "The form cannot be read.") from error
