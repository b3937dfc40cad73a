"""The tiles and the boards, against the drawings and tables of the dossier."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from engine.games.captain_flip.boards import LAYOUTS, PRINTED, SPACES, Letter
from engine.games.captain_flip.pieces import FACES, TILES

TEXT = Path(__file__).with_name("boards.md").read_text()
ROWS = re.findall(r"^\| ([A-E]) \| ([a-e]) \| (\S+) \| (\d) \| (.*?) \|", TEXT, re.M)
PAIRS = re.findall(r"\b(\d+) ([CNKGMPSWL]{2})\b", TEXT)
BOXES = {  # the words of the table and what is printed
    r"none": "none",
    r"take the treasure map": "map",
    r"\+(\d) coins": "+{}",
    r"race (\d)/(\d).*": "{}/{}",
    r"\+(\d) coins if .* ALL identical": "={}",
    r"\+(\d) coins if .* ALL different": "≠{}",
    r"\+2 coins per completed column .*": "2×col",
    r"\+1 coin per different character .*": "1×≠",
    r"toll: .*": "toll",
    r"take the map if .* identical": "=map",
    r"if .* ALL different: flip .*": "≠flip",
    r"if .* identical: draw .*": "=draw",
}


def drawn(letter: Letter) -> set[str]:
    """The spaces of a board in the dossier's drawing, one or two boards wide."""
    whole = TEXT[TEXT.index(f"Board {letter} –") :]
    lines = whole.split("\n")[1:6]
    start = TEXT[: TEXT.index(f"Board {letter} –")].rpartition("\n")[2]
    halves = [line[len(start) : len(start) + 40] for line in lines]
    return {space for half in halves for space in re.findall(r"\[(..)\]", half)}


@pytest.mark.parametrize("letter", PRINTED)
def test_spaces_are_those_drawn(letter: Letter) -> None:
    assert set(LAYOUTS[letter].at) == drawn(letter)
    assert len(LAYOUTS[letter].at) == 15


def test_every_column_is_that_of_the_table() -> None:
    assert len(ROWS) == 25
    for letter, name, spaces, n, words in ROWS:
        shaft = LAYOUTS[letter].shafts["abcde".index(name)]
        first, _, last = spaces.partition("–")
        assert (shaft.name, shaft.spaces[0], shaft.spaces[-1]) == (name, first, last or first)
        assert (len(shaft.spaces), shaft.low) == (int(n), int(first[1]))
        found = [(re.fullmatch(p, words), text) for p, text in BOXES.items()]
        (box,) = [text.format(*fits.groups()) for fits, text in found if fits]
        assert shaft.box.text == box


def test_what_touches_and_how_wide_rows_are() -> None:
    pairs = dict(re.findall(r"\b([A-E]) (\d\d)\b", TEXT.partition("adjacent pairs")[2]))
    widths = re.findall(r"([A-E]) (\d \d \d \d \d)", TEXT.partition("row widths")[2])
    assert len(pairs) == len(widths) == 5
    for letter, wide in widths:
        layout = LAYOUTS[letter]
        assert sum(map(len, layout.beside.values())) == 2 * int(pairs[letter])
        rows = Counter(space[1] for space in layout.at)
        assert [rows[str(n)] for n in range(1, 6)] == [int(n) for n in wide.split()]
        for one, others in layout.beside.items():
            assert list(others) == sorted(others)
            assert all(one in layout.beside[other] for other in others)
            assert one not in others  # R31


def test_traps_of_what_touches() -> None:
    """Below 1.4: not across a missing space, not diagonally (#6)."""
    touch = {letter: layout.beside for letter, layout in LAYOUTS.items()}
    assert {"c3", "e3"} <= set(touch["A"]["d3"])
    apart = ["A c1 e1", "A c2 e2", "B c2 e2", "C b3 d3", "D c2 e3"]
    for letter, one, other in map(str.split, apart):
        assert other not in touch[letter][one]
    assert {"c3", "e3", "d4"} == set(touch["D"]["d3"])


def test_tiles_are_two_of_each_pair_in_their_order() -> None:
    assert len(TILES) == 72
    assert len(PAIRS) == 36
    for k, letters in PAIRS:
        for copy in (0, 1):
            tile = TILES[2 * int(k) + copy]
            assert (tile.up + tile.back, tile.seen) == (letters, False)
    assert Counter(face for tile in TILES for face in (tile.up, tile.back)) == dict.fromkeys(
        FACES, 16
    )
    assert {frozenset(pair) for pair in combinations(FACES, 2)} == {
        frozenset((tile.up, tile.back)) for tile in TILES
    }
    assert len(SPACES) == 25
