"""Worlds for a robot that searches: hidden sides dealt anew, and how well each seat stands."""

from __future__ import annotations

from typing import Final

from engine.contract import Seat, paired
from engine.dice import Dice

from .cards import CARDS, EVERY, GAP, NAMED, TURNED, Card, Seen
from .hints import CARD, standing, total
from .looks import view as look
from .pieces import State, View

LOOKS: Final[dict[Seen, frozenset[Card]]] = {
    one + other: frozenset(c for c in EVERY if one in ("?", c[0]) and other in ("?", c[1]))
    for one in ("?", *NAMED)
    for other in ("?", *NAMED)
}


def imagine(view: View, seat: Seat, dice: Dice) -> State:
    """Each card that this seat sees from one side, or not at all, is any that can look so."""
    seen = [card for holder in view.holders for card in holder]
    seen += [view.drawn] if view.drawn else []
    seen += ["?" + view.top] if view.top else []
    taken = [colour + "?" for pile in view.piles for colour in pile]
    pool = dice.shuffled(tossed(card, dice) for card in CARDS)
    found = paired([*seen, *taken], pool, lies) or paired([*seen, *taken], pool, fits)
    assert found is not None, "the cards do not fit themselves"
    cards = [as_seen(one, pool[j]) for one, j in zip(seen, found, strict=False)]
    under = [card for j, card in enumerate(pool) if j not in found]
    dealt = iter(cards)
    holders = tuple(tuple(next(dealt) for _ in holder) for holder in view.holders)
    return State(
        options=view.options,
        holders=holders,
        drawn=next(dealt) if view.drawn else None,
        deck=(*dealt, *under),
        piles=view.piles,
        turn=view.turn,
        tokens=view.tokens,
        owed=view.owed,
        bought=view.bought,
        took=view.took,
        quiet=view.quiet,
        over=view.over,
        collected=view.collected,
        last=view.last,
    )


def turned(card: Card) -> Card:
    other = TURNED[card]
    assert other != GAP
    return other


def tossed(card: Card, dice: Dice) -> Card:
    return turned(card) if dice.below(2) else card


def lies(seen: Seen, card: Card) -> bool:
    """Does it look like this as it lies? So a card of one colour fits twice as often. (R1)"""
    return card in LOOKS[seen]


def fits(seen: Seen, card: Card) -> bool:
    return lies(seen, card) or lies(seen, turned(card))


def as_seen(seen: Seen, card: Card) -> Card:
    return card if lies(seen, card) else turned(card)


def prospects(s: State) -> tuple[int, ...]:
    """What was taken, and while more can be, how near each seat is to sets."""
    taken = [CARD * len(pile) for pile in s.piles]
    if s.over:
        return tuple(taken)
    views = [look(s, seat) for seat in range(len(taken))]
    return tuple(
        had + total(seat, standing(view, seat))
        for seat, (had, view) in enumerate(zip(taken, views, strict=True))
    )
