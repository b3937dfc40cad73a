"""Which moves may be made: `allows` judges any, `legal` and `grow` list them piece by piece.

All is judged by what the seat whose turn it is sees: the inside of its own holder, the outside of
the others. Rulings (R7, R11) are those of the README beside this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from engine.contract import Seat

from .cards import AT, CELLS, NUMBERS, SIZES, SLOTS, Cell, Slot, alike, insides, outsides, windows
from .pieces import (
    Action,
    Draw,
    End,
    Flip,
    Move,
    No,
    Owed,
    Place,
    Score,
    State,
    Swap,
    SwapPairs,
    Swipe,
    Switch,
    Third,
)

WAYS: Final[dict[Owed, tuple[Move, ...]]] = {
    "place": tuple(map(Place, NUMBERS)),
    "third": (Third(), End()),
}
PAIRS: Final = (Switch, Swap, SwapPairs)  # moves of two pieces
OTHERWISE: Final = {"place": No.PLACE_FIRST, "third": No.TURN_IS_DONE}


def to_act(s: State) -> tuple[Seat, ...]:
    return (s.turn,) if s.owed else ()


def allows(s: State, seat: Seat, move: Move) -> No | None:
    if not s.owed or seat != s.turn:
        return No.NOT_YOUR_TURN
    owed = s.owed[0]
    match move:
        case Place():
            return None if owed == "place" else OTHERWISE.get(owed, No.NOTHING_DRAWN)
        case Third() | End():
            return None if owed == "third" else OTHERWISE.get(owed, No.ACTIONS_LEFT)
        case _:
            return OTHERWISE.get(owed) or misdone(s, seat, move)


def misdone(s: State, seat: Seat, move: Action) -> No | None:
    """What speaks against an action while one is owed."""
    match move:
        case Flip(cell):
            return absent(s, (cell,))
        case Switch(cells):
            return absent(s, cells) or mistaken(cells)
        case Swap(cells):
            return absent(s, cells) or misswapped(seat, cells)
        case SwapPairs(cells):
            return absent(s, cells) or mispaired(s, seat, cells)
        case Score(first, last):
            return absent(s, (first,)) or missed(s, seat, first, last)
        case Swipe(first, last):
            return absent(s, (first,)) or misswiped(s, seat, first, last)
        case Draw():
            if len(s.holders) > 2:
                return No.ONLY_FOR_TWO  # R15
            return None if s.deck else No.DECK_EMPTY  # R16


def absent(s: State, cells: Iterable[Cell]) -> No | None:
    seats = len(s.holders)
    for cell in cells:
        if AT[cell][0] >= seats:
            return No.NO_SUCH_SEAT
    return None


def mistaken(cells: tuple[Cell, ...]) -> No | None:
    """R7: they need not be neighbours."""
    if len(cells) == 1:
        return No.UNFINISHED
    one, two = cells
    if AT[one][0] != AT[two][0]:
        return No.TWO_HOLDERS
    return No.SAME_SLOT if one == two else None


def misswapped(seat: Seat, cells: tuple[Cell, ...]) -> No | None:
    if AT[cells[0]][0] != seat:
        return No.NOT_YOURS
    if len(cells) == 1:
        return No.UNFINISHED
    return No.NOT_ANOTHERS if AT[cells[1]][0] == seat else None


def mispaired(s: State, seat: Seat, cells: tuple[Cell, ...]) -> No | None:
    """R9: each pair is of one colour; the two colours may differ."""
    owners = [AT[cell][0] for cell in cells]
    if owners[0] != seat:
        return No.NOT_YOURS
    if seat in owners[1:]:
        return No.NOT_ANOTHERS
    if any(AT[cell][1] + 1 == SLOTS for cell in cells):
        return No.NO_SLOT_BESIDE
    if not alike(sight(s, seat, cells[0], 2)):
        return No.OWN_PAIR_DIFFERS
    if len(cells) == 1:
        return No.UNFINISHED
    return None if alike(sight(s, seat, cells[1], 2)) else No.OTHER_PAIR_DIFFERS


def missed(s: State, seat: Seat, first: Cell, last: Slot) -> No | None:
    return No.NOT_YOURS if AT[first][0] != seat else missized(s, seat, first, last)


def misswiped(s: State, seat: Seat, first: Cell, last: Slot) -> No | None:
    return No.NOT_ANOTHERS if AT[first][0] == seat else missized(s, seat, first, last)


def missized(s: State, seat: Seat, first: Cell, last: Slot) -> No | None:
    """R11: any four to six neighbours of one colour, be the run longer or not."""
    size = last - AT[first][1]
    if size not in SIZES:
        return No.WRONG_SIZE
    return None if alike(sight(s, seat, first, size)) else No.NOT_A_SET


def sight(s: State, seat: Seat, first: Cell, size: int) -> str:
    """The colours that a seat sees on so many slots from this one on."""
    owner, i = AT[first]
    cards = s.holders[owner][i : i + size]
    return insides(cards) if owner == seat else outsides(cards)


def legal(s: State, seat: Seat) -> tuple[Move, ...]:
    if seat not in to_act(s):
        return ()
    if s.owed[0] != "act":
        return WAYS[s.owed[0]]
    return tuple(beginnings(s, seat))


def beginnings(s: State, seat: Seat) -> Iterator[Move]:
    """Sets first, then what prepares them."""
    held = CELLS[: len(s.holders)]
    every = list(chain.from_iterable(held))
    rows = [sight(s, seat, cells[0], SLOTS) for cells in held]
    yield from (Score(cell, last) for cell, last in sets(held[seat], rows[seat]))
    for owner, row in enumerate(rows):
        if owner != seat:
            yield from (Swipe(cell, last) for cell, last in sets(held[owner], row))
    yield from map(Flip, every)
    yield from (Switch((cell,)) for cell in every)
    yield from (Swap((cell,)) for cell in held[seat])
    if any(windows(row, 2) for owner, row in enumerate(rows) if owner != seat):
        yield from (SwapPairs((held[seat][i],)) for i in windows(rows[seat], 2))
    if allows(s, seat, Draw()) is None:
        yield Draw()


def sets(cells: tuple[Cell, ...], row: str) -> Iterator[tuple[Cell, Slot]]:
    """The sets in a row, from this cell to that slot. (R11)"""
    for size in SIZES:
        for i in windows(row, size):
            yield cells[i], NUMBERS[i + size - 1]


def grow(s: State, seat: Seat, move: Move) -> Iterator[Move]:
    whole = not isinstance(move, PAIRS) or len(move.cells) > 1
    if whole or allows(s, seat, move) is not No.UNFINISHED:
        return
    others = [cells for owner, cells in enumerate(CELLS[: len(s.holders)]) if owner != seat]
    match move:
        case Switch((one,)):
            rest = [cell for cell in CELLS[AT[one][0]] if cell != one]
            yield from (Switch(tuple(sorted((one, cell)))) for cell in rest)
        case Swap((one,)):
            yield from (Swap((one, cell)) for cells in others for cell in cells)
        case SwapPairs((one,)):
            for cells in others:
                pairs = windows(sight(s, seat, cells[0], SLOTS), 2)
                yield from (SwapPairs((one, cells[i])) for i in pairs)
