"""UNO Flip: `cards` is the deck, `pieces` its values, `moves` judges, `rules` plays it."""

from . import words
from .facts import Fact
from .hints import hint
from .looks import view
from .moves import allows, grow, legal, to_act
from .pieces import Move, No, Options, State
from .rules import NAME, RULES, apply, default, outcome, seats, setup
from .worlds import imagine, prospects
