"""What UNO Flip is made of: options, questions, moves, state, what a viewer sees, refusals."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.contract import Refusal, Seat

from .cards import Card, Colour, Face, Faces, Side
from .facts import Challenged, RoundEnded

HAND: Final = 7
MOST: Final = 10  # seats
Hand = tuple[Card, ...]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    scoring: Annotated[
        Literal["winner", "low"],
        Meta(description="winner: out scores all other hands; low: each its own, least wins"),
    ] = "winner"
    target: Annotated[
        Annotated[int, Meta(ge=1, le=9999)] | Literal["round"],
        Meta(description="points that end the match, or a single round"),
    ] = 500
    opening_wild: Annotated[
        Literal["dealer", "left"], Meta(description="who names the colour of a turned-up wild")
    ] = "dealer"
    challenge_test: Annotated[
        Literal["playable", "colour"], Meta(description="what convicts who plays a wild draw")
    ] = "playable"
    challenges: Annotated[
        bool, Meta(description="off: a wild draw that would convict cannot be played")
    ] = True
    two_player_reverse: Annotated[
        Literal["skip", "noop"], Meta(description="what a Reverse does between two seats")
    ] = "skip"
    backs: Annotated[
        Literal["open", "closed"], Meta(description="whether the others see your idle faces")
    ] = "open"
    uno_call: Annotated[bool, Meta(description="off: nobody needs to call UNO")] = True
    uno_penalty: Annotated[
        int, Meta(ge=0, le=4, description="cards for a forgotten call that is caught")
    ] = 2
    false_catch_penalty: Annotated[
        int, Meta(ge=0, le=2, description="cards for a wrong catch; 0: it is refused")
    ] = 0
    opening_w2: Annotated[
        Literal["return", "act"], Meta(description="a turned-up Wild Draw Two goes back, or acts")
    ] = "return"
    guilty_draw_color: Annotated[
        Literal["colour", "two"], Meta(description="what a guilty Wild Draw Color costs")
    ] = "colour"


# What the match waits for, and steps still due


class PlayOrDraw(Struct, frozen=True, forbid_unknown_fields=True, tag="play-or-draw"):
    seat: Seat


class PlayOrKeep(Struct, frozen=True, forbid_unknown_fields=True, tag="play-or-keep"):
    seat: Seat
    at: int  # where in its hand the card lies that it drew


class NameColour(Struct, frozen=True, forbid_unknown_fields=True, tag="name-colour"):
    """Of the wild on top, by who turned it up."""

    seat: Seat


class TakeOrChallenge(Struct, frozen=True, forbid_unknown_fields=True, tag="take-or-challenge"):
    """A wild draw was played against this seat. What convicts: the hand as it was, on `under`."""

    seat: Seat
    accused: Seat
    held: int  # cards then left to the accused: the first so many of its hand now
    under: Face  # the top before
    colour: Colour  # the active colour before


class DrawTwo(Struct, frozen=True, forbid_unknown_fields=True, tag="draw-two"):
    """No question: a step, due once the colour is named."""

    seat: Seat


Owed = PlayOrDraw | PlayOrKeep | NameColour | TakeOrChallenge | DrawTwo


# Moves


class Play(Struct, frozen=True, forbid_unknown_fields=True, tag="play"):
    face: Face
    copy: Annotated[int, Meta(ge=1, le=4, description="which of equal faces, oldest first")] = 1
    colour: Colour | None = None  # named with a wild
    uno: bool = False  # called with the play that leaves one card


class Draw(Struct, frozen=True, forbid_unknown_fields=True, tag="draw"):
    pass


class Keep(Struct, frozen=True, forbid_unknown_fields=True, tag="keep"):
    """The drawn card."""


class Name(Struct, frozen=True, forbid_unknown_fields=True, tag="name"):
    colour: Colour


class Take(Struct, frozen=True, forbid_unknown_fields=True, tag="take"):
    """The cards of a wild draw."""


class Challenge(Struct, frozen=True, forbid_unknown_fields=True, tag="challenge"):
    """The wild draw: who played it could have laid something else."""


class Uno(Struct, frozen=True, forbid_unknown_fields=True, tag="uno"):
    """Called late, at any time before somebody catches."""


class Catch(Struct, frozen=True, forbid_unknown_fields=True, tag="catch"):
    """A seat that forgot to call; at any time before the next seat has begun its turn."""

    seat: Annotated[Seat, Meta(ge=0, lt=MOST)]


Move = Play | Draw | Keep | Name | Take | Challenge | Uno | Catch


# The match


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """A match of UNO Flip. Secret are the cards in `draw`, `discards` and `hands`, and no more.

    Every card lies in exactly one of these three. Its live face is the one of `side`; the other
    one is idle. Who sees which (section 4 of the README):

    `hands`: each seat sees the live faces of its own, in this order, the oldest first, so that the
        place of a card in the tuple is known to its owner. All other seats see the idle faces if
        `options.backs` is open, as a multiset; watchers see neither.
    `discards`: all see the live face of the last; nobody anything of the others, nor their order.
    `draw`: all see the idle face of the last if backs are open; nobody anything else.

    Every other field is known to all and holds nothing that could be dealt otherwise, with one
    exception: the `hand` in `verdict` was shown to `verdict.seat` only, and is those live faces,
    sorted, that the accused held when it played. It is history: no card need still lie there.
    While a wild draw may be challenged, guilt stands nowhere: it follows from the first
    `owed[0].held` cards of the hand of `owed[0].accused`, from `under` and from `colour`.
    Once `over` is set all see the live faces of all hands, sorted, as `ended` shows them, and no
    idle face any more; only OPEN sees which card is which, in hands and in both piles.
    """

    options: Options
    dealer: Seat
    draw: Hand  # bottom first: drawn from the end
    discards: Hand  # bottom first: the last is the top
    hands: tuple[Hand, ...]  # of each seat, in the order in which it got them (R15)
    scores: tuple[int, ...]
    owed: tuple[Owed, ...] = ()  # newest first; a question is on top, or nothing once over
    side: Side = "light"
    way: int = 1  # 1 to the next higher seat, or -1 to the next lower
    colour: Colour | None = None  # the active one; None while it is to be named
    window: Seat | None = None  # a seat that came down to one card, until another seat acts
    called: bool = False  # UNO, by that seat
    fails: int = 0  # turns in a row that found nothing to draw (R9)
    round: int = 1
    blocked: int = 0  # rounds so far in which nobody went out
    verdict: Challenged | None = None  # of the challenge just made, until the next move
    ended: RoundEnded | None = None  # how the last round ended, until the next move
    returned: int = 0  # Wild Draw Twos that went back in the deal, until the next move (R16)
    over: str = ""  # why


class View(Struct, frozen=True, forbid_unknown_fields=True):
    options: Options
    dealer: Seat
    top: Face
    discards: int  # how many
    draw: int  # how many
    pile: Face | None  # the idle face on the draw pile
    hands: tuple[Faces | None, ...]  # live faces, oldest first; None where they are not to be seen
    backs: tuple[Faces | None, ...]  # idle faces, sorted; None likewise
    held: tuple[int, ...]  # how many cards each seat holds
    scores: tuple[int, ...]
    owed: tuple[Owed, ...]
    side: Side
    way: int
    colour: Colour | None
    window: Seat | None
    called: bool
    fails: int
    round: int
    blocked: int
    verdict: Challenged | None
    ended: RoundEnded | None
    returned: int
    over: str
    piles: tuple[Hand, Hand] | None = None  # draw pile and discards, bottom first, to OPEN


class No(Refusal):
    OVER = "3.9", "The match is over."
    NO_WINDOW = "3.7", "You have no call to make."
    NO_CATCH = "3.7", "There is nothing to catch that seat at."
    NOT_YOUR_TURN = "3.2", "It is another seat's turn."
    PHASE = "3.2", "That is not what the match waits for."
    NOT_IN_HAND = "3.3", "You do not hold such a card, or not that many."
    DRAWN_ONLY = "R30", "Now you play the card that you drew, named without a number, or keep it."
    NO_MATCH = "3.3", "It matches neither the colour nor the number or symbol on top."
    WILD_DRAW_RESTRICTED = "3.6", "You hold a card that could be laid instead."
    NO_COLOUR_ALLOWED = "3.2", "Only with a wild card is a colour named."
    BAD_COLOUR = "3.2", "Name a colour of the side that is up."
    UNO_NOT_APPLICABLE = "3.7", "UNO is called with the play that leaves one card."
    COLOUR_NEEDED = "3.2", "Name a colour with a wild card, as in `W=G`."
