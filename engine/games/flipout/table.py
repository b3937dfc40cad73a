"""The table as text: holders and piles, the deck, sets to take, the last move, who may do what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Final

from engine.contract import Seat

from .cards import CELLS, COLOUR, NAMED, SIZES, SLOTS, Seen, insides, outsides
from .notation import row, write
from .pieces import (
    Draw,
    End,
    Flip,
    Move,
    Pile,
    Place,
    Score,
    Swap,
    SwapPairs,
    Swipe,
    Switch,
    Third,
    View,
)

WIDTH: Final = 96
PREPARE: Final = "F {b}3 flip, X {b}2-6 switch, S {a}3={b}6 swap, SS {a}1={b}3 swap pairs"
TAKE: Final = "C {a}2-5 score, W {b}1-4 swipe"
DRAW: Final = ", D draw a card for one of yours"
PLACE: Final = ">4 put the drawn card into slot 4, and so on"
THIRD: Final = "+ pay a token for a third action, . end the turn"
DID: Final[dict[type[Move], str]] = {
    Flip: "flip",
    Switch: "switch",
    Swap: "swap",
    SwapPairs: "swap pairs",
    Score: "score",
    Swipe: "swipe",
    Draw: "draw",
    Place: "place",
    Third: "third action",
    End: "end of turn",
}


def show(view: View, names: Sequence[str]) -> str:
    """The table of whoever has this view. A card is inside/outside, `?` what one does not see."""
    return "\n".join([*_holders(view, names), *_deck(view), *_runs(view), *_due(view, names)])


def _holders(view: View, names: Sequence[str]) -> Iterator[str]:
    """Slot 1 at the left for all, one's own and those of others. (R24)"""
    width = max(len(name) for name in names[: len(view.holders)])
    yield " " * (width + 4) + "   ".join(f"{slot:>2}" for slot in range(1, SLOTS + 1))
    for cells, name, holder, pile, tokens in zip(
        CELLS, names, view.holders, view.piles, view.tokens, strict=False
    ):
        line = f"{cells[0][0]} {name:<{width}}  {'  '.join(map(_card, holder))}   {_pile(pile)}"
        yield line + (f", {tokens} token{'s' * (tokens != 1)}" if view.options.tokens else "")


def _card(seen: Seen) -> str:
    return " - " if seen == "--" else "/".join(seen)


def _pile(pile: Pile) -> str:
    by_colour = " ".join(f"{n}{colour}" for colour, n in Counter(pile).most_common())
    return f"{len(pile):2} taken" + (f": {by_colour}" if pile else "")


def _deck(view: View) -> Iterator[str]:
    if view.top is None:
        yield "The deck is empty."
    else:
        yield f"The deck holds {view.deck}, {NAMED[view.top]} on top."
    if view.drawn is not None:
        yield f"Drawn: {_card(view.drawn)}"


def _runs(view: View) -> Iterator[str]:
    """What this viewer sees of three and more side by side; of four it could be taken."""
    found = []
    for seat, holder in enumerate(view.holders):
        found += [*_alike("C", seat, insides(holder)), *_alike("W", seat, outsides(holder))]
    if found:
        yield from wrap("Side by side: " + ", ".join(found), WIDTH, subsequent_indent=" " * 14)


def _alike(sign: str, seat: Seat, colours: str) -> Iterator[str]:
    at = 0
    for colour, same in groupby(colours):
        size = len(list(same))
        cells = row(CELLS[seat][at : at + size])
        at += size
        if size > 2 and colour in COLOUR:
            yield f"{sign + ' ' if size in SIZES else ''}{cells} {NAMED[COLOUR[colour]]}"


def _due(view: View, names: Sequence[str]) -> Iterator[str]:
    if last := view.last:
        yield f"Last: {names[last.seat]}, {write(last.move)} ({DID[type(last.move)]})"
    if not view.owed:
        yield f"Over: {view.over}; collected: {' '.join(view.collected) or 'nothing'}"
        return
    left = view.owed.count("act")
    due = {"place": "place the drawn card", "third": "a third action, or the end of the turn"}
    yield f"The turn of {names[view.turn]}: {due.get(view.owed[0], _left(left))}"
    if view.order is None and view.holders[view.turn][0][0] in COLOUR:  # it is the viewer's turn
        yield from map("{}{}".format, ("Moves: ", " " * 7), _uses(view))


def _left(actions: int) -> str:
    return "1 action left" if actions == 1 else f"{actions} actions left"


def _uses(view: View) -> tuple[str, ...]:
    """What one may do, each in its notation and in words."""
    if view.owed[0] == "place":
        return (PLACE,)
    if view.owed[0] == "third":
        return (THIRD,)
    own, other = CELLS[view.turn][0][0], CELLS[int(view.turn == 0)][0][0]
    draws = DRAW if len(view.holders) == 2 and view.deck else ""
    return PREPARE.format(a=own, b=other), TAKE.format(a=own, b=other) + draws
