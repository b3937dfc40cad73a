"""Captain Flip as text: `F` flips the tile in hand, `c` places it, `@b2` flips a tile on board."""

from __future__ import annotations

from typing import Final

from msgspec import ValidationError, convert

from engine.contract import Said, Seat

from .facts import (
    ColumnCompleted,
    Drew,
    Fact,
    Gained,
    HandFlipped,
    LastRound,
    MapMoved,
    NothingDrawn,
    Placed,
    Scored,
    TileFlipped,
    TollPaid,
    TurnBegan,
    TurnEnded,
)
from .notation import summed
from .pieces import NAMES, Flip, Move, Place, Target
from .scoring import RANKS
from .table import show  # noqa: F401

FORM: Final = "say `F` to flip the tile in hand, `a` to `e` to place it, `@b2` to flip that tile"
WHY: Final = {
    "gunner": "the Gunner on {space}",
    "cook": "the Cook on {space}",
    "navigator": "the Navigator on {space}",
    "monkey": "the Monkey on {space}",
    "bonus": "the box over {space}",
    "map": "the treasure map",
}
WHYS: Final = (
    "three Gunners",
    "highest total",
    "equal totals",
    "equal totals, and the map",
    *(f"solo: {rank}" for _, rank in RANKS),
)
VOID: Final = {
    "no_space": "{seat} draws nothing: no column takes a tile.",
    "empty_bag": "{seat} draws nothing: the bag is empty.",
}


def write(move: Move) -> str:
    match move:
        case Flip():
            return "F"
        case Place(column):
            return column
        case Target(space):
            return f"@{space}"


def read(text: str) -> Move:
    text = text.strip()
    if text == "F":
        return Flip()
    try:
        if text.startswith("@"):
            return convert({"space": text[1:], "type": "target"}, Target)
        return convert({"column": text, "type": "place"}, Place)
    except ValidationError:
        raise ValueError(FORM) from None


def say(fact: Fact) -> Said:
    match fact:
        case TurnBegan(seat, number):
            return Said("Round {number}: {seat} begins a turn.", {"seat": seat, "number": number})
        case Drew(seat, up):
            return Said("{seat} draws a {face}.", {"seat": seat, "face": Said(NAMES[up])})
        case NothingDrawn(seat, why):
            return Said(VOID[why], {"seat": seat})
        case HandFlipped(seat, up):
            said = "{seat} flips it: a {face} comes up."
            return Said(said, {"seat": seat, "face": Said(NAMES[up])})
        case TollPaid(seat, space):
            said = "{seat} pays a coin to enter {space}."
            return Said(said, {"seat": seat, "space": space})
        case Placed(seat, space, up):
            said = "{seat} places the {face} on {space}."
            return Said(said, {"seat": seat, "face": Said(NAMES[up]), "space": space})
        case TileFlipped(seat, space, up):
            said = "{seat} flips {space}: a {face} comes up."
            return Said(said, {"seat": seat, "face": Said(NAMES[up]), "space": space})
        case Gained(seat, coins, gained_for, space):
            source = Said(WHY[gained_for], {"space": space})
            said = "{seat} gains {coins} for {source}."
            return Said(said, {"seat": seat, "coins": coins, "source": source})
        case MapMoved(before, after):
            return _moved(before, after)
        case ColumnCompleted(seat, column):
            return Said("{seat} completes column {column}.", {"seat": seat, "column": column})
        case LastRound(seat):
            said = "{seat} has four full columns: this round is the last."
            return Said(said, {"seat": seat})
        case TurnEnded(seat):
            return Said("{seat} has ended the turn.", {"seat": seat})
        case Scored(seat, score):
            return Said("{seat} scores {sum}.", {"seat": seat, "sum": summed(score)})


def _moved(before: Seat | None, after: Seat | None) -> Said:
    if after is None:
        return Said("{seat} puts the treasure map back into the middle.", {"seat": before})
    if before is None:
        return Said("{seat} takes the treasure map.", {"seat": after})
    said = "{seat} takes the treasure map from {seat_before}."
    return Said(said, {"seat": after, "seat_before": before})
