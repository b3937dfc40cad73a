"""Lines: a feed over a connection that our server gives away, and over any server's messages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import uvicorn
import uvloop
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from services import feed
from services.lines import Asgi
from services.outlet import MOST, Outlet
from services.protocol import Given, Http

ASK = b"GET /feed HTTP/1.1\r\nhost: x\r\n\r\n"
SERVERS = pytest.mark.parametrize("server", [Http, HttpToolsProtocol, H11Protocol])
LINES = {Http: Given, HttpToolsProtocol: Asgi, H11Protocol: Asgi}


class Feed:
    """A feed that is served to one reader; `over` once it is not any more."""

    def __init__(self) -> None:
        self.begun, self.over = asyncio.Event(), asyncio.Event()
        self.outlet: Outlet

    async def __call__(self, scope, receive, send) -> None:
        self.outlet = Outlet(sse=False)
        asyncio.get_running_loop().call_soon(self.begun.set)
        try:
            await self.outlet.serve(scope, receive, send)
        except asyncio.CancelledError:
            pass
        finally:
            self.over.set()


@asynccontextmanager
async def listening(server, app) -> AsyncIterator[tuple[int, ServerState]]:
    """The port of a server of this app, and what it knows of its connections."""
    config = uvicorn.Config(app, http=server, lifespan="off", log_config=None, ws="none")
    config.load()
    state = ServerState()
    made = await asyncio.get_running_loop().create_server(
        lambda: server(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    try:
        yield made.sockets[0].getsockname()[1], state
    finally:
        made.close()


Do = Callable[[Feed, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def served(server, do: Do, asked: bytes = ASK) -> None:
    """Do this while there is such a feed, with the two ends of its reader's connection; then
    nothing of it is left."""

    async def run() -> None:
        app = Feed()
        async with listening(server, app) as (port, state):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=4096)
            writer.write(asked)
            await app.begun.wait()
            await asyncio.wait_for(do(app, reader, writer), 30)
            writer.close()
            async with asyncio.timeout(30):
                await app.over.wait()
                while state.connections or state.tasks:
                    await asyncio.sleep(0.001)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


def kept(outlet: Outlet) -> int:
    """What the transport has not sent yet, where we have one."""
    line = outlet._line
    return line._transport.get_write_buffer_size() if isinstance(line, Given) else 0


def body(answer: bytes) -> tuple[bytes, bool]:
    """What came in chunks, as far as it did, and whether that is all."""
    _, _, rest = answer.partition(b"\r\n\r\n")
    found = b""
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        if size == b"0":
            return found, True
        found, rest = found + rest[: int(size, 16)], rest[int(size, 16) + 2 :]
    return found, False


@SERVERS
def test_all_that_is_pushed_comes_in_order_and_then_the_end(server):
    async def do(app: Feed, reader, writer) -> None:
        assert type(app.outlet._line) is LINES[server]
        for n in range(1000):
            app.outlet.push(b"%d\n" % n)
            app.outlet.queue(b"-" * n + b"\n")
        app.outlet.close()
        answer = b""
        while not answer.endswith(b"0\r\n\r\n"):
            answer += await reader.read(65536)
        found = body(answer)[0].split(b"\n")
        assert found[0:-1:2] == [b"%d" % n for n in range(1000)]
        assert found[1::2] == [b"-" * n for n in range(1000)]

    served(server, do)


@SERVERS
def test_who_hangs_up_is_let_go(server):
    async def do(app: Feed, reader, writer) -> None:
        app.outlet.push(b"a\n")
        writer.close()
        await app.over.wait()
        app.outlet.push(b"b\n")

    served(server, do)


@SERVERS
def test_who_does_not_read_is_cut_before_much_is_kept_for_it(server):
    async def do(app: Feed, reader, writer) -> None:
        pushed, most, frame = 0, 0, b"x" * 9_999 + b"\n"
        while not app.over.is_set():
            app.outlet.push(frame)
            pushed += len(frame)
            most = max(most, app.outlet.unsent + kept(app.outlet))
            assert pushed < 50 * MOST, "it is never cut"
            await asyncio.sleep(0)
        assert most <= 2 * (MOST + len(frame))  # ours, and what the transport has of it
        answer = b""
        while part := await reader.read(65536):
            answer += part
        found, whole = body(answer)
        assert not whole
        assert found == (frame * (pushed // len(frame)))[: len(found)]

    served(server, do)


@SERVERS
def test_who_is_slow_but_reads_is_not_cut(server):
    async def do(app: Feed, reader, writer) -> None:
        frame, answer = b"x" * 9_999 + b"\n", b""
        for _ in range(500):
            app.outlet.push(frame)
            while app.outlet.unsent > MOST // 2:
                answer += await reader.read(65536)
        app.outlet.close()
        while not answer.endswith(b"0\r\n\r\n"):
            answer += await reader.read(65536)
        assert body(answer) == (frame * 500, True)

    served(server, do)


def test_who_has_asked_for_more_already_gets_its_feed_by_messages():
    async def do(app: Feed, reader, writer) -> None:
        assert type(app.outlet._line) is Asgi
        app.outlet.push(b"a\n")
        app.outlet.close()
        answer = await reader.read(-1)
        assert b"connection: close" in answer
        assert body(answer) == (b"a\n", True)

    served(Http, do, ASK + ASK)


def test_what_a_reader_says_later_is_not_heard():
    async def do(app: Feed, reader, writer) -> None:
        assert type(app.outlet._line) is Given
        writer.write(ASK)
        app.outlet.push(b"a\n")
        answer = await reader.readuntil(b"a\n\r\n")
        app.outlet.push(b"b\n")
        app.outlet.close()
        assert body(answer + await reader.read(-1)) == (b"a\nb\n", True)

    served(Http, do)


def test_others_have_their_turn_while_many_are_sent_to(monkeypatch):
    monkeypatch.setattr(feed, "AT_ONCE", 2)
    sent: list[str] = []

    class Some:
        def __init__(self, name: str) -> None:
            self.name = name

        def flow(self) -> None:
            sent.append(self.name)

    async def run() -> None:
        asyncio.get_running_loop().call_soon(sent.append, "another")
        await feed.flowed([Some(name) for name in "abcde"])

    asyncio.run(run())
    assert sent == ["a", "b", "another", "c", "d", "e"]
