"""What is written: the entries of a log, and the facts that the fold itself tells of them.

`docs/format.md` says each byte. The format is for ever: a new tag, value or defaulted field keeps
`FORMAT`, a changed meaning raises it, and who meets what it does not know leaves it to others.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, DecodeError, Meta, Raw, Struct, UnsetType, json

from engine.contract import Outcome, Seat

FORMAT = 1
LONGEST = 50_000  # entries of a match; the last one can only abort it
GUESTS = 100  # players that a match can have invited
ROBOTS = Literal["random", "greedy", "search"]

HEX64 = "^[0-9a-f]{64}$"
Hex64 = Annotated[str, Meta(pattern=HEX64, max_length=64)]
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]
Player = Annotated[str, Meta(pattern="^[a-z2-7]{16}$", max_length=16)]
Chair = Annotated[int, Meta(ge=-(2**53), le=2**53)]  # any number may be asked for; few exist
Millis = int  # since 1970, UTC
Instant = Annotated[Millis, Meta(ge=0, le=2**53)]


class PerMove(Struct, frozen=True, forbid_unknown_fields=True, tag="move"):
    seconds: Annotated[int, Meta(ge=60, le=5_184_000, description="for each move")]


class Bank(Struct, frozen=True, forbid_unknown_fields=True, tag="bank"):
    """Time for the whole match: each wait is taken off it, each move adds to it."""

    seconds: Annotated[int, Meta(ge=60, le=5_184_000, description="at the start")]
    increment: Annotated[int, Meta(ge=0, le=5_184_000, description="for each move made")]
    cap: Annotated[int, Meta(ge=60, le=5_184_000, description="more is never kept")]

    def __post_init__(self) -> None:
        if self.cap < self.seconds:
            raise ValueError("the cap of a bank is at least what it has at the start")


NO_LESS = (
    "Less time is only for tables on which a move is made for who is late.",
    "Less time is only for clocks that have a longer time for each move.",
)


class Absent(Struct, frozen=True, forbid_unknown_fields=True):
    """Less time for a seat whose time was up so often in a row, until it moves by itself."""

    after: Annotated[int, Meta(ge=2, le=10, description="times in a row; the first one warns")]
    seconds: Annotated[int, Meta(ge=60, le=5_184_000, description="for each move from then on")]


class LateEntries(Struct, frozen=True, forbid_unknown_fields=True, tag="entries"):
    n: Annotated[int, Meta(ge=1, le=1000)]


class LateSeconds(Struct, frozen=True, forbid_unknown_fields=True, tag="seconds"):
    n: Annotated[int, Meta(ge=1, le=604_800)]


Weekday = Annotated[int, Meta(ge=0, le=6)]


class Policy(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table agrees on that is no rule of its game."""

    clock: PerMove | Bank | None = None
    fill: Annotated[
        int, Meta(ge=60, le=5_184_000, description="seconds until an offer lapses unfilled")
    ] = 604_800
    leave: Annotated[
        Literal["end", "random", "greedy"],
        Meta(description="when a seat leaves: the match ends, or this robot takes the seat"),
    ] = "end"
    order: Annotated[
        Literal["shuffled", "joined"], Meta(description="which chair gets which seat")
    ] = "shuffled"
    watchers: Annotated[
        Literal["public", "invited", "closed"],
        Meta(description="who may watch once it is dealt, besides its players"),
    ] = "public"
    late: Annotated[
        LateEntries | LateSeconds | None, Meta(description="how far watchers are behind")
    ] = None
    listed: bool = True
    rated: bool = False
    join: Annotated[
        Literal["invited"] | UnsetType,
        Meta(description="if given, only who offered and whom the table invites can join"),
    ] = UNSET
    expiry: Annotated[
        Literal["default", "greedy", "claim"] | UnsetType,
        Meta(
            description="when a seat runs out of time: its game's default move or a greedy one is"
            " played for it, or the others may claim; if not given, it leaves"
        ),
    ] = UNSET
    rest: Annotated[
        Annotated[tuple[Weekday, ...], Meta(max_length=6)] | UnsetType,
        Meta(description="days of the week, in UTC, on which no clock runs; 0 is Monday"),
    ] = UNSET
    vacation: Annotated[
        Annotated[int, Meta(ge=0, le=365)] | UnsetType,
        Meta(description="how many days of vacation stop the clock of a seat, if there is a limit"),
    ] = UNSET
    chat: Annotated[
        Literal["seats", "all"] | UnsetType,
        Meta(description="if given, its players can talk; or its watchers too, apart from them"),
    ] = UNSET
    absent: Annotated[
        Absent | UnsetType,
        Meta(description="if given, how a seat that stays away is waited for less long"),
    ] = UNSET

    def __post_init__(self) -> None:
        if self.absent is UNSET:
            return
        if self.expiry not in ("default", "greedy"):
            raise ValueError(NO_LESS[0])
        if not isinstance(self.clock, PerMove) or self.clock.seconds <= self.absent.seconds:
            raise ValueError(NO_LESS[1])


