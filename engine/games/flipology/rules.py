"""Flipology: turn over a card of your row, and see what that sets off.

Rules and rulings (3.5, R7) are those of the README beside this file.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import Play, Seat, Told, put
from engine.dice import Dice

from .cards import CLEARINGS, KIND, Card, Kind, deck
from .choices import to_act
from .effects import piled, take, tell
from .facts import (
    Committed,
    Dealt,
    Declined,
    Face,
    Laid,
    Regrown,
    Revealed,
    Scavenged,
    Scored,
    Searched,
    Started,
    Totalled,
)
from .moves import Arrange, Flip, Move, Pass, Regrow, Scavenge
from .pieces import (
    LEVELS,
    LayRow,
    MayRegrow,
    MayScavenge,
    Options,
    Slot,
    State,
    TurnOne,
)
from .scores import GOAL, first, leader, result, totalled, worth
from .views import revealed

NAME, RULES = "flipology", 1


def seats(options: Options) -> range:
    return range(2, 5) if options.tree else range(2, 9)


def setup(options: Options, seats: int, dice: Dice) -> Play[State]:
    start = dice.below(seats)  # R6
    none: tuple[tuple[Card, ...], ...] = ((),) * seats
    s = State(
        options=options,
        start=start,
        turn=start,
        deck=(),
        hands=none,
        plans=((),) * seats,
        owed=(),
        regrown=(False,) * seats,
        totals=(0,) * seats,
        found=((),) * seats,
    )
    return (yield from shuffle(s, dice))


def shuffle(s: State, dice: Dice) -> Play[State]:
    """A whole deck is mixed and a game begins."""
    return (yield from deal(replace(s, deck=dice.shuffled(deck(left_out(s.options))))))


def left_out(options: Options) -> tuple[Kind, ...]:
    """The kinds that these options do without. (2.1, R3)"""
    kinds: tuple[Kind, ...] = ("rain", "crab") if options.tree else ()
    if not options.moon:
        kinds += ("moon",)
    return kinds if options.wolves else (*kinds, "wolves")


def deal(s: State) -> Play[State]:
    """2.4: whole hands, clockwise from the starting seat; then who may, regrows."""
    yield Told(Started(s.start, s.game, len(s.rows) // s.seats + 1))
    order = clockwise(s)
    for seat in order:
        s = yield from hand_out(s, seat)
    asked = [seat for seat in order if s.options.tree and not s.regrown[seat]]
    questions = (*map(MayRegrow, asked), LayRow())
    return replace(s, turn=s.start, turns=0, plans=((),) * s.seats, owed=questions)


def clockwise(s: State) -> list[Seat]:
    """All seats from the starting one."""
    return [(s.start + i) % s.seats for i in range(s.seats)]


def hand_out(s: State, seat: Seat) -> Play[State]:
    """A hand from the top of the deck."""
    size = s.options.hand
    hand = s.deck[:size]
    yield Told(Dealt(seat, size), to=((seat, Dealt(seat, size, hand)),))
    return replace(s, hands=put(s.hands, seat, hand), deck=s.deck[size:])


def apply(s: State, seat: Seat, move: Move, dice: Dice) -> Play[State]:
    question, owed = s.owed[0], s.owed[1:]
    match move:
        case Flip() | Pass():  # a new turn: what was shown of the last is put away
            s = replace(s, owed=owed, trail=(), result=None, past=())
        case Arrange(row):
            return (yield from commit(s, seat, row))
        case Regrow(yes):
            return (yield from regrow(s, seat, yes, dice))
        case Scavenge():
            return (yield from scavenge(s, seat, move, dice))
        case _:
            s = replace(s, owed=owed)
    s = yield from take(s, question, move)
    return s if s.owed else (yield from end_turn(s, dice))


def regrow(s: State, seat: Seat, yes: bool, dice: Dice) -> Play[State]:
    """R7: new cards are drawn before the old ones are shuffled back."""
    yield Told(Regrown(seat, yes))
    s = replace(s, owed=s.owed[1:])
    if not yes:
        return s
    old = s.hands[seat]
    s = yield from hand_out(s, seat)
    return replace(s, deck=dice.shuffled((*s.deck, *old)), regrown=put(s.regrown, seat, True))


def commit(s: State, seat: Seat, row: tuple[int, ...]) -> Play[State]:
    """3.1: a row is arranged in secret; the last one lays them all."""
    hand = s.hands[seat]
    cards = tuple(hand[i - 1] for i in row)
    yield Told(Committed(seat), to=((seat, Committed(seat, cards, laid_away(hand, row))),))
    s = replace(s, plans=put(s.plans, seat, row))
    return s if to_act(s) else (yield from lay(s))


def laid_away(hand: tuple[Card, ...], row: tuple[int, ...]) -> tuple[Card, ...]:
    """What is not in the row, in the order of the hand."""
    return tuple(card for i, card in enumerate(hand, 1) if i not in row)


def lay(s: State) -> Play[State]:
    """All have committed. The rows come seat by seat, so no order of arrival shows."""
    both = list(zip(s.hands, s.plans, strict=True))
    rows = [tuple(Slot(hand[i - 1]) for i in plan) for hand, plan in both]
    away = tuple(laid_away(hand, plan) for hand, plan in both)
    yield Told(Laid(len(s.rows) // s.seats + 1, s.start))
    return replace(
        s,
        rows=(*s.rows, *rows),
        away=away,
        pile=piled(s.pile, *(Slot(card) for cards in away for card in cards)),
        hands=((),) * s.seats,
        plans=((),) * s.seats,
        owed=(TurnOne(),),
    )


def end_turn(s: State, dice: Dice) -> Play[State]:
    """3.5: the next seat's turn, or the end of the round or the game."""
    turns = s.turns + 1
    s = replace(s, turns=turns, turn=(s.turn + 1) % s.seats, acted=(), owed=(TurnOne(),))
    if turns < s.options.turns * s.seats:
        return s
    if not s.options.tree:
        return (yield from search(replace(s, owed=crabs(s)), dice))
    if len(s.rows) == LEVELS * s.seats:
        return (yield from score(s, dice))
    return (yield from deal(replace(s, start=leader(s))))  # R30


