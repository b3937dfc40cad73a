"""How a page is sent: templates filled, what a browser may load, and what it may keep."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files
from typing import Any

from babel.dates import format_datetime
from fastapi import Request, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from engine.contract import because
from services.problems import PROBLEMS, Problem
from services.requests import refusal
from services.web import readmes
from services.web.pieces import dressed
from services.web.scripts import words
from services.web.session import Session
from services.web.tongues import TONGUES, _, rich, safe, safe_n, speak, spoken, tongue

KINDS = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "png": "image/png",
    "md": "text/markdown",
}
FILES = {
    path.name: path.read_bytes() for path in files("services.web").joinpath("static").iterdir()
}
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "private, no-cache",
    "vary": "Accept, Accept-Language, Cookie",
}
PLAIN = {  # instead of what programs are told to do
    "no-such-thing": "Nothing is here. Perhaps the link is old, or it is not for you.",
    "no-such-method": "Nothing can be done here in this way.",
    "who-are-you": "This browser has no account yet: play something first.",
    "not-yours": "Only somebody else may do that.",
    "too-many": "That was too much at once.",
    "bad-request": "What was asked cannot be read.",
    "seat-taken": "Take another seat, or find another match.",
    "not-open": "It has begun: nobody can join or leave any more.",
    "over": "Look at its replay, or offer another.",
    "stale": "The table changed before your move came. Look again, then play.",
    "refused": "Choose something else.",
    "invalid": "Something in the form is not as it must be.",
    "too-large": "That was more than can be sent at once.",
}
FRAMED = {  # a page that others may show within theirs
    "content-security-policy": HEADERS["content-security-policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    ),
    "vary": "Accept, Accept-Language",
}
PICTURE = {  # an image may be shown anywhere; it asks for nothing
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-cache",
    "vary": "Cookie, Accept-Language",
}
FOR_EVER = {
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
}


def wants_page(request: Request) -> bool:
    """Is this a person's browser, which wants HTML?"""
    return "text/html" in request.headers.get("accept", "")


def page(
    request: Request, template: str, session: Session | None, status: int = 200, **context: Any
) -> Response:
    html = _templates.get_template(template).render(
        path=request.url.path,
        back=_back(request),
        tongue=spoken(),
        site=str(request.base_url).rstrip("/"),
        session=session,
        csrf=session.csrf if session else "",
        games=readmes.titles(),
        **context,
    )
    return Response(html, status, HEADERS, "text/html; charset=utf-8")


def _back(request: Request) -> str:
    """Where this page is asked for again; of a form that was sent, the page around it."""
    url = request.url
    if request.method == "GET":
        return f"{url.path}?{url.query}" if url.query else url.path
    return url.path.rpartition("/")[0] or "/"


def answer_to(request: Request, problem: Problem) -> Response:
    """A problem in the tongue of who asked: to a person's browser a page, to others JSON."""
    speak(request)
    if wants_page(request):
        return _problem_page(request, problem)
    if "hx-request" in request.headers:
        problem.detail = told(problem)
    return refusal(problem)


def told(problem: Problem) -> str:
    """What is wrong, to a person."""
    if problem.said is not None:
        return problem.said.sentence((), tongue())
    usual = problem.detail == PROBLEMS[problem.name][2]
    return _(PLAIN.get(problem.name, problem.detail) if usual else problem.detail)


def _problem_page(request: Request, problem: Problem) -> Response:
    wait = problem.headers.get("retry-after")
    shown = {"title": _(problem.title), "says": told(problem), "wait": wait and int(wait)}
    sent = page(request, "problem.html", None, problem.status, **shown)
    for name in ("retry-after", "allow"):
        if name in problem.headers:
            sent.headers[name] = problem.headers[name]
    return sent


def svg(text: str) -> Response:
    return Response(text, 200, PICTURE, "image/svg+xml; charset=utf-8")


def static(name: str) -> Response:
    if name not in FILES:
        raise Problem("no-such-thing")
    return Response(FILES[name], 200, FOR_EVER, KINDS[name.rpartition(".")[2]])


# For templates


def _link(name: str) -> str:
    """The address of a static file, another one when it changes."""
    return f"/static/{name}?{sha256(FILES[name]).hexdigest()[:8]}"


def _why(why: str) -> str:
    """Why a match is over, as a sentence begins."""
    said = because(why).sentence((), tongue())
    return said[:1].upper() + said[1:]


def _moment(at: int) -> Markup:
    """A time in UTC; the browser shows it in its own."""
    when = datetime.fromtimestamp(at / 1000, UTC)
    day = format_datetime(when, "d MMM HH:mm", locale=spoken())
    return Markup('<time datetime="{}">{} UTC</time>').format(when.isoformat(), day)


_templates = Environment(
    loader=PackageLoader("services.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters.update(dressed=dressed)
_templates.globals.update(
    static=_link,
    has=FILES.__contains__,
    moment=_moment,
    blurb=readmes.blurb,
    letters=readmes.letters,
    words=words,
    why=_why,
    tongues=TONGUES,
    _=safe,
    _n=safe_n,
    rich=rich,
)
