"""Which moves may be made: `allows` judges any, `legal` and `grow` list them piece by piece.

Rules and rulings (3.4, R18) are those of the README beside this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from engine.contract import Seat

from .board import Cell
from .cards import ANIMALS, CLEARING, SHY, Card
from .moves import (
    Arrange,
    Flip,
    Imitate,
    Move,
    No,
    Pass,
    Peek,
    PeekFlip,
    Pick,
    Regrow,
    Scavenge,
    Target,
    Targets,
)
from .pieces import (
    Aim,
    FlipTwo,
    ImitateOne,
    LayRow,
    MayRegrow,
    MayScavenge,
    PeekAtThree,
    RainOn,
    State,
    TurnOne,
    TurnUpOneOrNone,
    UseOneOf,
)
from .reach import aims, copied, fixed, top, turnable, unseen

PEEKS = 3  # R25


def to_act(s: State) -> tuple[Seat, ...]:
    """Whom the question on top is put to."""
    if not s.owed:
        return ()
    question = s.owed[0]  # `type … is`: asked twice a step, and a class that does not match is slow
    if type(question) is LayRow:
        return tuple(seat for seat, plan in enumerate(s.plans) if not plan)
    if type(question) is MayRegrow or type(question) is MayScavenge:
        return (question.seat,)
    return (s.turn,)  # R8


def allows(s: State, seat: Seat, move: Move) -> No | None:
    if seat not in to_act(s):
        laying = bool(s.owed) and isinstance(s.owed[0], LayRow)
        return No.COMMITTED if laying and 0 <= seat < s.seats else No.NOT_YOUR_TURN
    match s.owed[0], move:
        case TurnOne(), Flip(cell):
            return unturnable(s, seat, cell)
        case TurnOne(), Pass():
            return No.CAN_FLIP if turnable(s, seat) else None
        case (Aim() | RainOn()) as question, Target(cell):
            return missed(s, question, cell)
        case LayRow(), Arrange():
            return misarranged(s, move)
        case FlipTwo(at), Targets(cells):
            return outside(s, cells, s.board.beside[at], at)
        case UseOneOf(cells), Pick(cell):
            return outside(s, (cell,), cells)
        case ImitateOne(), Imitate(kind):
            return None if kind in copied(s) else No.NOT_UP
        case PeekAtThree(at), Peek(cells):
            down = unseen(s)
            few = No.TOO_FEW if len(cells) < min(PEEKS, len(down)) else None
            return outside(s, cells, down, at) or few
        case TurnUpOneOrNone(cells), PeekFlip(chosen):
            return None if chosen is None else outside(s, (chosen,), cells)
        case MayRegrow(), Regrow():
            return None
        case MayScavenge(), Scavenge():
            return mistaken(s, move)
    return No.NOT_ASKED


def unturnable(s: State, seat: Seat, cell: Cell) -> No | None:
    if cell not in s.board.at:
        return No.NO_SUCH_CELL
    if cell not in s.board.rows[top(s, seat)]:
        return No.NOT_YOUR_ROW
    return No.CAT_STAYS if fixed(s.at(cell)) else None


def missed(s: State, question: Aim | RainOn, cell: Cell) -> No | None:
    """Why this is no target; the reason follows the rule that `aims` left it out by."""
    if cell in (reach := aims(s, question)):
        return None
    if isinstance(question, RainOn) and cell in s.board.at and cell != question.at:
        return No.RAINED
    if isinstance(question, Aim) and question.kind == "wolves":
        slot = s.at(cell) if cell in s.board.at else None
        if slot and slot.up and slot.card == CLEARING:
            return No.CLEARING
    return outside(s, (cell,), reach, question.at)


def outside(
    s: State, cells: Iterable[Cell], among: Iterable[Cell], source: Cell | None = None
) -> No | None:
    """What speaks against choosing these, all different, among those."""
    chosen, offered = tuple(cells), tuple(among)
    if any(cell not in s.board.at for cell in chosen):
        return No.NO_SUCH_CELL
    if source in chosen:
        return No.SOURCE
    if any(cell not in offered for cell in chosen):
        return No.OUT_OF_REACH
    return No.CELL_TWICE if len(set(chosen)) < len(chosen) else None


def misarranged(s: State, move: Arrange) -> No | None:
    """3.1: the row, and what is discarded if it is named, are the hand."""
    size, width = s.options.hand, s.options.width
    named = (*move.row, *move.away)
    if max(named) > size:
        return No.NOT_IN_HAND
    if len(set(named)) < len(named):
        return No.CARD_TWICE
    if len(move.row) != width:
        return No.WRONG_LENGTH
    return No.WRONG_DISCARDS if move.away and len(named) != size else None


def mistaken(s: State, move: Scavenge) -> No | None:
    """R29"""
    card, lies = move.card, move.lies
    if card is None:
        return No.LIES_EITHER_WAY if lies else None
    if all(slot.card != card for slot in s.pile):
        return No.NOT_IN_PILE
    if card not in ANIMALS:
        return No.NO_ANIMAL
    if card not in SHY:
        return No.LIES_EITHER_WAY if lies else None
    return None if lies else No.SAY_HOW_IT_LIES


def legal(s: State, seat: Seat) -> Iterator[Move]:
    if seat not in to_act(s):
        return
    match s.owed[0]:
        case TurnOne():
            yield from map(Flip, cells := turnable(s, seat))
            if not cells:
                yield Pass()  # R10
        case Aim() | RainOn() as question:
            yield from map(Target, aims(s, question))
        case FlipTwo(at):
            yield from map(Targets, combinations(sorted(s.board.beside[at]), 2))
        case UseOneOf(cells):
            yield from map(Pick, cells)
        case ImitateOne():
            yield from map(Imitate, copied(s))
        case PeekAtThree():
            yield from (Peek((cell,)) for cell in unseen(s))
        case TurnUpOneOrNone(cells):
            yield from map(PeekFlip, (*cells, None))
        case LayRow():
            yield from (Arrange((i,)) for i in range(1, s.options.hand + 1))
        case MayRegrow():
            yield from (Regrow(True), Regrow(False))
        case MayScavenge():
            yield from map(Scavenge, animals(s))
            yield Scavenge(None)


def animals(s: State) -> tuple[Card, ...]:
    """What a hermit crab may take, each kind of card once."""
    return tuple(dict.fromkeys(slot.card for slot in s.pile if slot.card in ANIMALS))


def grow(s: State, seat: Seat, move: Move) -> Iterator[Move]:
    if seat not in to_act(s):
        return
    match s.owed[0], move:
        case LayRow(), Arrange(row, ()) if len(row) < s.options.width:
            size = s.options.hand
            if len(set(row)) == len(row) and max(row) <= size:
                yield from (Arrange((*row, i)) for i in range(1, size + 1) if i not in row)
        case PeekAtThree(at), Peek(cells):
            down = unseen(s)
            if len(cells) < min(PEEKS, len(down)) and not outside(s, cells, down, at):
                others = [cell for cell in down if cell not in cells]
                yield from (Peek(tuple(sorted((*cells, cell)))) for cell in others)
        case MayScavenge(), Scavenge(card, None) if card in SHY and card in animals(s):
            yield from (Scavenge(card, "up"), Scavenge(card, "down"))


def default(s: State, seat: Seat) -> Move:
    """R34: what is declined where one may; else the first that will do, best a card turned up."""
    match s.owed[0]:
        case MayRegrow():
            return Regrow(False)
        case TurnUpOneOrNone():
            return PeekFlip(None)
        case MayScavenge():
            return Scavenge(None)
        case TurnOne():
            down = [cell for cell in turnable(s, seat) if not s.at(cell).up]
            return Flip(down[0]) if down else next(legal(s, seat))
    move = next(legal(s, seat))
    while allows(s, seat, move):
        move = next(grow(s, seat, move))
    return move
