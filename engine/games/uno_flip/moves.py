"""Which moves may be made: `allows` judges any, `legal` and `grow` list them piece by piece.

Rules and rulings (3.3, R12) are those of the README beside this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from engine.contract import Seat

from .cards import COLOURS, FACE, OTHER, WILD_DRAWS, Colour, Face, Faces, in_order, matches, wild
from .pieces import (
    Catch,
    Challenge,
    Draw,
    Keep,
    Move,
    Name,
    NameColour,
    No,
    Options,
    Owed,
    Play,
    PlayOrDraw,
    PlayOrKeep,
    State,
    Take,
    TakeOrChallenge,
    Uno,
)

ANSWERS: dict[type[Owed], tuple[type[Move], ...]] = {
    PlayOrDraw: (Play, Draw),
    PlayOrKeep: (Play, Keep),
    NameColour: (Name,),
    TakeOrChallenge: (Take, Challenge),
}
BEGUN: Final = (None, No.COLOUR_NEEDED)  # of a play: it may be made, or grown


def to_act(s: State) -> tuple[Seat, ...]:
    return (s.owed[0].seat,) if s.owed else ()


def live(s: State, seat: Seat) -> Faces:
    """The faces that count now, in the order in which the seat got its cards."""
    faces = FACE[s.side]
    return tuple([faces[card] for card in s.hands[seat]])


def idle(s: State, seat: Seat) -> Faces:
    """The other faces of a hand, sorted so that no card can be followed."""
    faces = FACE[OTHER[s.side]]
    return tuple(sorted([faces[card] for card in s.hands[seat]]))


def top(s: State) -> Face:
    return FACE[s.side][s.discards[-1]]


def allows(s: State, seat: Seat, move: Move) -> No | None:
    if not s.owed:
        return No.OVER
    if isinstance(move, Catch):
        return uncaught(s, seat, move.seat)
    if isinstance(move, Uno):
        return None if seat == s.window and not s.called else No.NO_WINDOW
    asked = s.owed[0]
    if seat != asked.seat:
        return No.NOT_YOUR_TURN
    if not isinstance(move, ANSWERS[type(asked)]):
        return No.PHASE
    if isinstance(move, Play):
        return unplayable(s, seat, live(s, seat), move)
    if isinstance(move, Name) and move.colour not in COLOURS[s.side]:
        return No.BAD_COLOUR
    return None


def uncaught(s: State, seat: Seat, target: Seat) -> No | None:
    """3.7: only a seat that came down to one card and has not called can be caught."""
    if seat == target or target >= len(s.hands):
        return No.NO_CATCH
    if target == s.window and not s.called:
        return None
    payable = s.options.false_catch_penalty and (s.draw or len(s.discards) > 1)
    return None if payable else No.NO_CATCH  # R35


def unplayable(s: State, seat: Seat, held: Faces, play: Play) -> No | None:
    """3.3, and what must and must not be said with the card; `held` is what the seat holds."""
    face, asked = play.face, s.owed[0]
    if held.count(face) < play.copy:
        return No.NOT_IN_HAND
    if isinstance(asked, PlayOrKeep) and (held[asked.at] != face or play.copy > 1):
        return No.DRAWN_ONLY  # R30
    if not matches(face, top(s), s.colour):
        return No.NO_MATCH
    if face in WILD_DRAWS and restricted(s.options, held, top(s), s.colour):
        return No.WILD_DRAW_RESTRICTED
    if play.colour and not wild(face):
        return No.NO_COLOUR_ALLOWED
    if play.colour and play.colour not in COLOURS[s.side]:
        return No.BAD_COLOUR
    if play.uno and not may_call(s, seat):
        return No.UNO_NOT_APPLICABLE
    return No.COLOUR_NEEDED if wild(face) and not play.colour else None  # R20: any of the four


def may_call(s: State, seat: Seat) -> bool:
    """Does a play of this seat leave one card, and does it matter?"""
    return s.options.uno_call and len(s.hands[seat]) == 2


def convicts(options: Options, held: Iterable[Face], under: Face, active: Colour | None) -> bool:
    """3.6: do these cards convict who plays a wild draw? Wild ones never do. (R1)"""
    coloured = [face for face in held if face[0] != "W"]
    if options.challenge_test == "colour":
        return any(face[0] == active for face in coloured)
    return any(matches(face, under, active) for face in coloured)


def restricted(options: Options, held: Iterable[Face], under: Face, active: Colour | None) -> bool:
    """2.1: without challenges a wild draw that would convict cannot be played."""
    return not options.challenges and convicts(options, held, under, active)


def legal(s: State, seat: Seat) -> Iterator[Move]:
    if seat in to_act(s):
        yield from answers(s, seat)
    if allows(s, seat, Uno()) is None:
        yield Uno()
    if s.owed:
        yield from (Catch(at) for at in range(len(s.hands)) if uncaught(s, seat, at) is None)


def answers(s: State, seat: Seat) -> Iterator[Move]:
    """What the seat whose turn it is may begin."""
    match s.owed[0]:
        case PlayOrDraw():
            yield from playable(s, seat)
            yield Draw()  # also with playable cards in hand
        case PlayOrKeep():
            yield from playable(s, seat)
            yield Keep()  # R12
        case NameColour():
            yield from map(Name, COLOURS[s.side])
        case TakeOrChallenge():
            yield from (Take(), Challenge())


def playable(s: State, seat: Seat) -> Iterator[Play]:
    return begun(s, seat, map(Play, in_order(dict.fromkeys(live(s, seat)))))


def begun(s: State, seat: Seat, plays: Iterable[Play]) -> Iterator[Play]:
    """Those that may be played as they stand, or once a colour is named."""
    held = live(s, seat)
    return (play for play in plays if unplayable(s, seat, held, play) in BEGUN)


def grow(s: State, seat: Seat, move: Move) -> Iterator[Move]:
    if not isinstance(move, Play) or allows(s, seat, move) not in BEGUN:
        return
    copies, more = live(s, seat).count(move.face), list[Play]()
    if move.copy == 1:  # R15: the oldest, unless another is meant
        more += [replace(move, copy=copy) for copy in range(2, copies + 1)]
    if wild(move.face) and not move.colour:
        more += [replace(move, colour=colour) for colour in COLOURS[s.side]]
    if may_call(s, seat) and not move.uno:
        more.append(replace(move, uno=True))
    yield from begun(s, seat, more)
