"""FlipOut as text: `write` and `read` moves, `say` what happened, `show` the table."""

from __future__ import annotations

from typing import Any, Final, get_args

from engine.contract import Said, Seat, because

from .cards import AT, COLOUR, NAMED, Cell, Colour, Slot
from .facts import (
    Began,
    Bought,
    Collected,
    Dealt,
    Drew,
    Ended,
    Faces,
    Fact,
    Flipped,
    Placed,
    Refilled,
    Scored,
    Swapped,
    Swiped,
    Switched,
    TurnEnded,
    Uncovered,
)
from .notation import across, read, row, write
from .pieces import Why
from .table import show

__all__ = ["read", "say", "show", "write"]
WHYS: Final = get_args(Why)
SIDES: Final = "{colours} inside", "{colours} outside"


def say(fact: Fact) -> Said:
    match fact:
        case Began(seat):
            return Said("{seat} begins.", {"seat": seat})
        case Dealt(seat, seen):
            return _seen(Said("{seat} is dealt six cards", {"seat": seat}), seen)
        case Uncovered(top, deck) if top is not None:
            said = "The deck shows {colour}; cards in it: {deck}."
            return Said(said, {"colour": Said(NAMED[top]), "deck": deck})
        case Uncovered(_, deck):
            return Said("The deck is empty; cards in it: {deck}.", {"deck": deck})
        case Flipped(seat, cell, face):
            return _seen(Said("{seat} flips {cell}", {"seat": seat, "cell": cell}), (face,))
        case Switched(seat, (one, two)):
            return Said("{seat} switches {one} and {two}.", {"seat": seat, "one": one, "two": two})
        case Swapped(seat, own, others, seen):
            return _swapped(seat, own, others, seen)
        case Scored(seat, first, last, colour):
            said = "{seat} scores {cells}: {count} {colour}."
            return Said(said, _taken(seat, first, last, colour))
        case Swiped(seat, first, last, colour):
            said = "{seat} swipes {cells}: {count} {colour}, one of them for {seat_owner}."
            return Said(said, {**_taken(seat, first, last, colour), "seat_owner": AT[first][0]})
        case Refilled(seat, cells, seen):
            return _seen(Said("{seat} refills {cells}", {"seat": seat, "cells": row(cells)}), seen)
        case Drew(seat, face):
            return _seen(Said("{seat} draws a card", {"seat": seat}), (face,))
        case Placed(seat, cell):
            said = "{seat} puts it into {cell}; what stood there goes under the deck."
            return Said(said, {"seat": seat, "cell": cell})
        case Bought(seat, tokens):
            said = "{seat} pays a token for a third action; tokens left: {tokens}."
            return Said(said, {"seat": seat, "tokens": tokens})
        case TurnEnded(seat):
            return Said("{seat} ends the turn.", {"seat": seat})
        case Ended(why):
            return Said("The end: {why}.", {"why": because(why)})
        case Collected(seat, first, last, colour):
            said = "{seat} collects {cells}: {count} {colour}."
            return Said(said, _taken(seat, first, last, colour))
    raise AssertionError(f"nobody told {fact}")


def _seen(clause: Said, faces: Faces) -> Said:
    """With the faces that whoever hears it sees; a watcher sees none. (R26)"""
    if sides := _sides(faces):
        return Said("{clause}: {faces}.", {"clause": clause, "faces": sides})
    return Said("{clause}.", {"clause": clause})


def _sides(faces: Faces) -> tuple[Said, ...]:
    """`red, blue inside`, or `red inside, green outside` for a card seen from both sides."""
    sides = []
    for i in (0, 1):
        colours = tuple(Said(NAMED[COLOUR[face[i]]]) for face in faces if face[i] != "?")
        if colours:
            sides.append(Said(SIDES[i], {"colours": colours}))
    return tuple(sides)


def _swapped(seat: Seat, own: tuple[Cell, ...], others: tuple[Cell, ...], faces: Faces) -> Said:
    seen = tuple(
        Said("{cells} {faces}", {"cells": row(cells), "faces": _sides(part)})
        for cells, part in ((own, faces[: len(own)]), (others, faces[len(own) :]))
        if _sides(part)
    )
    args = {"seat": seat, "own": row(own), "others": row(others)}
    if not seen:
        return Said("{seat} swaps {own} for {others}.", args)
    return Said("{seat} swaps {own} for {others}: {faces}.", {**args, "faces": seen})


def _taken(seat: Seat, first: Cell, last: Slot, colour: Colour) -> dict[str, Any]:
    cells, count = across(first, last), last - AT[first][1]
    return {"seat": seat, "cells": cells, "count": count, "colour": Said(NAMED[colour])}
