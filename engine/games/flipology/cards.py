"""The cards of Flipology: what each is worth, how many there are, and what kind it is."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, get_args

Card = Literal[
    "Do5", "Do6", "Fr4", "Fr5", "Ha3", "Ha4", "Mo1", "Mo2", "Mk2", "Mk3", "Pa4", "Sn3", "Sn4",
    "Wo2", "Hc2", "Ca4", "Ca5", "Ca6", "Sl6", "Sl7", "Ko8", "Pn9", "Kw9", "Ok9", "Qu8", "Cp8",
    "Pg8", "Ra3", "Su3", "Wi3", "Mn7", "Cl0",
]  # fmt: skip
CARDS: Final[tuple[Card, ...]] = get_args(Card)

Kind = Literal[
    "dog", "frog", "hawk", "mole", "monkey", "parrot", "snake", "wolves", "crab", "cat", "sloth",
    "koala", "panda", "kiwi", "okapi", "quokka", "capybara", "pangolin", "rain", "sun", "wind",
    "moon", "clearing",
]  # fmt: skip
Aimed = Literal["dog", "frog", "hawk", "snake", "mole", "wolves"]  # their effect names one cell
Imitable = Literal["dog", "frog", "hawk", "mole", "monkey", "snake", "wolves"]  # R22

CODES: Final[dict[str, Kind]] = {
    "Do": "dog", "Fr": "frog", "Ha": "hawk", "Mo": "mole", "Mk": "monkey", "Pa": "parrot",
    "Sn": "snake", "Wo": "wolves", "Hc": "crab", "Ca": "cat", "Sl": "sloth", "Ko": "koala",
    "Pn": "panda", "Kw": "kiwi", "Ok": "okapi", "Qu": "quokka", "Cp": "capybara",
    "Pg": "pangolin", "Ra": "rain", "Su": "sun", "Wi": "wind", "Mn": "moon", "Cl": "clearing",
}  # fmt: skip
KIND: Final[dict[Card, Kind]] = {card: CODES[card[:2]] for card in CARDS}
VALUE: Final[dict[Card, int]] = {card: int(card[2]) for card in CARDS}
COPIES: Final[dict[Card, int]] = {  # R1, R2
    "Do5": 4, "Do6": 4, "Fr4": 4, "Fr5": 4, "Ha3": 3, "Ha4": 3, "Mo1": 2, "Mo2": 2, "Mk2": 4,
    "Mk3": 4, "Pa4": 4, "Sn3": 3, "Sn4": 3, "Wo2": 2, "Hc2": 2, "Ca4": 2, "Ca5": 2, "Ca6": 2,
    "Sl6": 3, "Sl7": 3, "Ko8": 2, "Pn9": 1, "Kw9": 1, "Ok9": 1, "Qu8": 1, "Cp8": 1, "Pg8": 1,
    "Ra3": 3, "Su3": 3, "Wi3": 3, "Mn7": 1,
}  # fmt: skip
CLEARING: Final[Card] = "Cl0"
CLEARINGS: Final = 6  # R4: never in the deck

IMITABLE: Final[tuple[Imitable, ...]] = get_args(Imitable)
ACTIVE: Final = frozenset(
    card for card in CARDS if KIND[card] in (*IMITABLE, "parrot", "rain", "sun", "wind")
)
CATS: Final = frozenset(card for card in CARDS if KIND[card] == "cat")
SHY: Final = frozenset(card for card in CARDS if KIND[card] in ("sloth", "koala"))  # 5.2
ANIMALS: Final = frozenset(
    card for card in CARDS if KIND[card] not in ("rain", "sun", "wind", "moon", "clearing")
)


def deck(without: Collection[Kind]) -> tuple[Card, ...]:
    """All cards but those of these kinds, and no Clearing, in a fixed order."""
    return tuple(c for c, n in COPIES.items() if KIND[c] not in without for _ in range(n))
