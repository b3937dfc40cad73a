"""Aces by rules 1, to the letter as its package was before there were others."""

from engine.games.high_card import (
    PLAIN,
    Fact,
    Move,
    No,
    Options,
    allows,
    default,
    grow,
    hint,
    legal,
    outcome,
    seats,
    to_act,
    view,
    words,
)

from .rules import NAME, RULES, State, apply, setup
