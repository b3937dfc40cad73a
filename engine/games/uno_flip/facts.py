"""What happens in UNO Flip. What a seat alone may know stands in its own version only."""

from __future__ import annotations

from msgspec import Struct

from engine.contract import Seat

from .cards import Colour, Face, Faces, Side


class Dealt(Struct, frozen=True, forbid_unknown_fields=True, tag="dealt"):
    """A round is dealt, as the cards lie when the first seat acts."""

    dealer: Seat
    round: int
    hand: Faces = ()  # to each seat its own
    backs: tuple[Faces, ...] = ()  # to each seat those of the others, sorted


class TurnedUp(Struct, frozen=True, forbid_unknown_fields=True, tag="turned-up"):
    face: Face
    over: Face | None = None  # a Flip turns everything: what then lies on top
    returned: int = 0  # Wild Draw Twos that came up before and went back


class Played(Struct, frozen=True, forbid_unknown_fields=True, tag="played"):
    seat: Seat
    face: Face
    colour: Colour | None = None  # named
    uno: bool = False
    back: Face | None = None  # to the others: which of the idle faces is gone


class Drew(Struct, frozen=True, forbid_unknown_fields=True, tag="drew"):
    seat: Seat
    count: int
    faces: Faces = ()  # to this seat
    backs: Faces = ()  # to the others, sorted


class Reshuffled(Struct, frozen=True, forbid_unknown_fields=True, tag="reshuffled"):
    count: int  # discards that are the draw pile now


class PileShows(Struct, frozen=True, forbid_unknown_fields=True, tag="pile-shows"):
    face: Face | None  # the idle face of the next card; none when there is none


class Turned(Struct, frozen=True, forbid_unknown_fields=True, tag="turned"):
    """All cards, by a Flip."""

    side: Side
    top: Face
    hand: Faces = ()  # to each seat its own
    backs: tuple[Faces, ...] = ()  # to each seat those of the others, sorted


class Kept(Struct, frozen=True, forbid_unknown_fields=True, tag="kept"):
    seat: Seat


class Passed(Struct, frozen=True, forbid_unknown_fields=True, tag="passed"):
    """There was nothing to draw."""

    seat: Seat


class Named(Struct, frozen=True, forbid_unknown_fields=True, tag="named"):
    seat: Seat
    colour: Colour


class Took(Struct, frozen=True, forbid_unknown_fields=True, tag="took"):
    seat: Seat


class Challenged(Struct, frozen=True, forbid_unknown_fields=True, tag="challenged"):
    seat: Seat
    accused: Seat
    guilty: bool
    hand: Faces = ()  # to the challenger: what the accused held, sorted


class Called(Struct, frozen=True, forbid_unknown_fields=True, tag="called"):
    seat: Seat


class Caught(Struct, frozen=True, forbid_unknown_fields=True, tag="caught"):
    seat: Seat
    by: Seat


class Miscaught(Struct, frozen=True, forbid_unknown_fields=True, tag="miscaught"):
    """There was nothing to catch this seat at."""

    seat: Seat
    by: Seat


class RoundEnded(Struct, frozen=True, forbid_unknown_fields=True, tag="round-ended"):
    out: Seat | None  # None: blocked
    side: Side  # that counted
    top: Face
    hands: tuple[Faces, ...]  # of all seats, sorted
    points: tuple[int, ...]  # scored in this round
    scores: tuple[int, ...]


Fact = (
    Dealt
    | TurnedUp
    | Played
    | Drew
    | Reshuffled
    | PileShows
    | Turned
    | Kept
    | Passed
    | Named
    | Took
    | Challenged
    | Called
    | Caught
    | Miscaught
    | RoundEnded
)
