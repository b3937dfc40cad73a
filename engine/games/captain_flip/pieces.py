"""What Captain Flip is made of: tiles, options, what is owed, state, moves and refusals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from engine.contract import Refusal, Seat

from .boards import LAYOUTS, Column, Layout, Letter, Space

Face = Literal["C", "N", "K", "G", "M", "P", "S", "W", "L"]
FACES: Final[tuple[Face, ...]] = get_args(Face)
NAMES: Final[dict[Face, str]] = {
    "C": "Cartographer",
    "N": "Navigator",
    "K": "Cook",
    "G": "Gunner",
    "M": "Monkey",
    "P": "Parrot",
    "S": "Swabby",
    "W": "Carpenter",
    "L": "Lookout",
}
COPIES: Final = 2  # of every pair of different faces
FULL: Final = 4  # so many full columns on one board make a round the last


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    board: Annotated[Letter, Meta(description="the board of every seat; E is the promo")] = "A"
    seen_backs: Annotated[
        Literal["shown", "hidden"], Meta(description="are backs shown once everybody saw them?")
    ] = "shown"
    solo: Annotated[bool, Meta(description="one seat, alone, for a rank")] = False


class Tile(Struct, frozen=True, forbid_unknown_fields=True, array_like=True, gc=False):
    """A tile as it lies; it has no other identity, its two copies are alike."""

    up: Face
    back: Face
    seen: bool = False  # has everybody seen the back? While False, nobody has


TILES: Final = tuple(Tile(*pair) for pair in combinations(FACES, 2) for _ in range(COPIES))
Board = tuple[tuple[Tile, ...], ...]  # five columns, each from its lowest tile to its highest


# What is owed, all by the seat whose turn it is


class PlaceDrawn(Struct, frozen=True, forbid_unknown_fields=True, tag="place-drawn"):
    """A question: flip the tile in hand, or place it."""

    by: Space | None = None  # the Parrot or the box that has it drawn; None: the turn's own tile


class FlipBeside(Struct, frozen=True, forbid_unknown_fields=True, tag="flip-beside"):
    """A question: which tile beside the Monkey on this space is flipped?"""

    space: Space


class FlipAny(Struct, frozen=True, forbid_unknown_fields=True, tag="flip-any"):
    """A question: which tile of the board is flipped? For the box over this space of board E."""

    space: Space


class Draw(Struct, frozen=True, forbid_unknown_fields=True, tag="draw"):
    """A step: draw a tile."""

    by: Space | None = None


class PayBonus(Struct, frozen=True, forbid_unknown_fields=True, tag="pay-bonus"):
    """A step: what the box over this space gives."""

    space: Space
    first: bool  # was nobody else there before? Settled when the tile was placed (R14, R29)


class EndTurn(Struct, frozen=True, forbid_unknown_fields=True, tag="end-turn"):
    """A step: the map's coin, and the next turn or the end."""


Question = PlaceDrawn | FlipBeside | FlipAny
Owed = Question | Draw | PayBonus | EndTurn


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole truth. Hidden from everybody: `bag` but for its length, and each unseen back.

    A back is unseen while the `seen` of its tile is False; that goes for the tiles on `boards`
    and for the one in `hand`. All else is public, alike for all seats and watchers. A back that
    was seen is public history, also where the option `seen_backs` keeps it out of the view.
    """

    options: Options
    first: Seat  # who has the flag and begins each round
    turn: Seat  # who alone may act; the last who did, once over
    bag: tuple[Tile, ...]  # drawn from the front, as they lie; nobody has seen any of it
    boards: tuple[Board, ...]  # of each seat
    coins: tuple[int, ...]  # of each seat, never below 0
    map_holder: Seat | None = None  # None: the treasure map lies in the middle
    hand: Tile | None = None  # drawn by `turn`, on no board yet; `seen` means: it was flipped
    owed: tuple[Owed, ...] = ()  # newest first; at rest a question and then steps; () once over
    round: int = 1  # begun so far; a round is one turn of each seat
    over: bool = False

    @property
    def layout(self) -> Layout:
        return LAYOUTS[self.options.board]

    @property
    def board(self) -> Board:
        """Of the seat whose turn it is."""
        return self.boards[self.turn]


class Flip(Struct, frozen=True, forbid_unknown_fields=True, tag="flip"):
    """Turn over the tile in hand, for good."""


class Place(Struct, frozen=True, forbid_unknown_fields=True, tag="place"):
    """Put the tile in hand on the lowest free space of a column."""

    column: Column


class Target(Struct, frozen=True, forbid_unknown_fields=True, tag="target"):
    """Flip the tile on this space of one's own board."""

    space: Space


Move = Flip | Place | Target


class No(Refusal):
    NOT_YOUR_TURN = "3.2", "It is another seat's turn."
    TARGET_OWED = "R6", "First name a tile of your board to flip; you may not decline."
    NO_TARGET_OWED = "3.2", "No tile of your board may be flipped now; place the one in hand."
    FLIPPED_ALREADY = "#3", "The tile in hand was flipped; it cannot be flipped back."
    COLUMN_FULL = "#4", "That column has no free space."
    NO_COIN = "R13", "Placing there costs a coin, and you have none."
    NO_SUCH_SPACE = "1.4", "Your board has no such space."
    NO_TILE_THERE = "3.2", "No tile lies there."
    NOT_ADJACENT = "#6", "The tile to flip lies left, right, above or below of the Monkey."


def turned(tile: Tile) -> Tile:
    """The other way up; both its sides are known from now on."""
    return Tile(tile.back, tile.up, True)


def completed(layout: Layout, board: Sequence[Sequence[object]]) -> int:
    """How many columns of this board are full."""
    return sum(
        len(tiles) == len(shaft.spaces) for tiles, shaft in zip(board, layout.shafts, strict=True)
    )
