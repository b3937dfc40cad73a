"""What is said over HTTP, beside looks and news: the Structs that server and client share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

from engine.contract import Outcome, Seat
from engine.entries import LONGEST, Millis, Policy
from engine.look import Look, Place
from engine.match import Refused

NOTE = 1000  # letters of a note


class Account(Struct, frozen=True):
    player: str
    name: str
    away: Millis | UnsetType = UNSET  # until when, if on vacation


class NewAccount(Struct, frozen=True):
    player: str
    name: str
    token: str  # shown once


class Token(Struct, frozen=True):
    """What is kept of a token; `id` is its hash."""

    id: str
    name: str
    at: Millis


class GivenToken(Struct, frozen=True):
    id: str
    name: str
    at: Millis
    token: str  # shown once


class Jotted(Struct, frozen=True, forbid_unknown_fields=True):
    """A note: the seq that it was written at, and what it says."""

    seq: Annotated[int, Meta(ge=1, le=LONGEST)]
    text: Annotated[str, Meta(max_length=NOTE)]


class Ordered(Struct, frozen=True):
    """A move that a player has given ahead, at an entry: it waits for its turn and, if `when` is
    no null, for a fact that has these fields. Once `void` says why it is not played any more, those
    behind it wait until it is withdrawn."""

    id: str
    seq: int
    move: Raw
    when: dict[str, Any] | None = field(name="if")
    void: Refused | None


class OrdersSaid(Struct, frozen=True):
    """A player's orders in a match, and the entries that have come of some."""

    orders: tuple[Ordered, ...]
    played: tuple[int, ...]


class Summary(Struct, frozen=True):
    """A match in a list."""

    match: str
    game: str
    status: str
    opened_at: Millis
    seq: int
    at: Millis
    seats: tuple[Place, ...]
    to_act: tuple[Seat, ...]
    policy: Policy


class Page(Struct, frozen=True):
    """Some matches of a list."""

    matches: tuple[Summary, ...]
    next: str | None  # for `after`


class Rated(Struct, frozen=True):
    """A player on the ladder of a game. `rating` is what `mu` is good for with near certainty:
    1000 + 40 (mu − 3 sigma), by openskill's Plackett–Luce; a newcomer has 1000."""

    game: str
    place: int
    player: str
    name: str  # empty of an account that is gone
    rating: int
    mu: float
    sigma: float
    matches: int
    wins: int  # first places, shared ones too


class Ladder(Struct, frozen=True):
    """Some players of a game, best first."""

    game: str
    matches: int  # that were rated
    players: tuple[Rated, ...]
    next: int | None  # for `after`


class Seated(Struct, frozen=True):
    """Of the newest rated matches those with so many seats, and how often each seat came first."""

    seats: int
    matches: int
    firsts: tuple[int, ...]


class Statistics(Struct, frozen=True):
    game: str
    matches: int
    players: int
    by_seats: tuple[Seated, ...]


class Invitation(Struct, frozen=True):
    """Somebody who may watch a match and, while it is open, join it."""

    player: str
    seq: int  # of the entry that invited
    admitted: tuple[Seat, ...]  # the seats that show all faces


class Answer(Struct, frozen=True):
    """A command was taken: the entry, what the viewer heard of it, what the viewer sees now."""

    seq: int
    at: Millis
    head: str
    facts: tuple[Any, ...]
    look: Look


class Step(Struct, frozen=True):
    """A line of a replay: the news of an entry, and the look after it."""

    seq: int
    at: Millis
    head: str
    facts: tuple[Any, ...]
    status: str
    to_act: tuple[Seat, ...]
    deadline: tuple[Millis | None, ...]
    outcome: Outcome | None
    aborted: str | None
    look: Look


class Reset(Struct, frozen=True):
    """A feed cannot go on from where its reader was; a look follows."""

    why: Literal["unreadable", "ahead", "behind"]


class Here(Struct, frozen=True):
    """Who looks at a match just now: seats with an open feed, and how many other feeds are open."""

    seats: tuple[Seat, ...]
    watchers: int


class Talked(Struct, frozen=True):
    """Something was said, or taken away, in the room of this feed's reader."""

    room: Literal["table", "watchers"]


class Blocks(Struct, frozen=True):
    """Players whom somebody has blocked."""

    players: tuple[str, ...]


class End(Struct, frozen=True):
    """A match is over and its feed has told everything."""


class Matches(Struct, frozen=True):
    """Where each match stands as a feed of many begins."""

    seqs: dict[str, int]


class Moved(Struct, frozen=True):
    """An entry of one match of many, as far as everybody may know of it."""

    match: str
    game: str
    seq: int
    at: Millis
    status: Literal["open", "running", "over"]
    to_act: tuple[Seat, ...]
    deadline: tuple[Millis | None, ...]
    outcome: Outcome | None
    aborted: str | None
