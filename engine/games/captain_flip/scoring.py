"""What a board comes to, and who wins (5.2, 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.contract import Outcome, Seat, ranked

from .boards import LAYOUTS, Layout, Letter
from .facts import Score, Seen
from .pieces import Face, State, Tile

SWABBIES: Final = (0, 1, 4, 9, 16, 25)  # by how many columns have one (#8)
CARPENTER, LOOKOUT = 3, 4
OUT: Final = 3  # so many Gunners lose (#1)
NOBODY: Final = 2  # the place of all where nobody comes first
RANKS: Final = (
    (61, "Terror of the Tides"),
    (56, "Commodore"),
    (51, "Bosun"),
    (41, "Helmsman"),
    (31, "Oarsman"),
    (0, "Castaway"),
)  # R29: from so many coins on
Faces = tuple[tuple[Face, ...], ...]


def faces(board: Sequence[Sequence[Tile | Seen]]) -> Faces:
    return tuple([tuple([tile.up for tile in tiles]) for tiles in board])


@lru_cache(maxsize=1 << 12)  # each look counts all boards, of which most are as they were
def score(board: Letter, up: Faces, coins: int) -> Score:
    """Of the faces up on a board, and these coins."""
    layout = LAYOUTS[board]
    swabbies = SWABBIES[sum("S" in column for column in up)]
    carpenters = CARPENTER * safe_carpenters(layout, up)
    lookouts = LOOKOUT * sum("L" in column[-1:] for column in up)  # R17
    parrots = -sum(column.count("P") for column in up)
    columns = sum(grey(layout, c, column) for c, column in enumerate(up))
    total = max(0, coins + swabbies + carpenters + lookouts + parrots + columns)  # R20
    gunners = sum(column.count("G") for column in up)
    out = gunners >= OUT
    return Score(coins, swabbies, carpenters, lookouts, parrots, columns, total, gunners, out)


def safe_carpenters(layout: Layout, up: Faces) -> int:
    """With no Gunner in the column and none in the row, however wide its gaps (R16)."""
    lows = [shaft.low for shaft in layout.shafts]
    mined = [low + i for low, column in zip(lows, up, strict=True) for i in spots(column, "G")]
    return sum(
        "G" not in column and low + i not in mined
        for low, column in zip(lows, up, strict=True)
        for i in spots(column, "W")
    )


def spots(column: Sequence[Face], face: Face) -> list[int]:
    return [i for i, up in enumerate(column) if up == face]


def grey(layout: Layout, c: int, column: Sequence[Face]) -> int:
    """A box that pays at the end, if its column is full (R15)."""
    shaft = layout.shafts[c]
    if len(column) < len(shaft.spaces):
        return 0
    pays = {"alike": alike, "unlike": unlike}.get(shaft.box.kind)
    return shaft.box.first if pays and pays(column) else 0


def alike(column: Sequence[Face]) -> bool:
    return len(set(column)) == 1


def unlike(column: Sequence[Face]) -> bool:
    return len(set(column)) == len(column)


def scores(s: State) -> tuple[Score, ...]:
    """Of each seat, if the match ended now."""
    return tuple(
        score(s.options.board, faces(board), coins)
        for board, coins in zip(s.boards, s.coins, strict=True)
    )


def outcome(s: State) -> Outcome | None:
    return result(scores(s), s.map_holder, s.options.solo) if s.over else None


def result(found: Sequence[Score], map_holder: Seat | None, solo: bool) -> Outcome:
    """The highest total wins, among equals the map; who is out is last, with all who are (R21)."""
    totals = tuple(score.total for score in found)
    if all(score.out for score in found):  # R19
        return Outcome((NOBODY,) * len(found), totals, "three Gunners")
    if solo:
        return ranked(totals, f"solo: {rank(totals[0])}")
    keys = [standing(one, seat == map_holder) for seat, one in enumerate(found)]
    best = max(keys)
    if sum(key[:2] == best[:2] for key in keys) == 1:
        return ranked(totals, "highest total", keys)
    return ranked(totals, "equal totals, and the map" if best[2] else "equal totals", keys)


def standing(score: Score, has_map: bool) -> tuple[bool, int, bool]:
    """What is compared, the higher the better; all who are out are equal."""
    return (False, 0, False) if score.out else (True, score.total, has_map)


def rank(total: int) -> str:
    """What one who plays alone is called at the end (R29)."""
    return next(name for least, name in RANKS if total >= least)
