"""Worlds for a robot that searches: a table that looks as this one does, and who stands well."""

from __future__ import annotations

from engine.contract import Seat, paired
from engine.dice import Dice

from .facts import Seen, View
from .pieces import FACES, TILES, Board, Face, State, Tile
from .robot import COIN, LOST, drafted, known_to, worth
from .rules import view as look


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
    """In hundredths of a coin: what each board comes to, and what it promises."""
    seen = look(s, None)
    if s.over:
        held = [seat == s.map_holder for seat in range(len(s.boards))]
        both = zip(seen.scores, held, strict=True)
        return tuple(LOST if one.out else COIN * one.total + map for one, map in both)
    seats = range(len(s.boards))
    return tuple(worth(known_to(seen, seat), drafted(seen, seat)) for seat in seats)
