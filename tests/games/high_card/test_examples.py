"""The worked examples of High card, read from the table that people read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.contract import hear
from engine.dice import Dice
from engine.games.high_card.rules import State, allows, apply, outcome
from engine.games.high_card.words import read

TEXT = Path(__file__).with_name("examples.md").read_text()
LINES = re.findall(r"^\| (\d.*) \|$", TEXT, re.M)
ROWS = [[cell.strip() for cell in line.split("|")] for line in LINES]


def cards(cell: str) -> tuple[int, ...]:
    return tuple(map(int, cell.split()))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}, {row[2]}")
def test_worked_example(row: list[str]) -> None:
    hands, deck, moves, hands_then, deck_then, came = row
    s, no = State(cards(hands), cards(deck)), None
    for seat, move in re.findall(r"(\d):(\w+)", moves):
        no = allows(s, int(seat), read(move))
        if no is None:
            s, _ = hear(apply(s, int(seat), read(move), Dice(bytes(32), 0)))
    places = outcome(s)
    assert (s.hands, s.deck) == (cards(hands_then), cards(deck_then))
    assert came == (no.name if no else " ".join(map(str, places.places)) if places else "–")
