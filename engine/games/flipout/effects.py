"""What each move does to the cards, and what is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.contract import Play, Seat, Told, put

from .cards import (
    AT,
    CELLS,
    COLOUR,
    GAP,
    NUMBERS,
    OUTSIDE,
    TURNED,
    Cell,
    Colour,
    Held,
    Holder,
    Slot,
    insides,
    longest,
    outsides,
    span,
)
from .facts import (
    Bought,
    Collected,
    Drew,
    Ended,
    Flipped,
    Placed,
    Refilled,
    Scored,
    Swapped,
    Swiped,
    Switched,
    TurnEnded,
    Uncovered,
)
from .looks import each, top
from .pieces import (
    Draw,
    End,
    Flip,
    Move,
    Pile,
    Place,
    Score,
    State,
    Swap,
    SwapPairs,
    Swipe,
    Switch,
    Third,
    Why,
)


def effect(s: State, seat: Seat, move: Move) -> Play[State]:
    match move:
        case Flip(cell):
            return flip(s, seat, cell)
        case Switch(cells):
            return switch(s, seat, *sorted(cells))
        case Swap((own, other)):
            return swap(s, seat, span(own, 1), span(other, 1))
        case SwapPairs((own, other)):
            return swap(s, seat, span(own, 2), span(other, 2))
        case Score(first, last):
            return score(s, seat, first, last)
        case Swipe(first, last):
            return swipe(s, seat, first, last)
        case Draw():
            return draw(s, seat)
        case Place(slot):
            return place(s, seat, slot)
        case Third():
            return third(s, seat)
        case End():
            return end_turn(s, seat)
    raise AssertionError(f"{move} is not allowed")


def flip(s: State, seat: Seat, cell: Cell) -> Play[State]:
    owner, i = AT[cell]
    card = TURNED[s.holders[owner][i]]
    yield each(len(s.holders), [(owner, card)], lambda seen: Flipped(seat, cell, seen[0]))
    return replace(s, holders=stood(s, (cell,), (card,)))


def switch(s: State, seat: Seat, one: Cell, two: Cell) -> Play[State]:
    yield Told(Switched(seat, (one, two)))
    return replace(s, holders=stood(s, (one, two), (at(s, two), at(s, one))))


def swap(s: State, seat: Seat, own: tuple[Cell, ...], others: tuple[Cell, ...]) -> Play[State]:
    """The cards do not turn (R8), so whoever owns one now sees what it saw before."""
    cells = own + others
    cards = [TURNED[at(s, cell)] for cell in others + own]
    owned = [(AT[cell][0], card) for cell, card in zip(cells, cards, strict=True)]
    yield each(len(s.holders), owned, lambda seen: Swapped(seat, own, others, seen))
    return replace(s, holders=stood(s, cells, cards))


def score(s: State, seat: Seat, first: Cell, last: Slot) -> Play[State]:
    cells = span(first, last - AT[first][1])
    colour = COLOUR[insides((at(s, first),))]
    yield Told(Scored(seat, first, last, colour))
    piles = gain(s.piles, seat, colour, len(cells))
    return (yield from refill(replace(s, piles=piles, took=True), cells))


def swipe(s: State, seat: Seat, first: Cell, last: Slot) -> Play[State]:
    cells = span(first, last - AT[first][1])
    colour = COLOUR[outsides((at(s, first),))]
    yield Told(Swiped(seat, first, last, colour))
    piles = gain(s.piles, AT[first][0], colour, 1)  # R12
    piles = gain(piles, seat, colour, len(cells) - 1)
    return (yield from refill(replace(s, piles=piles, took=True), cells))


def refill(s: State, cells: tuple[Cell, ...]) -> Play[State]:
    """From the lowest slot up, top of the deck first (R10); where it does not suffice, the end."""
    owner, filled = AT[cells[0]][0], cells[: len(s.deck)]
    drawn, deck = s.deck[: len(cells)], s.deck[len(cells) :]
    s = replace(s, deck=deck, holders=stood(s, cells, pad(drawn, len(cells))))
    if filled:
        owned = [(owner, card) for card in drawn]
        yield each(len(s.holders), owned, lambda seen: Refilled(owner, filled, seen))
        yield uncovered(s)  # R18: only once all are drawn
    return (yield from end(s, "the deck ran out")) if len(filled) < len(cells) else s  # R20


def draw(s: State, seat: Seat) -> Play[State]:
    card = s.deck[0]
    yield Told(Drew(seat, OUTSIDE[card]), to=((seat, Drew(seat, card)),))
    s = replace(s, deck=s.deck[1:], drawn=card)
    yield uncovered(s)  # R27
    return s


def place(s: State, seat: Seat, slot: Slot) -> Play[State]:
    """The card that stood there goes under the deck as it is, not turned. (R16)"""
    cell = CELLS[seat][slot - 1]
    old, card = at(s, cell), s.drawn
    assert old != GAP
    assert card is not None
    yield Told(Placed(seat, cell))
    s = replace(s, deck=(*s.deck, old), drawn=None, holders=stood(s, (cell,), (card,)))
    if len(s.deck) == 1:
        yield uncovered(s)
    return s


def third(s: State, seat: Seat) -> Play[State]:
    left = s.tokens[seat] - 1
    yield Told(Bought(seat, left))
    return replace(s, tokens=put(s.tokens, seat, left), bought=True)


def end_turn(s: State, seat: Seat) -> Play[State]:
    yield Told(TurnEnded(seat))
    return s


def end(s: State, why: Why) -> Play[State]:
    """R21: each seat collects the set that it sees in its own holder, if there is one.

    Its cards count as taken, and stand where they are to be looked at. (R28)
    """
    yield Told(Ended(why))
    for seat, holder in enumerate(s.holders):
        row = insides(holder)
        if run := longest(row):
            first, past = run
            cells, colour = CELLS[seat][first:past], COLOUR[row[first]]
            yield Told(Collected(seat, cells[0], NUMBERS[past - 1], colour))
            piles = gain(s.piles, seat, colour, len(cells))
            s = replace(s, piles=piles, collected=s.collected + cells)
    return replace(s, over=why)


# Cards and cells


def at(s: State, cell: Cell) -> Held:
    owner, i = AT[cell]
    return s.holders[owner][i]


def stood(s: State, cells: Sequence[Cell], cards: Sequence[Held]) -> tuple[Holder, ...]:
    """The holders with these cards on these cells."""
    holders = list(s.holders)
    for cell, card in zip(cells, cards, strict=True):
        owner, i = AT[cell]
        holders[owner] = put(holders[owner], i, card)
    return tuple(holders)


def pad(cards: Holder, size: int) -> Holder:
    return cards + (GAP,) * (size - len(cards))


def gain(piles: tuple[Pile, ...], seat: Seat, colour: Colour, count: int) -> tuple[Pile, ...]:
    """R13: they count as the colour of the set."""
    return put(piles, seat, piles[seat] + (colour,) * count)


def uncovered(s: State) -> Told:
    return Told(Uncovered(top(s.deck), len(s.deck)))
