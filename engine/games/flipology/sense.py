"""How well a move looks to the seat that makes it: what a greedy robot goes by.

A position is worth the seat's lead over each of the others, as far as the seat can tell; under a
face-up moon, its arrears. A move is worth the position after it, and what its effect may bring.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.contract import Seat

from .board import Cell
from .cards import ACTIVE, CATS, CLEARING, KIND, VALUE, Card, Kind
from .moves import (
    Arrange,
    Flip,
    Imitate,
    Move,
    Peek,
    PeekFlip,
    Pick,
    Regrow,
    Scavenge,
    Target,
    Targets,
)
from .pieces import Aim, RainOn, Seen, Slot, View
from .scores import worth

Table = Mapping[Cell, Seen]
TENTH = 10  # all is counted in tenths of a point
BACK = 20  # what a back of which nothing is known brings its row when it turns up
PROMISE: dict[Kind, int] = {  # what an effect may bring whoever makes its choices
    "dog": 25, "frog": 25, "hawk": 40, "mole": 60, "monkey": 10, "parrot": 30, "snake": 30,
    "wolves": 70, "rain": 25, "sun": 15, "wind": 0,
}  # fmt: skip
GOOD_HAND = 21  # a hand of five that is worth so much is kept


def hint(view: View, seat: Seat, move: Move) -> int:
    match move:
        case Arrange(row):
            return arranged(view.hands[seat] or (), row)
        case Regrow(yes):
            return yes if sum(map(VALUE.__getitem__, view.hands[seat] or ())) < GOOD_HAND else -yes
        case Scavenge(None) | PeekFlip(None):
            return gain(view, seat, {})
        case Scavenge(card, lies) if card:
            return TENTH * worth(Slot(card, up=lies != "down")) * (-1 if moon(view) else 1)
        case Flip(cell) | Pick(cell):
            return turned(view, seat, [cell], wakes=True)
        case PeekFlip(cell) if cell:
            return turned(view, seat, [cell], wakes=False)
        case Targets(cells):
            return turned(view, seat, cells, wakes=True)
        case Imitate(kind):
            return PROMISE[kind]
        case Peek(cells):
            return len(cells)
        case Target(cell):
            return aimed(view, seat, cell)
    return 0


def arranged(hand: Sequence[Card], row: Sequence[int]) -> int:
    """High cards and strong effects are kept; the moon goes."""
    kept = [hand[i - 1] for i in row if i <= len(hand)]
    return sum(
        TENTH * VALUE[card] * (KIND[card] != "moon") + PROMISE.get(KIND[card], 0) for card in kept
    )


def aimed(view: View, seat: Seat, cell: Cell) -> int:
    table = spread(view)
    match view.owed[:1]:
        case (Aim("mole", at),) if at in table and cell in table:
            return gain(view, seat, {at: table[cell], cell: table[at]})
        case (Aim("wolves"),):
            return gain(view, seat, {cell: Seen(CLEARING, True)}) + hidden(view, seat, cell, 10)
        case (RainOn(),):
            return turned(view, seat, [cell], wakes=False)
    return turned(view, seat, [cell], wakes=True)


def turned(view: View, seat: Seat, cells: Iterable[Cell], wakes: bool) -> int:
    """After these are flipped."""
    table, change, extra = spread(view), dict[Cell, Seen](), 0
    for cell in cells:
        if (old := table.get(cell)) is None:
            continue
        if old.card is None:
            extra += hidden(view, seat, cell, -BACK) + 10 * wakes
        elif not (old.up and old.card in CATS):
            change[cell] = Seen(old.card, not old.up)
            if wakes and not old.up and old.card in ACTIVE:
                extra += PROMISE[KIND[old.card]]
                change |= blown(view, table, cell) if KIND[old.card] == "wind" else {}
    return gain(view, seat, change) + extra


def blown(view: View, table: Table, at: Cell) -> dict[Cell, Seen]:
    """What a wind makes of its row."""
    row = {cell: table[cell] for cell in view.board.along[at]}
    return {cell: Seen(s.card, not s.up) for cell, s in row.items() if s.card not in CATS}


def hidden(view: View, seat: Seat, cell: Cell, tenths: int) -> int:
    """What becomes of an unknown back is good or bad, as it lies in another's row."""
    return tenths if view.board.owner(cell) != seat else 0


def gain(view: View, seat: Seat, change: Mapping[Cell, Seen]) -> int:
    """The lead after the change, in tenths; for several opponents, the mean of the leads."""
    table, board = {**spread(view), **change}, view.board
    sums = [0] * view.seats
    up = False
    for cell, s in table.items():
        if s.card:
            sums[board.owner(cell)] += worth(Slot(s.card, s.up))
            up |= s.up and KIND[s.card] == "moon"
    lead = TENTH * (view.seats * sums[seat] - sum(sums)) // (view.seats - 1)
    return -lead if up else lead


def spread(view: View) -> Table:
    """All cards on the table by their cells."""
    rows = zip(view.board.rows, view.rows, strict=True)
    return {cell: s for cells, row in rows for cell, s in zip(cells, row, strict=True)}


def moon(view: View) -> bool:
    return any(s.up and s.card == "Mn7" for row in view.rows for s in row)
