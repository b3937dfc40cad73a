"""The duel: the game that the peers are compared by, the same in each; `rules` plays it."""

from . import words
from .rules import (
    NAME,
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
    legal,
    outcome,
    seats,
    setup,
    to_act,
    view,
)
