"""The languages of the page: which one a request asks for, and what is said in it.

English is what the code says. Each other language is a catalogue of gettext's under `locales`, read
as its translators write it when somebody first asks for it. `services.web.extract` keeps them.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO

from babel import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from markupsafe import Markup, escape
from starlette.requests import Request

from engine.contract import ENGLISH, Tongue

TONGUES = {
    "en": "English",
    "nl": "Nederlands",
    "de": "Deutsch",
    "es": "Español",
    "fy": "Frysk",
}
COOKIE = "turnfold-tongue"  # what was chosen on the page
MOST = 20  # languages of a header that are looked at

_spoken = ContextVar("spoken", default="en")


async def spoken_to(request: Request) -> None:
    """Before a route of the page: a dependency, for what it sets holds in the route."""
    speak(request)


def speak(request: Request) -> None:
    """Have all that answers this request said in its language."""
    accepted = request.headers.get("accept-language", "")
    _spoken.set(wanted(request.cookies.get(COOKIE), accepted))


def speak_as(name: str) -> None:
    """Have all that is said from here on said in this language."""
    _spoken.set(name)


def wanted(chosen: str | None, accepted: str) -> str:
    """What was chosen on the page, else what Accept-Language likes best, else English."""
    if chosen in TONGUES:
        return chosen
    liked = [_liked(part) for part in accepted.split(",")[:MOST]]
    best = sorted((one for one in liked if one[0] > 0), key=lambda one: -one[0])
    return negotiate_locale([name for _, name in best], TONGUES, "-") or "en"


def _liked(part: str) -> tuple[float, str]:
    """How much, and which: `de-AT;q=0.8`."""
    name, _, how = part.replace(" ", "").partition(";q=")
    try:
        return float(how or 1), name
    except ValueError:
        return 0, name


def spoken() -> str:
    """The language that is spoken here and now, as in `<html lang>`."""
    return _spoken.get()


def tongue() -> Tongue:
    return catalogue(spoken())


@cache
def catalogue(name: str) -> Tongue:
    """A language, as its catalogue has it; English where that says nothing."""
    if name == "en":
        return ENGLISH
    po = files("services.web") / "locales" / name / "LC_MESSAGES" / "turnfold.po"
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(po.read_bytes()), name))
    compiled.seek(0)
    return GNUTranslations(compiled)


def _(text: str, /, **args: object) -> str:
    """An English text in the language that is spoken, its placeholders filled."""
    said = tongue().gettext(text) if text else ""
    return said.format(**args) if args else said


def _n(one: str, many: str, count: int, /, **args: object) -> str:
    """The same for what depends on a `{count}`."""
    return tongue().ngettext(one, many, count).format(count=count, **args)


# For templates


def safe(text: str, /, **args: object) -> Markup:
    """What is said, escaped whole."""
    return escape(_(text)).format(**args)


def safe_n(one: str, many: str, count: int, /, **args: object) -> Markup:
    return escape(_n(one, many, count, **args))


def rich(text: str, /, **args: object) -> Markup:
    """The same for a text with tags of its own: what fills it is escaped."""
    return Markup(_(text)).format(**args)
