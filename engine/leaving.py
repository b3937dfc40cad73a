"""Leaving a seat: by will, by the clock, and by what the table agreed on for the clock."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from engine import entries as e
from engine.contract import Outcome, Refusal, Seat, Told, put
from engine.match import Change, Match, No, encode, unseated
from engine.plays import Roll, moved


def resigned(match: Match, entry: e.Resigned, at: e.Millis, roll: Roll) -> Change | No:
    no = unseated(match, entry.seat)
    return no or _gone(match, entry.seat, "resigned", e.MatchResigned(entry.seat))


def expired(match: Match, entry: e.Expired, at: e.Millis, roll: Roll) -> Change | Refusal:
    if no := unseated(match, entry.seat):
        return no
    deadline, expiry = match.deadline(entry.seat), match.offered.policy.expiry
    if deadline is None or at < deadline:
        return No.TOO_EARLY
    if expiry in ("default", "greedy"):
        return _stood_in(match, entry, roll)
    if entry.move is not UNSET:
        return No.STAND_IN
    if expiry == "claim":
        return _late(match, entry.seat)
    return _gone(match, entry.seat, "expired", e.MatchExpired(entry.seat))


def claimed(match: Match, entry: e.Claimed, at: e.Millis, roll: Roll) -> Change | No:
    if no := unseated(match, entry.seat) or unseated(match, entry.by):
        return no
    if entry.by == entry.seat or match.holders[entry.by].robot is not None:
        return No.NOT_SEATED
    if not match.holders[entry.seat].late:
        return No.NO_CLAIM
    return _gone(match, entry.seat, "expired", e.MatchClaimed(entry.seat, entry.by))


def _stood_in(match: Match, entry: e.Expired, roll: Roll) -> Change | Refusal:
    """The move of the entry is played. It stands there, for greed may change with the years."""
    seat, game = entry.seat, match.game
    if entry.move is UNSET:
        return No.STAND_IN
    usual = match.offered.policy.expiry == "default"
    if usual and bytes(entry.move) != encode(game.default(match.state, seat)):
        return No.STAND_IN
    holder = match.holders[seat]
    holders = put(match.holders, seat, replace(holder, missed=holder.missed + 1))
    change = moved(match, seat, entry.move, roll, holders)
    if isinstance(change, Refusal):
        return change
    after, told = change
    return after, (Told(e.MatchExpired(seat, "played")), *told)


def _late(match: Match, seat: Seat) -> Change | No:
    """Everybody is told; nothing else happens unless somebody claims."""
    if match.holders[seat].late:
        return No.SAID
    holders = put(match.holders, seat, replace(match.holders[seat], late=True))
    return replace(match, holders=holders), (Told(e.MatchExpired(seat, "claim")),)


def _gone(
    match: Match, seat: Seat, why: Literal["resigned", "expired"], fact: e.MatchFact
) -> Change | No:
    """A seat that leaves ends the match, last of all; or the table's robot takes it."""
    holder, leave = match.holders[seat], match.offered.policy.leave
    if holder.robot is not None:
        return No.NOT_SEATED
    robot = None if leave == "end" else leave
    holder = replace(holder, gone=why, robot=robot, late=False)
    outcome = None
    if robot is None:
        n = len(match.holders)
        places = tuple(max(n, 2) if other == seat else 1 for other in range(n))
        outcome = Outcome(places, (0,) * n, why)
    holders = put(match.holders, seat, holder)
    return replace(match, holders=holders, outcome=outcome, past=()), (Told(fact),)
