"""What happens in Flipology, as it is told."""

from __future__ import annotations

from msgspec import Struct

from engine.contract import Seat

from .board import Cell
from .cards import Card, Imitable, Kind


class Started(Struct, frozen=True, forbid_unknown_fields=True, tag="started"):
    """A game or, in the Great Tree, a round."""

    seat: Seat
    game: int
    level: int


class Dealt(Struct, frozen=True, forbid_unknown_fields=True, tag="dealt"):
    seat: Seat
    count: int
    cards: tuple[Card, ...] = ()  # told to this seat only


class Regrown(Struct, frozen=True, forbid_unknown_fields=True, tag="regrown"):
    """Asked for new cards, this seat took them or not; if so, it is dealt them next."""

    seat: Seat
    yes: bool


class Committed(Struct, frozen=True, forbid_unknown_fields=True, tag="committed"):
    seat: Seat
    row: tuple[Card, ...] = ()  # told to this seat only
    away: tuple[Card, ...] = ()  # likewise


class Laid(Struct, frozen=True, forbid_unknown_fields=True, tag="laid"):
    """All rows of this level lie on the table, and this seat begins."""

    level: int
    seat: Seat


class Flipped(Struct, frozen=True, forbid_unknown_fields=True, tag="flipped"):
    cell: Cell
    card: Card | None  # None: it lies face down now


class Stayed(Struct, frozen=True, forbid_unknown_fields=True, tag="stayed"):
    """A face-up cat was to be turned over. (R9)"""

    cell: Cell


class Woken(Struct, frozen=True, forbid_unknown_fields=True, tag="woken"):
    cell: Cell
    kind: Kind


class Imitated(Struct, frozen=True, forbid_unknown_fields=True, tag="imitated"):
    cell: Cell
    kind: Imitable


class Picked(Struct, frozen=True, forbid_unknown_fields=True, tag="picked"):
    cell: Cell


class Swapped(Struct, frozen=True, forbid_unknown_fields=True, tag="swapped"):
    """A mole and what it traded places with."""

    cell: Cell  # where the mole was
    other: Cell
    card: Card | None = None  # face down; told only to whose row it lies in now


class Removed(Struct, frozen=True, forbid_unknown_fields=True, tag="removed"):
    """Wolves; a Clearing lies there now."""

    cell: Cell
    card: Card | None  # None: it lay face down


class Peeked(Struct, frozen=True, forbid_unknown_fields=True, tag="peeked"):
    seat: Seat
    cells: tuple[Cell, ...]
    cards: tuple[Card, ...] = ()  # told to this seat only


class Declined(Struct, frozen=True, forbid_unknown_fields=True, tag="declined"):
    """Nothing turned up after a peek, or nothing scavenged."""

    seat: Seat


class Passed(Struct, frozen=True, forbid_unknown_fields=True, tag="passed"):
    seat: Seat


class Searched(Struct, frozen=True, forbid_unknown_fields=True, tag="searched"):
    """This seat is shown the discard pile and may take an animal."""

    seat: Seat
    count: int
    cards: tuple[Card, ...] = ()  # sorted; told to this seat only


class Scavenged(Struct, frozen=True, forbid_unknown_fields=True, tag="scavenged"):
    seat: Seat
    card: Card
    points: int


class Face(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    cell: Cell
    card: Card


class Revealed(Struct, frozen=True, forbid_unknown_fields=True, tag="revealed"):
    """The sloths and koalas that lay face down. (R28)"""

    faces: tuple[Face, ...]


class Scored(Struct, frozen=True, forbid_unknown_fields=True, tag="scored"):
    """How a game ended; fields as in Result."""

    scores: tuple[int, ...]
    animals: tuple[int, ...]
    moon: bool
    winners: tuple[Seat, ...]


class Totalled(Struct, frozen=True, forbid_unknown_fields=True, tag="totalled"):
    """The match to 100 after a game."""

    totals: tuple[int, ...]


Step = (  # what may be part of a turn or of the scavenging, as everybody hears it
    Flipped
    | Stayed
    | Woken
    | Imitated
    | Picked
    | Swapped
    | Removed
    | Peeked
    | Declined
    | Passed
    | Scavenged
)
Fact = Step | Started | Dealt | Regrown | Committed | Laid | Searched | Revealed | Scored | Totalled
