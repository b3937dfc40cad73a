"""What every page of a match shows of one of its moments: seats, table, and the log before it."""

from __future__ import annotations

from typing import Any

from engine.entries import LateEntries, MatchProposed, Replace
from engine.look import look, places
from engine.match import Match
from services.answers import read_news
from services.house import House
from services.sight import Sight, told_again
from services.web import shown
from services.web.boards import drawable
from services.web.people import names_of
from services.web.tongues import _n


async def view(house: House, seen: Sight, then: Match, after: int) -> dict[str, Any]:
    """The match at a moment, with what was heard of the entries from `after` to there."""
    told = await told_again(house, seen.name, max(0, min(after, then.seq - 1)), then.seq)
    news = [read_news(one, seen.viewer) for one in told]
    facts = [fact for one in news for fact in one.facts]
    came = {fact.get("player") for fact in facts if fact["type"].startswith("match.")}
    came |= {fact["what"].get("player") for fact in facts if fact["type"] == "match.proposed"}
    seen_then = look(then, seen.at(then), seen.name, legal=False)
    asked = seen_then.proposal
    came |= {asked.what.player} if asked and isinstance(asked.what, Replace) else set()
    names = await names_of(house, came | {place.player for place in places(then)})
    seats = shown.called(then.holders, names)
    proposals = [MatchProposed(asked.seat, asked.what)] if asked else []
    return {
        "match": seen.name,
        "look": seen_then,
        "late": _late(seen),
        "seats": seats,
        "sitters": shown.sitters(then, seen_then, seats),
        "stands": shown.status(seen_then, seats),
        "warning": shown.warning(seen_then),
        "board": shown.board(seen_then, seats),
        "drawable": drawable(seen_then.game, seen_then.view),
        "proposed": "".join(shown.sentences(then.game, proposals, names, seats)),
        "news": shown.facts(then.game, news[-1]) if news else [],
        "log": [shown.line(then, one, names, seats) for one in news if one.seq > after],
    }


def _late(seen: Sight) -> str:
    """How late it is shown; nothing if it is not."""
    late = seen.now.offered.policy.late
    if not (seen.late and late):
        return ""
    if isinstance(late, LateEntries):
        return _n("{count} entry", "{count} entries", late.n)
    return _n("{count} second", "{count} seconds", late.n)


def since(then: Match, entries: int) -> int:
    """So many entries before a moment; a branch tells nothing of the match that it came from."""
    return max(0, then.seq - entries, then.branched - 1)
