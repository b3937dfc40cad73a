"""The facts of a match, its game's and the fold's own, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import json

from engine import entries as e
from engine.contract import Game, Said, because

ABORTED = {
    "withdrawn": "The offer is withdrawn.",
    "unfilled": "The offer has lapsed: nobody took the seats that were open.",
    "too-long": "The match ends without a result: it has as many entries as there may be.",
    "agreed": "All have agreed to end the match, without a result.",
    "operator": "The operator of the house has ended the match, without a result.",
}
STOPPED = {
    "downtime": "The clocks stood still from {since} to {until}: the service was away.",
}
EXPIRED = {
    "played": "{seat} has run out of time: a move is made for it.",
    "claim": "{seat} has run out of time: the others may claim.",
}
ROBOTS = {
    "random": "a random robot",
    "greedy": "a greedy robot",
    "search": "a robot that thinks ahead",
}
WHYS = ("resigned", "expired", "replaced")  # of an outcome, or of a seat, by the fold itself


@cache
def facts_of(game: Game) -> json.Decoder[Any]:
    """Reads any fact of a match of this game."""
    return json.Decoder(game.Fact | e.MatchFact)


def say(game: Game, fact: Any) -> Said:
    """The sentence to be of a fact of this game or of the fold's own."""
    return say_ours(fact) if isinstance(fact, e.MatchFact) else game.words.say(fact)


def names(seats: Sequence[Any]) -> list[str]:
    """What seats are called where nobody has given them names."""
    return [f"seat {seat}" for seat in range(len(seats))]


def aborted(why: str) -> Said:
    """How a match came to end without a result."""
    return Said(ABORTED.get(why, "The match is aborted: {why}."), {"why": why})


def say_ours(fact: e.MatchFact) -> Said:
    """The sentence to be of a fact of the fold's own, which every game has.

    A placeholder whose name begins with `player` holds a player's id.
    """
    match fact:
        case e.MatchOffered():
            return Said(
                "A match of {game} is offered, with {count} seat.",
                {"game": fact.game, "count": len(fact.seats)},
                "A match of {game} is offered, with {count} seats.",
            )
        case e.MatchJoined(_, player):
            return Said("{player} takes a seat.", {"player": player})
        case e.MatchLeft():
            return Said("A seat is open again.")
        case e.MatchDealt(seats):
            return _dealt(seats)
        case e.MatchResigned(seat):
            return Said("{seat} resigns.", {"seat": seat})
        case e.MatchExpired(seat, then):
            said = EXPIRED.get(then or "", "{seat} has run out of time.")
            return Said(said, {"seat": seat})
        case e.MatchClaimed(seat, by):
            said = "{seat_by} claims: {seat} is out, by time."
            return Said(said, {"seat": seat, "seat_by": by})
        case e.MatchAborted(why):
            return aborted(why)
        case e.MatchInvited(_, player):  # by a chair, before the deal: that is nobody's name
            return Said("{player} is invited.", {"player": player})
        case e.MatchUninvited(_, player):
            return Said("{player} is not invited any more.", {"player": player})
        case e.MatchAdmitted(seat, player):
            said = "{seat} lets {player} see all faces."
            return Said(said, {"seat": seat, "player": player})
        case e.MatchStopped(_, until, "vacation", seat):
            said = "{seat} is on vacation until {until}: its clock stands still."
            return Said(said, {"seat": seat, "until": utc(until)})
        case e.MatchStopped(since, until, why):
            said = STOPPED.get(why, "The clocks stood still from {since} to {until}: {why}.")
            return Said(said, {"since": utc(since), "until": utc(until), "why": why})
        case e.MatchProposed(seat, what):
            return _proposed(seat, what)
        case e.MatchAnswered(seat, yes):
            return Said("{seat} agrees." if yes else "{seat} says no.", {"seat": seat})
        case e.MatchLapsed():
            return Said("The proposal is none any more.")
        case e.MatchPaused():
            return Said("The match is paused: the clocks stand still.")
        case e.MatchResumed(seat):
            return Said("{seat} lets the clocks run again.", {"seat": seat})
        case e.MatchReplaced(seat, player, _):
            said = "A robot takes the seat of {seat}."
            other = "{player} may take the seat of {seat}."
            return Said(said if player is None else other, {"seat": seat, "player": player})
        case e.MatchTakenBack(to):
            return Said("All agree: the match stands as it did before entry {n}.", {"n": to})
        case e.MatchSeated(_, player):
            return Said("{player} takes a seat.", {"player": player})
        case e.MatchBranched(parent, seq, seat, robots):
            return Said(
                "This branches from match {parent} after entry {n}: {seat} against a robot.",
                {"parent": parent, "n": seq, "seat": seat, "count": robots},
                "This branches from match {parent} after entry {n}: {seat} against {count} robots.",
            )
        case e.MatchOver(outcome):
            return _over(outcome.places, outcome.scores, outcome.why)


def _proposed(seat: int, what: e.What) -> Said:
    match what:
        case e.End():
            said = "{seat} proposes to end the match, without a result."
        case e.Pause():
            said = "{seat} proposes to pause the match."
        case e.Back(to):
            said = "{seat} proposes to go back to before entry {n}."
            return Said(said, {"seat": seat, "n": to})
        case e.Replace(whose, None, _):
            said = "{seat} proposes that a robot takes the seat of {seat_of}."
            return Said(said, {"seat": seat, "seat_of": whose})
        case e.Replace(whose, player, _):
            said = "{seat} proposes that {player} may take the seat of {seat_of}."
            return Said(said, {"seat": seat, "player": player, "seat_of": whose})
    return Said(said, {"seat": seat})


def _dealt(seats: Sequence[e.Sitter]) -> Said:
    return Said("The match begins: {sitters}.", {"sitters": tuple(map(_sitter, seats))})


def _sitter(sitter: e.Sitter) -> Said:
    if sitter.robot:
        return Said(ROBOTS[sitter.robot])
    return Said("{player}", {"player": sitter.player})


def utc(at: e.Millis) -> str:
    """A time for people, of whatever year: a forged one must not fail either."""
    days, rest = divmod(at // 1000, 86_400)
    era, day = divmod(days + 719_468, 146_097)  # of 400 years, which begin with March
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5
    year += 400 * era + month // 10
    hours, minutes = divmod(rest // 60, 60)
    date = f"{year:04}-{(month + 2) % 12 + 1:02}-{day + 1:02}"
    return f"{date} {hours:02}:{minutes:02}:{rest % 60:02} UTC"


def _over(places: Sequence[int], scores: Sequence[int], why: str) -> Said:
    won = tuple(seat for seat, place in enumerate(places) if place == 1)
    args = {"seats": won, "why": because(why), "scores": " : ".join(map(str, scores))}
    if not won:
        return Said("Nobody wins ({why}).", args)
    if any(scores):
        said = "The match is over ({why}): {seats} wins, {scores}."
        shared = "The match is over ({why}): {seats} share the win, {scores}."
    else:  # who resigns leaves none
        said = "The match is over ({why}): {seats} wins."
        shared = "The match is over ({why}): {seats} share the win."
    return Said(said if len(won) == 1 else shared, args)
