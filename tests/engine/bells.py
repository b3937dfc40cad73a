"""A game for tests of the fold: all seats act at once, and only some moves use chance.

A seat rings (one die is thrown and told to it alone), taps (no die), wakes all others, or rests;
the match waits for those who do not rest and ends when all do. Most rings win.
"""

from __future__ import annotations

from msgspec import Struct

from engine.contract import Outcome, Play, Refusal, Said, Told, put, ranked

NAME, RULES = "bells", 3


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    sides: int = 6


class State(Struct, frozen=True, forbid_unknown_fields=True):
    sides: int
    rings: tuple[int, ...]
    awake: tuple[int, ...]
    last: int = 0


class Ring(Struct, frozen=True, forbid_unknown_fields=True, tag="ring"):
    pass


class Tap(Struct, frozen=True, forbid_unknown_fields=True, tag="tap"):
    pass


class Wake(Struct, frozen=True, forbid_unknown_fields=True, tag="wake"):
    pass


class Rest(Struct, frozen=True, forbid_unknown_fields=True, tag="rest"):
    pass


class Done(Struct, frozen=True, forbid_unknown_fields=True, tag="done"):
    seat: int
    thrown: int | None = None


class No(Refusal):
    ASLEEP = "B1", "You rest."


class words:
    write = staticmethod(lambda move: type(move).__name__.lower())
    say = staticmethod(lambda fact: Said("{seat} did.", {"seat": fact.seat}))


Move, Fact = Ring | Tap | Wake | Rest, Done
MOVES = (Ring(), Tap(), Wake(), Rest())


def seats(options: Options) -> range:
    return range(1, 5)


def setup(options: Options, seats: int, dice) -> Play[State]:
    yield Told(None)
    return State(options.sides, (0,) * seats, tuple(range(seats)))


def to_act(s: State) -> tuple[int, ...]:
    return s.awake


def legal(s: State, seat: int):
    return MOVES if seat in s.awake else ()


def grow(s: State, seat: int, move: Move):
    return ()


def allows(s: State, seat: int, move: Move) -> No | None:
    return None if seat in s.awake else No.ASLEEP


def apply(s: State, seat: int, move: Move, dice) -> Play[State]:
    thrown = dice.below(s.sides) if isinstance(move, Ring) else None
    yield Told(Done(seat), to=((seat, Done(seat, thrown)),))
    awake = s.awake
    if isinstance(move, Wake):
        awake = tuple(range(len(s.rings)))
    if isinstance(move, Rest):
        awake = tuple(other for other in awake if other != seat)
    rings = put(s.rings, seat, s.rings[seat] + isinstance(move, Ring))
    return State(s.sides, rings, awake, s.last if thrown is None else thrown)


def view(s: State, viewer) -> State:
    return State(s.sides, s.rings, s.awake)


def outcome(s: State) -> Outcome | None:
    return None if s.awake else ranked(s.rings, "most rings")


def default(s: State, seat: int) -> Move:
    return Rest()
