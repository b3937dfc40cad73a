"""Captain Flip: `pieces` are its values, `boards` its places, `rules` plays it with `effects`."""

from . import words
from .facts import PLAIN, Fact
from .moves import allows, default, grow, legal, to_act
from .pieces import Move, No, Options, State
from .robot import hint
from .rules import NAME, RULES, apply, seats, setup, view
from .scoring import outcome
from .worlds import imagine, prospects
