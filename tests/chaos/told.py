"""The log of a match of a fake week, and what folding it again comes to."""

from __future__ import annotations

from engine import entries as e
from engine.fold import replay
from engine.match import Accepted, Match
from services import finished
from services.notices import due
from services.notices.due import Turn
from tests.chaos.fake_week import Week


class Told:
    """Folded again entry by entry."""

    def __init__(self, week: Week, name: str) -> None:
        self.name, self.record = name, week.server.talk(finished.record(name))
        self.steps = list(replay(self.record.lines))
        self.entries = [e.decode(line.raw) for line in self.record.lines]
        self.matches = [match for match, _ in self.steps]

    @property
    def last(self) -> Match:
        return self.matches[-1]

    @property
    def facts(self) -> list[object]:
        accepted = [verdict for _, verdict in self.steps if isinstance(verdict, Accepted)]
        return [told.fact for verdict in accepted for told in verdict.told]

    def turns(self) -> list[tuple[Turn, int | None, int | None]]:
        """Each turn of a player, until when, and its deadline when it began."""
        begun: dict[Turn, int | None] = {}
        ended: dict[Turn, int] = {}
        for match in self.matches:
            now = due.turns(match)
            ended |= dict.fromkeys((t for t in begun if t not in ended and t not in now), match.at)
            begun |= {t: match.deadline(t.seat) for t in now if t not in begun}
        return [(turn, ended.get(turn), deadline) for turn, deadline in begun.items()]

    def taken(self, kind: type) -> list[tuple[Match, e.Entry, Match]]:
        """Those entries of a kind that were accepted, with the match before and after."""
        every = zip(self.entries[1:], self.steps[1:], self.matches, strict=False)
        return [
            (before, entry, after)
            for entry, (after, verdict), before in every
            if isinstance(entry, kind) and isinstance(verdict, Accepted)
        ]
