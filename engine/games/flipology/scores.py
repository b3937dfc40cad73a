"""What rows are worth, who wins a game and a match, and who starts the next. (5)"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from engine.contract import Outcome, Seat, ranked

from .cards import ANIMALS, SHY, VALUE
from .pieces import Result, Row, Slot, State

BONUS, MOON_BONUS, GOAL = 10, 25, 100  # 5.4


def own(rows: Sequence[Row], seats: int, seat: Seat) -> Iterator[Slot]:
    """All cards in the rows of a seat."""
    return (slot for row in rows[seat::seats] for slot in row)


def points(slots: Iterable[Slot]) -> int:
    """5.2: what is face up counts; a sloth or koala counts against its row up, and for it down."""
    return sum(worth(slot) for slot in slots)


def worth(slot: Slot) -> int:
    value = VALUE[slot.card]
    if slot.card in SHY:
        return -value if slot.up else value
    return value if slot.up else 0


def interim(slots: Iterable[Slot]) -> int:
    """The open score: what lies face down counts nothing. (R30)"""
    return sum(worth(slot) for slot in slots if slot.up)


def animals(slots: Iterable[Slot]) -> int:
    """How many different ones are up; the same kind with another value is another. (R31)"""
    return len({slot.card for slot in slots if slot.up and slot.card in ANIMALS})


def by_seat(s: State, count: Callable[[Iterable[Slot]], int]) -> tuple[int, ...]:
    return tuple(count(own(s.rows, s.seats, seat)) for seat in range(s.seats))


def scores(s: State) -> tuple[int, ...]:
    """As if the game ended here: rows, and what was scavenged. (R29)"""
    return tuple(sum(both) for both in zip(by_seat(s, points), map(points, s.found), strict=True))


def result(s: State) -> Result:
    counts, kinds = scores(s), by_seat(s, animals)
    moon = any(slot == Slot("Mn7", up=True) for row in s.rows for slot in row)
    places = standing(counts, kinds, moon).places
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)  # R32
    return Result(counts, kinds, moon, winners)


def standing(counts: Sequence[int], kinds: Sequence[int], moon: bool) -> Outcome:
    """5.3: highest first or, under the moon, lowest; then most different animals either way."""
    best = [(-n if moon else n, kind) for n, kind in zip(counts, kinds, strict=True)]
    return ranked(counts, "lowest under the moon" if moon else "highest", best)


def totalled(totals: Sequence[int], ended: Result) -> tuple[int, ...]:
    """5.4; co-winners each get the whole bonus. (R33)"""
    won = [seat in ended.winners for seat in range(len(totals))]
    if ended.moon:
        return tuple(old + MOON_BONUS * wins for old, wins in zip(totals, won, strict=True))
    rows = zip(totals, ended.scores, won, strict=True)
    return tuple(old + score + BONUS * wins for old, score, wins in rows)


def first(seats: Iterable[Seat], start: Seat, n: int) -> Seat:
    """Whoever of these comes first clockwise from the old starting seat, itself included."""
    return min(seats, key=lambda seat: (seat - start) % n)


def leader(s: State) -> Seat:
    """Who starts the next round of a Great Tree. (R30)"""
    counts = by_seat(s, interim)
    best = [seat for seat, count in enumerate(counts) if count == max(counts)]
    return first(best, s.start, s.seats)


def outcome(s: State) -> Outcome | None:
    ended = s.result
    if s.owed or ended is None:
        return None
    if s.options.match == "single":
        return standing(ended.scores, ended.animals, ended.moon)
    best = [(total, seat in ended.winners) for seat, total in enumerate(s.totals)]
    return ranked(s.totals, "most in the match to 100", best)  # R33
