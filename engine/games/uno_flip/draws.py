"""Cards that are drawn: by choice, as a penalty, up to a colour, and from a pile that runs dry."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.contract import Play as Telling
from engine.contract import Seat, Told, put
from engine.dice import Dice

from .cards import FACE, OTHER, Card, Colour, Face
from .facts import Drew, Reshuffled
from .pieces import State


def pull(
    s: State, seat: Seat, count: int, dice: Dice, until: Colour | None = None
) -> Telling[State]:
    """3.8: draw one by one up to the first card of a colour, then so many; or what there is."""
    pile, discards, faces = list(s.draw), s.discards, FACE[s.side]
    got: list[Card] = []
    while until or count:
        if not pile:
            if len(discards) < 2:
                break  # R8, R9
            pile, discards = list(dice.shuffled(discards[:-1])), discards[-1:]  # R17, R33
            yield Told(Reshuffled(len(pile)))
        got.append(pile.pop())
        if not until:
            count -= 1
        elif faces[got[-1]][0] == until:  # a wild has no colour, so it never ends it
            until = None
    if not got:
        return s
    yield drawn(s, seat, got)
    hands = put(s.hands, seat, s.hands[seat] + tuple(got))
    return replace(s, draw=tuple(pile), discards=discards, hands=hands, fails=0)


def drawn(s: State, seat: Seat, got: Sequence[Card]) -> Told:
    """Told to the seat by live faces, to the others by idle ones."""
    count = len(got)
    if not all(s.hands):  # somebody has gone out: all hands are shown at once
        return Told(Drew(seat, count))
    live, idle = FACE[s.side], FACE[OTHER[s.side]]
    mine = Drew(seat, count, faces=tuple([live[card] for card in got]))
    if s.options.backs == "closed":
        return Told(Drew(seat, count), ((seat, mine),))
    theirs = Drew(seat, count, backs=tuple(sorted([idle[card] for card in got])))
    seats = range(len(s.hands))
    return Told(Drew(seat, count), tuple([(p, mine if p == seat else theirs) for p in seats]))


def pay(
    s: State, seat: Seat, face: Face, dice: Dice, extra: int = 0, mild: bool = False
) -> Telling[State]:
    """3.6: what a wild draw costs this seat; `mild`: two cards, whichever it was. (R2)"""
    if face == "WC" and not mild:
        return (yield from pull(s, seat, extra, dice, until=s.colour))
    return (yield from pull(s, seat, 2 + extra, dice))


def shows(s: State) -> Face | None:
    """The idle face on the draw pile, which all may see with open backs. (R19)"""
    if s.options.backs == "closed" or not s.draw:
        return None
    return FACE[OTHER[s.side]][s.draw[-1]]
