"""The server of the simulation and the connections to it, all of which may be slow or break.

A fakeredis runs the real scripts. What is sent on one connection arrives in order, as TCP has it;
when, and whether, is drawn. A connection may break before the server has got a command, or after
it has done it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import hiredis
from fakeredis import FakeServer, FakeStrictRedis
from redis.exceptions import NoScriptError, ResponseError

from services.ledger import Ask
from services.wire import SETUP, Talk, converse
from tests.chaos.simulation.loop import PROCESS, Way
from tests.chaos.simulation.processes import Process
from tests.chaos.simulation.trace import named

if TYPE_CHECKING:
    from tests.chaos.simulation.world import World

Command = list[bytes]


class Server:
    """One server: it keeps what it did, whatever becomes of its connections."""

    def __init__(self, world: World) -> None:
        self.world, self.process = world, Process(world, "server")
        store = FakeStrictRedis(server=FakeServer(version=(7,)), protocol=2)
        self._connection = store.connection_pool.get_connection()
        self._loaded = {words[2].encode(): self.run(list(words)) for words in SETUP}
        self.waiting: dict[bytes, list[Link]] = defaultdict(list)  # for news of a stream
        self.links: list[Link] = []
        self.down = False

    def ask(self, ask: Ask[Any]) -> Any:
        """What those who look on ask: nothing comes in between."""
        return ask.read(self.run(list(ask.args)))

    def talk(self, talk: Talk[Any]) -> Any:
        return converse(talk, self.ask)

    def run(self, command: Sequence[Any]) -> Any:
        return self.process.context.run(self._run, command)

    def _run(self, command: Sequence[Any]) -> Any:
        if command[0] == b"SCRIPT":
            return self._loaded[command[2]]
        self._connection.send_command(*command)
        try:
            reply = self._connection.read_response()
        except ResponseError as error:
            return error
        return sorted(reply) if command[0] == b"SMEMBERS" else reply  # a set has no order

    async def connect(self, make: Callable[[], Any]) -> tuple[Link, Any]:
        """A connection for the process that asks."""
        process = PROCESS.get()
        await asyncio.sleep(process.chance.uniform(0.0001, 0.002))
        if self.down:
            raise ConnectionRefusedError("the server is away")
        link = Link(self, process, make())
        link.protocol.connection_made(link)
        return link, link.protocol

    def goes_away(self, seconds: float) -> None:
        """All connections break; for so long there are no new ones."""
        self.down = True
        for link in self.links[:]:
            link.breaks()
        self.world.loop.call_later(seconds, setattr, self, "down", False)


class Link(asyncio.Transport):
    """A connection as the client's transport, and as what the server has of it."""

    def __init__(self, server: Server, process: Process, protocol: Any) -> None:
        super().__init__()
        self.server, self.process, self.protocol = server, process, protocol
        self.name = f"{process.name}#{len(process.links)}"
        self.chance, self.faults = server.world.chance(self.name), server.world.faults
        self._requests, self._todo = hiredis.Reader(), deque[Command]()
        self._there, self._back = Way(server.world.loop), Way(server.world.loop)
        self._waits: Any = None
        self.open = True
        server.links.append(self)
        process.links.append(self)

    # The client's side

    def write(self, data: Any) -> None:
        self._requests.feed(data)
        commands = []
        while (command := self._requests.gets()) is not False:
            commands.append(command)
        if self.open and commands:
            delay, fault = self.faults.delay(self.chance), self.faults.breaks(self.chance)
            self._there.send(delay, self._arrive, commands, fault)

    def is_closing(self) -> bool:
        return not self.open

    def close(self) -> None:
        """By the client, or because it broke."""
        if self.open:
            self.forget()
            loop, context = self.server.world.loop, self.process.context
            loop.call_soon(self.protocol.connection_lost, None, context=context)

    def forget(self) -> None:
        self.open = False
        self._stop_waiting()
        self.server.links.remove(self)

    def breaks(self) -> None:
        if self.open:
            self.server.world.say(self.name, "breaks")
            self.close()

    # The server's side

    def _arrive(self, commands: list[Command], fault: str) -> None:
        if not self.open:
            return
        if fault != "before":
            self._todo += commands
            self._serve()
        if fault:
            self.breaks()

    def _serve(self) -> None:
        """Do what is to be done up to what has to be waited for."""
        replies = []
        while self._todo and self._waits is None:
            command = self._todo.popleft()
            reply, again = self._done(command)
            if not again:
                replies.append(packed(reply))
                self._tell(command)
        if replies:
            self._answer(b"".join(replies))

    def _done(self, command: Command) -> tuple[Any, bool]:
        """Its reply, and whether that is to be waited for."""
        if b"BLOCK" not in command:
            reply = self.server.run(command)
            if command[0] != b"SCRIPT":
                self.server.world.say(self.name, named(command), reply)
            return reply, False
        i = command.index(b"BLOCK")
        ms, read = int(command[i + 1]), [*command[:i], *command[i + 2 :]]
        reply = self.server.run(read)
        if reply:
            self.server.world.say(self.name, named(command), reply)
            return reply, False
        self._wait(read, ms)
        return None, True

    def _wait(self, read: Command, ms: int) -> None:
        key = read[read.index(b"STREAMS") + 1]
        timer = self.server.world.loop.call_later(ms / 1000, self._came, None)
        self._waits = read, key, timer
        self.server.waiting[key].append(self)

    def _tell(self, command: Command) -> None:
        """Whoever waits for one of the streams that this may have written to looks again."""
        waiting = self.server.waiting
        for key in command[1:] if waiting else ():
            for link in [*waiting.get(key, ())] if key in waiting else ():
                reply = self.server.run(link._waits[0])
                if reply:
                    self.server.world.say(link.name, "hears", reply)
                    link._came(reply)

    def _came(self, reply: Any) -> None:
        self._stop_waiting()
        self._answer(packed(reply))
        self._serve()

    def _stop_waiting(self) -> None:
        if self._waits is not None:
            _, key, timer = self._waits
            timer.cancel()
            self.server.waiting[key].remove(self)
            self._waits = None

    def _answer(self, data: bytes) -> None:
        delay = self.faults.delay(self.chance)
        self._back.send(delay, self._deliver, data, to=self.process.context)

    def _deliver(self, data: bytes) -> None:
        if self.open:
            self.protocol.data_received(data)


def packed(reply: Any) -> bytes:
    """A reply as RESP2."""
    if reply is None:
        return b"$-1\r\n"
    if isinstance(reply, int):
        return b":%d\r\n" % reply
    if isinstance(reply, bytes):
        return b"$%d\r\n%b\r\n" % (len(reply), reply)
    if isinstance(reply, list):
        return b"*%d\r\n%b" % (len(reply), b"".join(map(packed, reply)))
    kind = "NOSCRIPT " if isinstance(reply, NoScriptError) else ""
    return b"-%b\r\n" % (kind + str(reply)).encode()
