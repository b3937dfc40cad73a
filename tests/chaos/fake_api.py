"""An api of a fake week: the house as it is, but on a wire that its process may die on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from services.house import House
from services.ledger import Ask
from services.limits import OFF
from services.problems import Problem
from services.wire import Talk, converse

T = TypeVar("T")


class Api(House):
    def __init__(self, ask: Callable[..., Any], sleep: Callable[[float], None]) -> None:
        super().__init__("redis://nowhere", limits=OFF)
        self._ask, self._sleep = ask, sleep

    async def ask(self, ask: Ask[T]) -> T:
        return self._ask(ask)

    async def talk(self, talk: Talk[T]) -> T:
        return converse(talk, self._ask, self._sleep)


def answered(request: Coroutine[Any, Any, T]) -> T | Problem:
    """What comes of a request that has nothing to wait for but the wire."""
    try:
        request.send(None)
    except StopIteration as end:
        return end.value
    except Problem as problem:
        return problem
    finally:
        request.close()
    raise AssertionError("it waits for something else")
