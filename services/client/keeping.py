"""What a client keeps of each match unasked, so that an audit can prove something to it."""

from __future__ import annotations

import secrets
from typing import TypeVar

from engine.audit import Kept
from engine.look import Look, News
from services.said import Answer, Step

T = TypeVar("T", Look, News, Answer, Step)


class Keeping:
    """Of each match: the commitment, the heads that were shown, and our own entropy."""

    def __init__(self) -> None:
        self._commitments: dict[str, str] = {}
        self._entropies: dict[str, str] = {}
        self._heads: dict[str, dict[int, str]] = {}

    def look(self, look: Look) -> Look:
        self._commitments.setdefault(look.match, look.commitment)
        self.head(look.match, look)
        return look

    def head(self, match: str, shown: T) -> T:
        self._heads.setdefault(match, {})[shown.seq] = shown.head
        return shown

    def entropy(self, match: str) -> str:
        """Our part of the chance: drawn once, and only once the server is committed."""
        assert match in self._commitments
        return self._entropies.setdefault(match, secrets.token_hex(32))

    def kept(self, match: str) -> Kept:
        entropies = (self._entropies[match],) if match in self._entropies else ()
        return Kept(self._heads.get(match, {}), entropies, self._commitments.get(match))

    def forget(self, match: str) -> None:
        self._commitments.pop(match, None)
        self._entropies.pop(match, None)
        self._heads.pop(match, None)
