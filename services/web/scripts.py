"""What the scripts of the page say, in the language that is spoken: `tongue.js` looks it up."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from babel.messages.extract import extract
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from services.web.tongues import spoken, tongue

CALLS = {"_": None, "_n": (1, 2)}  # how a text is marked, and which arguments are texts


STATIC = files("services.web").joinpath("static")
OWN = tuple(
    sorted(
        path.name
        for path in STATIC.iterdir()
        if path.name.endswith(".js") and not path.name.endswith(".min.js")
    )
)


def words(*names: str) -> Markup:
    """The texts of these scripts, in English → as they are said; of a count one and many. Without
    names those of all, but for the long ones of an audit."""
    if spoken() == "en":
        return Markup("{}")
    names = names or tuple(name for name in OWN if name != "audit.js")
    return htmlsafe_json_dumps({text: _said(text, many) for text, many in texts(names)})


def _said(text: str, many: str) -> str | list[str]:
    if not many:
        return tongue().gettext(text)
    return [tongue().ngettext(text, many, n) for n in (1, 2)]


@cache
def texts(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """What is marked in these scripts: a text, and its plural or nothing."""
    found: dict[str, str] = {}
    for name in names:
        with STATIC.joinpath(name).open("rb") as script:
            for _, text, _, _ in extract("javascript", script, CALLS):
                one, many = text if isinstance(text, tuple) else (text, "")
                found[one] = many
    return tuple(found.items())
