"""What Qwirkle is made of: options, state, moves, facts, what a viewer sees, and refusals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from engine.contract import Refusal, Seat, once

from .lines import COLOURS, SHAPES, Chart, Lay, Tile, chart

HAND = 6

Bonus = Annotated[int, Meta(ge=0, le=20)]
Lays = Annotated[tuple[Lay, ...], Meta(min_length=1, max_length=HAND)]
Tiles = Annotated[tuple[Tile, ...], Meta(min_length=1, max_length=HAND)]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    opening_max: Annotated[bool, Meta(description="open with as many tiles as you can")] = True
    end_bonus: Annotated[Bonus, Meta(description="for laying your last tile")] = 6
    qwirkle_bonus: Annotated[Bonus, Meta(description="for a line of six")] = 6
    stall_limit: Annotated[
        int, Meta(ge=0, le=100, description="end after so many rounds of mere swaps; 0: never")
    ] = 0


class Last(Struct, frozen=True, forbid_unknown_fields=True):
    """The last move, as everyone saw it."""

    seat: Seat
    tiles: tuple[Lay, ...] = ()
    points: int = 0
    swapped: int = 0  # how many tiles
    passed: tuple[Seat, ...] = ()  # who was passed over after it


class State(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    options: Options
    bag: tuple[Tile, ...]  # taken from the end
    hands: tuple[tuple[Tile, ...], ...]
    scores: tuple[int, ...]
    turn: Seat
    board: tuple[Lay, ...] = ()  # in the order laid
    swaps: int = 0  # turns in a row that were swaps
    over: str = ""  # why
    last: Last | None = None

    @once
    def chart(self) -> Chart:
        return chart(self.board)


def charted(s: State, chart: Chart) -> State:
    """`s`, told what its chart is, so that it need not draw it from nothing."""
    vars(s)["chart"] = chart
    return s


class Place(Struct, frozen=True, forbid_unknown_fields=True, tag="place"):
    tiles: Lays


class Swap(Struct, frozen=True, forbid_unknown_fields=True, tag="swap"):
    tiles: Tiles


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag="pass"):
    """Never allowed; here so that the refusal can say why."""


Move = Place | Swap | Pass


class Announced(Struct, frozen=True, forbid_unknown_fields=True, tag="announced"):
    """The most different tiles of one colour or shape in a hand."""

    seat: Seat
    best: int


class Placed(Struct, frozen=True, forbid_unknown_fields=True, tag="placed"):
    seat: Seat
    tiles: tuple[Lay, ...]
    lines: tuple[int, ...]  # what each line scored
    points: int


class Swapped(Struct, frozen=True, forbid_unknown_fields=True, tag="swapped"):
    seat: Seat
    count: int
    tiles: tuple[Tile, ...] = ()  # told to this seat only


class Drew(Struct, frozen=True, forbid_unknown_fields=True, tag="drew"):
    seat: Seat
    count: int
    tiles: tuple[Tile, ...] = ()  # told to this seat only


class Passed(Struct, frozen=True, forbid_unknown_fields=True, tag="passed"):
    seat: Seat


class WentOut(Struct, frozen=True, forbid_unknown_fields=True, tag="went-out"):
    seat: Seat
    bonus: int


class Ended(Struct, frozen=True, forbid_unknown_fields=True, tag="ended"):
    why: str


Fact = Announced | Placed | Swapped | Drew | Passed | WentOut | Ended


class View(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    options: Options
    board: tuple[Lay, ...]
    hands: tuple[tuple[Tile, ...] | None, ...]  # None where they are not to be seen
    held: tuple[int, ...]  # how many tiles each seat holds
    bag: int
    scores: tuple[int, ...]
    turn: Seat
    announced: tuple[int, ...] = ()  # the best set of each seat, until the opening is laid
    swaps: int = 0
    over: str = ""
    last: Last | None = None

    @once
    def chart(self) -> Chart:
        return chart(self.board)


class No(Refusal):
    NOT_YOUR_TURN = "3.2", "It is another seat's turn."
    PASS_NOT_ALLOWED = "R8", "You place or swap; a seat passes only when it can do neither."
    OPENING_MUST_PLACE = "R4", "The opening turn places tiles; it cannot swap."
    NOT_IN_HAND = "3.3.1", "You do not hold all of these tiles."
    BAG_TOO_SMALL = "R7", "The bag does not hold that many tiles."
    SAME_CELL = "3.3.2", "Two tiles cannot lie on one cell."
    OCCUPIED = "3.3.2", "A tile lies there already."
    NOT_IN_LINE = "3.3.3", "Tiles of one move lie in one row or one column."
    GAP = "3.3.4", "Tiles of one move form one line without a gap."
    NOT_CONNECTED = "3.3.5", "A move touches a tile that lay there before."
    BAD_LINE = "3.3.6", "A line is up to six different tiles of one colour or of one shape."
    OPENING_NOT_MAX = "R4", "The opening lays as many tiles as the largest set in your hand."
    OPENING_OFF_ORIGIN = "R6", "The opening covers the cell 0,0."


def take(bag: tuple[Tile, ...], count: int) -> tuple[tuple[Tile, ...], tuple[Tile, ...]]:
    """Tiles from the end of the bag, as many as there are (R12), and what is left of it."""
    cut = max(0, len(bag) - count)
    return bag[cut:][::-1], bag[:cut]


def holds(hand: Sequence[Tile], tiles: Sequence[Tile]) -> bool:
    """Are all of these in the hand, each as often?"""
    return all(tiles.count(tile) <= hand.count(tile) for tile in tiles)


def without(hand: Iterable[Tile], tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """What is left of a hand that holds these tiles."""
    kept = list(hand)
    for tile in tiles:
        kept.remove(tile)
    return tuple(kept)


def sets(hand: Iterable[Tile]) -> list[set[Tile]]:
    """The different tiles of each colour and of each shape."""
    return [{tile for tile in hand if mark in tile} for mark in COLOURS + SHAPES]


def best(hand: Iterable[Tile]) -> int:
    """How many different tiles of one colour or of one shape there are at most."""
    return max(map(len, sets(hand)))
