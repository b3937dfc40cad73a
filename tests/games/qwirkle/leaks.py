"""Leaks of Qwirkle, planted on purpose."""

from msgspec.structs import replace

from engine.contract import OPEN, put
from engine.games.qwirkle.pieces import Announced, Drew, No, Placed, Swapped
from tests.games.sabotage import Leak, aside, retold, seen, to_all, untold, with_eyes_of


def red(tiles) -> int:
    """A secret: how many of these are red?"""
    return sum(tile[0] == "R" for tile in tiles)


def next_red(s) -> int:
    return red(s.bag[-1:])


def others(s, seat) -> int:
    return red(s.hands[(seat + 1) % len(s.hands)])


def view(change):
    """A view that also shows what `change(view, state)` says of the state."""
    return seen(lambda view, s, viewer: replace(view, **change(view, s)))


def sees_the_next_hand_too(view, s, viewer):
    if not isinstance(viewer, int):
        return view
    other = (viewer + 1) % len(s.hands)
    return replace(view, hands=put(view.hands, other, s.hands[other]))


def swap_is_remembered(honest):
    def swap(s, seat, tiles, dice):
        after = yield from honest(s, seat, tiles, dice)
        return replace(after, last=replace(after.last, swapped=len(tiles) + 10 * red(tiles)))

    return swap


def fact_with(kind, change):
    """Everybody's version of such a fact, changed by `change(fact, state, *arguments)`."""

    def planted(honest):
        def play(s, *args):
            def told(t):
                if not isinstance(t.fact, kind):
                    return t
                return replace(t, fact=change(t.fact, s, *args))

            return (yield from retold(told)(honest)(s, *args))

        return play

    return planted


def announces_reds(honest):
    def setup(*args):
        hands = {}

        def told(t):
            if isinstance(t.fact, Drew):
                hands[t.fact.seat] = t.to[0][1].tiles
            if isinstance(t.fact, Announced):
                return replace(t, fact=Announced(t.fact.seat, 10 * red(hands[t.fact.seat])))
            return t

        return (yield from retold(told)(honest)(*args))

    return setup


LEAKS = [
    Leak("the deal is told to all", "rules.setup", to_all(Drew)),
    Leak("what is drawn is told to all", "rules.apply", to_all(Drew)),
    Leak("what is swapped is told to all", "rules.apply", to_all(Swapped)),
    Leak("all see all hands", "rules.view", with_eyes_of(lambda viewer: OPEN)),
    Leak("watchers see a hand", "rules.view", with_eyes_of(lambda v: 0 if v is None else v)),
    Leak("a seat sees the next hand too", "rules.view", seen(sees_the_next_hand_too)),
    Leak(
        "the size of the bag says what is drawn next",
        "rules.view",
        view(lambda v, s: {"bag": 2 * v.bag + next_red(s)}),
    ),
    Leak(
        "how many tiles a seat holds says how many are red",
        "rules.view",
        view(lambda v, s: {"held": tuple(len(hand) + 10 * red(hand) for hand in s.hands)}),
    ),
    Leak(
        "the announced number says more than its size",
        "rules.view",
        view(lambda v, s: {"announced": tuple(10 * red(h) for h in s.hands)[: len(v.announced)]}),
    ),
    Leak("an announcement names a colour", "rules.setup", announces_reds),
    Leak(
        "the count of swaps says what lies at the bottom of the bag",
        "rules.view",
        view(lambda v, s: {"swaps": v.swaps + red(s.bag[:1])}),
    ),
    Leak(
        "a place is not offered when a red tile comes next",
        "moves.legal",
        seen(lambda moves, s, seat: list(moves)[next_red(s) :]),
    ),
    Leak(
        "the order of moves says what another holds",
        "moves.legal",
        seen(lambda moves, s, seat: sorted(moves, key=repr, reverse=others(s, seat) > 1)),
    ),
    Leak(
        "a move grows less when a red tile comes next",
        "moves.grow",
        seen(lambda moves, s, seat, move: list(moves)[next_red(s) :]),
    ),
    Leak(
        "a refusal says what another holds",
        "moves.allows",
        seen(lambda no, s, seat, m: No.OCCUPIED if no and others(s, seat) > 1 else no),
    ),
    Leak(
        "off turn a refusal says what one's neighbour holds",
        "moves.allows",
        seen(lambda no, s, seat, m: No.GAP if seat != s.turn and others(s, seat) > 1 else no),
    ),
    Leak("the last move says which tiles were swapped", "rules.swap", swap_is_remembered),
    Leak(
        "the count of a swap says which tiles",
        "rules.swap",
        fact_with(Swapped, lambda f, s, seat, tiles, dice: Swapped(seat, 10 * red(tiles))),
    ),
    Leak(
        "the points of a move say what is drawn next",
        "rules.apply",
        fact_with(Placed, lambda f, s, *args: replace(f, points=f.points + red(s.bag[-6:]))),
    ),
    Leak("a seat draws, but is not told what", "rules.apply", aside(Drew)),
    Leak("a seat is dealt a hand, but is not told", "rules.setup", untold(Drew)),
    Leak("a hand is announced, but no fact says so", "rules.setup", untold(Announced)),
]
