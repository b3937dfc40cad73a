"""A stage: blocking processes as greenlets, one at a time; who goes on is drawn from a seed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from greenlet import getcurrent, greenlet


class Over(BaseException):
    """The play is over: every actor leaves at its next pause."""


class Stage:
    """Actors run from pause to pause, in an order that depends on nothing but `chance`."""

    def __init__(self, chance: Random, between: Callable[[], None]) -> None:
        self.chance, self.between, self.over = chance, between, False
        self.actors: list[greenlet] = []

    def enter(self, act: Callable[[], None]) -> None:
        self.actors.append(greenlet(act))

    def pause(self) -> None:
        getcurrent().parent.switch()
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

    def _step(self, actor: greenlet) -> None:
        """Let it run to its next pause; what it raises is raised here."""
        self.between()
        try:
            actor.switch()
        except Over:
            pass
        finally:
            if actor.dead:
                self.actors.remove(actor)