def crabs(s: State) -> tuple[MayScavenge, ...]:
    """A question for each hermit crab that is up. (R29)"""
    return tuple(
        MayScavenge(seat)
        for seat in clockwise(s)
        for slot in s.rows[seat]
        if slot.up and KIND[slot.card] == "crab"
    )


def search(s: State, dice: Dice) -> Play[State]:
    """The next hermit crab is shown the pile; after the last one the game is scored. (3.5)"""
    if not s.owed:
        return (yield from score(s, dice))
    (seat,) = to_act(s)
    cards = tuple(slot.card for slot in s.pile)
    count = len(cards)
    yield Told(Searched(seat, count), to=((seat, Searched(seat, count, cards)),))
    return s


def scavenge(s: State, seat: Seat, move: Scavenge, dice: Dice) -> Play[State]:
    """R29; of two alike, the one that all saw go to the pile leaves it."""
    s = replace(s, owed=s.owed[1:])
    if move.card is None:
        s = yield from tell(s, Declined(seat))
        return (yield from search(s, dice))
    taken = max(slot for slot in s.pile if slot.card == move.card)
    i = s.pile.index(taken)
    found = Slot(move.card, up=move.lies != "down")
    s = yield from tell(s, Scavenged(seat, move.card, worth(found)))
    pile = (*s.pile[:i], *s.pile[i + 1 :])
    s = replace(s, pile=pile, found=put(s.found, seat, (*s.found[seat], found)))
    return (yield from search(s, dice))


def score(s: State, dice: Dice) -> Play[State]:
    """5: sloths and koalas are turned over, and the game or the match has its winners."""
    cells = s.board.rows
    faces = [
        Face(cell, slot.card)
        for names, row in zip(cells, s.rows, strict=True)
        for cell, slot in zip(names, row, strict=True)
        if revealed(slot)
    ]
    yield Told(Revealed(tuple(faces)))
    ended = result(s)
    yield Told(Scored(ended.scores, ended.animals, ended.moon, ended.winners))
    s = replace(s, result=ended, owed=())
    if s.options.match == "single":
        return s
    s = replace(s, totals=totalled(s.totals, ended))
    yield Told(Totalled(s.totals))
    return s if max(s.totals) >= GOAL else (yield from play_on(s, dice))


def play_on(s: State, dice: Dice) -> Play[State]:
    """Another game; a winner starts it. (R6, R33)"""
    assert s.result is not None
    seats = s.seats
    fresh = replace(
        s,
        start=first(s.result.winners, s.start, seats),
        game=s.game + 1,
        past=s.rows,
        rows=(),
        pile=(),
        away=(),
        found=((),) * seats,
        clearings=CLEARINGS,
    )
    return (yield from shuffle(fresh, dice))
