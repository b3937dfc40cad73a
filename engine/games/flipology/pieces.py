"""What Flipology is made of: options, questions, the state, and what a viewer sees."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.contract import Seat

from .board import WIDTH, Board, Cell, Cells, Variant, board
from .cards import CLEARINGS, Aimed, Card
from .facts import Step
from .moves import Index


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    variant: Annotated[
        Variant,
        Meta(description="one row of seven, or three rows of five above each other"),
    ] = "nature"
    moon: Annotated[bool, Meta(description="while it is up at the end, the lowest wins")] = True
    wolves: Annotated[bool, Meta(description="they remove a card for good")] = True
    match: Annotated[
        Literal["single", "to100"], Meta(description="one game, or games until somebody has 100")
    ] = "single"

    def __post_init__(self) -> None:
        if self.match == "to100" and self.tree:
            raise ValueError("the match to 100 is played in nature")

    @property
    def tree(self) -> bool:
        return self.variant == "great_tree"

    @property
    def hand(self) -> int:
        return 5 if self.tree else 9

    @property
    def width(self) -> int:
        return WIDTH[self.variant]

    @property
    def turns(self) -> int:
        """Of each seat, in a game or round."""
        return 2 if self.tree else 3


LEVELS = 3  # of the Great Tree


# Questions: what the match may wait for


class MayRegrow(Struct, frozen=True, forbid_unknown_fields=True, tag="may-regrow"):
    seat: Seat


class LayRow(Struct, frozen=True, forbid_unknown_fields=True, tag="lay-row"):
    """Of every seat that has not arranged yet."""


class TurnOne(Struct, frozen=True, forbid_unknown_fields=True, tag="turn-one"):
    """The flip that a turn begins with."""


class Aim(Struct, frozen=True, forbid_unknown_fields=True, tag="aim"):
    """The effect of this kind, from this cell, names one other."""

    kind: Aimed
    at: Cell


class FlipTwo(Struct, frozen=True, forbid_unknown_fields=True, tag="flip-two"):
    at: Cell


class UseOneOf(Struct, frozen=True, forbid_unknown_fields=True, tag="use-one-of"):
    cells: Cells


class ImitateOne(Struct, frozen=True, forbid_unknown_fields=True, tag="imitate-one"):
    at: Cell


class PeekAtThree(Struct, frozen=True, forbid_unknown_fields=True, tag="peek-at-three"):
    at: Cell


class TurnUpOneOrNone(Struct, frozen=True, forbid_unknown_fields=True, tag="turn-up-one-or-none"):
    """Of these, which the active seat now sees."""

    cells: Cells


class RainOn(Struct, frozen=True, forbid_unknown_fields=True, tag="rain-on"):
    at: Cell
    wet: tuple[Seat, ...] = ()  # whose row has had its drop


class MayScavenge(Struct, frozen=True, forbid_unknown_fields=True, tag="may-scavenge"):
    seat: Seat


Effect = Aim | FlipTwo | UseOneOf | ImitateOne | PeekAtThree | TurnUpOneOrNone | RainOn
Question = MayRegrow | LayRow | TurnOne | Effect | MayScavenge


class Slot(Struct, frozen=True, order=True, array_like=True, forbid_unknown_fields=True, gc=False):
    card: Card
    up: bool = False


Row = tuple[Slot, ...]


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """How the last game ended."""

    scores: tuple[int, ...]
    animals: tuple[int, ...]  # different ones, face up (R31)
    moon: bool  # it was up, so the lowest won
    winners: tuple[Seat, ...]


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole truth of a match.

    All know everything but these cards:
    - those of `deck`, and their order, which nobody ever knows;
    - those of `hands`, `plans` and `away`, of which each seat knows its own; all know how many
      cards a hand has, and whether a plan is ();
    - a slot of `rows` or `past` that is not up, which the seat knows in whose row it lies. Once a
      game is scored (in `past`; in `rows` when nothing is owed) all know the sloths and koalas
      among these, and so that the others are none;
    - a slot of `pile` that is not up. While MayScavenge is on top of `owed`, its seat knows the
      whole pile; and each seat knows that what is left of its `away` lies there.
    While TurnUpOneOrNone is on top, `turn` knows the slots of its cells as well.

    The cards in play are `deck`, `hands`, `rows`, `pile` and `found`; with the Clearings left they
    stay the same all game. `plans` and `away` name cards again that are counted there. `past`
    belongs to the game before, which was dealt from a deck of its own.

    Row `r` of `rows` is that of seat `r % seats` on level `r // seats`, counted from 0.
    """

    options: Options
    start: Seat  # who starts this game or, in the Great Tree, this round
    turn: Seat  # the active seat, once rows lie on the table; until then who will be
    deck: tuple[Card, ...]  # dealt from the front
    hands: tuple[tuple[Card, ...], ...]  # by seat; empty once all rows of the deal are laid
    plans: tuple[
        tuple[Index, ...], ...
    ]  # by seat: the row it arranged, in cards of its hand; or ()
    owed: tuple[Question, ...]  # newest first; none once the match is over
    regrown: tuple[bool, ...]  # by seat: has it used its regrowth? (R7)
    totals: tuple[int, ...]  # by seat, of the match to 100; else zeros
    found: tuple[Row, ...]  # by seat: what it scavenged; `up` is how it said that the card lies
    away: tuple[tuple[Card, ...], ...] = ()  # by seat: what it discarded; they are in the pile
    rows: tuple[Row, ...] = ()
    pile: Row = ()  # the discard pile, sorted; `up` is what all saw go there
    clearings: int = CLEARINGS  # left in the supply
    turns: int = 0  # taken since the rows were laid
    acted: Cells = ()  # one for each effect begun this turn: where its card lies now (R17)
    trail: tuple[Step, ...] = ()  # what all heard of this turn; stays until the next turn begins
    game: int = 1
    result: Result | None = None  # of the game that ended; stays until the next turn begins
    past: tuple[Row, ...] = ()  # the rows of that game, if another is being dealt; stays likewise

    @property
    def seats(self) -> int:
        return len(self.totals)

    @property
    def board(self) -> Board:
        return board(self.options.variant, len(self.totals), len(self.rows))

    def at(self, cell: Cell) -> Slot:
        r, i = self.board.at[cell]
        return self.rows[r][i]


class Seen(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A card on the table; None where it is not to be seen."""

    card: Card | None
    up: bool


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """What one viewer may see; fields as in State where nothing is said."""

    options: Options
    start: Seat
    turn: Seat
    deck: int  # how many cards
    hands: tuple[tuple[Card, ...] | None, ...]  # None where they are not to be seen
    held: tuple[int, ...]  # how many cards each seat holds
    plans: tuple[tuple[Index, ...] | None, ...]  # None where they are not to be seen
    ready: tuple[bool, ...]  # has this seat arranged?
    owed: tuple[Question, ...]
    regrown: tuple[bool, ...]
    totals: tuple[int, ...]
    found: tuple[Row, ...]
    away: tuple[tuple[Card, ...] | None, ...]
    rows: tuple[tuple[Seen, ...], ...]
    pile: tuple[Card, ...]  # of the discard pile, what this viewer may see; sorted
    piled: int  # how many cards lie there
    clearings: int
    turns: int
    trail: tuple[Step, ...]
    game: int
    result: Result | None
    past: tuple[tuple[Seen, ...], ...]

    @property
    def seats(self) -> int:
        return len(self.totals)

    @property
    def board(self) -> Board:
        return board(self.options.variant, len(self.totals), len(self.rows))
