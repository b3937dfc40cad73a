"""The worked examples, counts and golden games of the dossier, read from its own text."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.contract import hear
from engine.dice import Dice
from engine.games import qwirkle
from engine.games.qwirkle import Options, State
from engine.games.qwirkle.lines import TILES
from engine.games.qwirkle.pieces import Fact, Passed, Place, Placed
from engine.games.qwirkle.words import write

from .positions import SEED, every, play, points, position

TEXT = Path(__file__).with_name("examples.md").read_text()
BLOCKS = re.findall(
    r"### (Q\d+) — [^\n]*\n```\n(given .*?)moves (.*?)\nexpect (.*?)\n```", TEXT, re.S
)
COUNTS = re.findall(r"^\| ([A-F]) \|" + r" (.*?) \|" * 6 + "$", TEXT, re.M)
GOLDEN = re.findall(r"### (GG\d) — n=(\d), a=(\d+), b=(\d+)\n(.*?)(?=\n###|\Z)", TEXT, re.S)
LEAFLET = "R6@0,0 R3@0,-1 R1@0,-2 R4@0,-3 B4@1,-3 P4@2,-3 B1@1,-2"


def test_nothing_is_left_out() -> None:
    assert len(BLOCKS) == TEXT.count("\ngiven ") == 38
    assert (len(COUNTS), len(GOLDEN)) == (6, 3)


@pytest.mark.parametrize(("name", "given", "moves", "expect"), BLOCKS, ids=[b[0] for b in BLOCKS])
def test_worked_example(name: str, given: str, moves: str, expect: str) -> None:
    before = position(given)
    after, told, no = play(before, moves.strip())
    wanted = dict(re.findall(r"(\w+)=(\[.*?\]|\S+)", expect))
    true = {"err": no and no.name} | came_of(after, told)
    assert {key: true[key] for key in wanted} == wanted
    assert ("err" in wanted) == (after is before)


def came_of(s: State, told: list[Fact]) -> dict[str, str | None]:
    """All that an example may expect."""
    outcome = qwirkle.outcome(s)
    hands = {f"h{seat}": f"[{' '.join(hand)}]" for seat, hand in enumerate(s.hands)}
    return (
        hands
        | {f"nh{seat}": str(len(hand)) for seat, hand in enumerate(s.hands)}
        | {
            "pts": str(sum(fact.points for fact in told if isinstance(fact, Placed))),
            "passed": row(fact.seat for fact in told if isinstance(fact, Passed)),
            "sc": row(s.scores),
            "turn": str(s.turn),
            "bag": str(len(s.bag)),
            "phase": "OVER" if outcome else "PLAY",
            "win": outcome and row(winners(s)),
        }
    )


def row(numbers: Any) -> str:
    return f"[{','.join(map(str, numbers))}]"


def winners(s: State) -> list[int]:
    outcome = qwirkle.outcome(s)
    return [seat for seat, place in enumerate(outcome.places) if place == 1] if outcome else []


@pytest.mark.parametrize("count", COUNTS, ids=[count[0] for count in COUNTS])
def test_count_of_placements(count: tuple[str, ...]) -> None:
    """Q51: the closure of `legal` under `grow` is all that there is, each once."""
    name, on, hand, total, by_size, sum_of, top = count
    cells = LEAFLET if name == "C" else on
    s = position(f"n=2 turn=0\nboard {cells}\nbag\nh0 {hand}\nh1 R1\nsc 0 0")
    moves = [move for move in every(s, 0) if isinstance(move, Place)]
    scores = [points(s, move.tiles) for move in moves]
    assert (len(moves), sum(scores)) == (int(total), int(sum_of))
    if moves:
        sizes = Counter(len(move.tiles) for move in moves)
        assert "/".join(str(sizes[n]) for n in range(1, 7)) == by_size
        assert f"{max(scores)} ({scores.count(max(scores))})" == top


class Stacked(Dice):
    """Dice whose one shuffle is the arithmetic of the golden games."""

    def __init__(self, a: int, b: int) -> None:
        super().__init__(SEED, 0)
        self.bag = tuple(TILES[(a * i + b) % 108] for i in range(108))

    def shuffled(self, items: Any) -> Any:
        assert tuple(items) == TILES
        return self.bag


def policy(s: State, seat: int) -> Place:
    """The move of the golden games."""

    def order(move: Place) -> list[tuple[Any, ...]]:
        return [(lay.x, lay.y, "ROYGBP".index(lay.tile[0]), lay.tile[1]) for lay in move.tiles]

    def worth(move: Place) -> Any:
        first = (-points(s, move.tiles), len(move.tiles)) if s.board else ()
        return *first, order(move)

    return min((move for move in every(s, seat) if isinstance(move, Place)), key=worth)


@pytest.mark.parametrize("golden", GOLDEN, ids=[golden[0] for golden in GOLDEN])
def test_golden_game(golden: tuple[str, ...]) -> None:
    _, n, a, b, rest = golden
    s, _ = hear(qwirkle.setup(Options(), int(n), Stacked(int(a), int(b))))
    turns: list[tuple[str, int, str]] = []
    passed = 0
    while qwirkle.to_act(s):
        seat = s.turn
        move = policy(s, seat)
        s, told = hear(qwirkle.apply(s, seat, move, Dice(SEED, 0)))
        got = next(t.fact.points for t in told if isinstance(t.fact, Placed))
        passed += sum(isinstance(t.fact, Passed) for t in told)
        turns.append((f"{seat}:{write(move)}", got, str(list(s.scores))))
    left = " | ".join(" ".join(hand) or "–" for hand in s.hands)
    assert rest.startswith(
        f"Final scores {list(s.scores)}, winner(s) {winners(s)}; {len(turns)} turns; "
        f"left in hand: {left}; forced passes {passed}. "
    )
    listed = re.findall(r"^ *\d+ (\S+:.*?)  =(\d+)  (\[.*?\])$", rest, re.M)
    assert not listed or [(text, int(n), sums) for text, n, sums in listed] == turns
