"""Positions as the dossier writes them, and plays from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from engine.contract import Told, hear
from engine.dice import Dice
from engine.games import flipology
from engine.games.flipology import Fact, Move, Options, State, words
from engine.games.flipology.board import SEATS
from engine.games.flipology.effects import piled
from engine.games.flipology.pieces import Row, Slot, TurnOne
from engine.games.flipology.table import cards

SEED = bytes(32)
VARIANTS = {"nature": "nature", "greatTree": "great_tree"}


def slot(text: str) -> Slot:
    """`Do5` lies face up, `(Do5)` face down."""
    return Slot(text.strip("()"), text[0] != "(")


def row(text: str) -> Row:
    return tuple(map(slot, text.split()))


def position(text: str, **options: object) -> State:
    """From `given nature seats=AB active=A` and a line for each row."""
    lines = [re.sub(r"\s*#.*", "", line) for line in text.strip().splitlines()]
    _, variant, *pairs = lines[0].split()
    given = dict(pair.split("=") for pair in pairs)
    found = re.findall(r"^([A-H])([1-3]?): (.*)$", "\n".join(lines[1:]), re.M)
    rows = {(int(level or 1), SEATS.index(seat)): row(cards) for seat, level, cards in found}
    n, active = len(given["seats"]), SEATS.index(given["active"])
    return State(
        options=Options(variant=VARIANTS[variant], **options),
        start=SEATS.index(given.get("start", given["active"])),
        turn=active,
        deck=(),
        hands=((),) * n,
        plans=((),) * n,
        owed=(TurnOne(),),
        regrown=(False,) * n,
        totals=(0,) * n,
        found=((),) * n,
        rows=tuple(rows[key] for key in sorted(rows)),
        pile=piled((), *map(slot, filter(None, given.get("discard", "").split(",")))),
        clearings=int(given.get("clearings", 6)),
    )


def label(s: State, r: int) -> str:
    """What the row of this number is called."""
    return SEATS[r % s.seats] + (str(r // s.seats + 1) if s.options.tree else "")


def rows(s: State, viewer: object = "open") -> dict[str, str]:
    """All rows as text, as a viewer sees them."""
    seen = flipology.view(s, viewer).rows
    return {label(s, r): cards(row) for r, row in enumerate(seen)}


def play(s: State, *texts: str, number: int = 1) -> tuple[State, list[Told]]:
    """Moves of whoever is to act first, one after the other; all of them are allowed."""
    told: list[Told] = []
    for text in texts:
        seat = flipology.to_act(s)[0]
        move = words.read(text)
        assert flipology.allows(s, seat, move) is None, (text, flipology.allows(s, seat, move))
        s, facts = hear(flipology.apply(s, seat, move, Dice(SEED, number)))
        told += facts
    return s, told


def public(told: Sequence[Told]) -> list[Fact]:
    """What a watcher hears."""
    return [t.fact for t in told if t.fact is not None]


def refusal(s: State, text: str, seat: int | None = None) -> str | None:
    """The code that this move of whoever is to act is refused with."""
    no = flipology.allows(s, flipology.to_act(s)[0] if seat is None else seat, words.read(text))
    return no and no.name


def begun(s: State) -> list[str]:
    """What whoever is to act may begin, as text without the verb."""
    moves = flipology.legal(s, flipology.to_act(s)[0])
    return [words.write(move).partition(" ")[2] for move in moves]


def dealt(seats: int, number: int = 1, **options: object) -> State:
    return hear(flipology.setup(Options(**options), seats, Dice(SEED, number)))[0]


def one_of(s: State, seat: int, chance: Random) -> Move:
    """Some allowed move, piece by piece."""
    more = list(flipology.legal(s, seat))
    while True:
        move = chance.choice(more)
        if flipology.allows(s, seat, move) is None:
            return move
        more = list(flipology.grow(s, seat, move))


class Step(NamedTuple):
    """A move of a match, and what came of it."""

    before: State
    seat: int
    move: Move
    dice: int
    after: State
    told: tuple[Told, ...]


def walk(number: int, seats: int | None = None, **options: object) -> Iterator[Step]:
    """A match of random moves."""
    chance = Random(number)
    s = dealt(seats or chance.choice(flipology.seats(Options(**options))), number, **options)
    k = 1
    while flipology.to_act(s):
        seat = chance.choice(flipology.to_act(s))
        move = one_of(s, seat, chance)
        after, told = done(s, seat, move, k)
        yield Step(s, seat, move, k, after, told)
        s, k = after, k + 1


def done(s: State, seat: int, move: Move, k: int = 1) -> tuple[State, tuple[Told, ...]]:
    return hear(flipology.apply(s, seat, move, Dice(SEED, k)))
