"""What a move does to a match, whoever made it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import DecodeError, Raw
from msgspec.structs import replace

from engine import entries as e
from engine.contract import Game, Refusal, Seat, Told, hear
from engine.dice import Dice
from engine.match import Change, Holder, Match, No, moves_of

BACK = 8  # moves that can be taken back, at the most
Roll = Callable[[bytes, int], Dice]


def moved(
    match: Match, seat: Seat, raw: Raw, roll: Roll, holders: tuple[Holder, ...] | None = None
) -> Change | Refusal:
    """The match after this move of a seat, if its game allows it, with these holders by then."""
    game = match.game
    try:
        move = moves_of(game).decode(raw)
    except DecodeError:
        return No.UNREADABLE
    if why := game.allows(match.state, seat, move):
        return why
    assert match.seed is not None
    dice = roll(match.seed, match.rolls)
    state, told = hear(game.apply(match.state, seat, move, dice))
    past = _plain(game, dice, told) and (*match.past, (match.seq + 1, match.state))[-BACK:]
    after = replace(
        match,
        rolls=match.rolls + dice.used,
        state=state,
        past=past or (),
        holders=match.holders if holders is None else holders,
    )
    return lapsed(after, told)


def _plain(game: Game, dice: Dice, told: tuple[Told, ...]) -> bool:
    """Did nothing come to light by this move? Then there is a way back from it.

    No chance was used, all heard the same, and the game says of each fact of such a kind that it
    follows from what everybody saw before and from the move.
    """
    kinds: tuple[type, ...] = vars(game).get("PLAIN", ())  # `getattr` takes long to miss it
    return (
        bool(kinds)
        and not dice.used
        and all(not one.to and isinstance(one.fact, kinds) for one in told)
    )


def lapsed(match: Match, told: tuple[Told, ...]) -> Change:
    """Who moves wants to go on: a proposal to go back is none any more."""
    if match.vote is None or not isinstance(match.vote.what, e.Back):
        return match, told
    return replace(match, vote=None), (*told, Told(e.MatchLapsed(match.vote.seq)))


def actor(entry: e.Entry) -> Seat | None:
    """The seat that moves by an entry, by itself or by what stands in for it."""
    if isinstance(entry, e.Expired):
        return entry.seat if entry.move else None
    return entry.seat if isinstance(entry, e.Played) else None
