"""What a viewer may see of a match: the look at one seq, and the news of one entry.

Pure functions of a match and a viewer. `docs/format.md` says each field.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Raw, Struct, UnsetType

from engine.contract import Outcome, Seat, Viewer
from engine.entries import ROBOTS, Millis, Policy, What
from engine.match import Holder, Match, Refused, Verdict, commitment
from engine.votes import voters


class Choice(Struct, frozen=True):
    """A move in the making, and whether it may be played as it stands."""

    move: Any
    ready: bool


class Place(Struct, frozen=True):
    """A seat (a chair, while the match is open) and who holds it."""

    player: str | None
    robot: ROBOTS | None
    gone: Literal["resigned", "expired", "replaced"] | None
    away: Millis | UnsetType = UNSET  # until when its player is on vacation, if it is
    missed: int | UnsetType = UNSET  # how often in a row its time was up, where that shortens it


class Proposal(Struct, frozen=True):
    """What entry `seq` proposes, who has agreed, and whose answer is still missing."""

    seq: int
    seat: Seat
    what: What
    yes: tuple[Seat, ...]
    waits: tuple[Seat, ...]


class Promise(Struct, frozen=True):
    """A seat that a player may take."""

    seat: Seat
    player: str


class Look(Struct, frozen=True, kw_only=True):
    """All that a viewer may know of a match at one seq; all that pages and robots ever receive."""

    match: str
    game: str
    rules: int
    seq: int
    at: Millis
    head: str
    commitment: str
    status: Literal["open", "running", "over"]
    viewer: Seat | Literal["watcher", "open"]
    seats: tuple[Place, ...]
    options: Raw
    policy: Policy
    to_act: tuple[Seat, ...]
    since: int | None
    deadline: tuple[Millis | None, ...]
    bank: tuple[Millis, ...] | None  # of each seat, where there are banks: when its wait began
    claimable: tuple[Seat, ...]  # whose time is up, and the others may claim
    proposal: Proposal | None
    paused: Millis | None  # since when
    promised: tuple[Promise, ...]
    back: tuple[int, ...]  # the entries that can be taken back, if all agree
    legal: tuple[Choice, ...] | UnsetType = UNSET  # a replay leaves it out
    view: Any
    outcome: Outcome | None
    aborted: str | None


class Note(Struct, frozen=True):
    """What everybody may know of an entry besides its facts."""

    seq: int
    at: Millis
    head: str
    status: Literal["open", "running", "over"]
    to_act: tuple[Seat, ...]
    deadline: tuple[Millis | None, ...]
    outcome: Outcome | None
    aborted: str | None


class News(Struct, frozen=True):
    """What one viewer hears of one entry; `facts` may be empty."""

    seq: int
    at: Millis
    head: str
    facts: tuple[Any, ...]
    status: Literal["open", "running", "over"]
    to_act: tuple[Seat, ...]
    deadline: tuple[Millis | None, ...]
    outcome: Outcome | None
    aborted: str | None


def choices(match: Match, viewer: Viewer, begun: Any = None) -> tuple[Choice, ...]:
    """What a seat may begin or, once it has begun, add: the whole of what a page needs."""
    if not isinstance(viewer, int) or match.over or match.state is None:
        return ()
    game, state = match.game, match.state
    moves = game.legal(state, viewer) if begun is None else game.grow(state, viewer, begun)
    return tuple(Choice(move, game.allows(state, viewer, move) is None) for move in moves)


def look(match: Match, viewer: Viewer, name: str = "", legal: bool = True) -> Look:
    """The look of a viewer at a match called `name`; a replay leaves `legal` out.

    OPEN may be asked for only where the match is over by now, at whatever moment of it.
    """
    offered = match.offered
    return Look(
        match=name,
        game=offered.game,
        rules=offered.rules,
        seq=match.seq,
        at=match.at,
        head=match.head,
        commitment=commitment(offered),
        status=match.status,
        viewer="watcher" if viewer is None else viewer,
        seats=places(match),
        options=offered.options,
        policy=offered.policy,
        to_act=match.to_act,
        since=match.holders[viewer].since if isinstance(viewer, int) else None,
        deadline=match.deadlines,
        bank=match.banks,
        claimable=tuple(seat for seat, holder in enumerate(match.holders) if holder.late),
        proposal=proposal(match),
        paused=match.paused,
        promised=tuple(Promise(seat, player) for seat, player in match.promised),
        back=() if match.over else tuple(seq for seq, _ in match.past),
        legal=choices(match, viewer) if legal else UNSET,
        view=None if match.state is None else match.game.view(match.state, viewer),
        outcome=match.outcome,
        aborted=match.aborted,
    )


def proposal(match: Match) -> Proposal | None:
    """What waits for answers."""
    vote = match.vote
    if vote is None or match.over:
        return None
    waits = tuple(seat for seat in voters(match, vote.what) if seat not in vote.yes)
    return Proposal(vote.seq, vote.seat, vote.what, vote.yes, waits)


def places(match: Match) -> tuple[Place, ...]:
    """Who holds each seat; a branch names no player."""
    return tuple(
        Place(
            None if match.branched else h.player, h.robot, h.gone, away(match, h), missed(match, h)
        )
        for h in match.holders
    )


def away(match: Match, holder: Holder) -> Millis | UnsetType:
    """Until when the player of a seat is on vacation, at the time of the last entry."""
    until = max((until for _, until in holder.away), default=0)
    return until if until > match.at and holder.robot is None else UNSET


def missed(match: Match, holder: Holder) -> int | UnsetType:
    """How often in a row the time of a seat was up, where its table gives it less time for that."""
    counts = match.offered.policy.absent is not UNSET and holder.robot is None
    return holder.missed or UNSET if counts else UNSET


def note(match: Match) -> Note:
    """Of the newest entry of this match."""
    return Note(
        match.seq,
        match.at,
        match.head,
        match.status,
        match.to_act,
        match.deadlines,
        match.outcome,
        match.aborted,
    )


def heard(verdict: Verdict, viewer: Viewer) -> tuple[Any, ...]:
    """The facts of one entry that this viewer hears, in their order."""
    if isinstance(verdict, Refused):
        return ()
    return tuple(fact for told in verdict.told for fact in told.heard_by(viewer))


def news(note: Note, verdict: Verdict, viewer: Viewer) -> News:
    return News(
        note.seq,
        note.at,
        note.head,
        heard(verdict, viewer),
        note.status,
        note.to_act,
        note.deadline,
        note.outcome,
        note.aborted,
    )
