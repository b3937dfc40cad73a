"""How good a move looks to the seat that would make it: what the greedy robot goes by.

It takes the largest set it sees. Else it looks at what a move does to the best four neighbours of
its own holder, and of those of others unless somebody else comes first there; and of two moves
that do the same it makes the one that shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from engine.contract import Seat

from .cards import AT, NAMED, SLOTS, Cell, Colour, insides, longest, outsides, span
from .pieces import Draw, Flip, Move, Place, Score, Swap, SwapPairs, Swipe, Switch, Third, View

CARD: Final = 600  # what a card in the pile is worth
FRESH: Final = 200  # and the new cards that come for a set
ALIKE: Final = (0, 0, 80, 250, 700)  # what it is worth that so many of four neighbours are alike
MORE: Final = 12  # and each further card of that colour in the holder
SECRET: Final = 3  # that others learn nothing of what stands there
END: Final = 5000  # to end the match as the first; as another it costs as much,
PATIENCE: Final = 8  # unless so many turns brought nothing better

Rows = tuple[str, ...]  # of each seat, the colours that this seat sees; `?` where it sees none


def hint(view: View, seat: Seat, move: Move) -> int:
    """Higher is better; ending the turn is 0."""
    rows = seen(view, seat)
    if isinstance(move, Third):
        return 1 if view.deck < SLOTS or any(map(longest, rows)) else -1
    return after(view, seat, rows, move) - total(view, seat, rows)


def seen(view: View, seat: Seat) -> Rows:
    holders = enumerate(view.holders)
    return tuple([insides(h) if owner == seat else outsides(h) for owner, h in holders])


def after(view: View, seat: Seat, rows: Rows, move: Move) -> int:
    """What the rows are worth after a move, and what it takes."""
    match move:
        case Score(first, last) | Swipe(first, last):
            return taken(view, seat, rows, first, last)
        case Flip(cell):
            again = view.last is not None and view.last.move == move
            return flipped(view, seat, rows, cell) - again * CARD  # it would turn it back
        case Switch((one, two)):
            return total(view, seat, traded(rows, [one], [two])) + SECRET
        case Swap((own, other)):
            return total(view, seat, traded(rows, [own], [other]))
        case SwapPairs((own, other)):
            return total(view, seat, traded(rows, span(own, 2), span(other, 2)))
        case Draw():
            fresh = view.quiet**2 if view.deck > SLOTS else 0  # when moves only undo each other
            return drawn(view, seat, rows) + SECRET * (1 + fresh)
        case Place(slot):
            return total(view, seat, put(rows, [(seat, slot - 1)], (view.drawn or "?")[0]))
    return total(view, seat, rows)


def total(view: View, seat: Seat, rows: Rows) -> int:
    """What all rows are worth once this action is done.

    Of a set on the outside one swipes all but a card. With more than two seats others see it too:
    without an action left it is theirs.
    """
    others = sum([near(row) for owner, row in enumerate(rows) if owner != seat])
    mine = len(rows) == 2 or view.owed.count("act") > 1
    return near(rows[seat]) + (others // 2 if mine else -others // 4)


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


def taken(view: View, seat: Seat, rows: Rows, first: Cell, last: int) -> int:
    owner, i = AT[first]
    size = last - i
    gift = owner != seat  # R12
    left = put(rows, [(owner, at) for at in range(i, last)], "?")
    worth = total(view, seat, left) + FRESH + CARD * (size - gift)
    if size <= view.deck:
        return worth - CARD * gift // (len(rows) - 1)
    piles = [len(pile) + gift * (other == owner) for other, pile in enumerate(view.piles)]
    rivals = max(piles[:seat] + piles[seat + 1 :])
    if piles[seat] + size - gift > rivals:
        return worth + END
    return worth - END if view.quiet < PATIENCE else worth


def flipped(view: View, seat: Seat, rows: Rows, cell: Cell) -> int:
    """On average, as far as the visible side tells of the other. (R1)"""
    owner, i = AT[cell]
    return mean(rows[owner][i], {c: total(view, seat, put(rows, [AT[cell]], c)) for c in NAMED})


def drawn(view: View, seat: Seat, rows: Rows) -> int:
    """On average, put where it serves best."""
    best = {
        c: max([total(view, seat, put(rows, [(seat, i)], c)) for i in range(SLOTS)]) for c in NAMED
    }
    return mean(view.top or "?", best)


def mean(visible: str, worth: Mapping[Colour, int]) -> int:
    """A third of the cards behind a colour have it on both sides, a sixth each other colour."""
    return (sum(worth.values()) + sum([n for c, n in worth.items() if c == visible])) // 6


def traded(rows: Rows, own: Iterable[Cell], others: Iterable[Cell]) -> Rows:
    """The seat goes on seeing what it saw of each card, so colours only trade places. (R8)"""
    for one, two in zip(own, others, strict=True):
        (a, i), (b, j) = AT[one], AT[two]
        there, here = rows[a][i], rows[b][j]
        rows = put(put(rows, [(a, i)], here), [(b, j)], there)
    return rows


def put(rows: Rows, spots: Iterable[tuple[Seat, int]], colour: str) -> Rows:
    """The rows with this colour on these spots."""
    new = list(rows)
    for owner, i in spots:
        new[owner] = new[owner][:i] + colour + new[owner][i + 1 :]
    return tuple(new)
