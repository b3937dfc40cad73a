"""UNO Flip: match the top card by colour, number or symbol; a Flip turns every card over.

Rules and rulings (3.6, R12) are those of the README beside this file.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import Outcome, Seat, Told, ranked
from engine.contract import Play as Telling
from engine.dice import Dice

from .cards import COLOURS, Face, wild
from .draws import pay, pull, shows
from .effects import lay
from .facts import (
    Called,
    Caught,
    Challenged,
    Kept,
    Miscaught,
    Named,
    Passed,
    PileShows,
    Took,
)
from .moves import convicts, live, playable, top
from .pieces import (
    MOST,
    Catch,
    Challenge,
    Draw,
    DrawTwo,
    Keep,
    Move,
    Name,
    NameColour,
    Options,
    Play,
    PlayOrDraw,
    PlayOrKeep,
    State,
    Take,
    TakeOrChallenge,
    Uno,
)
from .rounds import after, deal, end_round, turn_to

NAME, RULES = "uno-flip", 1


def seats(options: Options) -> range:
    return range(2, MOST + 1)


def setup(options: Options, seats: int, dice: Dice) -> Telling[State]:
    nothing = State(options, dice.below(seats), (), (), ((),) * seats, (0,) * seats)  # R22
    return (yield from show_pile(None, (yield from deal(nothing, dice))))


def apply(s: State, seat: Seat, move: Move, dice: Dice) -> Telling[State]:
    pile = shows(s)
    if s.verdict or s.ended or s.returned:
        s = replace(s, verdict=None, ended=None, returned=0)
    s = yield from act(s, seat, move, dice)
    if s.over:
        return s
    if s.ended:  # 3.9: the deal moves one to the left
        s = replace(s, dealer=(s.dealer + 1) % len(s.hands), round=s.round + 1)
        s = yield from deal(s, dice)
    return (yield from show_pile(pile, s))


def show_pile(before: Face | None, s: State) -> Telling[State]:
    if (face := shows(s)) != before:
        yield Told(PileShows(face))
    return s


def act(s: State, seat: Seat, move: Move, dice: Dice) -> Telling[State]:
    """One move, up to the end of the round."""
    match move:
        case Uno():
            yield Told(Called(seat))
            return replace(s, called=True)
        case Catch(target):
            s = yield from catch(s, seat, target, dice)
        case _:
            if s.window != seat:  # 3.7, R10: only another seat's turn shuts it
                s = shut(s)
            s = yield from answer(s, seat, move, dice)
    return s if s.window is None or len(s.hands[s.window]) == 1 else shut(s)  # R24


def shut(s: State) -> State:
    return s if s.window is None else replace(s, window=None, called=False)


def catch(s: State, seat: Seat, target: Seat, dice: Dice) -> Telling[State]:
    """3.7. Turn and question stay as they are. (R25)"""
    if s.called or target != s.window:
        yield Told(Miscaught(target, seat))
        return (yield from pull(s, seat, s.options.false_catch_penalty, dice))
    yield Told(Caught(target, seat))
    return (yield from pull(shut(s), target, s.options.uno_penalty, dice))


def answer(s: State, seat: Seat, move: Move, dice: Dice) -> Telling[State]:
    match move, s.owed[0]:
        case Play(), _:
            return (yield from lay(s, seat, move, dice))
        case Draw(), _:
            return (yield from draw(s, seat, dice))
        case Keep(), _:
            yield Told(Kept(seat))
            return turn_to(s, after(s, seat))
        case Name(named), _:
            yield Told(Named(seat, named))
            return (yield from go_on(replace(s, colour=named, owed=s.owed[1:]), dice))
        case Take(), _:
            yield Told(Took(seat))
            s = yield from pay(s, seat, top(s), dice)
            return turn_to(s, after(s, seat))
        case Challenge(), TakeOrChallenge() as asked:
            return (yield from challenge(s, asked, dice))
    raise AssertionError(f"{move} was not allowed")


def go_on(s: State, dice: Dice) -> Telling[State]:
    """The steps still due, up to the next question."""
    while isinstance(step := s.owed[0], DrawTwo):
        s = yield from pull(replace(s, owed=s.owed[1:]), step.seat, 2, dice)
    return s


def draw(s: State, seat: Seat, dice: Dice) -> Telling[State]:
    at = len(s.hands[seat])
    s = yield from pull(s, seat, 1, dice)
    if len(s.hands[seat]) > at:
        return replace(s, owed=(PlayOrKeep(seat, at),))  # R12
    yield Told(Passed(seat))
    s = turn_to(replace(s, fails=s.fails + 1), after(s, seat))
    return s if s.fails < len(s.hands) else (yield from end_round(s, None))  # R9


def challenge(s: State, asked: TakeOrChallenge, dice: Dice) -> Telling[State]:
    """3.6: guilty, the accused draws; else the challenger, two more. (R26: the colour stays)"""
    seat, accused, face = asked.seat, asked.accused, top(s)
    hand = live(s, accused)[: asked.held]  # R25: caught since, it may hold more
    guilty = convicts(s.options, hand, asked.under, asked.colour)
    told = Challenged(seat, accused, guilty)
    shown = replace(told, hand=tuple(sorted(hand)))
    yield Told(told, ((seat, shown),))  # R21
    s = replace(s, verdict=shown)
    if guilty:
        mild = s.options.guilty_draw_color == "two"  # R2
        s = yield from pay(s, accused, face, dice, mild=mild)
        return turn_to(s, seat)
    s = yield from pay(s, seat, face, dice, extra=2)
    return turn_to(s, after(s, seat))


def outcome(s: State) -> Outcome | None:
    if not s.over:
        return None
    low = s.options.scoring == "low"
    return ranked(s.scores, s.over, [-n for n in s.scores] if low else None)  # R14


def default(s: State, seat: Seat) -> Move:
    """R29: draw and keep, the first colour, take. But a table that blocks must come to an end."""
    match s.owed[0]:
        case PlayOrDraw():
            if s.blocked and (move := next(playable(s, seat), None)):
                named = COLOURS[s.side][0] if wild(move.face) else None
                return replace(move, colour=named)
            return Draw()
        case PlayOrKeep():
            return Keep()
        case NameColour():
            return Name(COLOURS[s.side][0])
    return Take()
