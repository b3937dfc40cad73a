"""What a turn does: cards turn over, effects wake, and each leads to at most one more. (R16)

Every function takes a state and returns the next one; what it yields, all hear as it happens.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import Play, Told, put

from .board import Cell, Cells, but
from .cards import ACTIVE, CLEARING, KIND, Imitable, Kind
from .facts import (
    Declined,
    Flipped,
    Imitated,
    Passed,
    Peeked,
    Picked,
    Removed,
    Stayed,
    Step,
    Swapped,
    Woken,
)
from .moves import Flip, Imitate, Move, Pass, Peek, PeekFlip, Pick, Target, Targets
from .pieces import (
    Aim,
    Effect,
    FlipTwo,
    ImitateOne,
    PeekAtThree,
    Question,
    RainOn,
    Row,
    Slot,
    State,
    TurnUpOneOrNone,
    UseOneOf,
)
from .reach import aims, copied, fixed, single, unseen

LIMIT = 3  # R17


def tell(s: State, fact: Step) -> Play[State]:
    """All hear this, and the trail of the turn keeps it."""
    yield Told(fact)
    return replace(s, trail=(*s.trail, fact))


def take(s: State, question: Question, move: Move) -> Play[State]:
    """Any move of a turn, in answer to a question that is no longer owed."""
    match move:
        case Flip(cell):
            return (yield from flip(s, cell))
        case Target(cell):
            return (yield from aim(s, question, cell))
        case Targets(cells):
            return (yield from flip_two(s, tuple(sorted(cells))))
        case Pick(cell):
            s = yield from tell(s, Picked(cell))
            return (yield from wake(s, cell))
        case Imitate(kind):
            assert isinstance(question, ImitateOne)
            return (yield from imitate(s, question.at, kind))
        case Peek(cells):
            return (yield from peek(s, tuple(sorted(cells))))
        case PeekFlip(None):
            return (yield from tell(s, Declined(s.turn)))
        case PeekFlip(cell) if cell is not None:
            return (yield from turn_over(s, cell))  # R11: what the sun turns up does not act
    assert isinstance(move, Pass)
    return (yield from tell(s, Passed(s.turn)))


def aim(s: State, question: Question, cell: Cell) -> Play[State]:
    """The one cell that this question asked for."""
    match question:
        case Aim("mole", at):
            return (yield from swap(s, at, cell))
        case Aim("wolves"):
            return (yield from remove(s, cell))
        case RainOn(at, wet):  # R11, R24
            s = yield from turn_over(s, cell)
            return ask(s, RainOn(at, (*wet, s.board.owner(cell))))
    return (yield from flip(s, cell))


def turn_over(s: State, cell: Cell) -> Play[State]:
    """Face down goes up, face up down, but for cats; nothing acts yet. (R9, R15)"""
    r, i = s.board.at[cell]
    row = s.rows[r]
    slot = row[i]
    if fixed(slot):
        return (yield from tell(s, Stayed(cell)))
    fact = Flipped(cell, None if slot.up else slot.card)
    yield Told(fact)
    rows = put(s.rows, r, put(row, i, Slot(slot.card, not slot.up)))
    return replace(s, rows=rows, trail=(*s.trail, fact))


def laid(s: State, cell: Cell, slot: Slot) -> tuple[Row, ...]:
    """The rows with this card at that place."""
    r, i = s.board.at[cell]
    return put(s.rows, r, put(s.rows[r], i, slot))


def flip(s: State, cell: Cell) -> Play[State]:
    """By the seat or an animal: what turns up and is active acts. (R11)"""
    s = yield from turn_over(s, cell)
    return (yield from wake(s, cell)) if acts(s, cell) else s


def acts(s: State, cell: Cell) -> bool:
    """Has this card, just turned over, an effect to carry out? (R17: so often, and no more.)"""
    slot = s.at(cell)
    return slot.up and slot.card in ACTIVE and s.acted.count(cell) < LIMIT


def wake(s: State, cell: Cell) -> Play[State]:
    kind = KIND[s.at(cell).card]
    fact = Woken(cell, kind)
    yield Told(fact)
    s = replace(s, trail=(*s.trail, fact), acted=(*s.acted, cell))
    return (yield from act(s, kind, cell))


def act(s: State, kind: Kind, at: Cell) -> Play[State]:
    """The effect of this kind from this cell, be it a parrot that lies there. (R18)"""
    if aimed := single(kind):
        return ask(s, Aim(aimed, at))
    match kind:
        case "monkey" if s.options.tree:
            return ask(s, FlipTwo(at))
        case "monkey":
            return (yield from flip_two(s, s.board.beside[at]))
        case "parrot":
            return ask(s, ImitateOne(at))
        case "rain":
            return ask(s, RainOn(at))
        case "sun":
            return ask(s, PeekAtThree(at))
    for cell in s.board.along[at]:  # wind; R11
        s = yield from turn_over(s, cell)
    return s


def ask(s: State, question: Effect) -> State:
    """Owe an answer, unless there is none to give. (R13)"""
    some = True
    match question:
        case Aim("hawk" | "wolves"):
            some = bool(aims(s, question))
        case RainOn(_, wet):
            some = len(wet) < s.seats
        case ImitateOne():
            some = bool(copied(s))
        case PeekAtThree():
            some = bool(unseen(s))
    return replace(s, owed=(question, *s.owed)) if some else s


def flip_two(s: State, pair: Cells) -> Play[State]:
    """A monkey: both turn before either acts; of two that would, one is picked. (R21)"""
    for cell in pair:
        s = yield from turn_over(s, cell)
    awake = tuple(cell for cell in pair if acts(s, cell))
    if len(awake) > 1:
        return ask(s, UseOneOf(awake))
    return (yield from wake(s, awake[0])) if awake else s


def imitate(s: State, at: Cell, kind: Imitable) -> Play[State]:
    """R22: all is measured from the parrot."""
    s = yield from tell(s, Imitated(at, kind))
    return (yield from act(s, kind, at))


def peek(s: State, cells: Cells) -> Play[State]:
    """R25: all are named before any is shown, and to the active seat alone."""
    fact = Peeked(s.turn, cells)
    cards = tuple(s.at(cell).card for cell in cells)
    yield Told(fact, to=((s.turn, Peeked(s.turn, cells, cards)),))
    return ask(replace(s, trail=(*s.trail, fact)), TurnUpOneOrNone(cells))


def swap(s: State, at: Cell, other: Cell) -> Play[State]:
    """R26: each keeps its facing; whose row a back now lies in may look at it."""
    mole, card = s.at(at), s.at(other)
    fact = Swapped(at, other)
    owner = s.board.owner(at)
    yield Told(fact, to=() if card.up else ((owner, Swapped(at, other, card.card)),))
    s = replace(s, rows=laid(s, at, card))
    moved = {at: other, other: at}  # R17: the count follows the card
    acted = tuple(moved.get(cell, cell) for cell in s.acted)
    return replace(s, rows=laid(s, other, mole), trail=(*s.trail, fact), acted=acted)


def remove(s: State, cell: Cell) -> Play[State]:
    """R23: to the discard pile, and if it lay face down, unseen."""
    gone = s.at(cell)
    fact = Removed(cell, gone.card if gone.up else None)
    yield Told(fact)
    return replace(
        s,
        rows=laid(s, cell, Slot(CLEARING, up=True)),
        pile=piled(s.pile, gone),
        clearings=s.clearings - 1,
        acted=but(s.acted, cell),
        trail=(*s.trail, fact),
    )


def piled(pile: Row, *cards: Slot) -> Row:
    """The discard pile with these too, sorted, so that no order tells whose they were."""
    return tuple(sorted((*pile, *cards)))
