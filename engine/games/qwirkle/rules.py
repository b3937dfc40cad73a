"""Qwirkle: lay tiles in lines of one colour or one shape; each tile scores with its lines.

Rules and rulings (3.4, R9) are those of the README beside this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.contract import OPEN, Outcome, Play, Seat, Told, Viewer, put, ranked
from engine.dice import Dice

from .lines import (
    COPIES,
    KINDS,
    LONGEST,
    TILES,
    Board,
    Chart,
    Lay,
    Tile,
    extend,
    kinds,
    lines,
    playable,
    spread,
    welcome,
)
from .moves import allows, grow, legal
from .pieces import (
    HAND,
    Announced,
    Drew,
    Ended,
    Last,
    Move,
    Options,
    Passed,
    Place,
    Placed,
    State,
    Swap,
    Swapped,
    View,
    WentOut,
    best,
    charted,
    take,
    without,
)

NAME, RULES = "qwirkle", 1


def seats(options: Options) -> range:
    return range(2, 7)  # R1


def setup(options: Options, seats: int, dice: Dice) -> Play[State]:
    bag, hands = dice.shuffled(TILES), []
    for seat in range(seats):  # R17
        tiles, bag = take(bag, HAND)
        hands.append(tiles)
        yield from draw(seat, tiles)
    for seat, hand in enumerate(hands):
        yield Told(Announced(seat, best(hand)))
    starter = max(range(seats), key=lambda seat: best(hands[seat]))  # R3: the first of equals
    return State(options, bag, tuple(hands), (0,) * seats, starter)


def draw(seat: Seat, tiles: tuple[Tile, ...]) -> Play[None]:
    """Tells who draws how many, and to that seat which."""
    if tiles:
        yield Told(Drew(seat, len(tiles)), to=((seat, Drew(seat, len(tiles), tiles)),))


def apply(s: State, seat: Seat, move: Move, dice: Dice) -> Play[State]:
    if isinstance(move, Place):
        laid = tuple(sorted(move.tiles))
        chart = extend(s.chart, laid)
        s = yield from place(s, seat, laid, chart)
    else:
        assert isinstance(move, Swap)  # R8
        chart = s.chart
        s = yield from swap(s, seat, tuple(sorted(move.tiles)), dice)
    return charted((yield from pass_on(s, seat, chart)), chart)


def place(s: State, seat: Seat, laid: tuple[Lay, ...], chart: Chart) -> Play[State]:
    """3.4: the tiles score, and the hand is filled up again. There is no second turn. (R15)"""
    scored = score(chart.tiles, laid, s.options.qwirkle_bonus)
    points = sum(scored)
    yield Told(Placed(seat, laid, scored, points))
    kept = without(s.hands[seat], [lay.tile for lay in laid])
    tiles, bag = take(s.bag, HAND - len(kept))
    yield from draw(seat, tiles)
    return replace(
        s,
        bag=bag,
        hands=put(s.hands, seat, kept + tiles),
        scores=gain(s, seat, points),
        board=s.board + laid,
        swaps=0,
        last=Last(seat, laid, points),
    )


def score(tiles: Board, laid: Sequence[Lay], bonus: int) -> tuple[int, ...]:
    """3.5, line by line, once the tiles lie there. Only a lone opening tile is in no line. (R5)"""
    counts = [len(line) for line in lines(tiles, laid)]
    return tuple(n + bonus * (n == LONGEST) for n in counts) or (1,)


def swap(s: State, seat: Seat, aside: tuple[Tile, ...], dice: Dice) -> Play[State]:
    """3.6: what is swapped goes into the bag only after as many were drawn."""
    count = len(aside)
    yield Told(Swapped(seat, count), to=((seat, Swapped(seat, count, aside)),))
    tiles, bag = take(s.bag, count)
    yield from draw(seat, tiles)
    return replace(
        s,
        bag=dice.shuffled(bag + aside),
        hands=put(s.hands, seat, without(s.hands[seat], aside) + tiles),
        swaps=s.swaps + 1,
        last=Last(seat, swapped=count),
    )


def pass_on(s: State, seat: Seat, chart: Chart) -> Play[State]:
    """3.7: the end, or the next seat that can move."""
    if not s.hands[seat]:  # R11; R13: were there tiles in the bag, the hand would be full again
        bonus = s.options.end_bonus
        yield Told(WentOut(seat, bonus))
        return (yield from end(replace(s, scores=gain(s, seat, bonus)), "went out"))
    if not any(playable(chart, tiles) for tiles in (*s.hands, s.bag)):  # R9
        return (yield from end(s, "blocked"))
    if 0 < s.options.stall_limit * len(s.hands) <= s.swaps:  # R9
        return (yield from end(s, "stalled"))
    return (yield from next_turn(s, seat, chart))


def next_turn(s: State, seat: Seat, chart: Chart) -> Play[State]:
    """The turn goes on; with an empty bag, over the heads of those who cannot place. (R8)"""
    order = [(seat + i) % len(s.hands) for i in range(1, len(s.hands) + 1)]
    stuck = 0
    while not s.bag and not playable(chart, s.hands[order[stuck]]):
        yield Told(Passed(order[stuck]))
        stuck += 1
    if not stuck or s.last is None:
        return replace(s, turn=order[0])
    return replace(s, turn=order[stuck], last=replace(s.last, passed=tuple(order[:stuck])))


def end(s: State, why: str) -> Play[State]:
    yield Told(Ended(why))
    return replace(s, over=why)


def gain(s: State, seat: Seat, points: int) -> tuple[int, ...]:
    return put(s.scores, seat, s.scores[seat] + points)


def view(s: State, viewer: Viewer) -> View:
    look = View(
        options=s.options,
        board=s.board,
        hands=tuple(hand if viewer in (seat, OPEN) else None for seat, hand in enumerate(s.hands)),
        held=tuple(map(len, s.hands)),
        bag=len(s.bag),
        scores=s.scores,
        turn=s.turn,
        announced=() if s.board else tuple(map(best, s.hands)),
        swaps=s.swaps,
        over=s.over,
        last=s.last,
    )
    vars(look).update(vars(s))  # the chart, if it is drawn
    return look


def outcome(s: State) -> Outcome | None:
    return ranked(s.scores, s.over) if s.over else None  # R10


def default(s: State, seat: Seat) -> Move:
    """The single tile that scores most, else one tile swapped. (R16)"""
    move = max(legal(s, seat), key=lambda move: worth(s, move))
    while allows(s, seat, move):  # R4: the opening owes more tiles
        move = next(iter(grow(s, seat, move)))
    return move


def worth(s: State, move: Move) -> int:
    if not isinstance(move, Place):
        return 0
    tiles = s.chart.tiles | spread(move.tiles)
    return sum(score(tiles, move.tiles, s.options.qwirkle_bonus))


def hint(view: View, seat: Seat, move: Move) -> int:
    """Ten for a point; less for each line of five that it leaves to others."""
    hand = view.hands[seat] or ()
    match move:
        case Place(laid):
            tiles = view.chart.tiles | spread(laid)
            points = sum(score(tiles, laid, view.options.qwirkle_bonus))
            rest = without(hand, [lay.tile for lay in laid])
            return 10 * points - 60 * left_open(tiles, laid, rest)
        case Swap(aside):  # keeps the best set; better than nothing, worse than any point
            return 10 * (best(without(hand, aside)) - best(hand)) + len(aside)
    return -100


def left_open(tiles: Board, laid: Sequence[Lay], rest: Sequence[Tile]) -> int:
    """How many lines others may make a Qwirkle of, as far as a seat with this rest can tell."""
    fives = [line for line in lines(tiles, laid) if len(line) == LONGEST - 1]
    if not fives:
        return 0
    seen = [*tiles.values(), *rest]
    unseen = kinds(kind for kind in KINDS if seen.count(kind) < COPIES) & ~kinds(rest)
    return sum(bool(welcome(five) & unseen) for five in fives)
