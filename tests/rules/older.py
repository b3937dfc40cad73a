"""Aces as an older release had it: rules 1 alone, and a State that counts no trades."""

from engine.games.high_card import (
    PLAIN,
    RULES,
    Fact,
    Move,
    No,
    Options,
    State,
    allows,
    apply,
    default,
    grow,
    hint,
    legal,
    outcome,
    seats,
    setup,
    to_act,
    view,
    words,
)

NAME = "aces"
