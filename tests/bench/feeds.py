"""`feeds`: one hot match, a thousand readers, moves as fast as they are answered."""

from __future__ import annotations

import http.client
import select
import socket
import threading
import time

from msgspec import Raw, json

from engine import entries as e
from engine.catalogue import GAMES
from engine.dice import Dice
from engine.fold import step
from engine.match import Line, Match
from engine.robots import stroll
from tests.bench.prepared import Table, accounts, offer, put
from tests.bench.recorded import player
from tests.bench.report import just, show
from tests.bench.stage import Stage

GAME = "qwirkle"


def run(quick: bool) -> bool:
    readers, most = (200, 20) if quick else (1_000, 60)
    with Stage() as stage:
        tokens = accounts(stage)
        table = _begun(stage)
        poll, sockets = _readers(stage.port, table.name, readers)
        mover = threading.Thread(target=_play, args=(stage.port, table, tokens, most))
        before = stage.used()
        mover.start()
        heard, seconds = _heard(poll, sockets, mover, readers)
        used = (stage.used()["api"] - before["api"]) / heard * 1e6
        for reader in sockets.values():
            reader.close()
        stage.quiet()
    rows = [
        just("deliveries", [heard / seconds], "/s"),
        just("  moves meanwhile", [heard / readers / seconds], "/s"),
        just("  api's CPU of a delivery", [used], "us"),
    ]
    show(f"feeds: one match of {GAME}, {readers:,} readers, {heard:,} deliveries", rows)
    return True


def _begun(stage: Stage) -> Table:
    tables = offer(stage, GAME, 1, (None, None))
    for chair in range(2):
        joined = e.Joined(chair, player(chair), f"{chair}" * 64)
        tables = put(stage, tables, lambda i, match, joined=joined: joined)
    stage.quiet()
    return tables[0]


def _readers(port: int, name: str, n: int) -> tuple[select.epoll, dict[int, socket.socket]]:
    """Connections that have had their first look."""
    poll, sockets = select.epoll(), {}
    asked = f"GET /matches/{name}/feed HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
    for _ in range(n):
        reader = socket.create_connection(("127.0.0.1", port))
        reader.sendall(asked)
        had = b""
        while b"event: look" not in had or not had.endswith(b"\n\n\r\n"):
            had += reader.recv(65536)
        reader.setblocking(False)
        poll.register(reader, select.EPOLLIN)
        sockets[reader.fileno()] = reader
    return poll, sockets


def _heard(
    poll: select.epoll, sockets: dict[int, socket.socket], mover: threading.Thread, readers: int
) -> tuple[int, float]:
    """Entries delivered until all have had them all, and the seconds from the first to the last."""
    count, first, last = 0, 0.0, 0.0
    while mover.is_alive() or time.perf_counter() - last < 0.5:
        for file, _ in poll.poll(0.1):
            got = sockets[file].recv(1 << 20).count(b"event: entry\n")
            last = time.perf_counter()
            first = first or last
            count += got
        if not mover.is_alive() and count and count % readers == 0:
            break
    return count, last - first


def _play(port: int, table: Table, tokens: dict[str, str], most: int) -> None:
    """Play on, each move once the last is answered."""
    api = http.client.HTTPConnection("127.0.0.1", port)
    rules, dice, match = GAMES[GAME], Dice(bytes(32), 1), table.match
    for _ in range(most):
        seat = match.to_act[0]
        move = e.encode(stroll(rules, match.state, seat, dice))
        headers = {
            "Authorization": f"Bearer {tokens[match.holders[seat].player or '']}",
            "If-Match": f'"{match.seq}"',
        }
        api.request("POST", f"/matches/{table.name}/moves", move, headers)
        answer = api.getresponse()
        said = json.decode(answer.read())
        assert answer.status == 201, said
        match = _followed(match, seat, move, said["at"])


def _followed(match: Match, seat: int, move: bytes, at: int) -> Match:
    return step(match, Line(at, e.encode(e.Played(seat, Raw(move), None))))[0]
