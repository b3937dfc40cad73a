"""Many shards in one process: each is looked after as soon as there is something to do in it.

Every process looks after all shards, and however many there are, the server gives each line to one
of them: nobody has to say who does what. What one leaves behind when it dies, the others take over.
"""

from __future__ import annotations

import logging
import select
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Protocol

from services.wire import BlockingWire, Lost, Refused
from workers.ending import ending

AGAIN = 1.0  # seconds after which a shard whose server was away is begun anew


class Post(Protocol):
    """Whoever looks after a shard: it has asked for what there is to do."""

    wire: BlockingWire  # where that comes

    @property
    def idle(self) -> bool:
        """Does it wait for what is to come, and nothing else?"""

    def begin(self) -> None: ...

    def turn(self) -> None:
        """Take what has come, do what follows, ask for more."""


class Shards:
    """`make` makes the post of a shard."""

    def __init__(self, make: Callable[[int], Post], shards: Sequence[int], log: logging.Logger):
        self._make, self._log = make, log
        self._posts: dict[int, Post] = {}
        self._away = dict.fromkeys(shards, 0.0)  # when to begin them
        self._more: set[int] = set()  # of which more has come already

    def run(self) -> None:
        """Look after them until a signal comes, and what is in hand is done."""
        while not ending.told or self._busy():
            now = time.monotonic()
            for shard in [one for one, at in self._away.items() if at <= now]:
                self._begin(shard)
            for shard in self._heard():
                self._turn(shard)

    def _busy(self) -> bool:
        return any(not post.idle for post in self._posts.values())

    def _begin(self, shard: int) -> None:
        del self._away[shard]
        self._posts[shard] = self._make(shard)
        self._try(shard, self._posts[shard].begin)

    def _turn(self, shard: int) -> None:
        post = self._posts[shard]
        if self._try(shard, post.turn) and post.wire.heard():
            self._more.add(shard)

    def _try(self, shard: int, do: Callable[[], None]) -> bool:
        try:
            do()
        except (Lost, Refused) as error:
            self._log.warning("shard %s: %s; again in a second", shard, error)
            self._posts.pop(shard).wire.close()
            self._away[shard] = time.monotonic() + AGAIN
            return False
        return True

    def _heard(self) -> list[int]:
        """The shards where something has come; waits for the first, a second at most."""
        poll, of = select.poll(), {}
        for shard, post in self._posts.items():
            if (fd := post.wire.fileno()) is not None:
                poll.register(fd, select.POLLIN)
                of[fd] = shard
        more, self._more = self._more, set()
        with nullcontext() if self._busy() else ending:
            ready = poll.poll(0 if more else 1000 * AGAIN)
        return sorted(more & self._posts.keys() | {of[fd] for fd, _ in ready})
