"""The listening socket of an api."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing

import uvloop

from services.listen import bound, doors

CROWD = 64


def test_a_crowd_need_not_wait_for_as_many_turns_as_it_has_heads():
    taken = []

    class Taken(asyncio.Protocol):
        def connection_made(self, transport) -> None:
            taken.append(transport)

    async def taking() -> int:
        loop, listener = asyncio.get_running_loop(), bound("127.0.0.1", 0)
        crowd = [socket.create_connection(listener.getsockname()) for _ in range(CROWD)]
        servers = [await loop.create_server(Taken, sock=door) for door in doors(listener)]
        turns = 0
        while len(taken) < CROWD and turns < 10 * CROWD:
            await asyncio.sleep(0)
            turns += 1
        for one in (*taken, *servers, *crowd):
            one.close()
        return turns

    with closing(uvloop.new_event_loop()) as loop:
        assert loop.run_until_complete(taking()) < CROWD / 2
    assert len(taken) == CROWD
