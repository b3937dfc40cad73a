"""A game for tests over HTTP: all seats choose a number at once, and see all once all have chosen.

Options can make its facts long, for readers that are slow.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.contract import OPEN, Outcome, Play, Refusal, Said, Seat, Told, Viewer, put, ranked
from engine.contract import whole as grow  # noqa: F401
from engine.dice import Dice

NAME, RULES = "together", 1


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Annotated[int, Meta(ge=1, le=1000)] = 1
    padding: Annotated[int, Meta(ge=0, le=100_000)] = 0  # characters in each fact


class State(Struct, frozen=True, forbid_unknown_fields=True):
    options: Options
    chosen: tuple[int | None, ...]
    scores: tuple[int, ...]
    round: int = 0


class Choose(Struct, frozen=True, forbid_unknown_fields=True, tag="choose"):
    number: Annotated[int, Meta(ge=0, le=9)]


class Chose(Struct, frozen=True, forbid_unknown_fields=True, tag="chose"):
    seat: Seat
    number: int | None
    padding: str


class Shown(Struct, frozen=True, forbid_unknown_fields=True, tag="shown"):
    numbers: tuple[int | None, ...]


class View(Struct, frozen=True, forbid_unknown_fields=True):
    chosen: tuple[int | None, ...]
    waiting: tuple[Seat, ...]
    scores: tuple[int, ...]


class No(Refusal):
    CHOSEN_ALREADY = "T1", "You have chosen; wait for the others."


class words:
    write = staticmethod(lambda move: str(move.number))
    read = staticmethod(lambda text: Choose(int(text)))
    say = staticmethod(lambda fact: Said("{what}", {"what": type(fact).__name__}))
    show = staticmethod(lambda view, names: str(view))


Move, Fact = Choose, Chose | Shown


def seats(options: Options) -> range:
    return range(1, 9)


def setup(options: Options, seats: int, dice: Dice) -> Play[State]:
    yield from ()
    return State(options, (None,) * seats, (0,) * seats)


def to_act(s: State) -> tuple[Seat, ...]:
    over = s.round == s.options.rounds
    return () if over else tuple(seat for seat, n in enumerate(s.chosen) if n is None)


def legal(s: State, seat: Seat) -> tuple[Choose, ...]:
    return tuple(map(Choose, range(10))) if seat in to_act(s) else ()


def allows(s: State, seat: Seat, move: Choose) -> No | None:
    return None if seat in to_act(s) else No.CHOSEN_ALREADY


def apply(s: State, seat: Seat, move: Choose, dice: Dice) -> Play[State]:
    padding = "x" * s.options.padding
    own, others = Chose(seat, move.number, padding), Chose(seat, None, padding)
    yield Told(others, to=((seat, own),))
    chosen, scores, turn = put(s.chosen, seat, move.number), s.scores, s.round
    if None not in chosen:
        yield Told(Shown(chosen))
        scores = tuple(score + (n or 0) for score, n in zip(scores, chosen, strict=True))
        chosen, turn = (None,) * len(chosen), turn + 1
    return State(s.options, chosen, scores, turn)


def view(s: State, viewer: Viewer) -> View:
    seen = tuple(n if viewer in (OPEN, seat) else None for seat, n in enumerate(s.chosen))
    return View(seen, to_act(s), s.scores)


def outcome(s: State) -> Outcome | None:
    over = s.round == s.options.rounds
    return ranked(s.scores, "highest sum") if over else None


def default(s: State, seat: Seat) -> Choose:
    return Choose(0)
