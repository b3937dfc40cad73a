"""Qwirkle: `pieces` are its values, `lines` its geometry, `moves` judges, `rules` plays it."""

from . import words
from .haste import swift
from .moves import allows, grow, legal, to_act
from .pieces import Fact, Move, No, Options, State
from .rules import NAME, RULES, apply, default, hint, outcome, seats, setup, view
from .worlds import imagine, prospects
