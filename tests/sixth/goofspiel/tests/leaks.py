"""Leaks of Goofspiel, planted on purpose."""

from msgspec.structs import replace

from goofspiel.rules import Laid, Opened, Turned
from tests.games.sabotage import Leak, seen, to_all, untold, with_eyes_of


def high(s) -> bool:
    """A secret: is the next prize above the last?"""
    return len(s.deck) > 1 and s.deck[0] > s.deck[-1]


def some_bid(s, seat) -> int:
    """A secret: the highest bid of another seat, 0 if there is none."""
    return max((bid or 0 for other, bid in enumerate(s.bids) if other != seat), default=0)


def without_bids(view, s, viewer):
    pairs = zip(s.hands, s.bids, strict=True)
    hands = tuple(tuple(card for card in hand if card != bid) for hand, bid in pairs)
    return replace(view, hands=hands)


LEAKS = [
    Leak("a bid is told to all", "rules.apply", to_all(Laid)),
    Leak("hands are shown without the bids", "rules.view", seen(without_bids)),
    Leak("watchers see a bid", "rules.view", with_eyes_of(lambda v: 0 if v is None else v)),
    Leak(
        "a seat sees its neighbour's bid, not its own",
        "rules.view",
        with_eyes_of(lambda v: (v + 1) % 2 if isinstance(v, int) else v),
    ),
    Leak(
        "the number of prizes says whether the next is high",
        "rules.view",
        seen(lambda view, s, viewer: replace(view, left=2 * view.left + high(s))),
    ),
    Leak(
        "the order of bids says whether the next prize is high",
        "rules.legal",
        seen(lambda moves, s, seat: moves[::-1] if high(s) else moves),
    ),
    Leak(
        "what cannot win is not offered",
        "rules.legal",
        seen(lambda moves, s, seat: [m for m in moves if m.card >= some_bid(s, seat)]),
    ),
    Leak(
        "off turn a bid is refused or not by another's",
        "rules.allows",
        seen(lambda no, s, seat, move: no if some_bid(s, seat) % 2 else None),
    ),
    Leak("the next prize lies there, but nobody was told", "rules.apply", untold(Turned)),
    Leak("bids leave the hands, but were not opened", "rules.apply", untold(Opened)),
]
