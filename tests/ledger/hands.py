"""Writing into a ledger by hand."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from msgspec import json

from engine import entries as e
from engine.match import Match
from services import door, ledger
from services.ledger import Done, Taken, Todo
from services.wire import Talk
from tests.chaos.fake_server import Server

M, N = "0-" + "m" * 16, "0-" + "n" * 16


def done(match: str, seq: int, at: int, todo: bytes = b"", due: str = "+inf") -> Done:
    """Made-up results of folding."""
    verdict, note, snapshot = (b"%s %d" % (what, seq) for what in (b"verdict", b"note", b"now"))
    return Done(match, seq, at, verdict, note, snapshot, due, todo)


def append(server: Server, match: str, seen: int, at: int) -> Taken:
    """A made-up entry, which must be taken."""
    taken = server.ask(ledger.append(match, seen, at, b'{"n":%d}' % (seen + 1)))
    assert isinstance(taken, Taken), taken
    return taken


def grow(server: Server, match: str, n: int) -> int:
    """A log of n made-up entries, all committed; the time of the last."""
    at = 0
    for seen in range(n):
        server.clock.sleep(1)
        at = append(server, match, seen, at).at
        [todo] = lines(server)
        assert server.ask(ledger.commit(0, [done(match, seen + 1, at, todo.id)])) == [1]
    return at


def lines(server: Server) -> list[Todo]:
    return server.ask(ledger.todo(0, "hand", 1000, None))


def write(server: Server, name: str, *entries: e.Entry) -> Match:
    """These entries, appended whether or not anybody would accept them, and folded."""
    match = server.talk(door.newest(name))
    for entry in entries:
        seen, at = (match.seq, match.at) if match else (0, 0)
        server.clock.sleep(1)
        assert isinstance(server.ask(ledger.append(name, seen, at, e.encode(entry))), Taken)
        server.work()
        match = server.talk(door.newest(name))
    return match


def play(
    server: Server,
    seat: int,
    move: str,
    fresh: int,
    *,
    key: str | None = None,
    known: Match | None = None,
    name: str = M,
) -> door.Answer:
    """The door's answer to a move without fields, and all folded."""
    answer = server.talk(
        door.play(name, known, seat, moved(move), key and door.hashed_key(key), fresh)
    )
    server.work()
    return answer


def moved(move: str) -> bytes:
    return json.encode({"type": move})


def together(server: Server, talks: Iterable[Talk[Any]], chance: Random) -> list[Any]:
    """The answers to talks that go on step by step in any order, while a worker works at times."""
    running = dict(enumerate(talks))
    replies, answers = dict.fromkeys(running), dict.fromkeys(running)
    while running:
        n = chance.choice(list(running))
        try:
            asks = running[n].send(replies[n])
        except StopIteration as end:
            answers[n] = end.value
            del running[n]
            continue
        replies[n] = server.sleep(asks) if isinstance(asks, float) else server.ask(asks)
        if chance.random() < 0.05:
            server.work()
    server.work()
    return list(answers.values())
