"""FlipOut as text: `write` and `read` moves, `say` what happened, `show` the table."""

from __future__ import annotations

from engine.contract import Said, Seat

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
from .table import show

__all__ = ["read", "say", "show", "write"]


def say(fact: Fact) -> Said:
    match fact:
        case Began(seat):
            return Said("{seat} begins.", {"seat": seat})
        case Dealt(seat, seen):
            return _seen("{seat} is dealt six cards", seen, seat=seat)
        case Uncovered(top, deck) if top is not None:
            said = "The deck shows {colour}; cards in it: {deck}."
            return Said(said, {"colour": NAMED[top], "deck": deck})
        case Uncovered(_, deck):
            return Said("The deck is empty; cards in it: {deck}.", {"deck": deck})
        case Flipped(seat, cell, face):
            return _seen("{seat} flips {cell}", (face,), seat=seat, cell=cell)
        case Switched(seat, (one, two)):
            return Said("{seat} switches {one} and {two}.", {"seat": seat, "one": one, "two": two})
        case Swapped(seat, own, others, seen):
            return _swapped(seat, own, others, seen)
        case Scored(seat, first, last, colour):
            return _taken("{seat} scores {cells}: {count} {colour}.", seat, first, last, colour)
        case Swiped(seat, first, last, colour):
            said = "{seat} swipes {cells}: {count} {colour}, one of them for {seat_owner}."
            return _taken(said, seat, first, last, colour, seat_owner=AT[first][0])
        case Refilled(seat, cells, seen):
            return _seen("{seat} refills {cells}", seen, seat=seat, cells=row(cells))
        case Drew(seat, face):
            return _seen("{seat} draws a card", (face,), seat=seat)
        case Placed(seat, cell):
            said = "{seat} puts it into {cell}; what stood there goes under the deck."
            return Said(said, {"seat": seat, "cell": cell})
        case Bought(seat, tokens):
            said = "{seat} pays a token for a third action; tokens left: {tokens}."
            return Said(said, {"seat": seat, "tokens": tokens})
        case TurnEnded(seat):
            return Said("{seat} ends the turn.", {"seat": seat})
        case Ended(why):
            return Said("The end: {why}.", {"why": why})
        case Collected(seat, first, last, colour):
            return _taken("{seat} collects {cells}: {count} {colour}.", seat, first, last, colour)
    raise AssertionError(f"nobody told {fact}")


def _seen(said: str, faces: Faces, **args: str | int) -> Said:
    """With the faces that whoever hears it sees; a watcher sees none. (R26)"""
    sides = _sides(faces)
    return (
        Said(f"{said}: {{faces}}.", {**args, "faces": sides}) if sides else Said(f"{said}.", args)
    )


def _sides(faces: Faces) -> str:
    """`red, blue inside`, or `red inside, green outside` for a card seen from both sides."""
    ways = [[face[i] for face in faces if face[i] != "?"] for i in (0, 1)]
    names = [", ".join(NAMED[COLOUR[c]] for c in way) for way in ways]
    sides = zip(names, ("inside", "outside"), strict=True)
    return ", ".join(f"{named} {side}" for named, side in sides if named)


def _swapped(seat: Seat, own: tuple[Cell, ...], others: tuple[Cell, ...], faces: Faces) -> Said:
    seen = [
        f"{row(cells)} {_sides(part)}"
        for cells, part in ((own, faces[: len(own)]), (others, faces[len(own) :]))
        if _sides(part)
    ]
    args = {"seat": seat, "own": row(own), "others": row(others)}
    if not seen:
        return Said("{seat} swaps {own} for {others}.", args)
    said = "{seat} swaps {own} for {others}: {faces}."
    return Said(said, {**args, "faces": ", ".join(seen)})


def _taken(
    said: str, seat: Seat, first: Cell, last: Slot, colour: Colour, **args: str | int
) -> Said:
    args |= {"seat": seat, "cells": across(first, last), "count": last - AT[first][1]}
    return Said(said, {**args, "colour": NAMED[colour]})
