"""Worlds for a robot that searches: a table that looks as this one does, and who stands well."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from engine.contract import Seat, paired
from engine.dice import Dice

from .boards import LAYOUTS, Letter
from .facts import Seen, View
from .pieces import FACES, TILES, Board, Face, State, Tile
from .robot import COIN, HOARD, LOST, SEEN, promise, reachable
from .scoring import Faces, faces, scores
from .scoring import score as scored

# What fits best how 800 matches of greedy robots went on, in hundredths of a coin; some of it for
# each tile that is still to come before a board has four full columns.
PROMISED: Final = 2  # times what `hint` hopes for of a box
RISKS: Final = ((0, 0), (0, -35), (-260, -100))  # of so many Gunners: now, for each tile
CHART: Final = (90, 40)  # of the map: now, for each tile
SWABBY: Final = 24  # for each tile and each coin that one more Swabby would bring
SHAKY: Final = -300  # for a Lookout that another tile may come upon
SLOWER: Final = 100  # for each tile that a board needs more than the one that ends it


class Outlook(NamedTuple):
    """What may come of a board, beside its coins and the map."""

    now: int
    later: int  # for each tile that is still to come
    needs: int  # tiles until four columns are full


def imagine(view: View, seat: Seat, dice: Dice) -> State:
    """The backs that are not to be seen and the bag are dealt from all tiles that nobody knows."""
    lying = [tile for board in view.boards for column in board for tile in column]
    lying += [view.hand] if view.hand else []
    ups = [tile.up for tile in lying if tile.back is None]
    pool = dice.shuffled(unknown(lying))
    found = paired(ups, pool, lambda up, tile: up in (tile.up, tile.back))
    assert found is not None, "the tiles do not fit themselves"
    backs = iter([under(up, pool[j]) for up, j in zip(ups, found, strict=True)])
    left = [tile for j, tile in enumerate(pool) if j not in found]

    def whole(tile: Seen) -> Tile:
        if tile.back is None:
            return Tile(tile.up, next(backs))
        return Tile(tile.up, tile.back, seen=True)

    boards: tuple[Board, ...] = tuple(
        tuple(tuple(map(whole, column)) for column in board) for board in view.boards
    )
    return State(
        options=view.options,
        first=view.first,
        turn=view.turn,
        bag=tuple(Tile(t.back, t.up) if dice.below(2) else t for t in left),
        boards=boards,
        coins=view.coins,
        map_holder=view.map_holder,
        hand=whole(view.hand) if view.hand else None,
        owed=view.owed,
        round=view.round,
        over=view.over,
    )


def unknown(lying: list[Seen]) -> list[Tile]:
    """All tiles but those of which both sides are seen."""
    left = list(TILES)
    for tile in lying:
        if tile.back is not None:
            one, two = sorted((tile.up, tile.back), key=FACES.index)
            left.remove(Tile(one, two))
    return left


def under(up: Face, tile: Tile) -> Face:
    return tile.back if tile.up == up else tile.up


def prospects(s: State) -> tuple[int, ...]:
    """In hundredths of a coin: what each board comes to, and what it is likely to bring."""
    if s.over:
        held = [seat == s.map_holder for seat in range(len(s.boards))]
        both = zip(scores(s), held, strict=True)
        return tuple(LOST if one.out else COIN * one.total + map for one, map in both)
    tops = reachable(s.layout, s.boards)
    boards = [outlook(s.options.board, tops, faces(board)) for board in s.boards]
    left = min(board.needs for board in boards)
    worth = [one.now + left * one.later + SLOWER * (one.needs - left) for one in boards]
    if s.map_holder is not None:
        worth[s.map_holder] += CHART[0] + left * CHART[1]
    return tuple(COIN * coins + more for coins, more in zip(s.coins, worth, strict=True))


@lru_cache(maxsize=SEEN)
def outlook(letter: Letter, tops: tuple[bool, ...], up: Faces) -> Outlook:
    shafts, score = LAYOUTS[letter].shafts, scored(letter, up, HOARD)
    free = [len(shaft.spaces) - len(column) for shaft, column in zip(shafts, up, strict=True)]
    rising = [column for column, spaces in zip(up, free, strict=True) if spaces]
    now, later = (LOST, 0) if score.out else RISKS[score.gunners]
    now += COIN * (score.total - HOARD) + PROMISED * sum(map(promise, shafts, up, tops))
    now += SHAKY * sum("L" in column[-1:] for column in rising)
    if any("S" not in column for column in rising):
        later += SWABBY * (1 + 2 * sum("S" in column for column in up))  # k² to (k + 1)²
    return Outlook(now, later, sum(free) - max(free))
