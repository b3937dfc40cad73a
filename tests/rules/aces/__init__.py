"""Aces by its newest rules, and all of those before."""

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
    seats,
    to_act,
    view,
    words,
)

from . import v1
from .rules import NAME, State, apply, setup
from .rules2 import RULES, outcome

EARLIER = (v1,)
