"""Aces by rules 1: High card, under a name of its own, that counts trades in its state."""

from __future__ import annotations

from msgspec import Struct

from engine.contract import Play, Seat
from engine.dice import Dice
from engine.games import high_card
from engine.games.high_card import Move, Options

NAME, RULES = "aces", 1


class State(Struct, frozen=True, forbid_unknown_fields=True):
    hands: tuple[int, ...]
    deck: tuple[int, ...]
    turn: Seat = 0
    trades: int = 0  # an earlier release, tests/rules/older.py, did not count them


def setup(options: Options, seats: int, dice: Dice) -> Play[State]:
    dealt = yield from high_card.setup(options, seats, dice)
    return State(dealt.hands, dealt.deck)


def apply(s: State, seat: Seat, move: Move, dice: Dice) -> Play[State]:
    after = yield from high_card.apply(s, seat, move, dice)
    traded = len(s.deck) - len(after.deck)
    return State(after.hands, after.deck, after.turn, s.trades + traded)
