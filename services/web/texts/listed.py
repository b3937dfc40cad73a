"""All texts, each once, and where it stands first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from itertools import chain
from typing import Any

from babel.messages.extract import extract

from engine.catalogue import OURS
from engine.entries import NO_LESS
from engine.match import No
from engine.sentences import WHYS
from services.problems import PROBLEMS
from services.web import conditions, forms, readmes, scripts
from services.web.render import PLAIN
from services.web.texts.modules import Text, Unclear, of_modules

MARKS = {"_": None, "rich": None, "_n": (1, 2)}  # in templates
PLACEHOLDER = re.compile(r"\{(\w+)[^{}]*\}")


def listed() -> list[Text]:
    """In the order of their places; those that have a word, or parts to be put in order."""
    found: dict[str, Text] = {}
    for text in chain(_of_modules(), _of_templates(), _of_scripts(), _of_games(), _of_problems()):
        parts = len(placeholders(text.one))
        if parts > 1 or re.search(r"[^\W\d_]{2}", PLACEHOLDER.sub("", text.one)):
            found.setdefault(text.one, text)
    return list(found.values())


def unclear() -> list[Unclear]:
    """What games say that cannot be translated, as it is written down nowhere."""
    texts = of_modules()
    return [one for one in texts if isinstance(one, Unclear) and "engine/games/" in one.where]


def placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


def _of_modules() -> Iterator[Text]:
    return (text for text in of_modules() if isinstance(text, Text))


def _of_templates() -> Iterator[Text]:
    for path in sorted(files("services.web").joinpath("templates").iterdir(), key=str):
        with path.open("rb") as template:
            for _, text, _, _ in extract("jinja2.ext:babel_extract", template, MARKS):
                one, many = text if isinstance(text, tuple) else (text, "")
                yield Text(one, many, f"services/web/templates/{path.name}")


def _of_scripts() -> Iterator[Text]:
    for name in scripts.OWN:
        for one, many in scripts.texts((name,)):
            yield Text(one, many, f"services/web/static/{name}")


def _of_games() -> Iterator[Text]:
    for path in OURS.split():
        game = import_module(path)
        name = game.NAME
        where = f"engine/games/{name.replace('-', '_')}"
        for version in (game, *getattr(game, "EARLIER", ())):
            for text in _of_game(name, version):
                yield Text(text, "", where)
    yield from (Text(why, "", "engine/entries.py") for why in NO_LESS)
    yield from (Text(why, "", "engine/sentences.py") for why in WHYS)
    yield from (Text(no.says, "", "engine/match.py") for no in No)


def _of_game(name: str, game: Any) -> Iterator[str]:
    yield from (readmes.head(name), readmes.first(name))
    for field in forms.fields(name):
        yield from (field.label, field.help, *field.choices)
    yield from getattr(game.words, "WHYS", ())
    yield from (no.says for no in game.No)
    for type in conditions.facts(game):
        yield conditions.label(type)
        for part in conditions.parts(game, type):
            yield from (part.label, *(one for one in part.choices if one.isalpha()))


def _of_problems() -> Iterator[Text]:
    for name, (_, title, detail) in PROBLEMS.items():
        yield Text(title, "", "services/problems.py")
        if name not in PLAIN and "`" not in detail:  # that is for programs
            yield Text(detail, "", "services/problems.py")
