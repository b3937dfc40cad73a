"""Goofspiel as text: `bid 7`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.contract import Said

from .rules import Bid, Fact, Laid, Move, Opened, Tied, Turned, View, Won


def write(move: Move) -> str:
    return f"bid {move.card}"


def read(text: str) -> Move:
    match text.split():
        case ["bid", card] if card.isascii() and card.isdecimal() and len(card) <= 2:
            return Bid(int(card))
    raise ValueError("say which card you bid, as in `bid 7`")


def say(fact: Fact) -> Said:
    match fact:
        case Turned(prize):
            return Said("A prize of {prize} is turned up.", {"prize": prize})
        case Laid(seat, None):
            return Said("{seat} bids, face down.", {"seat": seat})
        case Laid(seat, card):
            return Said("{seat} bids {card}, face down.", {"seat": seat, "card": card})
        case Opened(bids):
            return Said("The bids are {bids}.", {"bids": ", ".join(map(str, bids))})
        case Won(seat, points):
            return Said("{seat} wins {points}.", {"seat": seat, "points": points})
        case Tied(prizes):
            said = "The best bids are equal: {prizes} goes to nobody yet."
            return Said(said, {"prizes": " + ".join(map(str, prizes))})


def show(view: View, names: Sequence[str]) -> str:
    """The prizes, then a line for each seat: points, what it may still bid, whether it has bid."""
    prizes = " + ".join(map(str, view.prizes)) or "nothing"
    lines = [f"On the table: {prizes}; {view.left} prizes to come"]
    for seat, hand in enumerate(view.hands):
        held = " ".join(map(str, hand)) or "nothing"
        bid = ", has bid" if view.laid[seat] else ""
        lines.append(f"{names[seat]}: {view.scores[seat]} points, holds {held}{bid}")
    if view.bid is not None:
        lines.append(f"You bid {view.bid}.")
    return "\n".join(lines)
