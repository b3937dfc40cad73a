"""Positions and plays as the dossier writes them; its seats are A to E, ours 0 to 4."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any

from engine.contract import Told, Viewer, hear
from engine.dice import Dice
from engine.games import flipout
from engine.games.flipout import Move, No, Options, State, words

SEED = bytes(32)
LETTERS = "ABCDE"
GAPS = ("--",) * 6
LONG = 2000  # moves: no match is


def seat_of(letter: str) -> Viewer:
    """A seat, or a watcher, written `-`."""
    return None if letter == "-" else LETTERS.index(letter)


def cards(text: str) -> tuple[Any, ...]:
    """`r/g y/b -- (empty)`."""
    return tuple(card.replace("/", "") for card in text.split() if card != "(empty)")


def written(cards: Iterable[str]) -> str:
    return " ".join("--" if card == "--" else "/".join(card) for card in cards) or "(empty)"


def position(text: str) -> State:
    """A state from `given seats=AB active=A` and the lines `deck:`, `A:`, `pile A:`.

    Of piles alone it is one whose match is over.
    """
    head, *lines = text.strip().splitlines()
    given = dict(pair.split("=") for pair in head.split()[1:])
    rows = dict(line.split(":") for line in lines)
    names = given["seats"]
    tokens = tuple(map(int, given.get("tokens", ",".join("0" * len(names))).split(",")))
    over = "deck" not in rows
    return State(
        options=Options(tokens="tokens" in given),
        deck=cards(rows.get("deck", "")),
        holders=tuple(GAPS if over else cards(rows[name]) for name in names),
        piles=tuple(tuple(rows.get(f"pile {name}", "").strip()) for name in names),
        turn=LETTERS.index(given["active"]),
        tokens=tokens,
        owed=() if over else ("act",) * int(given.get("actions", 2)),
        quiet=int(given.get("quiet", 0)),
        over="the deck ran out" if over else "",
    )


def table(
    deck: str, *holders: str, tokens: int | None = None, active: str = "A", **given: int
) -> State:
    """A position where A is to move, with no card taken yet."""
    names = LETTERS[: len(holders)]
    more = {"tokens": ",".join([str(tokens)] * len(names))} if tokens is not None else {}
    pairs = [f"{name}={value}" for name, value in {**more, **given}.items()]
    head = " ".join([f"given seats={names} active={active}", *pairs])
    rows = [f"{name}: {row}" for name, row in zip(names, holders, strict=True)]
    return position("\n".join([head, f"deck: {deck}", *rows]))


def turn(text: str) -> list[Move]:
    """A turn is one line: `S A4=B2 ; C A1-4`, `D>4 ; .`, `+ F A3`."""
    marked = text.replace("D>", "D ; >").replace("+ ", "+ ; ")
    return [words.read(part) for part in marked.split(" ; ")]


def play(s: State, text: str) -> tuple[State, tuple[Told, ...], No | None]:
    """The moves of a turn, until one is refused."""
    told: tuple[Told, ...] = ()
    for move in turn(text):
        if no := flipout.allows(s, s.turn, move):
            return s, told, no
        s, more = hear(flipout.apply(s, s.turn, move, Dice(SEED, 1)))
        told += more
    return s, told, None


def every(s: State, seat: int) -> list[Move]:
    """All that is reached from the beginnings and may be played as it stands."""
    found = dict.fromkeys(flipout.legal(s, seat))
    for move in list(found):
        found |= dict.fromkeys(flipout.grow(s, seat, move))
    return [move for move in found if flipout.allows(s, seat, move) is None]


@cache
def walk(number: int, options: Options | None = None) -> list[tuple[State, tuple[Told, ...]]]:
    """A match of random moves that likes to take sets: each state, what was told on the way."""
    chance, seats = Random(number), 2 + number % 4
    steps = [hear(flipout.setup(options or Options(), seats, Dice(SEED, number)))]
    while flipout.to_act(s := steps[-1][0]):
        moves = every(s, s.turn)
        hint = [flipout.hint(flipout.view(s, s.turn), s.turn, move) for move in moves]
        best = moves[hint.index(max(hint))]
        move = best if chance.random() < 0.7 else chance.choice(moves)
        assert flipout.allows(s, s.turn, move) is None
        assert len(steps) < LONG
        steps.append(hear(flipout.apply(s, s.turn, move, Dice(SEED, len(steps)))))
    return steps
