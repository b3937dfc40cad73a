"""Leaks of Flipology, planted on purpose."""

from msgspec.structs import replace

from engine.contract import OPEN, Told
from engine.games.flipology.cards import ACTIVE, SHY
from engine.games.flipology.facts import (
    Committed,
    Dealt,
    Flipped,
    Peeked,
    Regrown,
    Swapped,
)
from engine.games.flipology.moves import No
from engine.games.flipology.pieces import TurnUpOneOrNone
from tests.games.sabotage import Leak, aside, retold, seen, to_all, untold, with_eyes_of


def active(cards) -> int:
    """A secret: how many of these have an effect?"""
    return sum(card in ACTIVE for card in cards)


def next_active(s) -> int:
    return active(s.deck[:1])


def backs(s, seat) -> list[str]:
    """What lies face down in the rows of the next seat, or what it holds."""
    other = (seat + 1) % s.seats
    down = [slot.card for row in s.rows[other :: s.seats] for slot in row if not slot.up]
    return [*down, *s.hands[other]]


def odd(s, seat) -> int:
    return active(backs(s, seat)) % 2


def view(change):
    """A view that also shows what `change(view, state)` says of the state."""
    return seen(lambda view, s, viewer: replace(view, **change(view, s)))


def fact_with(kind, change):
    """Everybody's version of such a fact, changed by `change(fact, state, *arguments)`."""

    def planted(honest):
        def play(s, *args):
            def told(t):
                return Told(change(t.fact, s, *args), t.to) if isinstance(t.fact, kind) else t

            return (yield from retold(told)(honest)(s, *args))

        return play

    return planted


def trail_keeps_what_was_peeked(honest):
    def peek(s, cells):
        after = yield from honest(s, cells)
        cards = tuple(s.at(cell).card for cell in cells)
        return replace(after, trail=(*after.trail[:-1], Peeked(s.turn, cells, cards)))

    return peek


def all_see_what_is_peeked(cells, s, viewer):
    return s.owed[0].cells if s.owed and isinstance(s.owed[0], TurnUpOneOrNone) else ()


def scored_already(honest):
    return lambda s, rows, viewer, scored, peeked: honest(s, rows, viewer, True, peeked)


LEAKS = [
    Leak("hands are dealt to all", "rules.hand_out", to_all(Dealt)),
    Leak("a row is told to all as it is committed", "rules.commit", to_all(Committed)),
    Leak("what the sun sees is told to all", "effects.peek", to_all(Peeked)),
    Leak("what a mole brings, face down, is told to all", "effects.swap", to_all(Swapped)),
    Leak("all see all faces", "views.view", with_eyes_of(lambda viewer: OPEN)),
    Leak("watchers see a row", "views.view", with_eyes_of(lambda v: 0 if v is None else v)),
    Leak("all see what the sun shows", "views.peeked", seen(all_see_what_is_peeked)),
    Leak(
        "all see the discard pile",
        "views.known",
        seen(lambda cards, s, viewer: tuple(slot.card for slot in s.pile)),
    ),
    Leak(
        "all see rows in the making",
        "views.view",
        view(lambda v, s: {"plans": s.plans}),
    ),
    Leak(
        "readiness tells what a row begins with",
        "views.view",
        view(lambda v, s: {"ready": tuple(plan[:1] for plan in s.plans)}),
    ),
    Leak("all see what was discarded", "views.view", view(lambda v, s: {"away": s.away})),
    Leak("sloths and koalas are turned over too early", "views.table", scored_already),
    Leak(
        "the size of the deck tells what is dealt next",
        "views.view",
        view(lambda v, s: {"deck": 2 * v.deck + next_active(s)}),
    ),
    Leak(
        "the discard pile is larger with sloths in it",
        "views.view",
        view(lambda v, s: {"piled": sum(1 + (slot.card in SHY) for slot in s.pile)}),
    ),
    Leak(
        "how many cards a seat holds tells how many have an effect",
        "views.view",
        view(lambda v, s: {"held": tuple(len(hand) + 10 * active(hand) for hand in s.hands)}),
    ),
    Leak("the trail keeps what was peeked", "effects.peek", trail_keeps_what_was_peeked),
    Leak(
        "a dog does not reach a hidden sloth",
        "reach.aims",
        seen(lambda cells, s, q: tuple(c for c in cells if s.at(c).card not in SHY)),
    ),
    Leak(
        "the order of moves tells what another hides",
        "choices.legal",
        seen(lambda moves, s, seat: list(moves)[:: 1 - 2 * odd(s, seat)]),
    ),
    Leak(
        "a move grows less when another hides an even number of effects",
        "choices.grow",
        seen(lambda moves, s, seat, move: list(moves)[odd(s, seat) :]),
    ),
    Leak(
        "a refusal tells what another hides",
        "choices.allows",
        seen(lambda no, s, seat, move: No.RAINED if no and odd(s, seat) else no),
    ),
    Leak("a hand is dealt, but its seat is not told", "rules.hand_out", aside(Dealt)),
    Leak("a row gains a back, but its seat is not told", "effects.swap", aside(Swapped)),
    Leak("the sun shows cards, but no fact says so", "effects.peek", aside(Peeked)),
    Leak("a card turns up, but no fact says so", "effects.turn_over", untold(Flipped)),
    Leak(
        "regrowing tells what was given back",
        "rules.regrow",
        fact_with(Regrown, lambda f, s, seat, *_: Regrown(seat, 2 * active(s.hands[seat]))),
    ),
]
