"""What a move does to a match, whoever made it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import DecodeError, Raw
from msgspec.structs import replace

from engine import entries as e
from engine.contract import Refusal, Seat, hear
from engine.dice import Dice
from engine.match import Change, Match, No, reader

Roll = Callable[[bytes, int], Dice]


def moved(match: Match, seat: Seat, raw: Raw, roll: Roll) -> Change | Refusal:
    """The match after this move of a seat, if its game allows it."""
    game = match.game
    try:
        move = reader(game.Move).decode(raw)
    except DecodeError:
        return No.UNREADABLE
    if why := game.allows(match.state, seat, move):
        return why
    assert match.seed is not None
    dice = roll(match.seed, match.rolls)
    state, told = hear(game.apply(match.state, seat, move, dice))
    return replace(match, rolls=match.rolls + dice.used, state=state), told


def actor(entry: e.Entry) -> Seat | None:
    """The seat that moves by an entry, by itself or by what stands in for it."""
    if isinstance(entry, e.Expired):
        return entry.seat if entry.move else None
    return entry.seat if isinstance(entry, e.Played) else None