class Offered(Struct, frozen=True, forbid_unknown_fields=True, tag="offered"):
    """The first entry of every log. Chairs that are None are open to players."""

    format: int
    game: str
    rules: int
    options: Raw  # the game's Options, encoded again by the door with all defaults
    by: Player | None
    seats: Annotated[tuple[ROBOTS | None, ...], Meta(min_length=1, max_length=64)]
    policy: Policy
    secret: Hex64
    tournament: Annotated[
        Player | UnsetType,
        Meta(description="if given, the tournament where others are dealt the same in its round"),
    ] = UNSET


class Joined(Struct, frozen=True, forbid_unknown_fields=True, tag="joined"):
    """Takes an open chair. The one that takes the last deals."""

    seat: Chair
    player: Player
    entropy: Hex64


class Left(Struct, frozen=True, forbid_unknown_fields=True, tag="left"):
    seat: Chair


class Played(Struct, frozen=True, forbid_unknown_fields=True, tag="played"):
    """A command. The move is left raw: only its game can read it."""

    seat: Chair
    move: Raw
    key: Hex32 | None


class Resigned(Struct, frozen=True, forbid_unknown_fields=True, tag="resigned"):
    seat: Chair


class Expired(Struct, frozen=True, forbid_unknown_fields=True, tag="expired"):
    """The time of a seat is up. `move` is what is played for it, where the table wants that."""

    seat: Chair
    move: Raw | UnsetType = UNSET


class Claimed(Struct, frozen=True, forbid_unknown_fields=True, tag="claimed"):
    """A seat has another that ran out of time leave."""

    seat: Chair
    by: Chair


class Aborted(Struct, frozen=True, forbid_unknown_fields=True, tag="aborted"):
    why: Literal["withdrawn", "unfilled", "too-long", "operator"]


class Invited(Struct, frozen=True, forbid_unknown_fields=True, tag="invited"):
    """A seat, or None for who offered, lets a player watch and, before the deal, join."""

    seat: Chair | None
    player: Player


class Uninvited(Struct, frozen=True, forbid_unknown_fields=True, tag="uninvited"):
    """A seat, or None for who offered, takes an invitation back that nobody has used."""

    seat: Chair | None
    player: Player


class Admitted(Struct, frozen=True, forbid_unknown_fields=True, tag="admitted"):
    """A seat lets a watcher see all faces; all seats that players hold have to."""

    seat: Chair
    player: Player


class Stopped(Struct, frozen=True, forbid_unknown_fields=True, tag="stopped"):
    """Time that no clock counts: none for downtime, that of one seat for a vacation of its player,
    which may lie ahead."""

    since: Instant
    until: Instant
    why: Literal["downtime", "vacation"]
    seat: Chair | UnsetType = UNSET  # of a vacation


class End(Struct, frozen=True, forbid_unknown_fields=True, tag="end"):
    """The match ends without a result."""


class Pause(Struct, frozen=True, forbid_unknown_fields=True, tag="pause"):
    """The clocks stand still until somebody lets them run again."""


class Replace(Struct, frozen=True, forbid_unknown_fields=True, tag="replace"):
    """A player may take a seat, or else a robot takes it at once."""

    seat: Chair
    player: Player | None = None
    robot: ROBOTS | None = None

    def __post_init__(self) -> None:
        if (self.player is None) == (self.robot is None):
            raise ValueError("a seat goes to a player or to a robot")


class Back(Struct, frozen=True, forbid_unknown_fields=True, tag="back"):
    """The match stands again as it did before entry `to`."""

    to: int


What = End | Pause | Replace | Back


class Proposed(Struct, frozen=True, forbid_unknown_fields=True, tag="proposed"):
    seat: Chair
    what: What


class Answered(Struct, frozen=True, forbid_unknown_fields=True, tag="answered"):
    """To the proposal that is entry `to`; who made it takes it back by a no."""

    seat: Chair
    to: int
    yes: bool


class Resumed(Struct, frozen=True, forbid_unknown_fields=True, tag="resumed"):
    """The end of a pause."""

    seat: Chair


class Seated(Struct, frozen=True, forbid_unknown_fields=True, tag="seated"):
    """A player takes a seat that the table gave it, or comes back to its own from a robot."""

    seat: Chair
    player: Player


class Branched(Struct, frozen=True, forbid_unknown_fields=True, tag="branched"):
    """The entries so far are those of another match, up to its entry `seq`. From here on a player
    tries something else at one of its seats; robots hold the others."""

    parent: Annotated[str, Meta(pattern=r"^[0-9]{1,4}-[a-z2-7]{16}(?!\n)$", max_length=21)]
    seq: int
    seat: Chair
    player: Player
    robots: ROBOTS


