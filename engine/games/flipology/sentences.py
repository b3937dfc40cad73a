"""The facts of Flipology as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.contract import Said

from .cards import Imitable, Kind
from .facts import (
    Committed,
    Dealt,
    Declined,
    Fact,
    Flipped,
    Imitated,
    Laid,
    Passed,
    Peeked,
    Picked,
    Regrown,
    Removed,
    Revealed,
    Scavenged,
    Scored,
    Searched,
    Started,
    Stayed,
    Swapped,
    Totalled,
    Woken,
)

ACTS: Final[dict[Kind, str]] = {
    "dog": "The dog at {cell} acts.",
    "frog": "The frog at {cell} acts.",
    "hawk": "The hawk at {cell} acts.",
    "mole": "The mole at {cell} acts.",
    "monkey": "The monkey at {cell} acts.",
    "parrot": "The parrot at {cell} acts.",
    "snake": "The snake at {cell} acts.",
    "wolves": "The wolves at {cell} act.",
    "rain": "The rain at {cell} acts.",
    "sun": "The sun at {cell} acts.",
    "wind": "The wind at {cell} acts.",
}
AS: Final[dict[Imitable, str]] = {
    "dog": "a dog",
    "frog": "a frog",
    "hawk": "a hawk",
    "mole": "a mole",
    "monkey": "a monkey",
    "snake": "a snake",
    "wolves": "wolves",
}


def say(fact: Fact) -> Said:
    match fact:
        case Started() | Dealt() | Regrown() | Committed() | Laid():
            return _say_deal(fact)
        case Searched() | Scavenged() | Revealed() | Scored() | Totalled():
            return _say_end(fact)
        case Flipped(cell, None):
            return Said("{cell} turns face down.", {"cell": cell})
        case Flipped(cell, card):
            return Said("{cell} turns up: {card}.", {"cell": cell, "card": card})
        case Stayed(cell):
            return Said("The cat at {cell} stays up.", {"cell": cell})
        case Woken(cell, kind):
            return Said(ACTS[kind], {"cell": cell})
        case Imitated(cell, kind):
            said = "The parrot at {cell} acts as {kind}."
            return Said(said, {"cell": cell, "kind": Said(AS[kind])})
        case Picked(cell):
            return Said("Of the two, {cell} is picked.", {"cell": cell})
        case Swapped(cell, other, None):
            return Said("{cell} and {other} trade places.", {"cell": cell, "other": other})
        case Swapped(cell, other, card):
            args = {"cell": cell, "other": other, "card": card}
            return Said("{cell} and {other} trade places; {cell} is now {card}, face down.", args)
        case Removed(cell, None):
            said = "What lay face down at {cell} is gone; a Clearing lies there."
            return Said(said, {"cell": cell})
        case Removed(cell, card):
            said = "{card} at {cell} is gone; a Clearing lies there."
            return Said(said, {"cell": cell, "card": card})
        case Peeked(seat, cells, cards):
            return _say_peeked(seat, cells, cards)
        case Declined(seat):
            return Said("{seat} takes none.", {"seat": seat})
        case Passed(seat):
            return Said("{seat} has no card to turn over.", {"seat": seat})


def _say_peeked(seat: int, cells: Sequence[str], cards: Sequence[str]) -> Said:
    args = {"seat": seat, "cells": ", ".join(cells)}
    if not cards:
        return Said("{seat} looks at {cells}.", args)
    return Said("{seat} looks at {cells}: {cards}.", {**args, "cards": " ".join(cards)})


def _say_deal(fact: Started | Dealt | Regrown | Committed | Laid) -> Said:
    match fact:
        case Started(seat, game, level):
            args = {"seat": seat, "game": game, "round": level}
            said = "Round {round}: {seat} is to start." if level > 1 else "{seat} is to start."
            return Said("Game {game}: {seat} is to start." if game > 1 else said, args)
        case Dealt(seat, count, ()):
            return Said("{seat} is dealt {count}.", {"seat": seat, "count": count})
        case Dealt(seat, _, cards):
            return Said("{seat} is dealt {cards}.", {"seat": seat, "cards": " ".join(cards)})
        case Regrown(seat, yes):
            said = "{seat} regrows." if yes else "{seat} does not regrow."
            return Said(said, {"seat": seat})
        case Committed(seat, ()):
            return Said("{seat} is ready.", {"seat": seat})
        case Committed(seat, row, away):
            laid = {"row": " ".join(row), "away": " ".join(away)}
            said = "{seat} is ready: {row}, discarding {away}."
            return Said(said if away else "{seat} is ready: {row}.", {"seat": seat, **laid})
        case Laid(level, seat):
            return Said("All rows are laid. {seat} begins.", {"seat": seat, "level": level})


def _say_end(fact: Searched | Scavenged | Revealed | Scored | Totalled) -> Said:
    match fact:
        case Searched(seat, count, ()):
            said = "{seat} may scavenge from a discard pile of {count}."
            return Said(said, {"seat": seat, "count": count})
        case Searched(seat, count, cards):
            said = "{seat} may scavenge from {cards}."
            return Said(said, {"seat": seat, "count": count, "cards": " ".join(cards)})
        case Scavenged(seat, card, points):
            args = {"seat": seat, "card": card, "points": points}
            return Said("{seat} scavenges {card} for {points}.", args)
        case Revealed(faces):
            shown = ", ".join(f"{face.cell} {face.card}" for face in faces)
            said = "Sloths and koalas face down: {shown}."
            none = "Sloths and koalas face down: none."
            return Said(said if shown else none, {"shown": shown})
        case Scored():
            return _say_scored(fact)
        case Totalled(totals):
            return Said("Totals: {totals}.", {"totals": " : ".join(map(str, totals))})


def _say_scored(fact: Scored) -> Said:
    """Scores, and how many different animals each has where that has decided."""
    scores: str | Said = " : ".join(map(str, fact.scores))
    if fact.scores.count(fact.scores[fact.winners[0]]) > 1:
        animals = " : ".join(map(str, fact.animals))
        args = {"scores": scores, "animals": animals}
        scores = Said("{scores}; different animals {animals}", args)
    won = "Scores {scores}: {seats} wins."
    shared = "Scores {scores}: {seats} share the game."
    said = shared if len(fact.winners) > 1 else won
    sentence = Said(said, {"scores": scores, "seats": fact.winners})
    if fact.moon:
        return Said("Under the moon the lowest wins. {sentence}", {"sentence": sentence})
    return sentence
