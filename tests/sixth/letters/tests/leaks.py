"""Leaks of Letters, planted on purpose."""

from msgspec.structs import replace

from engine.contract import OPEN, Told
from letters.rules import Compared, Dealt, Drawn, Looked, No, Shown, Swapped
from tests.games.sabotage import Leak, aside, seen, to_all, untold, with_eyes_of


def low(s) -> bool:
    """A secret: is the next card of the deck low?"""
    return bool(s.deck) and s.deck[0] < 3


def shows_early(honest):
    def apply(s, seat, move, dice):
        yield Told(Shown(tuple(hand[0] if hand else None for hand in s.hands)))
        return (yield from honest(s, seat, move, dice))

    return apply


LEAKS = [
    Leak("the deal is told to all", "rules.setup", to_all(Dealt)),
    Leak("what is drawn is told to all", "rules.apply", to_all(Drawn)),
    Leak("what a priest sees is told to all", "rules.apply", to_all(Looked)),
    Leak("what a baron compares is told to all", "rules.apply", to_all(Compared)),
    Leak("what a king swaps is told to all", "rules.apply", to_all(Swapped)),
    Leak("all hands are shown before each move", "rules.apply", shows_early),
    Leak("all see all hands", "rules.view", with_eyes_of(lambda viewer: OPEN)),
    Leak("watchers see a hand", "rules.view", with_eyes_of(lambda v: 0 if v is None else v)),
    Leak(
        "the number of cards says whether the next is low",
        "rules.view",
        seen(lambda view, s, viewer: replace(view, deck=2 * view.deck + low(s))),
    ),
    Leak(
        "the number of cards says what was put aside",
        "rules.view",
        seen(lambda view, s, viewer: replace(view, deck=view.deck + 20 * (s.aside == 8))),
    ),
    Leak(
        "the order of moves says what the next card is",
        "rules.legal",
        seen(lambda moves, s, seat: tuple(moves)[::-1] if low(s) else moves),
    ),
    Leak(
        "off turn a move is refused or not by another's card",
        "rules.allows",
        seen(lambda no, s, seat, move: No.NOT_HELD if (8,) in s.hands else no),
    ),
    Leak("a seat sees its card, but was told nothing", "rules.setup", untold(Dealt)),
    Leak("a seat is told of a draw, not of its card", "rules.apply", aside(Drawn)),
]
