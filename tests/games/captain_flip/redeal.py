"""Captain Flip dealt anew: other states that a viewer cannot tell from this one.

Written from the dossier (its sections 1 and 4), not from `view`, so that the tests do not take
the game's word for what is hidden.

Nobody knows more than a watcher: hidden from all, the drawer too and also once it is over, are
the order of the bag, which way up its tiles lie, and each back that was never shown, on a board
or in hand. Which pairs of faces those tiles make up together is known: all that were not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.contract import Seat
from engine.dice import Dice
from engine.games.captain_flip.pieces import Face, Move, State, Tile


def redeal(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Another state that fits what all know: each tile that nobody has turned dealt anew.

    Every other time the face that comes next is the same: what is told of it, which may differ,
    would drown all else that is told of the same move and may not.
    """
    alike = dice.below(2)
    coming, rest = state.bag[:alike], state.bag[alike:]
    lying = [tile for tile in (*laid(state), *coming) if not tile.seen]
    pool = dice.shuffled((*lying, *rest))
    taken = matched([tile.up for tile in lying], pool)
    left = dice.shuffled(tile for j, tile in enumerate(pool) if j not in taken)  # now in any order
    backs = iter([under(tile.up, pool[j]) for tile, j in zip(lying, taken, strict=True)])

    def anew(tile: Tile) -> Tile:
        return tile if tile.seen else Tile(tile.up, next(backs))

    return replace(
        state,
        boards=tuple(
            tuple(tuple(anew(tile) for tile in column) for column in board)
            for board in state.boards
        ),
        hand=state.hand and anew(state.hand),  # after the boards and before the bag, as above
        bag=(*(anew(tile) for tile in coming), *(tossed(tile, dice) for tile in left)),
    )


def disguise(state: State, seat: Seat, move: Move, dice: Dice) -> Move:
    """What others cannot tell from `move`: itself, for a move of this game hides nothing."""
    return move


def laid(state: State) -> Iterable[Tile]:
    """All tiles out of the bag: those on the boards, then the one in hand."""
    for board in state.boards:
        for column in board:
            yield from column
    if state.hand is not None:
        yield state.hand


def matched(ups: Sequence[Face], pool: Sequence[Tile]) -> tuple[int, ...]:
    """For each of these faces the place in the pool of a tile of its own that has this face.

    The first free one; where none is left, others make way. Since the faces come from tiles of
    the pool it always works out, and in a shuffled pool every way to do it may come about.
    """
    owner: dict[int, int] = {}

    def settle(i: int, tried: set[int]) -> bool:
        have = [j for j, tile in enumerate(pool) if ups[i] in (tile.up, tile.back)]
        for j in sorted(have, key=owner.__contains__):
            if j in tried:
                continue
            tried.add(j)
            if j not in owner or settle(owner[j], tried):
                owner[j] = i
                return True
        return False

    for i in range(len(ups)):
        assert settle(i, set()), "the tiles do not fit themselves"
    places = {i: j for j, i in owner.items()}
    return tuple(places[i] for i in range(len(ups)))


def under(up: Face, tile: Tile) -> Face:
    """The face opposite to this one."""
    return tile.back if tile.up == up else tile.up


def tossed(tile: Tile, dice: Dice) -> Tile:
    """This tile in the bag, either way up (R1)."""
    return Tile(tile.back, tile.up) if dice.below(2) else Tile(tile.up, tile.back)
