"""The duel as text: `play 0`, `play 1`, `play 2`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.contract import Said

from .rules import HAND, Compared, Dealt, Drew, Fact, Move, PlayCard, Played, View

WHYS = ("most rounds",)


def write(move: Move) -> str:
    return f"play {move.place}"


def read(text: str) -> Move:
    match text.split():
        case ["play", place] if place in map(str, range(HAND)):
            return PlayCard(int(place))
    raise ValueError("say `play` and a place: 0, 1 or 2")


def say(fact: Fact) -> Said:
    match fact:
        case Dealt(seat, None):
            return Said("{seat} is dealt three cards.", {"seat": seat})
        case Dealt(seat, hand):
            return Said("{seat} is dealt {cards}.", {"seat": seat, "cards": hand})
        case Played(seat, _, card):
            return Said("{seat} plays {card}.", {"seat": seat, "card": card})
        case Drew(seat, None):
            return Said("{seat} draws a card.", {"seat": seat})
        case Drew(seat, card):
            return Said("{seat} draws {card}.", {"seat": seat, "card": card})
        case Compared((first, second)):
            return Said("It stands {first} to {second}.", {"first": first, "second": second})


def show(view: View, names: Sequence[str]) -> str:
    """Each seat's cards, `?` where they are not to be seen; what was played; how it stands."""
    held = ", ".join(f"{name} {hand or '?'}" for name, hand in zip(names, view.hands, strict=False))
    played = " against ".join(str(card) for card in view.table if card is not None) or "nothing"
    return f"{held}; played: {played}; it stands {view.scores[0]} to {view.scores[1]}"
