"""A finished match, folded by other rules of its game: what would have become of its entries?

By the rules that it was played by, it says what this release makes of what was written.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import DecodeError, Raw, Struct, json, structs

from engine import entries as e
from engine.audit import Bundle, NoBundle, same
from engine.contract import OPEN, Outcome, Seat
from engine.fold import replay
from engine.match import Accepted, Line, Match, Refused, Verdict, encode


class Other(Struct, frozen=True):
    """An entry of which something else comes than is written."""

    seq: int
    was: Raw  # the verdict, as written
    now: Raw

    @property
    def illegal(self) -> bool:
        """Was it accepted, and is it refused now?"""
        return not _refusal(self.was) and _refusal(self.now)

    @property
    def allowed(self) -> bool:
        """Was it refused, and is it accepted now?"""
        return _refusal(self.was) and not _refusal(self.now)


class Scored(Struct, frozen=True):
    """A seat that ends otherwise; None where the match does not end, or not so."""

    seat: Seat
    score: tuple[int | None, int | None]  # as written, and now
    place: tuple[int | None, int | None]


class Refolded(Struct, frozen=True):
    """What a match comes to by these rules."""

    match: str
    game: str
    rules: tuple[int, int]  # as written, and now
    entries: int
    first: Other | None  # whatever comes after it may only follow from it
    illegal: tuple[Other, ...]
    allowed: tuple[Other, ...]
    scores: tuple[Scored, ...]
    ends: bool  # by these rules

    @property
    def same(self) -> bool:
        return self.first is None and not self.scores and self.ends


def refold(file: Bundle, rules: int | None = None) -> Refolded:
    """A bundle folded by these rules or else its own; NoBundle if it or they cannot be read."""
    by = file.rules if rules is None else rules
    match: Match | None = None
    others: list[Other] = []
    try:
        steps = zip(file.entries, replay(_log(file, by)), strict=True)
        for sealed, (after, verdict) in steps:
            match = after
            now = Raw(encode(_as_if(verdict, file.rules)))
            if not same(now, sealed.verdict):
                others.append(Other(sealed.seq, sealed.verdict, now))
    except e.Unknown as unknown:
        raise NoBundle(f"this release cannot fold it: {unknown}") from unknown
    if match is None:
        raise NoBundle("it has no entries")
    return Refolded(
        match=file.match,
        game=file.game,
        rules=(file.rules, by),
        entries=len(file.entries),
        first=next(iter(others), None),
        illegal=tuple(one for one in others if one.illegal),
        allowed=tuple(one for one in others if one.allowed),
        scores=tuple(_scored(file.outcome, match.outcome, len(match.holders))),
        ends=match.over,
    )


def _log(file: Bundle, rules: int) -> Iterator[Line]:
    """Its entries, the offer by these rules."""
    for sealed in file.entries:
        raw = sealed.entry.encode()
        if sealed.seq == 1 and rules != file.rules:
            offer = e.decode(raw)
            if isinstance(offer, e.Offered):
                raw = e.encode(structs.replace(offer, rules=rules))
        yield Line(sealed.at, raw)


def _as_if(verdict: Verdict, rules: int) -> Verdict:
    """The same, told by an offer of these rules: that they are others is no news."""
    if not isinstance(verdict, Accepted):
        return verdict
    told = tuple(
        structs.replace(one, fact=structs.replace(one.fact, rules=rules))
        if isinstance(one.fact, e.MatchOffered)
        else one
        for one in verdict.told
    )
    return Accepted(told)


def _scored(was: Outcome | None, now: Outcome | None, seats: int) -> Iterator[Scored]:
    for seat in range(seats):
        (score, place), (score_now, place_now) = _of(was, seat), _of(now, seat)
        if (score, place) != (score_now, place_now):
            yield Scored(seat, (score, score_now), (place, place_now))


def _of(outcome: Outcome | None, seat: Seat) -> tuple[int | None, int | None]:
    if outcome is None or seat >= len(outcome.places):
        return None, None
    score = outcome.scores[seat] if seat < len(outcome.scores) else None
    return score, outcome.places[seat]


def _refusal(verdict: Raw) -> bool:
    return isinstance(_read(verdict), Refused)


def _read(verdict: Raw) -> Accepted | Refused | None:
    """A verdict as written; None if it is none, in the bundle of a stranger."""
    try:
        return _verdict.decode(verdict)
    except DecodeError:
        return None


def said(verdict: Raw) -> str:
    """A verdict in short, for people: its refusal, or the types of what it tells."""
    read = _read(verdict)
    if isinstance(read, Refused):
        return f"refused, {read.code} ({read.rule})"
    told = () if read is None else read.told
    facts = [fact for one in told for fact in one.heard_by(OPEN)[:1]]
    types = [str(fact.get("type")) for fact in facts if isinstance(fact, dict)]
    return ", ".join(types) or "nothing"


_verdict = json.Decoder(Accepted | Refused)
