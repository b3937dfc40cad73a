"""The drawn boards: for each game a pure function from what a viewer may see to SVG.

A drawing gets a `Scene` and gives a `Drawing`; nothing else goes in or comes out, so the same
drawing serves the table, the replay, an embed, `board.svg`, pictures and films. A game without one
is shown as its words show it. To add a board, write `services/web/boards/<game>.py` with

    def draw(scene: Scene) -> Drawing

name it in `BOARDS` below, and put its look into `services/web/static/<game>.css`. `qwirkle.py` is
the example to read; `ink.py` has what writes SVG: `tag`, `at`, `box`, `text`, `pick`, `hold`. See
what you made: `python -m tests.web.shots FOLDER GAME`.

*What a scene holds* (`scene.py`): the game's own `view`, the viewer, the names of the seats, whom
the match waits for, and the `news`: the facts that the last entry told this viewer, to mark what
the view alone does not say was last. For a seat that may move also the move as `made` so far and
its `picks`: every way to begin it or to add one piece, written (as `words.write` has it) → move.

*What a drawing is made of.* Sheets: each is an SVG of its own, so that small ones (a hand, a
player's area) flow beside each other like words, on a phone below each other. Sizes are in units;
`scale` is how many pixels a unit has at most. A sheet shrinks with the page, unless it `scrolls`:
then it keeps its size within a frame of its own, centred on what has the class `last` or `made`,
and `home` is the point that stays where it is when the drawing grows; one sheet may. Keep what
must be read readable at 300 pixels. `says` is the sheet in a few words, for who cannot see it; the
whole table as text is always on the page besides.

*Targets.* Where a pick belongs to a place or a piece, that place or piece is the control: wrap it
in `pick(scene, written, says, ...)`, lit by the class `lit` on one shape in it, or `lit rim` if it
lies over a piece that is to be seen. Where it is not plain what happens, a word says it: class
`does`. Where several picks begin with one piece (a tile of the hand), wrap that piece in
`hold(scene, name, says, ...)`: who clicks it gets the same scene again with `held` = that name,
and the drawing then shows the picks that belong to it. Forget a `held` that is not one of yours.
What is neither a place nor a piece (pass, end the turn) leave alone: it gets a button below.

`claims` says which picks the drawing has: by the name of what has to be held for them, "" for
nothing. It does not depend on `scene.held`. Each claimed pick is drawn exactly once, with that
held; all others become buttons. `tests/web/test_boards.py` holds every drawing to this, to
well-formed XML, and to secrecy: what two worlds show alike is drawn alike, byte for byte.

*Motion* shows what the last entry changed, to who has not asked for less of it: `fresh` arrives,
`turned` turns over, and a group with `data_from` (and no transform of its own) comes from what has
that name as its `data_at`.

*Style.* No script, no style attribute: classes and presentation attributes only, for the page's
policy forbids more. `static/board.css` gives colours as variables, for dark and for light, and the
classes that all boards share: `lit`, `last` (the last move), `made` (laid, not yet played), `quiet`
(said in passing), `name`, `area` (of a player; `acts`, `won`), `does`. Other classes are a game's
own; take none that `turnfold.css` has.
Pictures are drawn by a plainer renderer: keep to simple selectors for what must be there. Tell
nothing by colour alone: letters and shapes too. All art is our own. Words are said by `_` and `_n`
of `services.web.tongues`, in whose language is spoken; so no words in what a cache keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, get_type_hints

from engine.catalogue import GAMES
from services.web.boards import captain_flip, flipology, flipout, high_card, qwirkle, uno_flip
from services.web.boards.scene import Drawing, Scene

BOARDS: dict[str, Callable[[Scene], Drawing]] = {
    "captain-flip": captain_flip.draw,
    "flipology": flipology.draw,
    "flipout": flipout.draw,
    "high-card": high_card.draw,
    "qwirkle": qwirkle.draw,
    "uno-flip": uno_flip.draw,
}


def draw(scene: Scene) -> Drawing | None:
    """The board of this scene; None before the deal, and for what has no drawing."""
    if scene.view is None or not drawable(scene.game, scene.view):
        return None
    return BOARDS[scene.game](scene)


def drawable(game: str, view: Any) -> bool:
    """Is there a drawing? Not of a view of another type, by earlier rules: words show that."""
    return game in BOARDS and (view is None or isinstance(view, _view_of(game)))


@cache
def _view_of(game: str) -> type:
    found: type = get_type_hints(GAMES[game].view)["return"]
    return found
