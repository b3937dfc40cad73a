"""Positions and plays as the dossier writes them; its seats count from 1, ours from 0."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from msgspec.structs import replace

from engine.contract import Told, hear
from engine.dice import Dice
from engine.games import captain_flip
from engine.games.captain_flip import Fact, Move, No, Options, State, words
from engine.games.captain_flip.notation import step_text, tile_text
from engine.games.captain_flip.pieces import TILES, Board, Draw, EndTurn, Tile
from engine.games.captain_flip.rules import run

SEED = bytes(32)
EMPTY: Board = ((),) * 5
Seen = tuple[State, list[Fact], No | None]  # after a play: the state, all facts, a refusal


def tile(text: str) -> Tile:
    """`Gs`, up and back; `Gs*` where the back was seen."""
    return Tile(text[0], text[1].upper(), text[2:] == "*")


def board(text: str) -> Board:
    """`Sl Kp / - / Gs* / - / -`, columns a to e, each from the bottom."""
    columns = [column.replace("-", "").split() for column in text.split("/")]
    return tuple(tuple(map(tile, column)) for column in columns)


def written(columns: Board) -> str:
    stars = [[f"{t.up}{t.back.lower()}{'*' * t.seen}" for t in column] for column in columns]
    return " / ".join(" ".join(column) or "-" for column in stars)


def position(given: str, seen_backs: str = "shown") -> State:
    """A state from the lines `board A; seats 2; …`, `p1 …`, `bag …`; what is not said is 0."""
    head, *lines = given.strip().splitlines()
    says = dict(part.strip().partition(" ")[::2] for part in head.split(";"))
    rows = dict(line.partition(" ")[::2] for line in lines)
    seats = int(says["seats"])
    boards = tuple(board(rows[f"p{n + 1}"]) if f"p{n + 1}" in rows else EMPTY for n in range(seats))
    bag = tuple(tile(text) for text in rows.get("bag", "").split() if text != "end")
    laid = [t for columns in boards for column in columns for t in column]
    return State(
        Options(says["board"], seen_backs, "solo" in says),
        int(says["first"]) - 1,
        int(says["active"]) - 1,
        bag if "end" in rows.get("bag", "") else bag + others([*laid, *bag]),
        boards,
        tuple(map(int, says["coins"].split())),
        None if says["map"] == "-" else int(says["map"]) - 1,
        owed=(Draw(), EndTurn()),
    )


def others(tiles: list[Tile]) -> tuple[Tile, ...]:
    """What is in the box besides these; an example respects the supply."""
    left = list(TILES)
    for t in tiles:
        left.remove(next(o for o in left if {o.up, o.back} == {t.up, t.back}))
    return tuple(left)


def begun(given: str, seen_backs: str = "shown") -> State:
    """The same, once the first tile is drawn."""
    return hear(run(position(given, seen_backs)))[0]


def table(line: str, *rows: str, seen_backs: str = "shown") -> State:
    """`A 1 2 0,0` is board, active seat and first seat (from 1), coins; nobody has the map."""
    letter, active, first, coins = line.split()
    sums = coins.split(",")
    head = f"board {letter}; seats {len(sums)}; first {first}; active {active}; map -"
    return begun("\n".join([f"{head}; coins {' '.join(sums)}", *rows]), seen_backs)


def play(s: State, line: str) -> Seen:
    """Moves as in `F a @b2`, each by whose turn it is, until one is refused."""
    told: list[Fact] = []
    for text in line.split():
        seat, move = s.turn, words.read(text)
        if no := captain_flip.allows(s, seat, move):
            return s, told, no
        s, facts = hear(captain_flip.apply(s, seat, move, Dice(SEED, 1)))
        told += [fact.fact for fact in facts]
    return s, told, None


def phase(s: State) -> str:
    return re.sub(":.*", "", step_text(s.owed[0])) if s.owed else "OVER"


def offered(s: State) -> list[str]:
    return [words.write(move) for move in captain_flip.legal(s, s.turn)]


def view_text(columns: Any) -> str:
    """A board as a viewer sees it, in the dossier's writing."""
    return " / ".join(" ".join(map(tile_text, column)) or "-" for column in columns)


def walk(number: int, options: Options, seats: int) -> list[tuple[State, tuple[Told, ...], Move]]:
    """A match of random moves: each state, what was told on the way to it, and the move."""
    chance = Random(number)
    steps = [(*hear(captain_flip.setup(options, seats, Dice(SEED, number))), None)]
    while captain_flip.to_act(s := steps[-1][0]):
        move = chance.choice(list(captain_flip.legal(s, s.turn)))
        assert captain_flip.allows(s, s.turn, move) is None
        steps.append((*hear(captain_flip.apply(s, s.turn, move, Dice(SEED, 1))), move))
    return steps


def over(s: State) -> State:
    """The same, as if it ended here."""
    return replace(s, hand=None, owed=(), over=True)


def of(told: list[Fact], kind: type) -> list[Fact]:
    return [fact for fact in told if isinstance(fact, kind)]
