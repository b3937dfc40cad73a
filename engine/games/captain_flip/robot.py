"""What a robot with sense thinks of a move, by what its seat sees: it looks one tile ahead.

A board is worth its score if the match ended now, and what it promises: boxes half reached, the
map, Gunners that come near to three. All in hundredths of a coin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from engine.contract import Seat, put

from .boards import COLUMNS, LAYOUTS, Box, Layout
from .facts import View
from .pieces import COPIES, FACES, Face, Flip, Move, Place, Target, completed
from .scoring import alike, score, unlike

COIN: Final = 100
MAP: Final = 220  # it pays in turns to come, and breaks ties
ANOTHER_TILE, ANOTHER_FLIP = 330, 60
GUNNERS: Final = (0, -20, -150)  # what so many endanger
LOST: Final = -4000
Up = tuple[tuple[Face, ...], ...]


class Known(NamedTuple):
    """What holds of the table while a seat thinks."""

    layout: Layout
    backs: tuple[tuple[Face | None, ...], ...]
    pairs: Counter[frozenset[Face]]  # tiles of which both sides are known
    tops: tuple[bool, ...]  # has nobody reached the top of this column yet?
    more: bool  # are there tiles to draw?
    solo: bool


class Draft(NamedTuple):
    """A board to be."""

    up: Up
    coins: int
    has_map: bool
    extra: int = 0  # what is still to come of it


def hint(view: View, seat: Seat, move: Move) -> int:
    """How well this move looks, in hundredths of a coin."""
    known, draft = known_to(view, seat), drafted(view, seat)
    match move:
        case Flip():
            assert view.hand is not None
            return expected(known, view.hand.up, lambda face: best_place(known, draft, face))
        case Place(column):
            assert view.hand is not None
            return place(known, draft, COLUMNS.index(column), view.hand.up, deep=True)
        case Target(space):
            return flip(known, draft, *known.layout.at[space])


def known_to(view: View, seat: Seat) -> Known:
    tiles = [tile for board in view.boards for column in board for tile in column]
    layout, mine = LAYOUTS[view.options.board], view.boards[seat]
    sizes = [len(shaft.spaces) for shaft in layout.shafts]
    return Known(
        layout,
        tuple(tuple(tile.back for tile in column) for column in mine),
        Counter(frozenset((tile.up, tile.back)) for tile in tiles if tile.back is not None),
        tuple(all(len(board[c]) < size for board in view.boards) for c, size in enumerate(sizes)),
        view.bag > 0,
        view.options.solo,
    )


def drafted(view: View, seat: Seat) -> Draft:
    up = tuple(tuple(tile.up for tile in column) for column in view.boards[seat])
    return Draft(up, view.coins[seat], view.map_holder == seat)


def expected(known: Known, up: Face, value: Callable[[Face], int]) -> int:
    """The mean of `value` over the backs that a tile with this face may have (section 4)."""
    others = [face for face in FACES if face != up]
    weights = [COPIES - known.pairs[frozenset((up, face))] for face in others]
    worths = [weight and weight * value(face) for face, weight in zip(others, weights, strict=True)]
    return sum(worths) // max(1, sum(weights))


def best_place(known: Known, draft: Draft, face: Face) -> int:
    shafts = known.layout.shafts
    free = [c for c, column in enumerate(draft.up) if len(column) < len(shafts[c].spaces)]
    paid = [c for c in free if draft.coins or shafts[c].box.kind != "toll"]
    return max(place(known, draft, c, face) for c in paid)


def place(known: Known, draft: Draft, c: int, face: Face, deep: bool = False) -> int:
    """What the board is worth with this face in this column; `deep` looks at a Monkey's flips."""
    box, size = known.layout.shafts[c].box, len(known.layout.shafts[c].spaces)
    i = len(draft.up[c])
    coins = draft.coins - (box.kind == "toll")
    draft = landed(known, draft._replace(coins=coins), c, i, face)
    if deep and face == "M":
        draft = draft._replace(extra=draft.extra + best_flip(known, draft, c, i))
    return worth(known, boxed(known, draft, c) if i + 1 == size else draft)


def best_flip(known: Known, draft: Draft, c: int, i: int) -> int:
    """What the best flip beside a Monkey adds; it may be a loss."""
    at, space = known.layout.at, known.layout.shafts[c].spaces[i]
    near = [at[other] for other in known.layout.beside[space]]
    worths = [flip(known, draft, d, j) for d, j in near if j < len(draft.up[d])]
    return max(worths) - worth(known, draft) - ANOTHER_FLIP if worths else -ANOTHER_FLIP


def flip(known: Known, draft: Draft, c: int, i: int) -> int:
    """What the board is worth once this tile was flipped, as far as its back is known."""

    def uncovered(face: Face) -> int:
        return worth(known, landed(known, draft, c, i, face))

    column = known.backs[c]
    back = column[i] if i < len(column) else None
    return expected(known, draft.up[c][i], uncovered) if back is None else uncovered(back)


def landed(known: Known, draft: Draft, c: int, i: int, face: Face) -> Draft:
    """The board with this face up on that space, and its immediate effect."""
    column = draft.up[c]
    up = put(draft.up, c, (*column[:i], face, *column[i + 1 :]))
    draft = draft._replace(up=up)
    match face:
        case "C":
            return mapped(known, draft)
        case "N":
            return paid(draft, 2 * sum(column.count("C") for column in up))
        case "K":
            lows = [shaft.low for shaft in known.layout.shafts]
            level = lows[c] + i
            return paid(draft, sum(0 <= level - lows[d] < len(up[d]) for d in range(len(up))))
        case "G":
            return paid(draft, 5)
        case "M":
            return paid(draft, 1)._replace(extra=draft.extra + ANOTHER_FLIP)
        case "P" if known.more:
            return draft._replace(extra=draft.extra + ANOTHER_TILE)
    return draft


def paid(draft: Draft, coins: int) -> Draft:
    return draft._replace(coins=draft.coins + coins)


def mapped(known: Known, draft: Draft) -> Draft:
    return draft._replace(has_map=not (known.solo and draft.has_map))


def boxed(known: Known, draft: Draft, c: int) -> Draft:
    """The box over a column that was just filled."""
    box, column = known.layout.shafts[c].box, draft.up[c]
    match box.kind:
        case "map":
            return mapped(known, draft)
        case "=map" if alike(column):
            return mapped(known, draft)
        case "≠flip" if unlike(column):
            return draft._replace(extra=draft.extra + ANOTHER_FLIP)
        case "=draw" if alike(column):
            return draft._replace(extra=draft.extra + ANOTHER_TILE)
        case "2×col":
            return paid(draft, 2 * completed(known.layout, draft.up))
        case "1×≠":
            return paid(draft, len(set(column)))
        case "pay":
            return paid(draft, box.first if known.tops[c] else box.later)
    return draft


def worth(known: Known, draft: Draft) -> int:
    now = score(known.layout, draft.up, draft.coins)
    danger = LOST if now.out else GUNNERS[now.gunners]
    promised = sum(promise(known, draft, c) for c in range(len(draft.up)))
    return COIN * now.total + danger + MAP * draft.has_map + promised + draft.extra


def promise(known: Known, draft: Draft, c: int) -> int:
    """For a column that is not full: a part of what its box may give, the fuller the more."""
    column, size = draft.up[c], len(known.layout.shafts[c].spaces)
    if len(column) == size or not column:
        return 0
    gives = likely(known.layout.shafts[c].box, column, known.tops[c])
    return COIN * gives * len(column) ** 2 // (2 * size**2)


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