Entry = (
    Offered
    | Joined
    | Left
    | Played
    | Resigned
    | Expired
    | Claimed
    | Aborted
    | Invited
    | Uninvited
    | Admitted
    | Stopped
    | Proposed
    | Answered
    | Resumed
    | Seated
    | Branched
)


class Unknown(Exception):
    """An entry that this release cannot fold; another may. Who meets it leaves the match alone."""


_decoder = json.Decoder(Entry)
encode = json.Encoder().encode


def decode(raw: bytes) -> Entry:
    """The entry that these bytes hold, or Unknown."""
    try:
        return _decoder.decode(raw)
    except (DecodeError, RecursionError) as error:
        raise Unknown(str(error)) from error


# What the fold itself tells, all of it to everybody. No game's tag may begin with `match.`


class MatchOffered(Struct, frozen=True, forbid_unknown_fields=True, tag="match.offered"):
    by: Player | None
    game: str
    rules: int
    options: Raw
    seats: tuple[ROBOTS | None, ...]
    policy: Policy
    commitment: Hex64


class MatchJoined(Struct, frozen=True, forbid_unknown_fields=True, tag="match.joined"):
    seat: Seat
    player: Player


class MatchLeft(Struct, frozen=True, forbid_unknown_fields=True, tag="match.left"):
    seat: Seat


class Sitter(Struct, frozen=True, forbid_unknown_fields=True):
    player: Player | None
    robot: ROBOTS | None


class MatchDealt(Struct, frozen=True, forbid_unknown_fields=True, tag="match.dealt"):
    seats: tuple[Sitter, ...]


class MatchResigned(Struct, frozen=True, forbid_unknown_fields=True, tag="match.resigned"):
    seat: Seat


class MatchExpired(Struct, frozen=True, forbid_unknown_fields=True, tag="match.expired"):
    """What follows, if the seat does not leave: a move is played for it, or others may claim."""

    seat: Seat
    then: Literal["played", "claim"] | UnsetType = UNSET


class MatchClaimed(Struct, frozen=True, forbid_unknown_fields=True, tag="match.claimed"):
    seat: Seat
    by: Seat


class MatchAborted(Struct, frozen=True, forbid_unknown_fields=True, tag="match.aborted"):
    why: str


class MatchInvited(Struct, frozen=True, forbid_unknown_fields=True, tag="match.invited"):
    seat: Seat | None
    player: Player


class MatchUninvited(Struct, frozen=True, forbid_unknown_fields=True, tag="match.uninvited"):
    seat: Seat | None
    player: Player


class MatchAdmitted(Struct, frozen=True, forbid_unknown_fields=True, tag="match.admitted"):
    seat: Seat
    player: Player


class MatchStopped(Struct, frozen=True, forbid_unknown_fields=True, tag="match.stopped"):
    since: Millis
    until: Millis
    why: str
    seat: Seat | UnsetType = UNSET


class MatchProposed(Struct, frozen=True, forbid_unknown_fields=True, tag="match.proposed"):
    seat: Seat
    what: What


class MatchAnswered(Struct, frozen=True, forbid_unknown_fields=True, tag="match.answered"):
    seat: Seat
    yes: bool


class MatchLapsed(Struct, frozen=True, forbid_unknown_fields=True, tag="match.lapsed"):
    """The proposal of entry `seq` is none any more."""

    seq: int


class MatchPaused(Struct, frozen=True, forbid_unknown_fields=True, tag="match.paused"):
    pass


class MatchResumed(Struct, frozen=True, forbid_unknown_fields=True, tag="match.resumed"):
    seat: Seat


class MatchTakenBack(Struct, frozen=True, forbid_unknown_fields=True, tag="match.taken-back"):
    """The match stands as it did before entry `to`."""

    to: int


class MatchReplaced(Struct, frozen=True, forbid_unknown_fields=True, tag="match.replaced"):
    """A robot has a seat now, or a player may take it."""

    seat: Seat
    player: Player | None
    robot: ROBOTS | None


class MatchSeated(Struct, frozen=True, forbid_unknown_fields=True, tag="match.seated"):
    seat: Seat
    player: Player


class MatchBranched(Struct, frozen=True, forbid_unknown_fields=True, tag="match.branched"):
    """It names nobody: not whose seats these were, nor who tries something else."""

    parent: str
    seq: int
    seat: Seat
    robots: ROBOTS


class MatchOver(Struct, frozen=True, forbid_unknown_fields=True, tag="match.over"):
    """The last fact of the entry that ends a match with a result."""

    outcome: Outcome


MatchFact = (
    MatchOffered
    | MatchJoined
    | MatchLeft
    | MatchDealt
    | MatchResigned
    | MatchExpired
    | MatchClaimed
    | MatchAborted
    | MatchInvited
    | MatchUninvited
    | MatchAdmitted
    | MatchStopped
    | MatchProposed
    | MatchAnswered
    | MatchLapsed
    | MatchPaused
    | MatchResumed
    | MatchReplaced
    | MatchTakenBack
    | MatchSeated
    | MatchBranched
    | MatchOver
)
