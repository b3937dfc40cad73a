"""Qwirkle dealt anew: other states that a viewer cannot tell from this one.

Written from the dossier (its sections 1 to 4), not from `view`, and with line rules of its own,
so that the tests do not take the game's word for what is hidden.

What a viewer knows is read off the state: its own hand, all that is public, the number that each
hand announced while that hand is still whole, and with the bag empty who can place and who cannot.
What only memory of earlier moves could add (a tile swapped away long ago) is not kept.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, combinations
from math import prod
from typing import get_args

from msgspec.structs import replace

from engine.contract import Seat
from engine.dice import Dice
from engine.games.qwirkle.pieces import Lay, Move, State, Swap, Tile

COLOURS, SHAPES = "ROYGBP", "123456"
KINDS: tuple[Tile, ...] = get_args(Tile)
LINES = tuple(tuple(kind for kind in KINDS if sign in kind) for sign in COLOURS + SHAPES)
COPIES = 3
RARE = 5  # hands that announce so many are made, not waited for
TRIES, DEALS = 3000, 5

Hand = tuple[Tile, ...]
Cell = tuple[int, int]
Tiles = Mapping[Cell, Tile]


def redeal(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Another state that fits what `viewer` may know: the hidden hands and the bag dealt anew."""
    hidden = [seat for seat in range(len(state.hands)) if seat != viewer]
    pool = (*state.bag, *(tile for seat in hidden for tile in state.hands[seat]))
    fit = frozenset() if state.bag else fitting(state.board)  # till then it tells nobody anything
    for _ in range(DEALS):
        if other := deal(state, choosiest(state, hidden), pool, fit, dice):
            return other
    return replace(state, bag=dice.shuffled(state.bag))  # made-up positions leave too few deals


def disguise(state: State, seat: Seat, move: Move, dice: Dice) -> Move:
    """What others cannot tell from `move`: as many tiles swapped, others where there are any."""
    if not isinstance(move, Swap):
        return move
    choices = {tuple(sorted(c)) for c in combinations(state.hands[seat], len(move.tiles))}
    others = sorted(choices - {tuple(sorted(move.tiles))})
    return Swap(others[dice.below(len(others))]) if others else move


def choosiest(state: State, seats: Iterable[Seat]) -> list[Seat]:
    """In this order a hand taken first leaves every later hand the same number of ways."""
    return sorted(seats, key=lambda seat: (seat not in passed(state), seat != state.turn))


def deal(
    state: State, seats: Sequence[Seat], pool: Hand, fit: frozenset[Tile], dice: Dice
) -> State | None:
    hands = list(state.hands)
    for seat in seats:
        hand = draw(state, seat, pool, fit, dice)
        if hand is None:
            return None
        hands[seat], pool = hand, less(pool, hand)
    return replace(state, hands=tuple(hands), bag=dice.shuffled(pool))


def draw(state: State, seat: Seat, pool: Hand, fit: frozenset[Tile], dice: Dice) -> Hand | None:
    """A hand for this seat that nobody's knowledge speaks against; None: found none."""
    size, most = len(state.hands[seat]), best(state.hands[seat])
    rare = most >= RARE and seat in announced(state)
    for _ in range(TRIES):
        start = in_line(pool, most, dice) if rare else ()
        hand = (*start, *dice.shuffled(less(pool, start)))[:size]
        if believable(state, seat, hand, fit):
            return dice.shuffled(hand)
    return None


def believable(state: State, seat: Seat, hand: Hand, fit: frozenset[Tile]) -> bool:
    """May this be the hand of the seat, for all that everybody knows?"""
    if seat in announced(state):
        return best(hand) == best(state.hands[seat])
    if seat in passed(state):
        return fit.isdisjoint(hand)
    if seat == state.turn and not state.bag and not state.over:
        return not fit.isdisjoint(hand)
    return True


def announced(state: State) -> tuple[Seat, ...]:
    """Whose hand is still the one of which it was announced how many of it make a line.

    All before the opening, all but the opener right after it; later the state does not say.
    """
    seats = tuple(range(len(state.hands)))
    if not state.board:
        return seats
    if state.bag and state.last and len(state.last.tiles) == len(state.board):
        return tuple(seat for seat in seats if seat != state.last.seat)
    return ()


def passed(state: State) -> tuple[Seat, ...]:
    """Of whom everybody knows that nothing they hold fits the board as it is."""
    return state.last.passed if state.last and not state.bag else ()


def best(hand: Iterable[Tile]) -> int:
    """How many different tiles of one colour or of one shape the hand holds."""
    return max(len(set(line).intersection(hand)) for line in LINES)


def in_line(pool: Hand, n: int, dice: Dice) -> Hand:
    """`n` tiles of the pool, different and of one colour or shape; each choice equally likely."""
    have = Counter(pool)
    sets = [kinds for line in LINES for kinds in combinations(line, n)]
    ways = list(accumulate(prod(have[kind] for kind in kinds) for kinds in sets))
    return sets[bisect(ways, dice.below(ways[-1]))] if ways[-1] else ()


def less(pool: Hand, tiles: Iterable[Tile]) -> Hand:
    return tuple((Counter(pool) - Counter(tiles)).elements())


def fitting(board: Iterable[Lay]) -> frozenset[Tile]:
    """The kinds that have a legal cell."""
    tiles = {(lay.x, lay.y): lay.tile for lay in board}
    beside = {(x + i, y + j) for x, y in tiles for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    cells = beside - tiles.keys() or {(0, 0)}
    return frozenset(kind for kind in KINDS if any(fits(tiles, at, kind) for at in cells))


def fits(tiles: Tiles, at: Cell, kind: Tile) -> bool:
    """Are both lines through this cell valid with this kind on it?"""
    row = [kind, *along(tiles, at, (1, 0)), *along(tiles, at, (-1, 0))]
    column = [kind, *along(tiles, at, (0, 1)), *along(tiles, at, (0, -1))]
    return valid(row) and valid(column)


def valid(line: Sequence[Tile]) -> bool:
    different = len(set(line)) == len(line)
    return different and 1 in (len({tile[0] for tile in line}), len({tile[1] for tile in line}))


def along(tiles: Tiles, at: Cell, step: Cell) -> Iterator[Tile]:
    """The tiles that follow from here in one direction, up to the first empty cell."""
    x, y = at[0] + step[0], at[1] + step[1]
    while (x, y) in tiles:
        yield tiles[x, y]
        x, y = x + step[0], y + step[1]
