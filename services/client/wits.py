"""What a robot outside the house plays: it knows what the API tells its seat, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import Any, get_type_hints

from msgspec import convert

from engine.catalogue import version
from engine.dice import Dice
from engine.entries import ROBOTS
from engine.look import Choice, Look
from engine.search import search
from services.client.client import Client

Wits = Callable[[Client, Look], Any]  # a move, chosen by a look at the table
Worth = Callable[[Choice], int]
chance = SystemRandom()


def stroll(client: Client, look: Look) -> Any:
    """A move at random: a kind of move, a beginning, then any one piece more, or none."""
    kind = chance.choice(sorted({way.move["type"] for way in look.legal or ()}))
    way = chance.choice([way for way in look.legal or () if way.move["type"] == kind])
    while longer := client.grow(look, way.move):
        if way.ready and not chance.randrange(len(longer) + 1):
            break
        way = chance.choice(longer)
    return way.move


def climb(client: Client, look: Look) -> Any:
    """The beginning that the game's `hint` likes best, then piece by piece what it likes better:
    a question for each piece, where a robot of the house weighs every whole move."""
    worth = worths(look)
    if worth is None:
        return stroll(client, look)
    way = best(look.legal or (), worth)
    while longer := client.grow(look, way.move):
        more = best(longer, worth)
        if way.ready and worth(more) <= worth(way):
            break
        way = more
    return way.move


def ponder(client: Client, look: Look) -> Any:
    """What search finds, from the look alone; as `climb` where the game cannot be imagined."""
    game, seat, view = version(look.game, look.rules), look.viewer, seen(look)
    if view is None or not hasattr(game, "imagine") or not isinstance(seat, int):
        return climb(client, look)
    return search(game, view, seat, Dice(chance.randbytes(32), 0))


def best(ways: Sequence[Choice], worth: Worth) -> Choice:
    """The best, or one of several that are."""
    weighed = [(worth(way), way) for way in ways]
    most = max(value for value, _ in weighed)
    return chance.choice([way for value, way in weighed if value == most])


def worths(look: Look) -> Worth | None:
    """How a move looks to the seat of this look; None where the game is not known here, by these
    rules, or has no `hint`."""
    game, seat, view = version(look.game, look.rules), look.viewer, seen(look)
    hint = getattr(game, "hint", None)
    if game is None or view is None or hint is None:
        return None
    return lambda way: hint(view, seat, convert(way.move, game.Move, str_keys=True))


def seen(look: Look) -> Any:
    """The view of a look; None where the game is not known here, by these rules."""
    game = version(look.game, look.rules)
    if game is None:
        return None
    return convert(look.view, get_type_hints(game.view)["return"], str_keys=True)


WITS: dict[ROBOTS, Wits] = {"random": stroll, "greedy": climb, "search": ponder}
