"""Seeded chance. Nothing else in the engine is random, and nothing here outlives one entry."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from struct import Struct
from typing import TypeVar

T = TypeVar("T")
SPAN = 1 << 64  # a draw is uniform below this
MOST = 1 << 32  # and is asked for numbers up to this
_fours = Struct(">4Q").unpack
_key = Struct(">QQ").pack


class Dice:
    """All the chance one log entry may use: SHA-256 in counter mode, keyed by the seed and `k`.

    Block i is SHA-256(seed ‖ u64(k) ‖ u64(i)) and gives four draws of 64 bits, all big-endian.
    Written out, not `random.Random`, whose shuffle may change between Python versions; and so
    plain that a watcher's browser can deal the deck again once the seed is revealed.

    `seed` is 32 bytes; `k` counts the earlier entries of the match that used chance.
    """

    __slots__ = ("_blocks", "_draws", "_k", "_seed")

    def __init__(self, seed: bytes, k: int) -> None:
        self._seed, self._k, self._blocks = seed, k, 0
        self._draws: list[int] = []  # of the newest block, those not yet taken, the next one last

    @property
    def used(self) -> bool:
        """Was at least one number drawn?"""
        return self._blocks > 0

    def draw(self) -> int:
        """The next 64 bits."""
        if not self._draws:
            self._more()
        return self._draws.pop()

    def below(self, n: int) -> int:
        """A fair integer in range(n), 1 ≤ n ≤ 2³². Below 1 there is only 0: nothing is drawn."""
        if not 1 <= n <= MOST:
            raise ValueError(f"dice have no {n} sides")
        if n == 1:
            return 0
        fair = SPAN - SPAN % n
        while (x := self.draw()) >= fair:
            pass
        return x % n

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        """The items in a fair order (Fisher–Yates from the end)."""
        deck = list(items)
        for i in range(len(deck) - 1, 0, -1):
            # `below(i + 1)`, written out: most of the time of a long deal is spent here
            if not self._draws:
                self._more()
            x = self._draws.pop()
            if x >= SPAN - MOST:  # hardly ever: only here may the draw be unfair
                while x >= SPAN - SPAN % (i + 1):
                    x = self.draw()
            j = x % (i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return tuple(deck)

    def _more(self) -> None:
        block = sha256(self._seed + _key(self._k, self._blocks)).digest()
        self._blocks += 1
        self._draws[:] = _fours(block)[::-1]
