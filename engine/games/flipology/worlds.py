"""Worlds for a robot that searches: all cards that its seat does not see dealt anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from engine.contract import Seat
from engine.dice import Dice

from .cards import CLEARING, CLEARINGS, SHY, Card, deck
from .moves import Index
from .pieces import MayScavenge, Row, Seen, Slot, State, View
from .rules import left_out
from .scores import scores
from .sense import TENTH


def imagine(view: View, seat: Seat, dice: Dice) -> State:
    """Places are filled from what nobody showed: rows, the pile, hands, and last the deck."""
    lying = [slot for row in view.rows for slot in row]
    pile = [*(Slot(card, True) for card in view.pile), *thrown(view, seat)]
    down, back = sum(slot.card is None for slot in lying), view.piled - len(pile)
    mine = [card for hand in view.hands for card in hand or ()]
    found = [slot.card for row in view.found for slot in row]
    shown = [slot.card for slot in lying if slot.card] + [slot.card for slot in pile]
    known = shown + found + mine
    lost = CLEARINGS - view.clearings - known.count(CLEARING)  # somewhere face down
    pool = without(deck(left_out(view.options)), known)
    cards = list(dice.shuffled(pool))
    some = iter(dice.shuffled([CLEARING] * lost + taken(cards, down + back - lost)))
    rest = iter(cards)
    rows = tuple(filled(row, some) for row in view.rows)
    hands = tuple(
        tuple(islice(rest, size)) if hand is None else hand
        for hand, size in zip(view.hands, view.held, strict=True)
    )
    return State(
        options=view.options,
        start=view.start,
        turn=view.turn,
        deck=tuple(rest),
        hands=hands,
        plans=tuple(plan or arranged(view, dice) * done for plan, done in both(view)),
        owed=view.owed,
        regrown=view.regrown,
        totals=view.totals,
        found=view.found,
        away=tuple(cards or () for cards in view.away),
        rows=rows,
        pile=tuple(sorted([*pile, *map(Slot, some)])),
        clearings=view.clearings,
        turns=view.turns,
        trail=view.trail,
        game=view.game,
        result=view.result,
        past=past(view, dice),
    )


def thrown(view: View, seat: Seat) -> list[Slot]:
    """What this seat laid away and knows to be in the pile, unless it is shown the whole pile."""
    asked = view.owed[0] if view.owed else None
    if not view.away or (isinstance(asked, MayScavenge) and asked.seat == seat):
        return []
    left = list(view.away[seat] or ())
    for slot in (slot for row in view.found for slot in row):
        if slot.card in left and slot.card not in view.pile:  # R38: it may have been this one
            left.remove(slot.card)
    return [Slot(card) for card in left]


def filled(row: Sequence[Seen], cards: Iterator[Card]) -> Row:
    return tuple([Slot(next(cards) if s.card is None else s.card, s.up) for s in row])


def taken(cards: list[Card], count: int) -> list[Card]:
    """So many cards from the end of these, which keep the others."""
    cut = len(cards) - count
    some, cards[cut:] = cards[cut:], []
    return some


def without(cards: Iterable[Card], known: Iterable[Card]) -> list[Card]:
    left = list(cards)
    for card in known:
        if card != CLEARING:
            left.remove(card)
    return left


def both(view: View) -> Iterator[tuple[tuple[Index, ...] | None, bool]]:
    return zip(view.plans, view.ready, strict=True)


def arranged(view: View, dice: Dice) -> tuple[Index, ...]:
    return dice.shuffled(range(1, view.options.hand + 1))[: view.options.width]


def past(view: View, dice: Dice) -> tuple[Row, ...]:
    """The rows of the game before; all that is still face down there is neither sloth nor koala."""
    known = [slot.card for row in view.past for slot in row if slot.card]
    left = without(deck(left_out(view.options)), known)
    cards = iter(dice.shuffled(card for card in left if card not in SHY))
    return tuple(filled(row, cards) for row in view.past)


def prospects(s: State) -> tuple[int, ...]:
    """What each would have if the game ended here; under a moon that is up, the less the better."""
    moon = any(slot == Slot("Mn7", up=True) for row in s.rows for slot in row)
    worth = [-count if moon else count for count in scores(s)]
    return tuple(TENTH * (count + total) for count, total in zip(worth, s.totals, strict=True))
