"""The cards of Flipology: faces by day, backs by night, and of a back as much as is known."""

from __future__ import annotations

from functools import cache
from typing import Literal

from engine.games.flipology.cards import ACTIVE, ANIMALS, CATS, KIND, SHY, VALUE, Card, Kind
from engine.games.flipology.pieces import Seen
from services.web.boards.flipology_art import LEAF, figure, mark
from services.web.boards.ink import at, box, tag, text, title
from services.web.tongues import _

WIDTH, HEIGHT = 48, 68
SMALL, LOW = 55, 24  # a card in a list
LOCK = "translate(22.8 6.5) scale(.7)"  # between what a cat is and what it is worth
NAMES: dict[Kind, str] = {
    "dog": "dog",
    "frog": "frog",
    "hawk": "hawk",
    "mole": "mole",
    "monkey": "monkey",
    "parrot": "parrot",
    "snake": "snake",
    "wolves": "wolves",
    "crab": "hermit crab",
    "cat": "cat",
    "sloth": "sloth",
    "koala": "koala",
    "panda": "panda",
    "kiwi": "kiwi",
    "okapi": "okapi",
    "quokka": "quokka",
    "capybara": "capybara",
    "pangolin": "pangolin",
    "rain": "rain",
    "sun": "sun",
    "wind": "wind",
    "moon": "moon",
    "clearing": "clearing",
}
DOES: dict[Kind, str] = {  # the others have no effect
    "dog": "flips a card beside it",
    "frog": "flips a card two places away",
    "hawk": "flips a card in another row",
    "mole": "trades places with any card",
    "monkey": "flips two cards beside it, and one of them acts",
    "parrot": "acts as an animal that is up",
    "snake": "flips another card of its row",
    "wolves": "remove any card",
    "crab": "takes an animal from the discard pile at the end",
    "cat": "never turns once it is up",
    "sloth": "costs its points if it is up, and brings them if it is down",
    "koala": "costs its points if it is up, and brings them if it is down",
    "rain": "flips one card in every row",
    "sun": "looks at three backs, and may turn one of them up",
    "wind": "flips its whole row",
    "moon": "lets the lowest score win if it is up at the end",
}
Group = Literal["wild", "calm", "shy", "sky", "bare"]


def group(card: Card) -> Group:
    """Which colour it has: animals that act, animals that do not, those that cost, and the rest."""
    if card in SHY:
        return "shy"
    if card in ANIMALS:
        return "wild" if card in ACTIVE else "calm"
    return "bare" if KIND[card] == "clearing" else "sky"


def name(card: Card) -> str:
    return _(NAMES[KIND[card]])


def called(seen: Seen) -> str:
    """A card in words, as in `frog 4`, `frog 4, face down`, or `face down`."""
    if seen.card is None:
        return _("face down")
    named = f"{name(seen.card)} {VALUE[seen.card]}"
    return named if seen.up else _("{card}, face down", card=named)


def told(card: Card) -> str:
    """A card and what it does."""
    named, does = f"{name(card)} {VALUE[card]}", DOES.get(KIND[card])
    return _("{card}: {effect}", card=named, effect=_(DOES[KIND[card]])) if does else named


def face(card: Card) -> str:
    """Turned up: kind, figure, name, and what it is worth there."""
    lock = tag("g", mark("lock"), transform=LOCK) if card in CATS else ""
    drawn = _front(card, -VALUE[card] if card in SHY else VALUE[card])
    says, size = name(card), min(9.5, 70 / len(name(card)))
    foot = text(WIDTH / 2, HEIGHT - 5, says, size, class_="kind", text_anchor="middle")
    return tag("g", title(told(card)), drawn, lock, foot, class_=f"of-{group(card)}")


@cache
def _front(card: Card, worth: int) -> str:
    number = str(worth).replace("-", "−")
    return (
        box(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "leaf", 7)
        + text(5, 15, card[:2], 12, class_="code")
        + text(WIDTH - 4, 16, number, 15 if worth >= 0 else 13, class_="worth", text_anchor="end")
        + at(8, 21, figure(KIND[card], 32))
    )


def under(card: Card, peeked: bool = False) -> str:
    """Turned down, but known to its viewer: the same in the dark."""
    worth = f"+{VALUE[card]}" if card in SHY else str(VALUE[card])
    foot = at(WIDTH / 2 - 6, HEIGHT - 14, mark("eye" if peeked else "down"))
    says = title(_("{card}, face down", card=told(card)))
    return tag("g", says, _under(card, worth), foot, class_="of-night")


@cache
def _under(card: Card, worth: str) -> str:
    return (
        box(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "leaf", 7)
        + text(5, 15, card[:2], 12, class_="code")
        + text(WIDTH - 4, 15, worth, 11.5, class_="code", text_anchor="end")
        + at(9, 19, figure(KIND[card], 30), class_="dim")
    )


def back() -> str:
    """Turned down, and unknown."""
    return tag("g", title(_("face down")), BACK, class_="of-night")


BACK = (
    box(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "leaf", 7)
    + box(4.5, 4.5, WIDTH - 9, HEIGHT - 9, "seam", 4)
    + tag("path", d=LEAF, class_="vein")
)
GAP = box(1, 1, WIDTH - 2, HEIGHT - 2, "gap", 7)


def card(seen: Seen, peeked: bool = False) -> str:
    if seen.card is None:
        return back()
    return face(seen.card) if seen.up else under(seen.card, peeked)


def small(card: Card, up: bool = True) -> str:
    """A card in a list."""
    body = (
        title(told(card)),
        box(0.5, 0.5, SMALL - 1, LOW - 1, "leaf", 5),
        at(4, 4, figure(KIND[card], 16)),
        text(SMALL - 4, 16.5, card, 10.5, class_="code", text_anchor="end"),
    )
    return tag("g", *body, class_=f"of-{group(card)}" if up else "of-night")
