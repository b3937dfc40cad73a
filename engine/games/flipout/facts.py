"""What happens in FlipOut, told to each seat as it sees it, to watchers without a face."""

from __future__ import annotations

from msgspec import Struct

from engine.contract import Seat

from .cards import Cell, Colour, Seen, Slot
from .pieces import Why

Faces = tuple[Seen, ...]


class Began(Struct, frozen=True, forbid_unknown_fields=True, tag="began"):
    seat: Seat


class Dealt(Struct, frozen=True, forbid_unknown_fields=True, tag="dealt"):
    seat: Seat
    faces: Faces


class Uncovered(Struct, frozen=True, forbid_unknown_fields=True, tag="uncovered"):
    """The deck has another card on top, or none. (R17)"""

    top: Colour | None
    deck: int


class Flipped(Struct, frozen=True, forbid_unknown_fields=True, tag="flipped"):
    seat: Seat
    cell: Cell
    face: Seen


class Switched(Struct, frozen=True, forbid_unknown_fields=True, tag="switched"):
    seat: Seat
    cells: tuple[Cell, ...]


class Swapped(Struct, frozen=True, forbid_unknown_fields=True, tag="swapped"):
    seat: Seat
    own: tuple[Cell, ...]
    others: tuple[Cell, ...]
    faces: Faces  # as they stand now: of `own`, then of `others`


class Scored(Struct, frozen=True, forbid_unknown_fields=True, tag="scored"):
    seat: Seat
    first: Cell
    last: Slot
    colour: Colour


class Swiped(Struct, frozen=True, forbid_unknown_fields=True, tag="swiped"):
    """One card of it goes to the owner. (R12)"""

    seat: Seat
    first: Cell
    last: Slot
    colour: Colour


class Refilled(Struct, frozen=True, forbid_unknown_fields=True, tag="refilled"):
    seat: Seat
    cells: tuple[Cell, ...]
    faces: Faces


class Drew(Struct, frozen=True, forbid_unknown_fields=True, tag="drew"):
    seat: Seat
    face: Seen


class Placed(Struct, frozen=True, forbid_unknown_fields=True, tag="placed"):
    seat: Seat
    cell: Cell


class Bought(Struct, frozen=True, forbid_unknown_fields=True, tag="bought"):
    seat: Seat
    tokens: int  # left


class TurnEnded(Struct, frozen=True, forbid_unknown_fields=True, tag="turn-ended"):
    """Without the third action that could be bought."""

    seat: Seat


class Ended(Struct, frozen=True, forbid_unknown_fields=True, tag="ended"):
    why: Why


class Collected(Struct, frozen=True, forbid_unknown_fields=True, tag="collected"):
    """At the end, from the inside of one's own holder. (R21)"""

    seat: Seat
    first: Cell
    last: Slot
    colour: Colour


Fact = (
    Began
    | Dealt
    | Uncovered
    | Flipped
    | Switched
    | Swapped
    | Scored
    | Swiped
    | Refilled
    | Drew
    | Placed
    | Bought
    | TurnEnded
    | Ended
    | Collected
)
