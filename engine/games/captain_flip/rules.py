"""Captain Flip: draw a tile, keep it or flip it, place it, and see what its character sets off.

Rules and rulings (3.3, R5, #4) are those of the README beside this file.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine.contract import OPEN, Play, Seat, Told, Viewer, put
from engine.dice import Dice

from .boards import COLUMNS, Space
from .effects import box, effect, gain
from .facts import (
    ColumnCompleted,
    Drew,
    HandFlipped,
    LastRound,
    NothingDrawn,
    Placed,
    Scored,
    Seen,
    TileFlipped,
    TollPaid,
    TurnBegan,
    TurnEnded,
    View,
)
from .moves import closed
from .pieces import (
    FULL,
    TILES,
    Board,
    Draw,
    EndTurn,
    Flip,
    Move,
    Options,
    PayBonus,
    Place,
    PlaceDrawn,
    State,
    Tile,
    completed,
    turned,
)
from .scoring import scores

NAME, RULES = "captain-flip", 1


def seats(options: Options) -> range:
    return range(1, 2) if options.solo else range(2, 6)


def setup(options: Options, seats: int, dice: Dice) -> Play[State]:
    first = dice.below(seats)  # R27
    order = dice.shuffled(TILES)
    bag = tuple(Tile(t.back, t.up) if dice.below(2) else t for t in order)  # R1
    empty: Board = ((),) * len(COLUMNS)
    s = State(options, first, first, bag, (empty,) * seats, (0,) * seats)
    return (yield from run((yield from begin_turn(s, first))))


def apply(s: State, seat: Seat, move: Move, dice: Dice) -> Play[State]:
    if isinstance(move, Flip):
        return (yield from flip_hand(s))
    s = replace(s, owed=s.owed[1:])  # that question is answered
    if isinstance(move, Place):
        s = yield from place(s, COLUMNS.index(move.column))
    else:
        s = yield from flip_tile(s, move.space)
    return (yield from run(s))


def run(s: State) -> Play[State]:
    """Take the steps due, newest first, up to a question or the end."""
    while s.owed:
        step, rest = s.owed[0], s.owed[1:]
        match step:
            case EndTurn():
                s = yield from end_turn(replace(s, owed=rest))
            case Draw(by):
                s = yield from draw(replace(s, owed=rest), by)
            case PayBonus(space, first):
                s = yield from box(replace(s, owed=rest), space, first)
            case _:
                break
    return s


def begin_turn(s: State, seat: Seat) -> Play[State]:
    yield Told(TurnBegan(seat, s.round))
    return replace(s, turn=seat, owed=(Draw(), EndTurn()))


def draw(s: State, by: Space | None) -> Play[State]:
    if all(closed(s, column) for column in COLUMNS):  # R11
        yield Told(NothingDrawn(s.turn, "no_space"))
        return s
    if not s.bag:  # R12
        yield Told(NothingDrawn(s.turn, "empty_bag"))
        return s
    tile = s.bag[0]
    yield Told(Drew(s.turn, tile.up))
    return replace(s, hand=tile, bag=s.bag[1:], owed=(PlaceDrawn(by), *s.owed))


def flip_hand(s: State) -> Play[State]:
    assert s.hand is not None
    tile = turned(s.hand)
    yield Told(HandFlipped(s.turn, tile.up))
    return replace(s, hand=tile)


def place(s: State, c: int) -> Play[State]:
    """The toll, the tile, its effect; its box once the effect and all it sets off are done (R5)."""
    seat, tile, shaft, column = s.turn, s.hand, s.layout.shafts[c], s.board[c]
    assert tile is not None
    space = shaft.spaces[len(column)]  # #4
    coins, owed = s.coins, s.owed
    if shaft.box.kind == "toll":  # R13
        coins = put(coins, seat, coins[seat] - 1)
        yield Told(TollPaid(seat, space))
    yield Told(Placed(seat, space, tile.up))
    full = len(column) + 1 == len(shaft.spaces)
    if full:
        owed = (PayBonus(space, first_there(s, c)), *owed)
    boards = put(s.boards, seat, put(s.board, c, (*column, tile)))
    s = replace(s, boards=boards, coins=coins, hand=None, owed=owed)
    if full:
        yield from complete(s, c)
    return (yield from effect(s, space))


def first_there(s: State, c: int) -> bool:
    """Has no other board a tile on the top space of this column? (R14)"""
    if s.options.solo:  # R29
        return completed(s.layout, s.board) < 2
    size = len(s.layout.shafts[c].spaces)
    return not any(len(board[c]) == size for board in s.boards)


def complete(s: State, c: int) -> Play[None]:
    yield Told(ColumnCompleted(s.turn, COLUMNS[c]))
    others = (board for seat, board in enumerate(s.boards) if seat != s.turn)
    if completed(s.layout, s.board) == FULL and not any(
        completed(s.layout, board) >= FULL for board in others
    ):
        yield Told(LastRound(s.turn))


def flip_tile(s: State, space: Space) -> Play[State]:
    """Another face comes up and takes effect (#7); that is no placement, so no box pays (R8)."""
    c, i = s.layout.at[space]
    tile = turned(s.board[c][i])
    yield Told(TileFlipped(s.turn, space, tile.up))
    board = put(s.board, c, put(s.board[c], i, tile))
    return (yield from effect(replace(s, boards=put(s.boards, s.turn, board)), space))


def end_turn(s: State) -> Play[State]:
    if s.map_holder == s.turn:  # R22
        s = yield from gain(s, 1, "map")
    yield Told(TurnEnded(s.turn))
    following = (s.turn + 1) % len(s.boards)
    if following != s.first:
        return (yield from begin_turn(s, following))
    # The round is played out (#2).
    if not s.bag or any(completed(s.layout, board) >= FULL for board in s.boards):  # R12, R24
        for seat, score in enumerate(scores(s)):
            yield Told(Scored(seat, score))
        return replace(s, owed=(), over=True)
    return (yield from begin_turn(replace(s, round=s.round + 1), following))


def view(s: State, viewer: Viewer) -> View:
    """The same for all seats and watchers; OPEN sees the backs of all tiles drawn."""
    backs = viewer == OPEN
    known = backs or s.options.seen_backs == "shown"
    return View(
        options=s.options,
        boards=tuple(
            tuple(tuple(seen(t, backs or (known and t.seen)) for t in column) for column in board)
            for board in s.boards
        ),
        coins=s.coins,
        map_holder=s.map_holder,
        bag=len(s.bag),
        hand=None if s.hand is None else seen(s.hand, backs or s.hand.seen),  # R4
        flipped=s.hand is not None and s.hand.seen,
        first=s.first,
        turn=s.turn,
        round=s.round,
        owed=s.owed,
        scores=scores(s),
        over=s.over,
    )


def seen(tile: Tile, back: bool) -> Seen:
    return Seen(tile.up, tile.back if back else None)
