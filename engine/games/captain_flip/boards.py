"""The boards: where their spaces are, which of them touch, and what the box over a column gives."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

Letter = Literal["A", "B", "C", "D", "E"]
Column = Literal["a", "b", "c", "d", "e"]
Space = Literal[
    "a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3", "b4", "b5", "c1", "c2", "c3", "c4", "c5",
    "d1", "d2", "d3", "d4", "d5", "e1", "e2", "e3", "e4", "e5",
]  # fmt: skip
COLUMNS: Final[tuple[Column, ...]] = get_args(Column)
SPACES: Final[tuple[Space, ...]] = get_args(Space)
HEIGHT: Final = 5  # elevations, 1 is the lowest

# Column a to e of each board: its lowest and its highest space, and the box over it.
PRINTED: Final[dict[Letter, tuple[str, ...]]] = {
    "A": ("1-2 none", "1-3 map", "1-5 +5", "3-4 none", "1-3 +3"),
    "B": ("1-2 1/0", "1-3 2/1", "1-5 6/3", "1-1 0/2", "1-4 4/2"),
    "C": ("1-3 map", "1-3 =6", "1-2 none", "1-5 ≠4", "1-2 none"),
    "D": ("2-4 +3", "1-4 2×col", "1-5 1×≠", "3-4 none", "3-3 toll"),
    "E": ("1-4 +4", "1-2 =map", "1-3 ≠flip", "1-3 =draw", "2-4 +3"),
}


class Box(NamedTuple):
    """What is printed over a column, and the numbers in it."""

    text: str
    kind: str  # one of the texts, or `pay`, `alike`, `unlike` where numbers stand in it
    first: int = 0  # to the first at the table who reaches the space
    later: int = 0  # to all others; only a race tells them apart


class Shaft(NamedTuple):
    """A column of a board. Its spaces follow on each other without a gap."""

    name: Column
    low: int  # the elevation of its lowest space
    spaces: tuple[Space, ...]  # from the lowest to the highest
    box: Box


class Layout(NamedTuple):
    """A board, empty."""

    shafts: tuple[Shaft, ...]
    at: dict[Space, tuple[int, int]]  # of each space: the index of its column, its own in there
    beside: dict[Space, tuple[Space, ...]]  # what touches it, in the order of their names


def box(text: str) -> Box:
    number = text.lstrip("+=≠")
    if "/" in text:
        first, later = map(int, text.split("/"))
        return Box(text, "pay", first, later)
    if number.isdigit():
        kind = {"+": "pay", "=": "alike", "≠": "unlike"}[text[0]]
        return Box(text, kind, int(number), int(number))
    return Box(text, text)


def layout(letter: Letter) -> Layout:
    shafts = []
    for name, printed in zip(COLUMNS, PRINTED[letter], strict=True):
        reach, text = printed.split()
        low, high = map(int, reach.split("-"))
        spaces = [space for space in SPACES if space[0] == name and low <= int(space[1]) <= high]
        shafts.append(Shaft(name, low, tuple(spaces), box(text)))
    at = {space: (c, i) for c, shaft in enumerate(shafts) for i, space in enumerate(shaft.spaces)}
    beside = {one: tuple(other for other in at if touch(one, other)) for one in at}
    return Layout(tuple(shafts), at, beside)


def touch(one: Space, other: Space) -> bool:
    """Next to each other in a row or in a column, never diagonally (#6)."""
    across, up = (abs(ord(mine) - ord(its)) for mine, its in zip(one, other, strict=True))
    return across + up == 1


LAYOUTS: Final[dict[Letter, Layout]] = {letter: layout(letter) for letter in PRINTED}
