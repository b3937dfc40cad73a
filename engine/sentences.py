"""The facts of a match, its game's and the fold's own, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import json

from engine import entries as e
from engine.catalogue import GAMES
from engine.contract import Said


@cache
def facts_of(game: str) -> json.Decoder[Any]:
    """Reads any fact of a match of this game."""
    return json.Decoder(GAMES[game].Fact | e.MatchFact)


def say(game: str, fact: Any) -> Said:
    """The sentence to be of a fact of this game or of the fold's own."""
    return _say(fact) if isinstance(fact, e.MatchFact) else GAMES[game].words.say(fact)


def names(seats: Sequence[Any]) -> list[str]:
    """What seats are called where nobody has given them names."""
    return [f"seat {seat}" for seat in range(len(seats))]


def _say(fact: e.MatchFact) -> Said:
    match fact:
        case e.MatchOffered():
            chairs = len(fact.seats)
            said = "A match of {game} is offered, with {chairs} seats."
            return Said(said, {"game": fact.game, "chairs": chairs})
        case e.MatchJoined(seat, player):
            return Said("{player} takes chair {chair}.", {"player": player, "chair": seat})
        case e.MatchLeft(seat):
            return Said("Chair {chair} is open again.", {"chair": seat})
        case e.MatchDealt(seats):
            held = ", ".join(s.player or f"a {s.robot} robot" for s in seats)
            return Said("The match begins: {held}.", {"held": held})
        case e.MatchResigned(seat):
            return Said("{seat} resigns.", {"seat": seat})
        case e.MatchExpired(seat):
            return Said("The time of {seat} is up.", {"seat": seat})
        case e.MatchAborted(why):
            return Said("The match is aborted: {why}.", {"why": why})
        case e.MatchInvited(None, player):
            return Said("{player} is invited.", {"player": player})
        case e.MatchInvited(seat, player):
            return Said("{seat} invites {player}.", {"seat": seat, "player": player})
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


def _over(places: Sequence[int], scores: Sequence[int], why: str) -> Said:
    won = [seat for seat, place in enumerate(places) if place == 1]
    args: dict[str, Any] = {f"seat{i}": seat for i, seat in enumerate(won)}
    args |= {"why": why, "scores": " : ".join(map(str, scores))}
    winners = ", ".join(f"{{seat{i}}}" for i in range(len(won)))
    template = f"The match is over ({{why}}): {winners} wins, {{scores}}."
    if len(won) != 1:
        template = template.replace(" wins", " share the win") if won else "Nobody wins ({why})."
    return Said(template, args)
