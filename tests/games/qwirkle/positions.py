"""Positions and plays as the dossier writes them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.contract import Told, hear
from engine.dice import Dice
from engine.games import qwirkle
from engine.games.qwirkle import Fact, Move, No, Options, State, words
from engine.games.qwirkle.lines import Lay, spread
from engine.games.qwirkle.rules import score

SEED = bytes(32)
OPENING = "n=2 turn=0\nboard\nbag O2 Y3 B5\nh0 R1 R3 R6 B2 G4 Y5\nh1 O2 Y3 G4 B5 P6 R1\nsc 0 0"
Seen = tuple[State, list[Fact], No | None]  # after a play: the state, all facts, a refusal


def position(text: str, options: Options | None = None) -> State:
    """A state from `n=2 turn=0` and the lines `board`, `bag`, `h0` and so on, `sc`."""
    head, *lines = [line.split() for line in text.strip().removeprefix("given").splitlines()]
    given = dict(pair.split("=") for pair in head)
    row: dict[str, Any] = {name: tuple(rest) for name, *rest in lines}
    hands = tuple(row[f"h{seat}"] for seat in range(int(given["n"])))
    scores = tuple(map(int, row["sc"]))
    board = laid(" ".join(row["board"]))
    return State(options or Options(), row["bag"], hands, scores, int(given["turn"]), board)


def laid(text: str) -> tuple[Lay, ...]:
    """The tiles of a board of any size."""
    return tuple(words.read(cell).tiles[0] for cell in text.split())


def play(s: State, line: str) -> Seen:
    """Commands as in `0:R1@0,0 ; 1:swap B2`, until one is refused."""
    told: list[Fact] = []
    for command in line.split(" ; "):
        seat, _, text = command.partition(":")
        move = words.read(text)
        if no := qwirkle.allows(s, int(seat), move):
            return s, told, no
        s, facts = hear(qwirkle.apply(s, int(seat), move, Dice(SEED, 1)))
        told += [fact.fact for fact in facts]
    return s, told, None


def every(s: State, seat: int) -> Iterator[Move]:
    """All that is reached from the beginnings and may be played as it stands."""
    found = dict.fromkeys(qwirkle.legal(s, seat))
    new = list(found)
    while new:
        grown = dict.fromkeys(more for move in new for more in qwirkle.grow(s, seat, move))
        new = [move for move in grown if move not in found]
        found |= dict.fromkeys(new)
    return (move for move in found if qwirkle.allows(s, seat, move) is None)


def points(s: State, tiles: tuple[Lay, ...]) -> int:
    """What a placement would score."""
    return sum(score(s.chart.tiles | spread(tiles), tiles, s.options.qwirkle_bonus))


def table(board: str, bag: str, *hands: str, options: Options | None = None) -> State:
    """A position where seat 0 is to move and nobody has scored yet."""
    rows = "".join(f"\nh{seat} {hand}" for seat, hand in enumerate(hands))
    scores = "0 " * len(hands)
    return position(f"n={len(hands)} turn=0\nboard {board}\nbag {bag}{rows}\nsc {scores}", options)


def one_of(s: State, seat: int, chance: Random) -> Move:
    """Some allowed move: first whether to place, then piece by piece."""
    begun = list(qwirkle.legal(s, seat))
    kind = chance.choice(sorted({type(move) for move in begun}, key=str))
    more = [move for move in begun if isinstance(move, kind)]
    while True:
        move = chance.choice(more)
        ready = qwirkle.allows(s, seat, move) is None
        more = list(qwirkle.grow(s, seat, move))
        if ready and (not more or chance.random() < 0.5):
            return move


def walk(number: int, options: Options | None = None) -> list[tuple[State, tuple[Told, ...]]]:
    """A match of random moves: each state and what was told on the way to it."""
    chance, seats = Random(number), 2 + number % 5
    steps = [hear(qwirkle.setup(options or Options(), seats, Dice(SEED, number)))]
    while qwirkle.to_act(s := steps[-1][0]):
        move = one_of(s, s.turn, chance)
        assert qwirkle.allows(s, s.turn, move) is None
        steps.append(hear(qwirkle.apply(s, s.turn, move, Dice(SEED, len(steps)))))
    return steps
