"""Who sees which side of a card, and what a viewer may see of a match. (R17 to R19, R26)"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.contract import OPEN, Seat, Told, Viewer

from .cards import COLOUR, INSIDE, OUTSIDE, UNSEEN, Card, Colour, Held, Seen
from .facts import Faces, Fact
from .pieces import State, View

Owned = tuple[Seat, Held]  # a card in a holder, and whose that is


def faces(cards: Sequence[Owned], viewer: Seat | None) -> Faces:
    """Each card as a viewer sees it: its owner the inside, other seats the outside.

    To watchers it is hidden whole, for of each side there is a seat that may not see it. (R26)
    """
    if viewer is None:
        return tuple([UNSEEN[card] for _, card in cards])
    return tuple([(INSIDE if owner == viewer else OUTSIDE)[card] for owner, card in cards])


def each(seats: int, cards: Sequence[Owned], say: Callable[[Faces], Fact]) -> Told:
    """A fact that shows cards, to each seat as it sees them."""
    to = tuple([(seat, say(faces(cards, seat))) for seat in range(seats)])
    return Told(say(faces(cards, None)), to)


def top(deck: tuple[Card, ...]) -> Colour | None:
    """What lies up on the deck, for all to see. (R17)"""
    return COLOUR[deck[0][1]] if deck else None


def view(s: State, viewer: Viewer) -> View:
    return View(
        options=s.options,
        holders=tuple([holder(s, owner, viewer) for owner in range(len(s.holders))]),
        top=top(s.deck),
        deck=len(s.deck),
        drawn=drawn(s, viewer),
        piles=s.piles,
        turn=s.turn,
        tokens=s.tokens,
        owed=s.owed,
        bought=s.bought,
        took=s.took,
        quiet=s.quiet,
        over=s.over,
        collected=s.collected,
        last=s.last,
        order=s.deck if viewer == OPEN else None,
    )


def holder(s: State, owner: Seat, viewer: Viewer) -> tuple[Seen, ...]:
    if viewer == OPEN:
        return s.holders[owner]
    return faces([(owner, card) for card in s.holders[owner]], viewer)


def drawn(s: State, viewer: Viewer) -> Seen | None:
    """Its up side lay open before; its down side is for the seat that drew it. (R15)"""
    if s.drawn is None or viewer in (s.turn, OPEN):
        return s.drawn
    return OUTSIDE[s.drawn]
