"""The sender of notices in a fake week, whoever takes its place, and what arrived."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING

from msgspec.structs import replace

from services.notices import channels, outbox
from services.notices.channels import Webhook
from services.notices.how import How
from services.notices.outbox import Name
from tests.chaos.fake_server import Died
from workers import notify
from workers.notify import Sender

if TYPE_CHECKING:
    from tests.chaos.fake_week import Week


class Post:
    def __init__(self, week: Week, monkeypatch) -> None:
        self.week = week
        self.got: list[tuple[Name, int]] = []  # what arrived, and when
        self.unsure: Counter[Name] = Counter()  # was it noted that they were sent?
        self._hand: list[Name] = []
        self._sender: Sender | None = None
        self._at, self._busy = 0, False
        monkeypatch.setattr(notify, "letter", lambda id, *_: Name.of(id))

    def address(self, player: str) -> None:
        """Where a player is told that it is its turn, or over, or that it may come."""
        made = channels.made(Webhook("https://example.org"), ("turn", "over", "invited"), 0, "en")
        self.week.server.ask(channels.put(player, replace(made, id=player[:8])))

    def plan(self) -> None:
        """Have it look when the next row is due."""
        lowest = self.week.server.run("ZRANGE", outbox.DUE, 0, 0, "WITHSCORES")
        if lowest:
            at = max(int(float(lowest[1])), self.week.now + 500)
            if at < self._at or self._at <= self.week.now:
                self._at = at
                self.week.at(at, self.turn)

    def turn(self) -> bool:
        if self._busy:
            return True
        self._busy = True
        try:
            if self._sender is None:
                self._sender = Sender(self.week.wire(), How(), _AtOnce(), self._take)
            self._sender.turn(0)
        except Died:
            self.week.counts["senders died"] += 1
            self.unsure.update(self._hand)
            self._sender = None
        finally:
            self._hand.clear()
            self._busy = False
        return True

    def _take(self, name: Name) -> None:
        self.got.append((name, self.week.now))
        self._hand.append(name)


class _AtOnce(Executor):
    def submit(self, do, *args):
        future: Future = Future()
        future.set_result(do(*args))
        return future
