"""What FlipOut is made of: options, state, moves, what a viewer sees, and refusals."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.contract import Refusal, Seat

from .cards import Card, Cell, Colour, Holder, Seen, Slot

TOKENS: Final = 3

Owed = Literal["act", "place", "third"]
Why = Literal["", "the deck ran out", "no progress"]
Pile = tuple[Colour, ...]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    tokens: Annotated[
        bool, Meta(description="each seat has three tokens; one buys a third action")
    ] = False


class Flip(Struct, frozen=True, forbid_unknown_fields=True, tag="flip"):
    """Turn any card of any holder."""

    cell: Cell


class Switch(Struct, frozen=True, forbid_unknown_fields=True, tag="switch"):
    """Two cards of one holder trade slots; in either order."""

    cells: Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=2)]


class Swap(Struct, frozen=True, forbid_unknown_fields=True, tag="swap1"):
    """One's own card, then that of another seat, trade places."""

    cells: Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=2)]


class SwapPairs(Struct, frozen=True, forbid_unknown_fields=True, tag="swap2"):
    """The same for two neighbours each, named by their lower slots."""

    cells: Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=2)]


class Score(Struct, frozen=True, forbid_unknown_fields=True, tag="score"):
    """Take a set from the inside of one's own holder."""

    first: Cell
    last: Slot


class Swipe(Struct, frozen=True, forbid_unknown_fields=True, tag="swipe"):
    """Take a set from the outside of another's holder."""

    first: Cell
    last: Slot


class Draw(Struct, frozen=True, forbid_unknown_fields=True, tag="draw"):
    """Take the top card of the deck, with two seats."""


class Place(Struct, frozen=True, forbid_unknown_fields=True, tag="place"):
    """Put the drawn card into this slot; the card there goes under the deck."""

    slot: Slot


class Third(Struct, frozen=True, forbid_unknown_fields=True, tag="third"):
    """Pay a token for a third action."""


class End(Struct, frozen=True, forbid_unknown_fields=True, tag="end"):
    """Do without a third action."""


Action = Flip | Switch | Swap | SwapPairs | Score | Swipe | Draw
Move = Action | Place | Third | End


class Last(Struct, frozen=True, forbid_unknown_fields=True):
    """The last move, as everybody saw it: no move says a colour."""

    seat: Seat
    move: Move


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole truth: 90 cards, in the deck, in holders, drawn, or in piles.

    Of a card in a holder the second letter is hidden from its owner, the first from all others;
    of the deck's top card the first, of all below it both, from everybody; of a drawn card the
    first from all but the seat whose turn it is. That stays so once the match is over, except
    that the first letters of collected cards are known. A watcher may know neither side of a card
    in a holder. All else is public. Cards have no names: of two that are written alike nothing
    tells which is which, and what stands in a pile has no other side any more.
    """

    options: Options
    deck: tuple[Card, ...]  # top first; a card is its down side, then its up side
    holders: tuple[Holder, ...]  # of each seat six slots; a card is its inside, then its outside
    piles: tuple[Pile, ...]  # of each seat the cards it took, as the colours they counted as (R13)
    turn: Seat  # whose turn it is; once over, whose it was
    tokens: tuple[int, ...]  # left to each seat; all 0 without the variation
    owed: tuple[Owed, ...] = ("act", "act")  # by `turn`, newest first; none once over
    drawn: Card | None = None  # while "place" is owed; its down side, then its up side
    bought: bool = False  # was a third action bought this turn?
    took: bool = False  # was a set taken this turn?
    quiet: int = 0  # turns before this one, in a row, in which no set was taken (R23)
    over: Why = ""
    collected: tuple[Cell, ...] = ()  # at the end: their cards stand there, but count in the piles
    last: Last | None = None


class View(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """What faces a viewer now. (R19)"""

    options: Options
    holders: tuple[tuple[Seen, ...], ...]  # `r?` one's own, `?g` another's, `??` to watchers
    top: Colour | None  # the up side of the deck's top card; None: there is none
    deck: int  # how many cards
    drawn: Seen | None  # the same sides as in the deck
    piles: tuple[Pile, ...]
    turn: Seat
    tokens: tuple[int, ...]
    owed: tuple[Owed, ...]
    bought: bool
    took: bool
    quiet: int
    over: Why
    collected: tuple[Cell, ...]
    last: Last | None
    order: tuple[Card, ...] | None = None  # the deck itself, for OPEN


class No(Refusal):
    NOT_YOUR_TURN = "R6", "It is another seat's turn."
    PLACE_FIRST = "R15", "You have drawn a card: it goes into one of your slots first."
    TURN_IS_DONE = "R14", "Your actions are done: pay a token for a third, or end the turn."
    NOTHING_DRAWN = "R15", "You have not drawn a card."
    ACTIONS_LEFT = "R14", "A third action is bought, or the turn ended, after two actions."
    NO_SUCH_SEAT = "3.1", "Nobody has that holder."
    NOT_YOURS = "3.1", "That begins with a card of your own holder."
    NOT_ANOTHERS = "3.1", "That needs the holder of another seat."
    TWO_HOLDERS = "R7", "You switch two cards of one holder."
    SAME_SLOT = "R7", "You switch two different slots."
    NO_SLOT_BESIDE = "R9", "A pair is a slot and the next one: it begins in slot 1 to 5."
    OWN_PAIR_DIFFERS = "R9", "Your two cards are not of one colour as you see them."
    OTHER_PAIR_DIFFERS = "R9", "The other two cards are not of one colour as you see them."
    WRONG_SIZE = "R11", "A set is four, five or six slots in a row."
    NOT_A_SET = "R11", "These cards are not of one colour as you see them."
    ONLY_FOR_TWO = "R15", "Only with two seats you may draw a card."
    DECK_EMPTY = "R16", "The deck is empty."
    UNFINISHED = "3.1", "Name the other card too."
