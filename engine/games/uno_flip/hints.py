"""How good a move looks to the seat that would make it: what the greedy robot goes by."""

from __future__ import annotations

from collections import Counter
from functools import cache

from engine.contract import Seat

from .cards import CARDS, FACE, OTHER, WILD_DRAWS, Face, Faces, Side, points, wild
from .moves import convicts
from .pieces import Catch, Challenge, Move, Name, Play, TakeOrChallenge, Uno, View

FEW = 2  # cards of a seat that is about to go out


def hint(view: View, seat: Seat, move: Move) -> int:
    """Drawing, keeping and taking are 0; what is below them is better left."""
    match move:
        case Uno():
            return 900
        case Catch(target):
            return 1000 if target == view.window and not view.called else -1000
        case Play():
            return worth(view, seat, move)
        case Name(named):
            return of_colour(view.hands[seat] or (), named)
        case Challenge():
            return 100 if likely_guilty(view) else -100
    return 0


def worth(view: View, seat: Seat, play: Play) -> int:
    """Points gone, and a colour kept that it has more of; wilds only when nothing else goes."""
    left = rest(view.hands[seat] or (), play.face)
    value = 40 if wild(play.face) else 100 + points(play.face, view.side)
    value += 3 * of_colour(left, play.colour or play.face[0]) - play.copy
    value += attack(view, seat, play.face)
    if play.face in WILD_DRAWS and convicts(view.options, left, view.top, view.colour):
        value -= 300  # honest: there is always another card then
    if len(left) == 1 and view.options.uno_call:
        value += 50 if play.uno else -50
    return value


def attack(view: View, seat: Seat, face: Face) -> int:
    """What costs the next seat cards or its turn is kept until that seat is about to go out."""
    n = len(view.held)
    if view.held[(seat + view.way) % n] > FEW:
        return 0
    if face in WILD_DRAWS:
        return 150
    return {"D": 60, "S": 40, "F": 20, "V": 40}.get(face[1:], 0)


def rest(hand: Faces, face: Face) -> Faces:
    at = hand.index(face) if face in hand else len(hand)
    return hand[:at] + hand[at + 1 :]


def of_colour(hand: Faces, colour: str) -> int:
    """How many cards there are of it; wilds have none."""
    return sum([face[0] == colour for face in hand if not wild(face)])


def likely_guilty(view: View) -> bool:
    """Four to one or better, from the backs of the accused, where they are to be seen."""
    asked = view.owed[0] if view.owed else None
    if not isinstance(asked, TakeOrChallenge):
        return False
    backs = view.backs[asked.accused] or (None,) * asked.held
    ways, innocent = 1, 1
    for back, cards in Counter(backs).items():
        faces = fronts(view.side, back)
        ways *= len(faces) ** cards
        clean = [f for f in faces if not convicts(view.options, (f,), asked.under, asked.colour)]
        innocent *= len(clean) ** cards
    return 5 * innocent < ways


@cache
def fronts(side: Side, back: Face | None) -> Faces:
    """The faces on this side of all cards, or of those with such a back."""
    idle = FACE[OTHER[side]]
    return tuple([FACE[side][card] for card in CARDS if back in (None, idle[card])])
