"""Leaks of FlipOut, planted on purpose: each shows somebody a face that it may not know."""

from msgspec.structs import replace

from engine.contract import OPEN, Told
from engine.games.flipout.cards import AT, insides, outsides
from engine.games.flipout.facts import (
    Dealt,
    Drew,
    Flipped,
    Refilled,
    Swapped,
    Uncovered,
)
from engine.games.flipout.pieces import No
from tests.games.sabotage import Leak, aside, retold, seen, to_all, untold, with_eyes_of


def red(row: str) -> int:
    """A secret, where the row is: how much of it is red?"""
    return row.count("r")


def own_backs(s, seat) -> str:
    return outsides(s.holders[seat])


def others_fronts(s, seat) -> str:
    return insides(s.holders[(seat + 1) % len(s.holders)])


def seats_view(change):
    """A seat's view with what `change(view, state, seat)` says of the state."""
    return seen(
        lambda view, s, v: replace(view, **change(view, s, v)) if isinstance(v, int) else view
    )


def view(change):
    """Everybody's view with what `change(view, state)` says of the state."""
    return seen(lambda view, s, viewer: replace(view, **change(view, s)))


def shows(view, seat, faces):
    """The holders in a view, that of one seat with other faces."""
    return {"holders": (*view.holders[:seat], tuple(faces), *view.holders[seat + 1 :])}


def with_kinds(view, s):
    """Handles: each face with the kind of its card, however it stands."""
    kinds = [["".join(sorted(card)) for card in holder] for holder in s.holders]
    pairs = zip(view.holders, kinds, strict=True)
    return {"holders": tuple(tuple(map("".join, zip(*pair, strict=True))) for pair in pairs)}


def to_watchers(*kinds):
    """Watchers hear of these what the last seat hears."""
    return retold(lambda t: Told(t.to[-1][1], t.to) if isinstance(t.fact, kinds) else t)


def whole_to(whom, kind, change):
    """A play in which `whom(state, *arguments)` hears of such a fact what `change` makes of it."""

    def planted(honest):
        def play(s, *args):
            def told(t):
                if not isinstance(t.fact, kind):
                    return t
                who = whom(s, *args)
                to = [(v, change(fact, s) if v == who else fact) for v, fact in t.to]
                return Told(t.fact, tuple(to))

            return (yield from retold(told)(honest)(s, *args))

        return play

    return planted


def all_sides(fact, s):
    cells = fact.others + fact.own
    cards = [s.holders[AT[cell][0]][AT[cell][1]][::-1] for cell in cells]
    return replace(fact, faces=tuple(cards))


def drawn_sides(fact, s):
    return replace(fact, faces=s.deck[: len(fact.faces)])


def every_top(honest):
    def refill(s, cells):
        for i in range(1, len(cells)):
            if i < len(s.deck):
                yield Told(Uncovered(s.deck[i][1], len(s.deck) - i))
        return (yield from honest(s, cells))

    return refill


def keeps_the_replaced_card(view, s):
    return {"drawn": view.drawn or (s.deck[-1][0] + "?" if s.deck else None)}


all_to_the_mover = whole_to(lambda s, seat, *cells: seat, Swapped, all_sides)

