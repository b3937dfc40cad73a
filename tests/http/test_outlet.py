"""Outlets: what is pushed is sent at once and in order, whatever the connection takes when.

Here by messages to a server; `test_lines.py` has real ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from services.outlet import Outlet


class Line:
    """A connection: takes bodies while it is `free`, and hangs up after the last one."""

    def __init__(self) -> None:
        self.free, self.over = asyncio.Event(), asyncio.Event()
        self.bodies: list[bytes] = []

    async def receive(self) -> dict[str, str]:
        await self.over.wait()
        return {"type": "http.disconnect"}

    async def send(self, message) -> None:
        if message["type"] == "http.response.start":
            return
        await self.free.wait()
        self.bodies.append(message["body"])
        if not message["more_body"]:
            self.over.set()


def served(do: Callable[[Line, Outlet], Coroutine[object, object, None]]) -> list[bytes]:
    """What the connection has taken once this was done and the reader is gone."""

    async def run() -> list[bytes]:
        line, outlet = Line(), Outlet(sse=False)
        serving = asyncio.create_task(outlet.serve({}, line.receive, line.send))
        await asyncio.sleep(0)
        await asyncio.wait_for(do(line, outlet), 5)
        await asyncio.wait_for(serving, 5)
        return line.bodies

    return asyncio.run(run())


def test_what_is_pushed_is_sent_before_anybody_else_runs():
    async def do(line: Line, outlet: Outlet) -> None:
        line.free.set()
        outlet.push(b"a")
        outlet.push(b"b")
        assert line.bodies == [b"a", b"b"]
        outlet.close()

    assert served(do) == [b"a", b"b", b""]


def test_what_a_connection_does_not_take_yet_is_sent_once_it_does_and_in_order():
    async def do(line: Line, outlet: Outlet) -> None:
        for frame in (b"a", b"b", b"c"):
            outlet.push(frame)
            await asyncio.sleep(0)
        assert line.bodies == []
        line.free.set()
        while len(line.bodies) < 2:
            await asyncio.sleep(0)
        outlet.push(b"d")
        outlet.close()

    assert served(do) == [b"a", b"bc", b"d", b""]


def test_the_end_comes_after_what_waits():
    async def do(line: Line, outlet: Outlet) -> None:
        outlet.push(b"a")
        outlet.push(b"b")
        outlet.close()
        line.free.set()

    assert served(do) == [b"a", b"b"]


def test_who_hangs_up_is_sent_nothing_more():
    async def do(line: Line, outlet: Outlet) -> None:
        outlet.push(b"a")
        await asyncio.sleep(0)
        line.over.set()
        while outlet._line is not None:
            await asyncio.sleep(0)
        line.free.set()
        outlet.push(b"b")
        await asyncio.sleep(0.01)

    assert served(do) == []
