"""Games, as their READMEs tell of them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from markdown_it import MarkdownIt
from markupsafe import Markup

from engine.catalogue import GAMES
from services.web.tongues import _


def titles() -> dict[str, str]:
    """What each game is called."""
    return {name: title(name) for name in GAMES}


def title(game: str) -> str:
    """The head of its README, up to its first comma, or that in another language."""
    return _(head(game))


def blurb(game: str) -> Markup:
    """What a game is."""
    return Markup(_markdown.renderInline(_(first(game))))


@cache
def head(game: str) -> str:
    return _readme(game).partition("\n")[0][2:].partition(",")[0]


@cache
def first(game: str) -> str:
    """The first sentence about a game."""
    sentence = _readme(game).split("\n\n")[1].replace("\n", " ").partition(". ")[0]
    return sentence.removesuffix(".") + "."


@cache
def letters(game: str) -> str:
    """Two letters for the emblem of a game."""
    capitals = [letter for letter in head(game) if letter.isupper()]
    return "".join(capitals[:2]) if len(capitals) > 1 else head(game)[:2]


@cache
def rules(game: str) -> Markup:
    """The rules of a game, as we play them."""
    return Markup(_markdown.render(_readme(game)))


def _readme(game: str) -> str:
    package = GAMES[game].__name__  # type: ignore[attr-defined]
    return files(package).joinpath("README.md").read_text()


_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
