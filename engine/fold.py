"""The fold: `step` judges one entry of a log, and everything anyone is shown comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import DecodeError
from msgspec.structs import replace

from engine import clocks, guests, leaving, plays, votes
from engine import entries as e
from engine.catalogue import version
from engine.contract import Outcome, Refusal, Seat, Told, hear, put
from engine.dice import Dice
from engine.entries import Unknown
from engine.match import (
    Accepted,
    Change,
    Holder,
    Line,
    Match,
    No,
    Refused,
    Verdict,
    chained,
    commitment,
    reader,
    seed_of,
    unseated,
)
from engine.plays import Roll

KEYS = 8  # how many idempotency keys of a seat are remembered


def step(before: Match | None, line: Line, roll: Roll = Dice) -> tuple[Match, Verdict]:
    """Fold one entry; `before` is None for the first.

    Whatever a player sends is accepted or refused, never raised. Unknown is raised for an entry
    that this release cannot read, and for a first entry that is no offer it could deal.
    """
    entry = e.decode(line.raw)
    match = _begun(entry, line.at) if before is None else before
    change = _unfit(match, entry) or FOLDS[type(entry)](match, entry, line.at, roll)
    if isinstance(change, Refusal):
        refused = Refused(change.name, change.rule, change.says)
        return _stamped(match, line, match.holders, match.outcome), refused
    after, told = change
    after, more = votes.lapsed(match, after)
    told = (*told, *more)
    outcome = after.outcome
    waiting: tuple[Seat, ...] = ()
    if outcome is None and after.aborted is None and after.state is not None:
        game = after.game
        outcome, waiting = game.outcome(after.state), game.to_act(after.state)
    if outcome is not None:
        told, waiting = (*told, Told(e.MatchOver(outcome))), ()
    holders = _waited_for(after, waiting, plays.actor(entry), match.seq + 1, line.at)
    return _stamped(after, line, holders, outcome), Accepted(told)


def replay(log: Iterable[Line], match: Match | None = None) -> Iterator[tuple[Match, Verdict]]:
    for line in log:
        match, verdict = step(match, line)
        yield match, verdict


def fold(log: Iterable[Line], match: Match | None = None) -> Match:
    """The match that these lines, at least one, come to; they follow on `match` if it is given."""
    for line in log:
        match, _ = step(match, line)
    if match is None:
        raise ValueError("an empty log is no match")
    return match


def restamped(before: Match | None, after: Match, line: Line) -> Match:
    """`after`, stepped from `before` with a guess of the time, as the line's true time makes it.

    Only for what no verdict hangs on: all entries but `Expired`, `Aborted` and `Stopped`.
    """
    if before is not None and isinstance(before.offered.policy.clock, e.Bank):
        return step(before, line)[0]  # more than when it is waited for hangs on it
    holders = tuple(
        replace(h, since_at=line.at) if h.since == after.seq else h for h in after.holders
    )
    opened_at = line.at if before is None else after.opened_at
    digest = chained(before.digest if before else bytes(32), after.seq, line)
    return replace(after, at=line.at, digest=digest, holders=holders, opened_at=opened_at)


def _begun(entry: e.Entry, at: e.Millis) -> Match:
    """A match of no entries yet, for this offer."""
    if not isinstance(entry, e.Offered):
        raise Unknown("a log begins with an offer")
    if entry.format != e.FORMAT:
        raise Unknown(f"format {entry.format}")
    game = version(entry.game, entry.rules)
    if game is None:
        raise Unknown(f"{entry.game} by rules {entry.rules}")
    try:
        options = reader(game.Options).decode(entry.options)
    except DecodeError as error:
        raise Unknown(str(error)) from error
    if len(entry.seats) not in game.seats(options):
        raise Unknown(f"{entry.game} does not seat {len(entry.seats)} with these options")
    holders = tuple(Holder(chair, robot=robot) for chair, robot in enumerate(entry.seats))
    return Match(entry, options, at, holders)


def _unfit(match: Match, entry: e.Entry) -> No | None:
    if match.outcome is not None or match.aborted is not None:
        return No.OVER
    if match.seq >= e.LONGEST - 1 and not isinstance(entry, e.Aborted):
        return No.TOO_LONG
    return None


def _offered(match: Match, entry: e.Offered, at: e.Millis, roll: Roll) -> Change | No:
    if match.seq:
        return No.UNREADABLE
    told = e.MatchOffered(
        entry.by,
        entry.game,
        entry.rules,
        entry.options,
        entry.seats,
        entry.policy,
        commitment(entry),
    )
    return _dealt(match, (Told(told),), roll)


def _joined(match: Match, entry: e.Joined, at: e.Millis, roll: Roll) -> Change | No:
    if match.state is not None:
        return No.DEALT
    if not 0 <= entry.seat < len(match.holders):
        return No.NO_SUCH_SEAT
    if any(holder.player == entry.player for holder in match.holders):
        return No.SEATED_ALREADY
    if not match.holders[entry.seat].open:
        return No.SEAT_TAKEN
    if match.offered.policy.join == "invited" and not guests.may_join(match, entry.player):
        return No.NOT_INVITED
    holder = Holder(entry.seat, player=entry.player, entropy=entry.entropy)
    match = replace(match, holders=put(match.holders, entry.seat, holder))
    return _dealt(match, (Told(e.MatchJoined(entry.seat, entry.player)),), roll)


def _dealt(match: Match, told: tuple[Told, ...], roll: Roll) -> Change:
    """The same match or, if no chair is open any more, the match dealt in this same entry."""
    if any(holder.open for holder in match.holders):
        return match, told
    seed = seed_of(match)
    dice = roll(seed, 0)
    chairs = match.holders
    if match.offered.policy.order == "shuffled":
        chairs = dice.shuffled(chairs)
    state, dealing = hear(match.game.setup(match.options, len(chairs), dice))
    sitters = tuple(e.Sitter(holder.player, holder.robot) for holder in chairs)
    rolls, seq = int(dice.used), match.seq + 1
    match = replace(match, holders=chairs, seed=seed, rolls=rolls, state=state, dealt=seq)
    return match, (*told, Told(e.MatchDealt(sitters)), *dealing)


def _left(match: Match, entry: e.Left, at: e.Millis, roll: Roll) -> Change | No:
    if match.state is not None:
        return No.DEALT
    if not 0 <= entry.seat < len(match.holders):
        return No.NO_SUCH_SEAT
    if match.holders[entry.seat].player is None:
        return No.NOT_SEATED
    holders = put(match.holders, entry.seat, Holder(entry.seat))
    return replace(match, holders=holders), (Told(e.MatchLeft(entry.seat)),)


def _played(match: Match, entry: e.Played, at: e.Millis, roll: Roll) -> Change | Refusal:
    seat = entry.seat
    if no := unseated(match, seat):
        return no
    holder = match.holders[seat]
    seq, since = match.seq + 1, holder.since
    keys = holder.keys if entry.key is None else (*holder.keys, (entry.key, seq))[-KEYS:]
    holder = replace(holder, last=(seq, match.seq if since is None else since), keys=keys, missed=0)
    return plays.moved(match, seat, entry.move, roll, put(match.holders, seat, holder))


def _aborted(match: Match, entry: e.Aborted, at: e.Millis, roll: Roll) -> Change | No:
    if entry.why in ("withdrawn", "unfilled") and match.state is not None:
        return No.DEALT
    if entry.why == "unfilled" and at < match.lapses:
        return No.TOO_EARLY
    if entry.why == "too-long" and match.seq < e.LONGEST - 1:
        return No.TOO_EARLY
    return replace(match, aborted=entry.why), (Told(e.MatchAborted(entry.why)),)


def _branched(match: Match, entry: e.Branched, at: e.Millis, roll: Roll) -> Change | No:
    """Whoever sat there is gone, and so are guests and clocks; the deal stays theirs."""
    if no := unseated(match, entry.seat):
        return no
    if entry.seq != match.seq:
        return No.ELSEWHERE
    holders = tuple(
        Holder(h.chair, robot=entry.robots, entropy=h.entropy)
        if seat != entry.seat
        else Holder(h.chair, player=entry.player, entropy=h.entropy)
        for seat, h in enumerate(match.holders)
    )
    told = Told(e.MatchBranched(entry.parent, entry.seq, entry.seat, entry.robots))
    return replace(
        match,
        holders=holders,
        guests=(),
        branched=match.seq + 1,
        vote=None,
        paused=None,
        promised=(),
        past=(),
    ), (told,)


FOLDS: dict[type, Callable[..., Change | Refusal]] = {
    e.Offered: _offered,
    e.Joined: _joined,
    e.Left: _left,
    e.Played: _played,
    e.Resigned: leaving.resigned,
    e.Expired: leaving.expired,
    e.Claimed: leaving.claimed,
    e.Aborted: _aborted,
    e.Invited: guests.invited,
    e.Uninvited: guests.uninvited,
    e.Admitted: guests.admitted,
    e.Stopped: clocks.stopped,
    e.Proposed: votes.proposed,
    e.Answered: votes.answered,
    e.Resumed: votes.resumed,
    e.Seated: votes.seated,
    e.Branched: _branched,
}


def _waited_for(
    match: Match, to_act: tuple[Seat, ...], actor: Seat | None, seq: int, at: e.Millis
) -> tuple[Holder, ...]:
    """Each holder with the seq from which its seat has been waited for, without acting."""
    after = list(match.holders)
    banks = isinstance(match.offered.policy.clock, e.Bank)
    for seat, holder in enumerate(after):
        waits, moves = seat in to_act, seat == actor
        if holder.since is not None and (moves or not waits):
            if banks or not waits:
                after[seat] = holder = clocks.rested(match, seat, moves, at)
        elif not waits or holder.since is not None:
            continue
        if waits:
            after[seat] = replace(holder, since=seq, since_at=at, late=False)
    return tuple(after)


def _stamped(
    match: Match, line: Line, holders: tuple[Holder, ...], outcome: Outcome | None
) -> Match:
    seq = match.seq + 1
    return replace(
        match,
        seq=seq,
        at=line.at,
        digest=chained(match.digest, seq, line),
        holders=holders,
        outcome=outcome,
    )
