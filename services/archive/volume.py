"""A match of the archive in memory: it answers what its keys on the server would have answered."""

from __future__ import annotations

from contextlib import suppress

from engine.audit import Bundle
from engine.entries import Unknown
from engine.fold import replay
from engine.look import note
from engine.match import Line, Match, encode
from engine.snapshot import save
from services.ledger import FACTS, MARK, Told, Written


class Volume:
    """Folded once, when it is opened; nothing in it changes. What this release cannot fold has its
    log alone."""

    def __init__(self, file: Bundle) -> None:
        self.lines = [Line(one.at, one.entry.encode()) for one in file.entries]
        self.told: list[Told] = []
        self.now: bytes | None = None
        self._marks: list[tuple[int, bytes]] = []
        with suppress(Unknown):
            self._fold(file)

    def _fold(self, file: Bundle) -> None:
        match: Match | None = None
        for one, (match, _) in zip(file.entries, replay(self.lines), strict=True):
            self.told.append(Told(one.seq, bytes(one.verdict), encode(note(match))))
            if match.seq % MARK == 0 or match.seq == match.branched:
                self._marks.append((match.seq, save(match)))
        assert match is not None, "a bundle without entries is never archived"
        first = match.branched  # what came before was told in another match
        self.now = save(match)
        self.told = [told for told in self.told[-FACTS:] if told.seq >= first]
        self._marks = [mark for mark in self._marks if mark[0] >= first]

    def mark(self, seq: int) -> bytes | None:
        return next((mark for at, mark in reversed(self._marks) if at <= seq), None)

    def log(self, after: int, most: int) -> list[Written]:
        some = self.lines[after : after + most]
        return [Written(seq, line) for seq, line in enumerate(some, after + 1)]

    def entry(self, seq: int) -> Written | None:
        found = self.log(seq - 1, 1) if seq > 0 else []
        return found[0] if found else None

    def last_facts(self) -> Told | None:
        return self.told[-1] if self.told else None

    def facts(self, after: int, most: int) -> list[Told]:
        return [told for told in self.told if told.seq > after][:most]
