"""What rules 2 changed: the lowest card beats all others."""

from __future__ import annotations

from engine.contract import Outcome, ranked
from engine.games.high_card import to_act

from .rules import State

RULES = 2


def outcome(s: State) -> Outcome | None:
    if to_act(s):
        return None
    return ranked(s.hands, "highest card", [(card == 1, card) for card in s.hands])  # A1
