"""The worked examples of Goofspiel, read from the table that people read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.contract import hear
from engine.dice import Dice
from goofspiel.rules import State, allows, apply
from goofspiel.words import read

TEXT = Path(__file__).with_name("examples.md").read_text()
LINES = re.findall(r"^\| (\d.*) \|$", TEXT, re.M)
ROWS = [[cell.strip() for cell in line.split("|")] for line in LINES]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}, {row[1]}")
def test_worked_example(row: list[str]) -> None:
    prizes, moves, prizes_then, scores, came = row
    n, no = len(scores.split()), None
    s = State(((1, 2, 3, 4),) * n, (None,) * n, (int(prizes),), (3, 1), (0,) * n)
    for seat, move in re.findall(r"(\d):(\d)", moves):
        no = allows(s, int(seat), read(f"bid {move}"))
        if no is None:
            s, _ = hear(apply(s, int(seat), read(f"bid {move}"), Dice(bytes(32), 0)))
    hands = " ".join("".join(map(str, hand)) for hand in s.hands)
    assert " ".join(map(str, s.prizes)) == prizes_then
    assert " ".join(map(str, s.scores)) == scores
    assert came == (no.name if no else hands)
