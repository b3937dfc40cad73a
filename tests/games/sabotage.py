"""Leaks planted on purpose, to show that the tests of secrecy see them.

`tests/games/<package>/leaks.py` lists a game's LEAKS: what is leaked, the function that is
replaced, as `module.name` of its package, and what makes the leaking one of the honest one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from engine.contract import Game, Told

Honest = Callable[..., Any]


class Leak(NamedTuple):
    says: str
    of: str
    planted: Callable[[Honest], Honest]


@contextmanager
def plant(game: Game, leak: Leak) -> Iterator[None]:
    """The game with this leak, wherever its package names the function."""
    module, name = leak.of.rsplit(".", 1)
    honest = getattr(sys.modules[f"{game.__name__}.{module}"], name)
    leaking = leak.planted(honest)
    found = [place for place, value in names(game).items() if value is honest]
    for path, name in found:
        setattr(sys.modules[path], name, leaking)
    try:
        yield
    finally:
        for path, name in found:
            setattr(sys.modules[path], name, honest)


def names(game: Game) -> dict[tuple[str, str], Any]:
    """What each module of a game's package names."""
    package = game.__name__
    return {
        (path, name): value
        for path, module in list(sys.modules.items())
        if path == package or path.startswith(f"{package}.")
        for name, value in list(vars(module).items())
    }


# What several games can leak


def retold(change: Callable[[Told], Told | None]) -> Callable[[Honest], Honest]:
    """A play that tells something else; None is not told at all."""

    def planted(honest: Honest) -> Honest:
        def play(*args):
            run = honest(*args)
            while True:
                try:
                    told = next(run)
                except StopIteration as end:
                    return end.value
                if (said := change(told)) is not None:
                    yield said

        return play

    return planted


def to_all(*kinds: type) -> Callable[[Honest], Honest]:
    """Facts of these kinds are told to everybody as to the seat that may know."""
    return retold(lambda t: Told(t.to[0][1]) if t.to and isinstance(t.fact, kinds) else t)


def untold(*kinds: type) -> Callable[[Honest], Honest]:
    """Facts of these kinds are told to nobody."""
    return retold(lambda t: None if isinstance(t.fact, kinds) else t)


def aside(*kinds: type) -> Callable[[Honest], Honest]:
    """Facts of these kinds are told to their seat as to everybody."""
    return retold(lambda t: Told(t.fact) if isinstance(t.fact, kinds) else t)


def seen(change: Callable[..., Any]) -> Callable[[Honest], Honest]:
    """What `change(honest answer, *arguments)` makes of it."""
    return lambda honest: lambda *args: change(honest(*args), *args)


def with_eyes_of(other: Callable[[Any], Any]) -> Callable[[Honest], Honest]:
    """A view that shows each viewer what another may see."""
    return lambda honest: lambda state, viewer: honest(state, other(viewer))
