"""Claims: how many offers and seats a player has at once, counted when it asks for one more.

A claim is written before the door is asked, so that of two at once only one takes the last place.
Which claims are settled is looked at no sooner than the limit is reached.
"""

from __future__ import annotations

import asyncio

from engine.match import Match
from engine.snapshot import load
from services import door, ledger, roll
from services.house import House, seat_of
from services.problems import Problem
from services.roll import What

YOUNG = 10_000  # ms for which a claim counts though the match does not show it yet
SAYS = {
    "offers": "withdraw one, or wait until one is dealt",
    "seats": "finish or leave a match first",
}


async def claim(house: House, player: str, what: What, name: str) -> None:
    """Count this match among the player's, or a Problem if those are as many as there may be."""
    most = getattr(house.limits, what)
    if not most or not await house.ask(roll.claim(player, what, name, door.now())):
        return
    held = await house.ask(roll.claims(player, what))
    if len(held) <= most:
        return
    old = [match for match, at in held if match != name and at < door.now() - YOUNG]
    stand = await asyncio.gather(*(_stands(house, player, what, match) for match in old))
    settled = [match for match, stands in zip(old, stand, strict=True) if not stands]
    full = len(held) - len(settled) > most
    await house.ask(roll.unclaim(player, what, [*settled, *([name] if full else [])]))
    if full:
        raise Problem("too-many", f"You have {most} {what}, the most there may be: {SAYS[what]}.")


async def _stands(house: House, player: str, what: What, name: str) -> bool:
    """Does this still count?"""
    snapshot = await house.ask(ledger.newest(name))
    match = None if snapshot is None else load(snapshot)
    if match is None or match.over:
        return False
    return _open_offer(match, player) if what == "offers" else seat_of(match, player) is not None


def _open_offer(match: Match, player: str) -> bool:
    robots_alone = all(holder.player is None for holder in match.holders)
    return match.offered.by == player and (match.state is None or robots_alone)
