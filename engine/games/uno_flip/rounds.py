"""A round's beginning and end: the deal, the card turned up, the count of what is left in hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine.contract import Play as Telling
from engine.contract import Seat, Told
from engine.dice import Dice

from .cards import CARDS, DARK, FACE, LIGHT, Card, Faces, colour, in_order, points, wild
from .draws import pull
from .facts import Dealt, RoundEnded, TurnedUp
from .moves import idle, live, top
from .pieces import HAND, DrawTwo, NameColour, Owed, PlayOrDraw, State


def after(s: State, seat: Seat) -> Seat:
    """The next seat, the way the play goes."""
    return (seat + s.way) % len(s.hands)


def turn_to(s: State, seat: Seat) -> State:
    return replace(s, owed=(PlayOrDraw(seat),))


def deal(s: State, dice: Dice) -> Telling[State]:
    """2.3: a fresh round; cards go one at a time, from the dealer's left on."""
    pile, n = list(dice.shuffled(CARDS)), len(s.hands)
    hands: list[list[Card]] = [[] for _ in range(n)]
    for i in range(HAND * n):
        hands[(s.dealer + 1 + i) % n].append(pile.pop())
    fresh = State(  # R23: light, clockwise
        options=s.options,
        dealer=s.dealer,
        draw=tuple(pile),
        discards=(),
        hands=tuple(map(tuple, hands)),
        scores=s.scores,
        round=s.round,
        blocked=s.blocked,
        ended=s.ended,
    )
    return (yield from turn_up(fresh, dice))


def turn_up(s: State, dice: Dice) -> Telling[State]:
    """2.4: the first discard, and what it does. It opens no window and no challenge."""
    s = put_back(s, dice)
    face, left = FACE[LIGHT][s.draw[-1]], after(s, s.dealer)
    s = replace(s, draw=s.draw[:-1], discards=s.draw[-1:], colour=colour(face))
    over = None
    if face[1:] == "F":  # R7
        s = flipped(s)
        over = top(s)
    yield each(s, lambda hand, backs: Dealt(s.dealer, s.round, hand, backs))
    yield Told(TurnedUp(face, over, s.returned))
    second = after(s, left)
    if wild(top(s)):
        chooser = s.dealer if s.options.opening_wild == "dealer" else left  # R5, R7
        due: tuple[Owed, ...] = (PlayOrDraw(left),)
        if face == "W2":
            due = (DrawTwo(left), PlayOrDraw(second))
        return replace(s, owed=(NameColour(chooser), *due))
    match face[1]:
        case "D":
            s = yield from pull(s, left, 1, dice)
            return replace(s, owed=(PlayOrDraw(second),))
        case "S":
            return replace(s, owed=(PlayOrDraw(second),))
        case "V":
            return replace(s, way=-1, owed=(PlayOrDraw(s.dealer),))
    return replace(s, owed=(PlayOrDraw(left),))


def put_back(s: State, dice: Dice) -> State:
    """R16: a Wild Draw Two on top goes back, and the pile is shuffled as it lies."""
    while s.options.opening_w2 == "return" and FACE[LIGHT][s.draw[-1]] == "W2":
        s = replace(s, draw=dice.shuffled(s.draw), returned=s.returned + 1)
    return s


def flipped(s: State) -> State:
    """3.5: both piles are turned over, so what was at the bottom is on top. (R18)"""
    side = DARK if s.side == LIGHT else LIGHT
    active = colour(FACE[side][s.discards[0]])  # a wild has none, and nothing has an effect (R4)
    return replace(s, side=side, colour=active, discards=s.discards[::-1], draw=s.draw[::-1])


def each(s: State, fact: Callable[[Faces, tuple[Faces, ...]], Any]) -> Told:
    """A fact with, for each seat, its own live faces and the idle ones of the others."""
    seats = range(len(s.hands))
    backs = [idle(s, seat) if s.options.backs == "open" else () for seat in seats]
    versions = [
        (seat, fact(live(s, seat), tuple([() if p == seat else backs[p] for p in seats])))
        for seat in seats
    ]
    return Told(fact((), ()), tuple(versions))


def end_round(s: State, out: Seat | None) -> Telling[State]:
    """3.9: the live side counts (R11); who went out scores the others, or each its own."""
    hands = tuple([in_order(live(s, seat)) for seat in range(len(s.hands))])
    left = [sum(points(face, s.side) for face in hand) for hand in hands]
    if s.options.scoring == "winner":  # R9: of a blocked round nobody has anything
        left = [sum(left) if seat == out else 0 for seat in range(len(left))]
    scores = tuple(map(sum, zip(s.scores, left, strict=True)))
    ended = RoundEnded(out, s.side, top(s), hands, tuple(left), scores)
    yield Told(ended)
    over = ""
    if s.options.target == "round":
        over = "a single round"
    elif max(scores) >= s.options.target:  # R27
        over = f"{s.options.target} points"
    blocked = s.blocked + (out is None)
    return replace(
        s,
        owed=(),
        scores=scores,
        window=None,
        called=False,
        ended=ended,
        over=over,
        blocked=blocked,
    )
