"""High card as text: `keep`, `trade`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.contract import Said

from .rules import Dealt, Fact, Keep, Kept, Move, Shown, Trade, Traded, View

WHYS = ("highest card",)


def write(move: Move) -> str:
    return "keep" if isinstance(move, Keep) else "trade"


def read(text: str) -> Move:
    match text.split():
        case ["keep"]:
            return Keep()
        case ["trade"]:
            return Trade()
    raise ValueError("say `keep` or `trade`")


def say(fact: Fact) -> Said:
    match fact:
        case Dealt(seat, None):
            return Said("{seat} is dealt a card.", {"seat": seat})
        case Dealt(seat, card):
            return Said("{seat} is dealt {card}.", {"seat": seat, "card": card})
        case Kept(seat):
            return Said("{seat} keeps.", {"seat": seat})
        case Traded(seat, None):
            return Said("{seat} trades.", {"seat": seat})
        case Traded(seat, card):
            return Said("{seat} trades and holds {card}.", {"seat": seat, "card": card})
        case Shown(hands):
            return Said("All show: {cards}.", {"cards": ", ".join(map(str, hands))})


def show(view: View, names: Sequence[str]) -> str:
    """Each seat and its card, `?` where it is not to be seen; the deck."""
    cards = ["?" if card is None else str(card) for card in view.hands]
    held = ", ".join(f"{name} {card}" for name, card in zip(names, cards, strict=False))
    return f"{held}; {view.deck} in the deck"
