"""An event loop whose time is made up: it jumps to what comes next and waits for nothing.

What runs, runs in some process of the simulation, whose wall clock may be off.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextvars import ContextVar
from math import ceil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    from tests.chaos.simulation.processes import Process

START = 1_700_000_000_000_000_000  # ns
PROCESS: ContextVar[Process] = ContextVar("process")


class Clock:
    """What everything here takes for the time; a process, or the server, may be ahead of it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.ns = 0
        patch.setattr(time, "monotonic", lambda: self.ns / 1e9)
        patch.setattr(time, "time", lambda: self.wall() / 1e9)
        patch.setattr(time, "time_ns", self.wall)

    def wall(self) -> int:
        return START + self.ns + PROCESS.get().ahead


class Loop(asyncio.BaseEventLoop):
    """Runs callbacks in the order of their times, as asyncio does, all in no time at all."""

    def __init__(self, clock: Clock, connect: Callable[[Any], Any]) -> None:
        super().__init__()
        self._clock, self._selector, self._connect = clock, self, connect
        self._clock_resolution = 1e-6
        self.set_task_factory(_task)

    def time(self) -> float:
        return self._clock.ns / 1e9

    def select(self, timeout: float | None) -> list[Any]:
        """What a selector would wait, is over."""
        assert timeout is not None, "all wait for each other"
        self._clock.ns += ceil(timeout * 1e9)
        return []

    def _process_events(self, events: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass

    def run_in_executor(self, executor: Any, do: Callable[..., Any], *args: Any) -> Any:
        """A thread would do it meanwhile: here it is done at once."""
        done = self.create_future()
        done.set_result(do(*args))
        return done

    async def create_unix_connection(self, protocol: Callable[[], Any], path: str) -> Any:  # type: ignore[override]
        return await self._connect(protocol)


def _task(loop: asyncio.AbstractEventLoop, coroutine: Any, context: Any = None) -> Any:
    """A task, which dies with its process."""
    task = asyncio.Task(coroutine, loop=loop, context=context)
    process = PROCESS.get() if context is None else context[PROCESS]
    process.tasks.append(task)
    return task


class Way:
    """One direction of a connection: what is sent arrives in its order, however late."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._last = loop, 0.0

    def send(
        self, delay: float, arrives: Callable[..., object], *what: Any, to: Any = None
    ) -> None:
        """`to`: the context in which it arrives."""
        self._last = max(self._last + 1e-5, self._loop.time() + delay)
        self._loop.call_at(self._last, arrives, *what, context=to)
