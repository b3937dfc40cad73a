"""Who is who on a page: guests are given accounts and names, players are called by theirs."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable

from fastapi import Request

from services import roll
from services.accounts import opened
from services.house import House
from services.web.session import Session

FIRST = (
    "Amber Brave Bright Calm Clever Crisp Deft Eager Early Fair Fleet Gentle Glad Keen Kind "
    "Lively Lucky Merry Mild Nimble Patient Plucky Quick Quiet Ready Sharp Sly Steady Sunny "
    "Swift Tidy Wise"
)
LAST = (
    "Avocet Badger Beaver Bittern Curlew Dormouse Dunlin Egret Falcon Finch Fox Godwit Hare "
    "Heron Ibis Jay Kestrel Lapwing Linnet Marten Merlin Otter Owl Plover Puffin Raven Robin "
    "Stoat Swift Tern Wren Wryneck"
)


async def guest(request: Request) -> Session:
    """A new account with a name of its own, for somebody who just wants to play."""
    made = await opened(request, f"{secrets.choice(FIRST.split())} {secrets.choice(LAST.split())}")
    return Session(made.player, made.token)


async def names_of(house: House, players: Iterable[str | None]) -> dict[str, str]:
    """What these players are called."""
    known = sorted({player for player in players if player is not None})
    names = await asyncio.gather(*(house.ask(roll.player_name(player)) for player in known))
    return {player: name for player, name in zip(known, names, strict=True) if name is not None}
