"""What goes into a drawing and what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from engine.contract import Outcome, Seat
from engine.look import Look


class Scene(NamedTuple):
    """All that a drawing knows, which is no more than its viewer may."""

    game: str
    view: Any
    viewer: Seat | Literal["watcher", "open"]
    names: Sequence[str]  # of the seats
    to_act: tuple[Seat, ...] = ()
    outcome: Outcome | None = None
    news: Sequence[Any] = ()  # what the last entry told this viewer: facts of the game
    made: Any = None  # the move as made so far
    picks: Mapping[str, Any] = {}  # written → move: ways to begin it, or to add a piece
    held: str = ""  # what is held, to choose a place for it
    link: str = ""  # where a pick leads: `move=` or `hold=` is added to this

    @property
    def own(self) -> Seat | None:
        """The viewer's seat."""
        return self.viewer if isinstance(self.viewer, int) else None


class Sheet(NamedTuple):
    """A part of a drawing, an SVG of its own; its corner is 0, 0."""

    says: str  # what it shows, for who cannot see it
    width: float
    height: float
    body: str
    scale: float = 1  # pixels of a unit, at most
    scrolls: bool = False  # rather than shrink
    home: tuple[float, float] = (0, 0)  # what stays in its place while the drawing grows


class Drawing(NamedTuple):
    """Sheets in the order they are read, and the picks that are on them.

    `claims` are the picks by what has to be held for them, "" for nothing.
    """

    sheets: Sequence[Sheet]
    claims: Mapping[str, Sequence[str]] = {}

    @property
    def placed(self) -> frozenset[str]:
        """Every pick that needs no button, for the drawing has it."""
        return frozenset(pick for picks in self.claims.values() for pick in picks)


def scene(look: Look, names: Sequence[str], news: Sequence[Any] = ()) -> Scene:
    """A look, to be drawn; there is nothing to pick."""
    return Scene(look.game, look.view, look.viewer, names, look.to_act, look.outcome, news)
