"""What a table agrees on: one seat proposes, all others that people hold answer, in the log.

There is one proposal at a time. Who answers when, and what comes in between, the order of the log
decides.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine import entries as e
from engine.clocks import joined_with, rested
from engine.contract import Seat, Told, put
from engine.match import Change, Holder, Match, No, Vote, unseated


def voters(match: Match, what: e.What) -> tuple[Seat, ...]:
    """The seats that have to agree: those of people; but not one whose time is up, on who takes
    it."""
    excused = isinstance(what, e.Replace) and match.holders[what.seat].late
    return tuple(
        seat
        for seat, holder in enumerate(match.holders)
        if _a_persons(holder) and not (excused and seat == what.seat)  # type: ignore[union-attr]
    )


def _a_persons(holder: Holder) -> bool:
    return holder.player is not None and holder.robot is None and holder.gone is None


def proposed(match: Match, entry: e.Proposed, at: e.Millis, *_: object) -> Change | No:
    seat, what = entry.seat, entry.what
    if no := unseated(match, seat):
        return no
    if not _a_persons(match.holders[seat]):
        return No.NOT_SEATED
    if match.vote is not None:
        return No.VOTE_OPEN
    if no := _cannot(match, what):
        return no
    told = Told(e.MatchProposed(seat, what))
    vote = Vote(match.seq + 1, seat, what, (seat,))
    return _counted(replace(match, vote=vote), (told,), at)


def answered(match: Match, entry: e.Answered, at: e.Millis, *_: object) -> Change | No:
    seat, vote = entry.seat, match.vote
    if no := unseated(match, seat):
        return no
    if vote is None or vote.seq != entry.to:
        return No.NO_VOTE
    if seat not in voters(match, vote.what) and seat != vote.seat:
        return No.NOT_SEATED
    if entry.yes and seat in vote.yes:
        return No.ANSWERED
    told = Told(e.MatchAnswered(seat, entry.yes))
    if not entry.yes:
        return replace(match, vote=None), (told,)
    vote = replace(vote, yes=(*vote.yes, seat))
    return _counted(replace(match, vote=vote), (told,), at)


def _cannot(match: Match, what: e.What) -> No | None:
    """What speaks against a proposal, whoever agrees."""
    match what:
        case e.Pause():
            if match.shared:
                return No.SAME_DEAL
            if match.offered.policy.clock is None or match.branched:
                return No.NO_CLOCK
            if match.offered.policy.vacation == 0:
                return No.NO_VACATION
            return None if match.paused is None else No.PAUSED
        case e.Back(to):
            return None if to in dict(match.past) else No.NO_WAY_BACK
        case e.Replace(seat, player):
            if no := unseated(match, seat):
                return no
            if player is not None:
                return No.SAME_DEAL if match.shared else _may_not_sit(match, seat, player)
            return No.NOT_SEATED if match.holders[seat].robot is not None else None
        case _:
            return None


def _may_not_sit(match: Match, seat: Seat, player: e.Player) -> No | None:
    """Nobody takes a seat who has another, or knows what others hide from it."""
    if any(holder.player == player for holder in match.holders):
        return No.A_PLAYER
    if any(player in holder.before for holder in match.holders):
        return No.A_PLAYER
    guest = match.guest(player)
    return No.LET_IN if guest is not None and guest.admitted else None


def _counted(match: Match, told: tuple[Told, ...], at: e.Millis) -> Change:
    """The match with what is proposed done, once all have agreed."""
    vote = match.vote
    assert vote is not None
    if not set(voters(match, vote.what)) <= set(vote.yes):
        return match, told
    after, facts = _done(replace(match, vote=None), vote.what, at)
    return after, (*told, *facts)


def _done(match: Match, what: e.What, at: e.Millis) -> Change:
    match what:
        case e.End():
            return replace(match, aborted="agreed"), (Told(e.MatchAborted("agreed")),)
        case e.Pause():
            return replace(match, paused=at), (Told(e.MatchPaused()),)
        case e.Replace(seat, player, robot):
            told = (Told(e.MatchReplaced(seat, player, robot)),)
            if player is not None:
                others = tuple(one for one in match.promised if one[0] != seat)
                return replace(match, promised=(*others, (seat, player))), told
            holder = replace(match.holders[seat], gone="replaced", robot=robot, late=False)
            holders = put(match.holders, seat, holder)
            return replace(match, holders=holders, past=()), told
        case e.Back(to):
            return _back(match, to, at), (Told(e.MatchTakenBack(to)),)


def _back(match: Match, to: int, at: e.Millis) -> Match:
    """The state is that of then; chance and clocks go on. Whoever is waited for is so anew, and
    this entry can be taken back as well."""
    i = next(i for i, (seq, _) in enumerate(match.past) if seq == to)
    past = (*match.past[:i], (match.seq + 1, match.state))
    holders = tuple(
        holder if holder.since is None else rested(match, seat, False, at)
        for seat, holder in enumerate(match.holders)
    )
    return replace(match, state=match.past[i][1], past=past, holders=holders)


def resumed(match: Match, entry: e.Resumed, at: e.Millis, *_: object) -> Change | No:
    """Any of those who agreed to stand still may end it."""
    if no := unseated(match, entry.seat):
        return no
    if not _a_persons(match.holders[entry.seat]):
        return No.NOT_SEATED
    if match.paused is None:
        return No.NO_CLOCK
    stops = joined_with(match.stops, match.paused, at) if match.paused < at else match.stops
    return replace(match, paused=None, stops=stops), (Told(e.MatchResumed(entry.seat)),)


def seated(match: Match, entry: e.Seated, at: e.Millis, *_: object) -> Change | No:
    """A player takes the seat that the table gave it, or comes back to its own."""
    seat, player = entry.seat, entry.player
    if no := unseated(match, seat):
        return no
    holder = match.holders[seat]
    if (seat, player) in match.promised:
        if no := _may_not_sit(match, seat, player):
            return no
        left = (*holder.before, *filter(None, (holder.player,)))
        holder = Holder(holder.chair, player=player, entropy=holder.entropy, before=left)
    elif holder.player == player and holder.robot and holder.gone in ("expired", "replaced"):
        holder = replace(holder, robot=None, gone=None, since=None, since_at=0, missed=0)
    else:
        return No.NOT_INVITED
    promised = tuple(one for one in match.promised if one[0] != seat)
    holders = put(match.holders, seat, holder)
    match = replace(match, holders=holders, promised=promised, past=())
    return match, (Told(e.MatchSeated(seat, player)),)


def lapsed(before: Match, after: Match) -> Change:
    """A proposal is none any more when somebody comes or goes: it was made to others."""
    if before.vote is None or before.vote != after.vote:
        return after, ()
    who = [[(h.player, h.robot, h.gone) for h in match.holders] for match in (before, after)]
    if who[0] == who[1]:
        return after, ()
    return replace(after, vote=None), (Told(e.MatchLapsed(before.vote.seq)),)
