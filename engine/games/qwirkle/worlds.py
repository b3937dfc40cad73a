"""Worlds for a robot that searches: hands and a bag that nobody can tell from the real ones."""

from __future__ import annotations

from engine.contract import Seat
from engine.dice import Dice

from .haste import best_line
from .lines import TILES, Tile
from .pieces import State, View, best, charted, sets, without

POINT = 10


def imagine(view: View, seat: Seat, dice: Dice) -> State:
    """The tiles that this seat does not see are dealt anew."""
    mine = view.hands[seat] or ()
    left = dice.shuffled(without(TILES, [*(lay.tile for lay in view.board), *mine]))
    hands: list[tuple[Tile, ...]] = []
    for other, size in enumerate(view.held):
        if other == seat:
            hands.append(mine)
            continue
        hand = (
            announcing(left, view.announced[other], size, dice) if view.announced else left[:size]
        )
        left = without(left, hand)
        hands.append(hand)
    state = State(
        options=view.options,
        bag=left,
        hands=tuple(hands),
        scores=view.scores,
        turn=view.turn,
        board=view.board,
        swaps=view.swaps,
        over=view.over,
        last=view.last,
    )
    return charted(state, view.chart)


def announcing(left: tuple[Tile, ...], most: int, size: int, dice: Dice) -> tuple[Tile, ...]:
    """A hand of which the best set has so many tiles: such a set, and what goes with it."""
    while True:
        groups = [sorted(group) for group in sets(left) if len(group) >= most]
        hand = dice.shuffled(groups[dice.below(len(groups))])[:most]
        for tile in dice.shuffled(without(left, hand)):
            if len(hand) < size and best((*hand, tile)) == most:
                hand += (tile,)
        if len(hand) == size:
            return hand


def prospects(s: State) -> tuple[int, ...]:
    """Points and, while it goes on, what each could lay at best on this board.

    In 300 matches of greedy robots a point more of that was worth a point in the end, to both.
    """
    points = [POINT * score for score in s.scores]
    if s.over:
        return tuple(points)
    bonus = s.options.qwirkle_bonus
    lines = [best_line(s.chart, hand, bonus) for hand in s.hands]
    return tuple(had + (line[0] if line else 0) for had, line in zip(points, lines, strict=True))
