"""Taking a seat and giving it up: said again, each is answered as the first time."""

from __future__ import annotations

from engine import entries as e
from engine.contract import Seat
from engine.match import Match, No
from services import ledger
from services.door import Answer, Repeated, judged, refusal
from services.wire import Talk


def join(name: str, player: str, chair: int | None, entropy: str) -> Talk[Answer]:
    """Take a chair, any open one for None; tried again until it is taken or gone."""

    def judge(match: Match) -> Answer | bytes:
        held = next((h for h in match.holders if h.player == player), None)
        if held is not None:
            same = held.entropy == entropy and chair in (None, held.chair)
            return Repeated(0, match) if same else refusal(No.SEATED_ALREADY, match)
        open_chairs = [h.chair for h in match.holders if h.open]
        if not open_chairs or match.over:
            return refusal(No.OVER if match.over else No.DEALT, match)
        seat = open_chairs[0] if chair is None else chair
        return e.encode(e.Joined(seat, player, entropy))

    answer = yield from judged(name, None, judge)
    if isinstance(answer, Repeated):
        return Repeated((yield from _joined_at(name, player)), answer.match)
    return answer


def _joined_at(name: str, player: str) -> Talk[int]:
    """The seq at which a player who has a seat took it."""
    after, found = 0, 0
    while written := (yield ledger.log(name, after)):
        for one in written:
            entry = e.decode(one.line.raw)
            if isinstance(entry, e.Played):
                return found
            if isinstance(entry, e.Joined) and entry.player == player:
                found = one.seq
        after = written[-1].seq
    return found


def resign(name: str, player: str) -> Talk[Answer]:
    """Give up the seat of a player, once it is dealt."""

    def judge(match: Match) -> Answer | bytes:
        held = {h.gone: seat for seat, h in enumerate(match.holders) if h.player == player}
        if "resigned" in held:
            return Repeated(held["resigned"], match)
        if match.over or match.state is None:
            return refusal(No.OVER if match.over else No.NOT_DEALT, match)
        return e.encode(e.Resigned(held[None])) if None in held else refusal(No.NOT_SEATED, match)

    answer = yield from judged(name, None, judge)
    if isinstance(answer, Repeated):
        return Repeated((yield from _resigned_at(name, answer.seq)), answer.match)
    return answer


def _resigned_at(name: str, seat: Seat) -> Talk[int]:
    """The seq at which the player of a seat gave it up."""
    after, found = 0, 0
    while not found and (written := (yield ledger.log(name, after))):
        resigned = (one.seq for one in written if e.decode(one.line.raw) == e.Resigned(seat))
        after, found = written[-1].seq, next(resigned, 0)
    return found
