"""Leaks of High card, planted on purpose."""

from msgspec.structs import replace

from engine.contract import OPEN, Refusal, Told
from engine.games.high_card.rules import Dealt, Shown, Traded
from tests.games.sabotage import Leak, aside, retold, seen, to_all, untold, with_eyes_of


def low(s) -> bool:
    """A secret: is the next card of the deck below the middle?"""
    return s.deck[0] < s.deck[-1]


class Otherwise(Refusal):
    REFUSED = "H2", "It is refused for another reason."


def otherwise(no, s, seat, move):
    """Another `No`, and not None: `apply` is not made for a move that `allows` refuses."""
    return Otherwise.REFUSED if no and s.hands[seat - 1] > s.hands[seat] else no


def shows_early(honest):
    def apply(s, seat, move, dice):
        yield Told(Shown(s.hands))
        return (yield from honest(s, seat, move, dice))

    return apply


def tells_what_was_thrown(honest):
    def apply(s, seat, move, dice):
        thrown = Traded(seat, s.hands[seat])
        return (yield from retold(lambda t: told(t, thrown))(honest)(s, seat, move, dice))

    def told(t, thrown):
        return replace(t, fact=thrown) if isinstance(t.fact, Traded) else t

    return apply


LEAKS = [
    Leak("the deal is told to all", "rules.setup", to_all(Dealt)),
    Leak("a traded card is told to all", "rules.apply", to_all(Traded)),
    Leak("what was thrown is told to all", "rules.apply", tells_what_was_thrown),
    Leak("all hands are shown after each move", "rules.apply", shows_early),
    Leak("all see all hands", "rules.view", with_eyes_of(lambda viewer: OPEN)),
    Leak("watchers see a hand", "rules.view", with_eyes_of(lambda v: 0 if v is None else v)),
    Leak(
        "a seat sees its neighbour's hand, not its own",
        "rules.view",
        with_eyes_of(lambda v: (v + 1) % 2 if isinstance(v, int) else v),
    ),
    Leak(
        "the number of cards says whether the next is low",
        "rules.view",
        seen(lambda view, s, viewer: replace(view, deck=2 * view.deck + low(s))),
    ),
    Leak(
        "a trade for the worse is not offered",
        "rules.legal",
        seen(lambda moves, s, seat: moves[: 1 if moves and s.deck[0] < s.hands[seat] else 2]),
    ),
    Leak(
        "the order of moves says which is better",
        "rules.legal",
        seen(lambda moves, s, seat: moves[::-1] if low(s) else moves),
    ),
    Leak(
        "off turn a move is refused in two ways, by another's card",
        "rules.allows",
        seen(otherwise),
    ),
    Leak("a seat sees its card, but was told nothing", "rules.setup", untold(Dealt)),
    Leak("a seat is told of a trade, not of its card", "rules.apply", aside(Traded)),
]
