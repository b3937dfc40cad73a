"""What the door's answers are over HTTP: a body or a Problem. Shared by every route that writes."""

from __future__ import annotations

from msgspec import json

from engine.contract import Viewer
from engine.fold import step
from engine.look import News, Note, heard, look, news
from engine.match import Accepted, Match, Refused, Verdict
from services import door, ledger
from services.house import NO_MATCH, House, own_seat
from services.invalid import in_words
from services.problems import PROBLEMS, Problem
from services.said import Answer

INSTEAD = {"NOT_DEALT": "Wait until it is dealt; to give your chair back, leave."}
MISSED = 256  # entries that a stale command is told of
encode = json.Encoder().encode
_verdict = json.Decoder(Accepted | Refused)
_note = json.Decoder(Note)


def answer(name: str, match: Match, verdict: Verdict, viewer: Viewer) -> Answer:
    seen = look(match, viewer, name)
    return Answer(match.seq, match.at, seen.head, heard(verdict, viewer), seen)


async def first_answer(house: House, name: str, seq: int, player: str | None) -> Answer:
    """The answer that entry `seq` had, made again."""
    before = await house.talk(door.moment(name, seq - 1)) if seq > 1 else None
    entry = await house.ask(ledger.entry(name, seq))
    if entry is None:
        raise Problem("busy", "The match is being folded.")
    match, verdict = step(before, entry.line)
    return answer(name, match, verdict, own_seat(match, player))


async def missed(house: House, name: str, after: int, viewer: Viewer) -> list[News] | None:
    """The news since `after`; None if that is too long ago."""
    told = await house.ask(ledger.facts(name, after))
    if not told:
        return []
    if told[0].seq != after + 1 or len(told) > MISSED:
        return None
    return [read_news(one, viewer) for one in told]


def read_head(told: ledger.Told) -> str:
    """The head after an entry, as everybody sees it."""
    return _note.decode(told.note).head


def read_news(told: ledger.Told, viewer: Viewer) -> News:
    """What a viewer hears of an entry, from what the ledger holds of it."""
    return news(_note.decode(told.note), _verdict.decode(told.verdict), viewer)


async def refused(
    house: House, name: str, given: door.Answer, viewer: Viewer, fresh: int
) -> Problem:
    """The problem that an answer of the door is."""
    match given:
        case door.Stale(newest):
            news = await missed(house, name, fresh, viewer) if fresh <= newest.seq else []
            news = None if fresh < newest.branched - 1 else news
            return Problem("stale", seq=newest.seq, missed=news)
        case door.NotAllowed(no, seq):
            if no.code == "OVER":
                return Problem("over", seq=seq)
            instead = INSTEAD.get(no.code, PROBLEMS["refused"][2])
            detail = f"{no.says} {instead}"
            return Problem("refused", detail, code=no.code, rule=no.rule, says=no.says, seq=seq)
        case door.KeyReused(seq):
            return Problem("key-reused", seq=seq)
        case door.Invalid(says):
            return Problem("invalid", errors=[in_words(says)])
        case door.Waits(None):
            return Problem("busy", "The entry before this one is still being folded.")
        case door.Waits(why):
            assert why is not None
            return Problem("stuck", seq=why.seq - 1)
    return Problem("no-such-thing", NO_MATCH)
