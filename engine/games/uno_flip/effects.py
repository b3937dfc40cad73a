"""A card is played: what leaves the hand, and what the card does (3.4 to 3.6)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import Play as Telling
from engine.contract import Seat, Told, put
from engine.dice import Dice

from .cards import FACE, LIGHT, OTHER, Face, colour
from .draws import pay, pull
from .facts import Played, Turned
from .moves import live, top
from .pieces import NameColour, Play, PlayOrKeep, State, TakeOrChallenge
from .rounds import after, each, end_round, flipped, turn_to


def lay(s: State, seat: Seat, play: Play, dice: Dice) -> Telling[State]:
    before, held, at = s, s.hands[seat], place(s, seat, play)
    card, hand = held[at], held[:at] + held[at + 1 :]
    yield played(s, seat, play, FACE[OTHER[s.side]][card])
    s = replace(
        s,
        hands=put(s.hands, seat, hand),
        discards=(*s.discards, card),
        colour=play.colour or colour(play.face),
        fails=0,
    )
    if len(hand) == 1 and s.options.uno_call:  # 3.7
        s = replace(s, window=seat, called=play.uno)
    s = yield from effect(s, seat, play.face, before, dice)
    return s if hand else (yield from end_round(s, seat))


def place(s: State, seat: Seat, play: Play) -> int:
    """Where in the hand the card lies: the one drawn (R30), or the oldest of its face (R15)."""
    if isinstance(asked := s.owed[0], PlayOrKeep):
        return asked.at
    places = [at for at, face in enumerate(live(s, seat)) if face == play.face]
    return places[play.copy - 1]


def played(s: State, seat: Seat, play: Play, back: Face) -> Told:
    """To the others with the back that is gone, unless a Flip turns the whole hand anyway."""
    told = Played(seat, play.face, play.colour, play.uno)
    if s.options.backs == "closed" or play.face[1:] == "F":
        return Told(told)
    theirs = replace(told, back=back)
    return Told(told, tuple([(p, theirs) for p in range(len(s.hands)) if p != seat]))


def effect(s: State, seat: Seat, face: Face, before: State, dice: Dice) -> Telling[State]:
    """3.4. An empty hand asks nothing more of anyone, but its victim still draws. (R13, R31)"""
    following, out = after(s, seat), not s.hands[seat]
    if face in ("W2", "WC"):
        return (yield from wild_draw(s, seat, face, before, dice))
    match face[1:]:
        case "D":
            s = yield from pull(s, following, 1 if s.side == LIGHT else 5, dice)
            return turn_to(s, after(s, following))
        case "S":  # R28
            return turn_to(s, after(s, following) if s.side == LIGHT else seat)
        case "V":
            s = replace(s, way=-s.way)
            again = len(s.hands) == 2 and s.options.two_player_reverse == "skip"  # R6
            return turn_to(s, seat if again else after(s, seat))
        case "F":
            return (yield from flip(s, seat, out))
    return turn_to(s, following)


def wild_draw(s: State, seat: Seat, face: Face, before: State, dice: Dice) -> Telling[State]:
    victim, held = after(s, seat), len(s.hands[seat])
    if held and s.options.challenges:
        assert before.colour is not None
        asked = TakeOrChallenge(victim, seat, held, top(before), before.colour)
        return replace(s, owed=(asked,))
    s = yield from pay(s, victim, face, dice)  # R13
    return turn_to(s, after(s, victim))


def flip(s: State, seat: Seat, out: bool) -> Telling[State]:
    """3.5: everything turns; a wild that comes up gets a colour from who flipped. (R3)"""
    s = turn_to(flipped(s), after(s, seat))
    if out:  # R11: no colour is asked, and what lies where is said with the count
        return s
    yield each(s, lambda hand, backs: Turned(s.side, top(s), hand, backs))
    return s if s.colour else replace(s, owed=(NameColour(seat), *s.owed))
