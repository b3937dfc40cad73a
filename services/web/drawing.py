"""What a match looks like: its board drawn for a page, or as a picture of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from engine.look import Look
from services.web import boards
from services.web.boards.scene import scene
from services.web.boards.sheets import file, inline, plain
from services.web.render import FILES
from services.web.shown import Making, table

LONGEST = 100  # letters of what is held


class Board(NamedTuple):
    """A drawing for a page, and the picks that are on it."""

    drawn: Markup | None
    placed: frozenset[str] = frozenset()


def board(
    look: Look,
    seats: Sequence[str],
    news: Sequence[Any],
    making: Making | None = None,
    held: str = "",
    chosen: bool = False,
) -> Board:
    """The table, drawn; with controls for who is making a move. After a piece was `chosen`, what
    comes next has the focus."""
    what = scene(look, seats, news)
    if making is not None:
        trail = urlencode([("made", move) for move in making.trail])
        link = f"/table/{look.match}?{trail}{'&' if trail else ''}"
        what = what._replace(made=making.begun, picks=making.ways, held=held[:LONGEST], link=link)
    drawing = boards.draw(what)
    if drawing is None:
        return Board(None)
    focus = chosen and (bool(held) or not (making and making.ready))
    return Board(Markup(inline(drawing, focus)), drawing.placed)


def picture(look: Look, seats: Sequence[str], news: Sequence[Any], head: str) -> str:
    """The table as an SVG of its own."""
    text = table(look, seats)
    drawing = boards.draw(scene(look, seats, news)) or plain(text.split("\n"))
    styles = (FILES.get(name, b"").decode() for name in ("board.css", f"{look.game}.css"))
    return file(drawing, head, text, "".join(styles))
