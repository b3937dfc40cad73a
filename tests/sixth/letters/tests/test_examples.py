"""The worked examples of Letters, read from the table that people read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.contract import hear
from engine.dice import Dice
from letters.rules import Options, State, allows, apply
from letters.words import rank, read

TEXT = Path(__file__).with_name("examples.md").read_text()
LINES = re.findall(r"^\| (\S.*) \|$", TEXT, re.M)
ROWS = [[cell.strip() for cell in line.split("|")] for line in LINES if "play" in line]


def hands(cell: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(rank, hand.split())) for hand in cell.split("/"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}, {row[2]}")
def test_worked_example(row: list[str]) -> None:
    held, deck, moves, held_then, came = row
    n = len(hands(held))
    s = State(
        options=Options(favours=1),
        hands=hands(held),
        known=((None,) * n,) * n,
        deck=tuple(map(rank, deck.split())),
        aside=rank("guard"),
        open=(),
        piles=((),) * n,
        safe=(False,) * n,
        favours=(0,) * n,
        turn=0,
    )
    no = None
    for seat, move in re.findall(r"(\d): ([^,]+)", moves):
        no = allows(s, int(seat), read(move))
        if no is None:
            s, _ = hear(apply(s, int(seat), read(move), Dice(bytes(32), 0)))
    assert s.hands == hands(held_then)
    assert came == (no.name if no else " ".join(map(str, s.favours)))
