"""What a robot with sense thinks of a move, by what its seat sees: it looks one tile ahead.

A board is worth its score if the match ended now, and what it promises: boxes half reached, the
map, Gunners that come near to three. All in hundredths of a coin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Sized
from functools import lru_cache
from typing import Final, NamedTuple

from engine.contract import Seat, put

from .boards import COLUMNS, LAYOUTS, Box, Layout, Letter, Shaft
from .facts import View
from .pieces import COPIES, FACES, Face, Flip, Move, Place, Target, completed
from .scoring import Faces, alike, faces, score, unlike

COIN: Final = 100
SEEN: Final = 1 << 14  # what is remembered, since boards come back in the worlds of a search
HOARD: Final = 1000  # more coins than any board can cost
MAP: Final = 220  # it pays in turns to come, and breaks ties
ANOTHER_TILE, ANOTHER_FLIP = 330, 60
GUNNERS: Final = (0, -20, -150)  # what so many endanger
LOST: Final = -4000


class Ground(NamedTuple):
    """What holds whatever is known of backs."""

    board: Letter
    tops: tuple[bool, ...]  # has nobody reached the top of this column yet?
    more: bool  # are there tiles to draw?
    solo: bool

    @property
    def layout(self) -> Layout:
        return LAYOUTS[self.board]


class Known(NamedTuple):
    """What holds of the table while a seat thinks."""

    ground: Ground
    backs: tuple[tuple[Face | None, ...], ...]
    pairs: Counter[frozenset[Face]]  # tiles of which both sides are known


class Draft(NamedTuple):
    """A board to be."""

    up: Faces
    coins: int
    has_map: bool
    extra: int = 0  # what is still to come of it


def hint(view: View, seat: Seat, move: Move) -> int:
    """How well this move looks, in hundredths of a coin."""
    known, draft = known_to(view, seat), drafted(view, seat)
    ground = known.ground
    match move:
        case Flip():
            assert view.hand is not None
            return expected(known, view.hand.up, lambda face: best_place(ground, draft, face))
        case Place(column):
            assert view.hand is not None
            c, face = COLUMNS.index(column), view.hand.up
            extra = best_flip(known, draft, c) if face == "M" else 0
            return place(ground, draft, c, face) + extra
        case Target(space):
            return flip(known, draft, *ground.layout.at[space])


@lru_cache(maxsize=1)  # a robot weighs several moves of one view
def known_to(view: View, seat: Seat) -> Known:
    tiles = [tile for board in view.boards for column in board for tile in column]
    tops = reachable(LAYOUTS[view.options.board], view.boards)
    return Known(
        Ground(view.options.board, tops, view.bag > 0, view.options.solo),
        tuple(tuple(tile.back for tile in column) for column in view.boards[seat]),
        Counter(frozenset((tile.up, tile.back)) for tile in tiles if tile.back is not None),
    )


def reachable(layout: Layout, boards: Sequence[Sequence[Sized]]) -> tuple[bool, ...]:
    """Has nobody reached the top of a column yet?"""
    sizes = [len(shaft.spaces) for shaft in layout.shafts]
    return tuple([all(len(board[c]) < size for board in boards) for c, size in enumerate(sizes)])


def drafted(view: View, seat: Seat) -> Draft:
    up = faces(view.boards[seat])
    return Draft(up, view.coins[seat], view.map_holder == seat)


def expected(known: Known, up: Face, value: Callable[[Face], int]) -> int:
    """The mean of `value` over the backs that a tile with this face may have (section 4)."""
    others = [face for face in FACES if face != up]
    weights = [COPIES - known.pairs[frozenset((up, face))] for face in others]
    worths = [weight and weight * value(face) for face, weight in zip(others, weights, strict=True)]
    return sum(worths) // max(1, sum(weights))


@lru_cache(maxsize=SEEN)
def best_place(ground: Ground, draft: Draft, face: Face) -> int:
    shafts = ground.layout.shafts
    free = [c for c, column in enumerate(draft.up) if len(column) < len(shafts[c].spaces)]
    paid = [c for c in free if draft.coins or shafts[c].box.kind != "toll"]
    return max(place(ground, draft, c, face) for c in paid)


@lru_cache(maxsize=SEEN)
def place(ground: Ground, draft: Draft, c: int, face: Face) -> int:
    """What the board is worth with this face in this column."""
    draft = placed(ground, draft, c, face)
    full = len(draft.up[c]) == len(ground.layout.shafts[c].spaces)
    return worth(ground, boxed(ground, draft, c) if full else draft)


def placed(ground: Ground, draft: Draft, c: int, face: Face) -> Draft:
    coins = draft.coins - (ground.layout.shafts[c].box.kind == "toll")
    return landed(ground, draft._replace(coins=coins), c, len(draft.up[c]), face)


def best_flip(known: Known, draft: Draft, c: int) -> int:
    """What the best flip beside a Monkey in this column adds; it may be a loss."""
    ground, i = known.ground, len(draft.up[c])
    draft = placed(ground, draft, c, "M")
    at, space = ground.layout.at, ground.layout.shafts[c].spaces[i]
    near = [at[other] for other in ground.layout.beside[space]]
    worths = [flip(known, draft, d, j) for d, j in near if j < len(draft.up[d])]
    return max(worths) - worth(ground, draft) - ANOTHER_FLIP if worths else -ANOTHER_FLIP


def flip(known: Known, draft: Draft, c: int, i: int) -> int:
    """What the board is worth once this tile was flipped, as far as its back is known."""

    def uncovered(face: Face) -> int:
        return worth(known.ground, landed(known.ground, draft, c, i, face))

    column = known.backs[c]
    back = column[i] if i < len(column) else None
    return expected(known, draft.up[c][i], uncovered) if back is None else uncovered(back)


def landed(ground: Ground, draft: Draft, c: int, i: int, face: Face) -> Draft:
    """The board with this face up on that space, and its immediate effect."""
    column = draft.up[c]
    up = put(draft.up, c, (*column[:i], face, *column[i + 1 :]))
    draft = draft._replace(up=up)
    match face:
        case "C":
            return mapped(ground, draft)
        case "N":
            return paid(draft, 2 * sum(column.count("C") for column in up))
        case "K":
            lows = [shaft.low for shaft in ground.layout.shafts]
            level = lows[c] + i
            return paid(draft, sum(0 <= level - lows[d] < len(up[d]) for d in range(len(up))))
        case "G":
            return paid(draft, 5)
        case "M":
            return paid(draft, 1)._replace(extra=draft.extra + ANOTHER_FLIP)
        case "P" if ground.more:
            return draft._replace(extra=draft.extra + ANOTHER_TILE)
    return draft


def paid(draft: Draft, coins: int) -> Draft:
    return draft._replace(coins=draft.coins + coins)


def mapped(ground: Ground, draft: Draft) -> Draft:
    return draft._replace(has_map=not (ground.solo and draft.has_map))


def boxed(ground: Ground, draft: Draft, c: int) -> Draft:
    """The box over a column that was just filled."""
    box, column = ground.layout.shafts[c].box, draft.up[c]
    match box.kind:
        case "map":
            return mapped(ground, draft)
        case "=map" if alike(column):
            return mapped(ground, draft)
        case "≠flip" if unlike(column):
            return draft._replace(extra=draft.extra + ANOTHER_FLIP)
        case "=draw" if alike(column):
            return draft._replace(extra=draft.extra + ANOTHER_TILE)
        case "2×col":
            return paid(draft, 2 * completed(ground.layout, draft.up))
        case "1×≠":
            return paid(draft, len(set(column)))
        case "pay":
            return paid(draft, box.first if ground.tops[c] else box.later)
    return draft


def worth(ground: Ground, draft: Draft) -> int:
    total, promised = appraised(ground.board, ground.tops, draft.up)
    return COIN * max(0, total + draft.coins) + promised + MAP * draft.has_map + draft.extra


@lru_cache(maxsize=SEEN)
def appraised(board: Letter, tops: tuple[bool, ...], up: Faces) -> tuple[int, int]:
    """What these faces bring beside coins, in coins; and what they promise, or endanger."""
    now = score(board, up, HOARD)
    danger = LOST if now.out else GUNNERS[now.gunners]
    promised = sum(map(promise, LAYOUTS[board].shafts, up, tops))
    return now.total - HOARD, danger + promised


def promise(shaft: Shaft, column: tuple[Face, ...], first: bool) -> int:
    """For a column that is not full: a part of what its box may give, the fuller the more."""
    size = len(shaft.spaces)
    if len(column) == size or not column:
        return 0
    return COIN * likely(shaft.box, column, first) * len(column) ** 2 // (2 * size**2)


def likely(box: Box, column: tuple[Face, ...], first: bool) -> int:
    """What a box gives, in coins, if the column goes on as it began."""
    match box.kind:
        case "pay":
            return box.first if first else box.later
        case "alike":
            return box.first * alike(column)
        case "unlike":
            return box.first * unlike(column)
        case "=map" | "=draw":
            return 3 * alike(column)
        case "≠flip":
            return unlike(column)
        case "map" | "2×col" | "1×≠":
            return {"map": 2, "2×col": 4, "1×≠": 4}[box.kind]
    return 0
