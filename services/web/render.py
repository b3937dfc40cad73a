"""How a page is sent: templates filled, what a browser may load, and what it may keep."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from fastapi import Request, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from engine.catalogue import GAMES
from services.problems import PROBLEMS, Problem
from services.requests import refusal
from services.web.pieces import dressed
from services.web.session import Session

KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "md": "text/markdown"}
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
    "vary": "Accept, Cookie",
}
PLAIN = {  # instead of what programs are told to do
    "no-such-thing": "Nothing is here. Perhaps the link is old, or it is not for you.",
    "no-such-method": "Nothing can be done here in this way.",
    "who-are-you": "This browser has no account yet: play something first.",
    "not-yours": "Only somebody else may do that.",
    "too-many": "That was too much at once.",
}
FRAMED = {  # a page that others may show within theirs
    "content-security-policy": HEADERS["content-security-policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    ),
    "vary": "Accept",
}
PICTURE = {  # an image may be shown anywhere; it asks for nothing
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-cache",
    "vary": "Cookie",
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
        site=str(request.base_url).rstrip("/"),
        session=session,
        csrf=session.csrf if session else "",
        games=titles(),
        **context,
    )
    return Response(html, status, HEADERS, "text/html; charset=utf-8")


def answer_to(request: Request, problem: Problem) -> Response:
    """A problem in the tongue of who asked: to a person's browser a page, to others JSON."""
    return _problem_page(request, problem) if wants_page(request) else refusal(problem)


def _problem_page(request: Request, problem: Problem) -> Response:
    usual = problem.detail == PROBLEMS[problem.name][2]
    says = PLAIN.get(problem.name, problem.detail) if usual else problem.detail
    told = {"title": problem.title, "says": says, "wait": problem.headers.get("retry-after")}
    sent = page(request, "problem.html", None, problem.status, **told)
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


# Games, as their READMEs tell of them


@cache
def titles() -> dict[str, str]:
    """What each game is called."""
    return {name: title(name) for name in GAMES}


@cache
def title(game: str) -> str:
    """The head of its README, up to its first comma."""
    return _readme(game).partition("\n")[0][2:].partition(",")[0]


@cache
def blurb(game: str) -> Markup:
    """What a game is: the first sentence about it."""
    first = _readme(game).split("\n\n")[1].replace("\n", " ").partition(". ")[0]
    return Markup(_markdown.renderInline(first.removesuffix(".") + "."))


@cache
def letters(game: str) -> str:
    """Two letters for the emblem of a game."""
    title = titles()[game]
    capitals = [letter for letter in title if letter.isupper()]
    return "".join(capitals[:2]) if len(capitals) > 1 else title[:2]


@cache
def rules(game: str) -> Markup:
    """The rules of a game, as we play them."""
    return Markup(_markdown.render(_readme(game)))


def _readme(game: str) -> str:
    package = GAMES[game].__name__  # type: ignore[attr-defined]
    return files(package).joinpath("README.md").read_text()


# For templates


def _link(name: str) -> str:
    """The address of a static file, another one when it changes."""
    return f"/static/{name}?{sha256(FILES[name]).hexdigest()[:8]}"


def _moment(at: int) -> Markup:
    """A time in UTC; the browser shows it in its own."""
    when = datetime.fromtimestamp(at / 1000, UTC)
    day = f"{when.day} {when:%b %H:%M} UTC"
    return Markup('<time datetime="{}">{}</time>').format(when.isoformat(), day)


_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
_templates = Environment(
    loader=PackageLoader("services.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters.update(dressed=dressed)
_templates.globals.update(
    static=_link, has=FILES.__contains__, moment=_moment, blurb=blurb, letters=letters
)
