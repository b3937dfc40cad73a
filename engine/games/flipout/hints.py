"""How good a move looks to the seat that would make it: what the greedy robot goes by.

It takes the largest set it sees. Else it looks at what a move does to the best four neighbours of
its own holder, and of those of others unless somebody else comes first there; and of two moves
that do the same it makes the one that shows nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from engine.contract import Seat

from .cards import AT, NAMED, SLOTS, Cell, Colour, insides, longest, outsides
from .pieces import Draw, Flip, Move, Place, Score, Swap, SwapPairs, Swipe, Switch, Third, View

CARD: Final = 600  # what a card in the pile is worth
FRESH: Final = 200  # and the new cards that come for a set
ALIKE: Final = (0, 0, 80, 250, 700)  # what it is worth that so many of four neighbours are alike
MORE: Final = 12  # and each further card of that colour in the holder
SECRET: Final = 3  # that others learn nothing of what stands there
END: Final = 5000  # to end the match as the first; as another it costs as much,
PATIENCE: Final = 8  # unless so many turns brought nothing better


class Standing(NamedTuple):
    """What a seat sees, and how near it is to sets: in its own row, in all others together."""

    rows: tuple[str, ...]  # of each seat, the colours that this seat sees; `?` where it sees none
    own: int
    others: int
    first: bool  # is it this seat that acts next?


Changed = tuple[Seat, str]  # what a row is after a move


def hint(view: View, seat: Seat, move: Move) -> int:
    """Higher is better; ending the turn is 0."""
    now = standing(view, seat)
    if isinstance(move, Third):
        return 1 if view.deck < SLOTS or any(map(longest, now.rows)) else -1
    return after(view, seat, now, move) - together(now, now.own, now.others)


@lru_cache(maxsize=1)  # a robot weighs many moves of one view
def standing(view: View, seat: Seat) -> Standing:
    holders = enumerate(view.holders)
    rows = tuple([insides(h) if owner == seat else outsides(h) for owner, h in holders])
    own = near(rows[seat])
    first = len(rows) == 2 or view.owed.count("act") > 1
    return Standing(rows, own, sum(map(near, rows)) - own, first)


def after(view: View, seat: Seat, now: Standing, move: Move) -> int:
    """What the rows are worth after a move, and what it takes."""
    match move:
        case Score(first, last) | Swipe(first, last):
            return taken(view, seat, now, first, last)
        case Flip(cell):
            again = view.last is not None and view.last.move == move
            return flipped(view, seat, now, cell) - again * CARD  # it would turn it back
        case Switch((one, two)):
            return total(seat, now, switched(now, one, two)) + SECRET
        case Swap((own, other)):
            return total(seat, now, *swapped(now, own, other, 1))
        case SwapPairs((own, other)):
            return total(seat, now, *swapped(now, own, other, 2))
        case Draw():
            fresh = view.quiet**2 if view.deck > SLOTS else 0  # when moves only undo each other
            return drawn(view, seat, now) + SECRET * (1 + fresh)
        case Place(slot):
            colour = (view.drawn or "?")[0]
            return total(seat, now, put(now, seat, slot - 1, colour))
    return total(seat, now)


def total(seat: Seat, now: Standing, *rows: Changed) -> int:
    """What all rows, some of them changed, are worth once this action is done."""
    _, own, others, _ = now
    for owner, row in rows:
        nearer = near(row) - near(now.rows[owner])
        if owner == seat:
            own += nearer
        else:
            others += nearer
    return together(now, own, others)


def together(now: Standing, own: int, others: int) -> int:
    """Of a set on the outside one swipes all but a card. With more than two seats others see it
    too: without an action left it is theirs."""
    return own + (others // 2 if now.first else -others // 4)


@lru_cache(maxsize=1 << 14)
def near(row: str) -> int:
    """How near a row is to a set."""
    fours = [row[i : i + 4] for i in range(SLOTS - 3)]
    return max(
        [
            ALIKE[four.count(c)] + MORE * (row.count(c) - four.count(c))
            for c in NAMED
            for four in fours
        ]
    )


def taken(view: View, seat: Seat, now: Standing, first: Cell, last: int) -> int:
    owner, i = AT[first]
    size = last - i
    gift = owner != seat  # R12
    left = total(seat, now, put(now, owner, i, "?" * size))
    worth = left + FRESH + CARD * (size - gift)
    if size <= view.deck:
        return worth - CARD * gift // (len(now.rows) - 1)
    piles = [len(pile) + gift * (other == owner) for other, pile in enumerate(view.piles)]
    rivals = max(piles[:seat] + piles[seat + 1 :])
    if piles[seat] + size - gift > rivals:
        return worth + END
    return worth - END if view.quiet < PATIENCE else worth


def flipped(view: View, seat: Seat, now: Standing, cell: Cell) -> int:
    """On average, as far as the visible side tells of the other. (R1)"""
    owner, i = AT[cell]
    worth = {c: total(seat, now, put(now, owner, i, c)) for c in NAMED}
    return mean(now.rows[owner][i], worth)


def drawn(view: View, seat: Seat, now: Standing) -> int:
    """On average, put where it serves best."""
    best = {c: max([total(seat, now, put(now, seat, i, c)) for i in range(SLOTS)]) for c in NAMED}
    return mean(view.top or "?", best)


def mean(visible: str, worth: Mapping[Colour, int]) -> int:
    """A third of the cards behind a colour have it on both sides, a sixth each other colour."""
    return (sum(worth.values()) + sum([n for c, n in worth.items() if c == visible])) // 6


def switched(now: Standing, one: Cell, two: Cell) -> Changed:
    (owner, i), (_, j) = sorted((AT[one], AT[two]))
    row = now.rows[owner]
    return owner, row[:i] + row[j] + row[i + 1 : j] + row[i] + row[j + 1 :]


def swapped(now: Standing, one: Cell, two: Cell, size: int) -> tuple[Changed, Changed]:
    """The seat goes on seeing what it saw of each card, so colours only trade places. (R8)"""
    (a, i), (b, j) = AT[one], AT[two]
    here, there = now.rows[a][i : i + size], now.rows[b][j : j + size]
    return put(now, a, i, there), put(now, b, j, here)


def put(now: Standing, owner: Seat, i: int, colours: str) -> Changed:
    """A row with these colours from this slot on."""
    row = now.rows[owner]
    return owner, row[:i] + colours + row[i + len(colours) :]
