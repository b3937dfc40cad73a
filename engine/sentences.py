"""The facts of a match, its game's and the fold's own, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import json

from engine import entries as e
from engine.catalogue import GAMES
from engine.contract import Said

ABORTED = {
    "withdrawn": "The offer is withdrawn.",
    "unfilled": "The offer has lapsed: nobody took the seats that were open.",
    "too-long": "The match ends without a result: it has as many entries as there may be.",
    "operator": "The operator of the house has ended the match, without a result.",
}


@cache
def facts_of(game: str) -> json.Decoder[Any]:
    """Reads any fact of a match of this game."""
    return json.Decoder(GAMES[game].Fact | e.MatchFact)


def say(game: str, fact: Any) -> Said:
    """The sentence to be of a fact of this game or of the fold's own.

    Of the fold's own facts a placeholder whose name begins with `player` holds a player's id.
    """
    return _say(fact) if isinstance(fact, e.MatchFact) else GAMES[game].words.say(fact)


def names(seats: Sequence[Any]) -> list[str]:
    """What seats are called where nobody has given them names."""
    return [f"seat {seat}" for seat in range(len(seats))]


def aborted(why: str) -> str:
    """How a match came to end without a result, as a sentence."""
    return ABORTED.get(why, f"The match is aborted: {why}.")


def _say(fact: e.MatchFact) -> Said:
    match fact:
        case e.MatchOffered():
            chairs = len(fact.seats)
            said = f"A match of {{game}} is offered, with {{chairs}} seat{'s' * (chairs > 1)}."
            return Said(said, {"game": fact.game, "chairs": chairs})
        case e.MatchJoined(_, player):
            return Said("{player} takes a seat.", {"player": player})
        case e.MatchLeft():
            return Said("A seat is open again.", {})
        case e.MatchDealt(seats):
            return _dealt(seats)
        case e.MatchResigned(seat):
            return Said("{seat} resigns.", {"seat": seat})
        case e.MatchExpired(seat):
            return Said("{seat} has run out of time.", {"seat": seat})
        case e.MatchAborted(why):
            return Said(aborted(why), {})
        case e.MatchInvited(_, player):  # by a chair, before the deal: that is nobody's name
            return Said("{player} is invited.", {"player": player})
        case e.MatchUninvited(_, player):
            return Said("{player} is not invited any more.", {"player": player})
        case e.MatchAdmitted(seat, player):
            said = "{seat} lets {player} see all faces."
            return Said(said, {"seat": seat, "player": player})
        case e.MatchBranched(parent, seq, seat, robots):
            said = (
                "This branches from match {parent} after entry {n}: {seat} against {robots} robots."
            )
            return Said(said, {"parent": parent, "n": seq, "seat": seat, "robots": robots})
        case e.MatchOver(outcome):
            return _over(outcome.places, outcome.scores, outcome.why)


def _dealt(seats: Sequence[e.Sitter]) -> Said:
    held, args = [], dict[str, Any]()
    for seat, sitter in enumerate(seats):
        held.append(f"a {sitter.robot} robot" if sitter.robot else f"{{player{seat}}}")
        args |= {} if sitter.robot else {f"player{seat}": sitter.player}
    return Said(f"The match begins: {', '.join(held)}.", args)


def _over(places: Sequence[int], scores: Sequence[int], why: str) -> Said:
    won = [seat for seat, place in enumerate(places) if place == 1]
    args: dict[str, Any] = {f"seat{i}": seat for i, seat in enumerate(won)}
    args |= {"why": why, "scores": " : ".join(map(str, scores))}
    winners = ", ".join(f"{{seat{i}}}" for i in range(len(won)))
    with_scores = ", {scores}" if any(scores) else ""  # who resigns leaves none
    template = f"The match is over ({{why}}): {winners} wins{with_scores}."
    if len(won) != 1:
        template = template.replace(" wins", " share the win") if won else "Nobody wins ({why})."
    return Said(template, args)
