"""Flipology: `pieces` are its values, `reach` and `choices` judge, `effects` and `rules` play."""

from . import words
from .choices import allows, default, grow, legal, to_act
from .facts import Fact
from .moves import Move, No
from .pieces import Options, State
from .rules import NAME, RULES, apply, seats, setup
from .scores import outcome
from .sense import hint
from .views import view
from .worlds import imagine, prospects
