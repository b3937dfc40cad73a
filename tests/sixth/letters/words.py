"""Letters as text: `play guard 2 prince`, `play king 1`, `play maid`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.contract import Said

from .rules import (
    Begun,
    Compared,
    Dealt,
    Discarded,
    Drawn,
    Fact,
    Looked,
    Missed,
    Move,
    Ousted,
    Played,
    Shown,
    Swapped,
    Use,
    View,
    Won,
)

WHYS = ("most favours",)
NAMES = ("guard", "priest", "baron", "maid", "prince", "king", "countess", "princess")


def write(move: Move) -> str:
    said = ["play", name(move.card)]
    if move.target is not None:
        said.append(str(move.target))
    if move.guess is not None:
        said.append(name(move.guess))
    return " ".join(said)


def read(text: str) -> Move:
    match text.split():
        case ["play", card] if card in NAMES:
            return Use(rank(card))
        case ["play", card, ("0" | "1" | "2" | "3") as seat] if card in NAMES:
            return Use(rank(card), int(seat))
        case ["play", card, ("0" | "1" | "2" | "3") as seat, guess] if (
            card in NAMES and guess in NAMES[1:]
        ):
            return Use(rank(card), int(seat), rank(guess))
    raise ValueError("say `play CARD`, `play CARD SEAT` or `play guard SEAT CARD`")


def name(card: int) -> str:
    return NAMES[card - 1]


def rank(text: str) -> int:
    return 1 + NAMES.index(text)


def card_(card: int | None) -> Said:
    return Said("–" if card is None else name(card))


def say(fact: Fact) -> Said:
    match fact:
        case Begun(()):
            return Said("A round begins.")
        case Begun(cards):
            return Said("A round begins, without {cards}.", {"cards": tuple(map(card_, cards))})
        case Dealt(seat, None):
            return Said("{seat} is dealt a card.", {"seat": seat})
        case Dealt(seat, card):
            return Said("{seat} is dealt a {card}.", {"seat": seat, "card": card_(card)})
        case Drawn(seat, None):
            return Said("{seat} draws a card.", {"seat": seat})
        case Drawn(seat, card):
            return Said("{seat} draws a {card}.", {"seat": seat, "card": card_(card)})
        case Played(seat, card, None):
            return Said("{seat} plays a {card}.", {"seat": seat, "card": card_(card)})
        case Played(seat, card, target, None):
            return Said(
                "{seat} plays a {card} at {seat_at}.",
                {"seat": seat, "card": card_(card), "seat_at": target},
            )
        case Played(seat, card, target, guess):
            return Said(
                "{seat} plays a {card} at {seat_at}: a {guess}?",
                {"seat": seat, "card": card_(card), "seat_at": target, "guess": card_(guess)},
            )
        case Missed(seat):
            return Said("{seat} holds another card.", {"seat": seat})
        case Looked(seat, target, None):
            return Said("{seat} sees the card of {seat_at}.", {"seat": seat, "seat_at": target})
        case Looked(seat, target, card):
            return Said(
                "{seat} sees the card of {seat_at}: a {card}.",
                {"seat": seat, "seat_at": target, "card": card_(card)},
            )
        case Compared(seat, target, None):
            return Said("{seat} and {seat_at} compare cards.", {"seat": seat, "seat_at": target})
        case Compared(seat, target, cards):
            mine, theirs = cards or (None, None)
            return Said(
                "{seat} has a {mine}, {seat_at} a {theirs}.",
                {
                    "seat": seat,
                    "seat_at": target,
                    "mine": card_(mine),
                    "theirs": card_(theirs),
                },
            )
        case Swapped(seat, target, None):
            return Said("{seat} and {seat_at} swap cards.", {"seat": seat, "seat_at": target})
        case Swapped(seat, target, cards):
            mine, theirs = cards or (None, None)
            return Said(
                "{seat} now has a {mine}, {seat_at} a {theirs}.",
                {
                    "seat": seat,
                    "seat_at": target,
                    "mine": card_(mine),
                    "theirs": card_(theirs),
                },
            )
        case Discarded(seat, card):
            return Said("{seat} discards a {card}.", {"seat": seat, "card": card_(card)})
        case Ousted(seat, card):
            return Said("{seat} is out, with a {card}.", {"seat": seat, "card": card_(card)})
        case Shown(hands):
            return Said("All show: {cards}.", {"cards": tuple(map(card_, hands))})
        case Won(seats):
            return Said("A favour for {seats}.", {"seats": seats})


def show(view: View, names: Sequence[str]) -> str:
    """Each seat: favours, hand, pile; then the deck."""
    lines = []
    for seat, (who, _) in enumerate(zip(names, view.hands, strict=False)):
        hand = " ".join("?" if card is None else name(card) for card in view.hands[seat])
        pile = " ".join(map(name, view.piles[seat]))
        marks = (" *" if seat == view.turn else "") + (" (safe)" if view.safe[seat] else "")
        lines.append(
            f"{seat} {who}{marks}: {view.favours[seat]} of {view.goal}; "
            f"holds {hand or 'nothing, is out'}; has played {pile or 'nothing'}"
        )
    without = f"; without {' '.join(map(name, view.open))}" if view.open else ""
    lines.append(f"{view.deck} in the deck{without}")
    if view.last:
        for who, card, laid in zip(names, view.last.hands, view.last.piles, strict=False):
            held = "" if card is None else f", held {name(card)}"
            lines.append(f"the round before, {who} played {' '.join(map(name, laid))}{held}")
    return "\n".join(lines)