LEAKS = [
    Leak("the deal is told to all as to one seat", "rules.setup", to_all(Dealt)),
    Leak("watchers are dealt in", "rules.setup", to_watchers(Dealt)),
    Leak("a seat is dealt a hand, but is not told", "rules.setup", untold(Dealt)),
    Leak("the deck shows its top, but no fact says so", "rules.setup", untold(Uncovered)),
    Leak("all see all faces", "looks.view", with_eyes_of(lambda viewer: OPEN)),
    Leak("watchers see all backs", "looks.view", with_eyes_of(lambda v: 9 if v is None else v)),
    Leak("watchers sit with a seat", "looks.view", with_eyes_of(lambda v: 0 if v is None else v)),
    Leak(
        "a seat sees what its neighbour does",
        "looks.view",
        with_eyes_of(lambda v: (v + 1) % 2 if isinstance(v, int) else v),
    ),
    Leak(
        "a seat sees its own backs",
        "looks.view",
        seats_view(lambda view, s, seat: shows(view, seat, s.holders[seat])),
    ),
    Leak(
        "a seat sees the front of one card of its neighbour",
        "looks.view",
        seats_view(
            lambda view, s, seat: shows(view, seat - 1, s.holders[seat - 1][:1] + ("??",) * 5)
        ),
    ),
    Leak("a card has a handle that tells its kind", "looks.view", view(with_kinds)),
    Leak(
        "the deck shows the side that lies down",
        "looks.view",
        view(lambda view, s: {"top": s.deck[0][0] if s.deck else None}),
    ),
    Leak(
        "the size of the deck says what lies under its top",
        "looks.view",
        view(lambda view, s: {"deck": 2 * view.deck + red("".join(s.deck[1:2]))}),
    ),
    Leak("what went under the deck is still shown", "looks.view", view(keeps_the_replaced_card)),
    Leak(
        "the count of quiet turns says how many fronts are red",
        "looks.view",
        view(lambda view, s: {"quiet": view.quiet + red("".join(map(insides, s.holders)))}),
    ),
    Leak("all hear a flip as one seat does", "effects.flip", to_all(Flipped)),
    Leak("a flip shows a face that no fact says", "effects.flip", aside(Flipped)),
    Leak("who swaps learns both sides", "effects.swap", all_to_the_mover),
    Leak("a swap is told to all as to one seat", "effects.swap", to_all(Swapped)),
    Leak("a swap is told to watchers as to a seat", "effects.swap", to_watchers(Swapped)),
    Leak("others see new backs after a swap, but hear of none", "effects.swap", aside(Swapped)),
    Leak(
        "the order of moves says which of one's backs are red",
        "moves.legal",
        seen(lambda moves, s, seat: moves[::-1] if red(own_backs(s, seat)) > 1 else moves),
    ),
    Leak(
        "a slot is not offered if the next front of another is red",
        "moves.legal",
        seen(lambda moves, s, seat: moves[red(others_fronts(s, seat)[:1]) :]),
    ),
    Leak(
        "a move grows less if one's first back is red",
        "moves.grow",
        seen(lambda moves, s, seat, move: list(moves)[red(own_backs(s, seat)[:1]) :]),
    ),
    Leak(
        "sets are judged by both sides",
        "moves.sight",
        seen(
            lambda row, s, seat, first, size: (
                row if others_fronts(s, seat)[0] != "r" else "?" + row[1:]
            )
        ),
    ),
    Leak(
        "a refusal says what one's neighbour holds",
        "moves.allows",
        seen(
            lambda no, s, seat, m: No.NOT_A_SET if no and others_fronts(s, seat)[0] == "r" else no
        ),
    ),
    Leak(
        "off turn a refusal says what stands on one's own back",
        "moves.allows",
        seen(
            lambda no, s, seat, m: (
                No.DECK_EMPTY if no is No.NOT_YOUR_TURN and own_backs(s, seat)[0] == "r" else no
            )
        ),
    ),
]

# The suite may miss these, for sets and draws are rare in random play; `test_looks` sees them.
FACES = [
    Leak(
        "who refills sees the backs of the new cards",
        "effects.refill",
        whole_to(lambda s, cells: AT[cells[0]][0], Refilled, drawn_sides),
    ),
    Leak("watchers hear what is refilled", "effects.refill", to_watchers(Refilled)),
    Leak("others see new cards, but hear of none", "effects.refill", aside(Refilled)),
    Leak("each card of a refill shows its back as it is drawn", "effects.refill", every_top),
    Leak("what is drawn is told to all", "effects.draw", to_all(Drew)),
    Leak("all see what is drawn", "looks.view", view(lambda view, s: {"drawn": s.drawn})),
    Leak("a seat draws, but is not told what", "effects.draw", aside(Drew)),
    Leak("watchers hear what a flip shows", "effects.flip", to_watchers(Flipped)),
    Leak("who swaps learns both sides of cards", "effects.swap", all_to_the_mover),
]
