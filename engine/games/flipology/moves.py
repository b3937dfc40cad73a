"""The moves of Flipology, and why one may be refused."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.contract import Refusal

from .board import Cell
from .cards import Card, Imitable

HAND = 9  # the largest

Index = Annotated[int, Meta(ge=1, le=HAND, description="a card of the hand, from the left")]


class Arrange(Struct, frozen=True, forbid_unknown_fields=True, tag="arrange"):
    """The row, left to right. What is laid away need not be named, but is checked if it is."""

    row: Annotated[tuple[Index, ...], Meta(min_length=1, max_length=HAND)]
    away: Annotated[tuple[Index, ...], Meta(max_length=HAND)] = ()


class Regrow(Struct, frozen=True, forbid_unknown_fields=True, tag="regrow"):
    yes: bool


class Flip(Struct, frozen=True, forbid_unknown_fields=True, tag="flip"):
    """The turn begins: a card of one's own row is turned over."""

    cell: Cell


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag="pass"):
    pass


class Target(Struct, frozen=True, forbid_unknown_fields=True, tag="target"):
    """What dog, frog, hawk, snake, mole, wolves or rain do something to."""

    cell: Cell


class Targets(Struct, frozen=True, forbid_unknown_fields=True, tag="targets"):
    """The two cards that a monkey of the Great Tree flips, in no order."""

    cells: Annotated[tuple[Cell, ...], Meta(min_length=2, max_length=2)]


class Pick(Struct, frozen=True, forbid_unknown_fields=True, tag="pick"):
    """Which of the two that a monkey woke is to act."""

    cell: Cell


class Imitate(Struct, frozen=True, forbid_unknown_fields=True, tag="imitate"):
    kind: Imitable


class Peek(Struct, frozen=True, forbid_unknown_fields=True, tag="peek"):
    """All that the sun looks at, in no order."""

    cells: Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=3)]


class PeekFlip(Struct, frozen=True, forbid_unknown_fields=True, tag="peekflip"):
    cell: Cell | None


class Scavenge(Struct, frozen=True, forbid_unknown_fields=True, tag="scavenge"):
    """A card of the discard pile; for a sloth or koala, how it is to lie."""

    card: Card | None
    lies: Literal["up", "down"] | None = None


Move = (
    Arrange | Regrow | Flip | Pass | Target | Targets | Pick | Imitate | Peek | PeekFlip | Scavenge
)


class No(Refusal):
    NOT_YOUR_TURN = "3.1", "The match does not wait for this seat."
    COMMITTED = "3.1", "Your row is arranged; it cannot be changed."
    NOT_ASKED = "3.1", "That is not what the match waits for."
    NOT_IN_HAND = "3.1", "You do not hold a card of that number."
    CARD_TWICE = "3.1", "A card is named twice."
    WRONG_DISCARDS = "3.1", "The cards that are not in the row are discarded, and no others."
    WRONG_LENGTH = "3.1", "The row takes seven of nine cards, or all five in the Great Tree."
    NOT_YOUR_ROW = "3.2", "You turn over a card of your own row, in the Great Tree of the top one."
    CAT_STAYS = "R10", "A cat that is face up never turns; turn over another card."
    CAN_FLIP = "R10", "You pass only when your row is all cats, face up."
    NO_SUCH_CELL = "2.2", "There is no such place on this table."
    SOURCE = "R14", "An effect never chooses the card it comes from."
    CLEARING = "R23", "Wolves find nothing on a face-up Clearing."
    RAINED = "R24", "In that row it has rained already."
    OUT_OF_REACH = "3.4", "The effect does not reach there."
    CELL_TWICE = "3.4", "A card is chosen twice."
    NOT_UP = "R22", "No card of that kind lies face up."
    NOT_IN_PILE = "R29", "No such card lies in the discard pile."
    NO_ANIMAL = "R29", "A hermit crab scavenges animals only."
    LIES_EITHER_WAY = "R29", "Only for a sloth or a koala you say how it lies."
    TOO_FEW = "R25", "The sun looks at three cards, or at all there are."
    SAY_HOW_IT_LIES = "R29", "Say whether the sloth or koala lies up or down."
