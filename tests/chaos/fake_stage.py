"""A stage: blocking processes as threads, one at a time; who goes on is drawn from a seed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random


class Over(BaseException):
    """The play is over: every actor leaves at its next pause."""


class Actor:
    def __init__(self, act: Callable[[], None]) -> None:
        self.go, self.back = threading.Semaphore(0), threading.Semaphore(0)
        self.error: BaseException | None = None
        self.done = False
        self.thread = threading.Thread(target=self._run, args=(act,), daemon=True)
        self.thread.start()

    def step(self) -> None:
        """Let it run to its next pause."""
        self.go.release()
        self.back.acquire()
        if self.error is not None:
            raise self.error

    def _run(self, act: Callable[[], None]) -> None:
        self.go.acquire()
        try:
            act()
        except Over:
            pass
        except BaseException as error:
            self.error = error
        self.done = True
        self.back.release()


class Stage:
    """Actors run from pause to pause, in an order that depends on nothing but `chance`."""

    def __init__(self, chance: Random, between: Callable[[], None]) -> None:
        self.chance, self.between, self.over = chance, between, False
        self.actors: list[Actor] = []
        self.current: Actor

    def enter(self, act: Callable[[], None]) -> None:
        self.actors.append(Actor(act))

    def pause(self) -> None:
        actor = self.current
        actor.back.release()
        actor.go.acquire()
        if self.over:
            raise Over

    def play(self, steps: int) -> None:
        """So many steps, or fewer if all leave; then everybody goes."""
        try:
            while steps and self.actors:
                steps -= 1
                self._step(self.chance.choice(self.actors))
        finally:
            self.over = True
            while self.actors:
                self._step(self.actors[-1])

    def _step(self, actor: Actor) -> None:
        self.current = actor
        self.between()
        try:
            actor.step()
        finally:
            if actor.done:
                self.actors.remove(actor)
