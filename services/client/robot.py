"""A player that is a program: a feed tells it when to look, and it moves when it is waited for."""

from __future__ import annotations

import time
from collections.abc import Iterable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, NoReturn

from engine.look import Look, News
from services.client.client import Client
from services.client.feeds import Event
from services.client.problems import Problem
from services.client.wits import Wits
from services.said import Here, Matches, Moved


class Turn(NamedTuple):
    due: float  # when to move
    look: Look  # that the move was decided on
    move: Any


class Robot:
    """Moves `delay` seconds after it has heard that a match waits for it, so that the time it
    takes tells nothing of what it holds."""

    def __init__(self, client: Client, wits: Wits, delay: float = 0.0) -> None:
        self._client, self._wits, self._delay = client, wits, delay
        self._heard: SimpleQueue[str | Exception] = SimpleQueue()
        self._seats: dict[str, int] = {}
        self._turns: dict[str, Turn] = {}

    def join(self, match: str) -> None:
        """Take a chair of an open match, unless this player has one."""
        me = self._client.me().player
        if me not in [place.player for place in self._client.look(match).seats]:
            self._client.join(match)

    def play(self, match: str) -> Look:
        """Play a match to its end, and look at it then."""
        self._listen(self._client.feed(match), match)
        while (look := self._tend(self._next())).status != "over":
            pass
        return look

    def play_all(self) -> NoReturn:
        """Play whatever match this player is in, now or later."""
        self._listen(self._client.feed_of_many(mine=True))
        while True:
            self._tend(self._next())

    def _next(self) -> str:
        """The match that was heard of, or in which it is time to move."""
        first = min(self._turns, key=lambda match: self._turns[match].due, default=None)
        left = None if first is None else self._turns[first].due - time.monotonic()
        try:
            heard = self._heard.get(timeout=None if left is None else max(left, 0))
        except Empty:
            assert first is not None
            return first
        if isinstance(heard, Exception):
            raise heard
        return heard

    def _tend(self, match: str) -> Look:
        """Decide on a move once the match waits for us, and play it when it is time."""
        turn = self._turns.get(match)
        if turn is not None and turn.due <= time.monotonic():
            del self._turns[match]
            return self._moved(turn)
        return self._seen(self._client.look(match))

    def _seen(self, look: Look) -> Look:
        turn, match, begun = self._turns.get(look.match), look.match, time.monotonic()
        if isinstance(look.viewer, int) and look.status == "running":
            self._seats[match] = look.viewer
        if not waits(look):
            self._turns.pop(match, None)
        elif turn is None or turn.look.since != look.since:
            self._turns[match] = Turn(begun + self._delay, look, self._wits(self._client, look))
        return look

    def _moved(self, turn: Turn) -> Look:
        try:
            return self._seen(self._client.play(turn.look, turn.move).look)
        except Problem:
            now = self._client.look(turn.look.match)
            if waits(now) and now.since == turn.look.since:
                raise
            return self._seen(now)  # others were quicker, and it is another turn

    # The feed

    def _listen(self, feed: Iterable[Event | Matches | Moved], match: str = "") -> None:
        Thread(target=self._hear, args=(feed, match), daemon=True).start()

    def _hear(self, feed: Iterable[Event | Matches | Moved], match: str) -> None:
        try:
            for event in feed:
                for name in self._news(event, match):
                    self._heard.put(name)
        except Exception as error:  # whoever plays has to know
            self._heard.put(error)

    def _news(self, event: Event | Matches | Moved, match: str) -> Iterable[str]:
        """The matches to look at after an event, of one match or of many."""
        match event:
            case Here():
                return ()
            case Matches(seqs):
                return seqs
            case Moved(name):
                match = name
        if isinstance(event, Moved | News) and event.status == "running":
            return [match] if self._seats.get(match, -1) in (-1, *event.to_act) else ()
        return [match]


def waits(look: Look) -> bool:
    """Does the match wait for the seat whose look this is?"""
    return look.status == "running" and look.viewer in look.to_act
