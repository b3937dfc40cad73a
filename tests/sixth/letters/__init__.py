"""Letters: `rules` plays it, `words` writes and reads it."""

from . import words
from .rules import (
    NAME,
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
)
