"""What each viewer may see of a match, face by face (section 4)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import OPEN, Seat, Viewer

from .cards import FACE, OTHER, Faces
from .draws import shows
from .facts import Challenged
from .moves import idle, live, top
from .pieces import State, View


def view(s: State, viewer: Viewer) -> View:
    seats = range(len(s.hands))
    return View(
        options=s.options,
        dealer=s.dealer,
        top=top(s),
        discards=len(s.discards),
        draw=len(s.draw),
        pile=shows(s) if viewer == OPEN or not s.over else None,
        hands=tuple([fronts(s, seat, viewer) for seat in seats]),
        backs=tuple([backs(s, seat, viewer) for seat in seats]),
        held=tuple(map(len, s.hands)),
        scores=s.scores,
        owed=s.owed,
        side=s.side,
        way=s.way,
        colour=s.colour,
        window=s.window,
        called=s.called,
        fails=s.fails,
        round=s.round,
        blocked=s.blocked,
        verdict=verdict(s, viewer),
        ended=s.ended,
        returned=s.returned,
        over=s.over,
        piles=(s.draw, s.discards) if viewer == OPEN else None,
    )


def fronts(s: State, seat: Seat, viewer: Viewer) -> Faces | None:
    """The live faces of a hand: its owner's; once the match is over, as counted, everybody's."""
    if s.over and s.ended and viewer != OPEN:
        return s.ended.hands[seat]
    return live(s, seat) if viewer in (seat, OPEN) else None


def backs(s: State, seat: Seat, viewer: Viewer) -> Faces | None:
    """The idle faces of a hand: for all seats but its owner, so not for watchers. (R19)"""
    if viewer == OPEN:  # beside the live ones
        return tuple([FACE[OTHER[s.side]][card] for card in s.hands[seat]])
    if s.options.backs == "closed" or s.over or viewer in (seat, None):
        return None
    return idle(s, seat)


def verdict(s: State, viewer: Viewer) -> Challenged | None:
    """Of the challenge just made; the hand for the challenger only. (R21)"""
    if s.verdict is None or viewer in (s.verdict.seat, OPEN):
        return s.verdict
    return replace(s.verdict, hand=())
