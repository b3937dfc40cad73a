"""What is told of a match of Captain Flip, and what a viewer sees of it. All hear and see alike."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.contract import Seat

from .boards import Column, Space
from .pieces import Face, Options, Owed

Why = Literal["gunner", "cook", "navigator", "monkey", "bonus", "map"]


class TurnBegan(Struct, frozen=True, forbid_unknown_fields=True, tag="turn-began"):
    seat: Seat
    round: int


class Drew(Struct, frozen=True, forbid_unknown_fields=True, tag="drew"):
    seat: Seat
    up: Face


class NothingDrawn(Struct, frozen=True, forbid_unknown_fields=True, tag="nothing-drawn"):
    """A draw that was due is void."""

    seat: Seat
    why: Literal["no_space", "empty_bag"]


class HandFlipped(Struct, frozen=True, forbid_unknown_fields=True, tag="hand-flipped"):
    seat: Seat
    up: Face  # what was uncovered


class TollPaid(Struct, frozen=True, forbid_unknown_fields=True, tag="toll-paid"):
    """One coin, before anything else of the placement."""

    seat: Seat
    space: Space


class Placed(Struct, frozen=True, forbid_unknown_fields=True, tag="placed"):
    seat: Seat
    space: Space
    up: Face


class TileFlipped(Struct, frozen=True, forbid_unknown_fields=True, tag="tile-flipped"):
    seat: Seat
    space: Space
    up: Face  # what was uncovered


class Gained(Struct, frozen=True, forbid_unknown_fields=True, tag="gained"):
    seat: Seat
    coins: int
    why: Why
    space: Space | None = None  # of the tile that pays, or under the box; None for the map


class MapMoved(Struct, frozen=True, forbid_unknown_fields=True, tag="map-moved"):
    before: Seat | None  # who had it; None is the middle of the table
    after: Seat | None  # who has it now


class ColumnCompleted(Struct, frozen=True, forbid_unknown_fields=True, tag="column-completed"):
    seat: Seat
    column: Column


class LastRound(Struct, frozen=True, forbid_unknown_fields=True, tag="last-round"):
    """This seat is the first with four full columns; the round is played out."""

    seat: Seat


class TurnEnded(Struct, frozen=True, forbid_unknown_fields=True, tag="turn-ended"):
    seat: Seat


class Score(Struct, frozen=True, forbid_unknown_fields=True):
    """What a board comes to (5.2)."""

    coins: int
    swabbies: int
    carpenters: int
    lookouts: int
    parrots: int  # 0 or less
    columns: int  # the grey boxes of board C
    total: int
    gunners: int  # how many are up
    out: bool  # three Gunners or more: this seat cannot win


class Scored(Struct, frozen=True, forbid_unknown_fields=True, tag="scored"):
    seat: Seat
    score: Score


Fact = (
    TurnBegan
    | Drew
    | NothingDrawn
    | HandFlipped
    | TollPaid
    | Placed
    | TileFlipped
    | Gained
    | MapMoved
    | ColumnCompleted
    | LastRound
    | TurnEnded
    | Scored
)


PLAIN = (Placed, TollPaid, Gained, MapMoved, ColumnCompleted, LastRound)  # shows no other face


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile as a viewer sees it."""

    up: Face
    back: Face | None  # None where it is not shown


class View(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    options: Options
    boards: tuple[tuple[tuple[Seen, ...], ...], ...]  # seats, columns a to e, tiles bottom to top
    coins: tuple[int, ...]
    map_holder: Seat | None
    bag: int  # how many tiles are left in it
    hand: Seen | None
    flipped: bool  # was the tile in hand flipped?
    first: Seat
    turn: Seat
    round: int
    owed: tuple[Owed, ...]
    scores: tuple[Score, ...]  # as if it ended now
    over: bool
