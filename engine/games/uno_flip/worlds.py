"""Worlds for a robot that searches: cards that look, from where its seat sits, as these do."""

from __future__ import annotations

from engine.contract import Seat, paired
from engine.dice import Dice

from .cards import CARDS, FACE, OTHER, Card, Face, Side, points
from .moves import live
from .pieces import State, View

Look = tuple[Side, Face]  # one side of a card
HELD = 10  # what a card in the hand costs, beside its points


def imagine(view: View, seat: Seat, dice: Dice) -> State:
    """Each card of which this seat sees a face is any with that face; the others lie anywhere."""
    idle = OTHER[view.side]
    hands: list[list[Look | None]] = []
    for other, size in enumerate(view.held):
        faces, side = (view.hands[other], view.side) if other == seat else (view.backs[other], idle)
        hands.append([(side, face) for face in faces] if faces else [None] * size)
    pile: list[Look | None] = [None] * view.draw
    if view.draw and view.pile:
        pile[-1] = idle, view.pile
    discards: list[Look | None] = [*[None] * (view.discards - 1), (view.side, view.top)]
    cards = iter(dealt([look for zone in (*hands, pile, discards) for look in zone], dice))
    return State(
        options=view.options,
        dealer=view.dealer,
        hands=tuple(tuple(next(cards) for _ in hand) for hand in hands),
        draw=tuple(next(cards) for _ in pile),
        discards=tuple(cards),
        scores=view.scores,
        owed=view.owed,
        side=view.side,
        way=view.way,
        colour=view.colour,
        window=view.window,
        called=view.called,
        fails=view.fails,
        round=view.round,
        blocked=view.blocked,
        verdict=view.verdict,
        ended=view.ended,
        returned=view.returned,
        over=view.over,
    )


def dealt(looks: list[Look | None], dice: Dice) -> tuple[Card, ...]:
    """A card for each place, so that it shows what is to be seen there."""
    pool = dice.shuffled(CARDS)
    seen = [look for look in looks if look]
    found = paired(seen, pool, shows)
    assert found is not None, "the cards do not fit themselves"
    shown, rest = iter(found), iter(sorted(set(range(len(pool))).difference(found)))
    return tuple(pool[next(shown if look else rest)] for look in looks)


def shows(look: Look, card: Card) -> bool:
    side, face = look
    return FACE[side][card] == face


def prospects(s: State) -> tuple[int, ...]:
    """Points, and what the cards in hand cost, or would bring to whoever goes out."""
    sign = -1 if s.options.scoring == "low" else 1
    held = [sum(HELD + points(face, s.side) for face in live(s, p)) for p in range(len(s.hands))]
    if s.owed:
        return tuple(sign * score - cost for score, cost in zip(s.scores, held, strict=True))
    return tuple(sign * score for score in s.scores)
