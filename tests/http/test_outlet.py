"""Outlets: what is pushed is sent at once and in order, whatever the connection takes when."""

from __future__ import annotations

import asyncio

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


def test_what_is_pushed_is_sent_before_anybody_else_runs():
    async def run() -> list[bytes]:
        line = Line()
        line.free.set()
        outlet = Outlet(sse=False)
        serving = asyncio.create_task(outlet.serve(line.receive, line.send))
        await asyncio.sleep(0)
        outlet.push(b"a")
        outlet.push(b"b")
        sent = list(line.bodies)
        outlet.close()
        await serving
        return sent

    assert asyncio.run(run()) == [b"a", b"b"]


def test_what_a_connection_does_not_take_yet_is_sent_once_it_does_and_in_order():
    async def run() -> list[bytes]:
        line, outlet = Line(), Outlet(sse=False)
        serving = asyncio.create_task(outlet.serve(line.receive, line.send))
        await asyncio.sleep(0)
        for frame in (b"a", b"b", b"c"):
            outlet.push(frame)
            await asyncio.sleep(0)
        assert line.bodies == []
        line.free.set()
        await asyncio.sleep(0.01)
        outlet.push(b"d")
        outlet.close()
        await asyncio.wait_for(serving, 5)
        return line.bodies

    assert asyncio.run(run()) == [b"a", b"bc", b"d", b""]


def test_the_end_comes_after_what_waits():
    async def run() -> list[bytes]:
        line, outlet = Line(), Outlet(sse=False)
        serving = asyncio.create_task(outlet.serve(line.receive, line.send))
        await asyncio.sleep(0)
        outlet.push(b"a")
        outlet.push(b"b")
        outlet.close()
        line.free.set()
        await asyncio.wait_for(serving, 5)
        return line.bodies

    assert asyncio.run(run()) == [b"a", b"b"]


def test_who_hangs_up_is_sent_nothing_more():
    async def run() -> list[bytes]:
        line, outlet = Line(), Outlet(sse=False)
        serving = asyncio.create_task(outlet.serve(line.receive, line.send))
        await asyncio.sleep(0)
        outlet.push(b"a")
        await asyncio.sleep(0)
        line.over.set()
        await serving
        line.free.set()
        outlet.push(b"b")
        await asyncio.sleep(0.01)
        return line.bodies

    assert asyncio.run(run()) == []
