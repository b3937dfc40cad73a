"""FlipOut dealt anew: other states that a viewer cannot tell from this one.

Written from the dossier (its section 4), not from `view`, so that the tests do not take the game's
word for what is hidden.

What a viewer knows is read off the state: the side of each card that faces it, the open side of
the deck's top and of the drawn card, what was taken in which colour, and that of each kind there
are six. Once it is over all know that nobody's inside has a longer set than the one it collected.
What only memory of earlier moves could add (a card that was turned or lies under the deck) is not
kept (R19).

A world that differs in everything drowns a small leak, since what is told of a move differs by
right. So most of the worlds also keep something of what the viewer does not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from engine.contract import Seat
from engine.dice import Dice
from engine.games.flipout.cards import AT, CARDS, CELLS, GAP, TURNED, Held
from engine.games.flipout.pieces import Move, State

TRIES = 60
NEAR = 20  # hidden cards that a small change begins with: those in holders, drawn, next in the deck
SET = 4  # cards of a colour that are collected

Known = tuple[bool, bool]  # of the two letters of a card
BOTH: Known = (True, True)


def redeal(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Another state that fits what `viewer` may know; the same one if hardly any other does."""
    cards, known = laid(state), sight(state, viewer)
    way = dice.below(4)
    taken = () if way == FEW else pile(state)
    for _ in range(TRIES):
        fixed = kept(state, known, way, dice)
        dealt = deal(cards, fixed, taken, dice)
        if dealt and dealt != cards and believable(other := relaid(state, dealt)):
            return other
    return state


def disguise(state: State, seat: Seat, move: Move, dice: Dice) -> Move:
    """What others cannot tell from `move`: itself, for no move hides anything."""
    return move


# Who knows what


def laid(state: State) -> tuple[Held, ...]:
    """All that has two sides: what stands in the holders, then the drawn card, then the deck."""
    held = [card for holder in state.holders for card in holder]
    return (*held, *([state.drawn] if state.drawn else []), *state.deck)


def sight(state: State, viewer: Seat | None) -> list[Known]:
    """Of each of these cards, which letters this viewer knows."""
    known: list[Known] = []
    for owner, holder in enumerate(state.holders):
        for cell, card in zip(CELLS[owner], holder, strict=False):
            inside = viewer == owner or cell in state.collected
            outside = viewer not in (owner, None)  # a watcher may be the owner
            known.append(BOTH if card == GAP else (inside, outside))
    if state.drawn:
        known.append((viewer == state.turn, True))
    return known + [(False, i == 0) for i in range(len(state.deck))]


def pile(state: State) -> tuple[str, ...]:
    """The colours of the cards that lie in piles and no longer in holders."""
    taken = Counter(colour for pile in state.piles for colour in pile)
    for cell in state.collected:
        owner, i = AT[cell]
        taken[state.holders[owner][i][0]] -= 1
    return tuple(taken.elements())


def believable(state: State) -> bool:
    """Once it is over: has everybody collected the longest set there is on its inside? (R21)"""
    if not state.over:
        return True
    for owner, holder in enumerate(state.holders):
        had = sum(AT[cell][0] == owner for cell in state.collected)
        if run("".join([card[0] for card in holder])) != had:
            return False
    return True


def run(row: str) -> int:
    """How many cards the longest set of a row has; 0 if there is none."""
    sizes = [n for n in range(SET, len(row) + 1) for c in "rgybp" if c * n in row]
    return max(sizes, default=0)


# What is dealt anew

ALL, LATER, SIDES, FEW = range(4)


def kept(state: State, known: Sequence[Known], way: int, dice: Dice) -> list[Known]:
    """Which letters stay: those that are known, and by chance some that are not."""
    if way == LATER:  # the next cards of the deck stay, so that most moves show the same new ones
        deck = len(known) - len(state.deck)
        last = deck + 1 + dice.below(7)
        return [BOTH if deck <= i < last else letters for i, letters in enumerate(known)]
    if way == SIDES:  # all first letters stay, or all second, or some of either
        which = dice.below(3)
        return [
            (one or which == 0 or coin(which, dice), two or which == 1 or coin(which, dice))
            for one, two in known
        ]
    hidden = [i for i, letters in enumerate(known) if letters != BOTH]
    if way == FEW and hidden:  # all stays but two or three cards, of which one is rather near
        chosen = {hidden[dice.below(len(hidden))] for _ in range(1 + dice.below(2))}
        chosen.add(hidden[dice.below(min(NEAR, len(hidden)))])
        return [letters if i in chosen else BOTH for i, letters in enumerate(known)]
    return list(known)


def coin(which: int, dice: Dice) -> bool:
    return which == 2 and dice.below(2) == 1


# The deal


def deal(
    cards: Sequence[Held], fixed: Sequence[Known], taken: Sequence[str], dice: Dice
) -> tuple[Held, ...] | None:
    """Other cards with the same fixed letters, or None if they do not work out.

    Cards in piles take part, for they have other sides that nobody sees.
    """
    free = [i for i, letters in enumerate(fixed) if letters != BOTH]
    away = Counter(map(kind, CARDS)) - Counter(map(kind, cards)) if taken else Counter()
    pool = dice.shuffled([kind(cards[i]) for i in free] + sorted(away.elements()))
    bound = [i for i in free if any(fixed[i])]
    found = matched((*(cards[i][fixed[i][1]] for i in bound), *taken), pool)
    if found is None:
        return None
    rest = iter([card for j, card in enumerate(pool) if j not in found])
    into = {i: pool[j] for i, j in zip(bound, found, strict=False)}
    new = list(cards)
    for i in free:
        card = into.get(i) or next(rest)
        side = fixed[i][1]  # the letter that is fixed, if one is
        turn = card[side] != cards[i][side] if i in into else dice.below(2)
        new[i] = TURNED[card] if turn else card
    return tuple(new)


def matched(colours: Sequence[str], pool: Sequence[Held]) -> list[int] | None:
    """For each of these colours the place in the pool of a card of its own that has it, if any.

    The first free one; where none is left, others make way.
    """
    owner: dict[int, int] = {}

    def settle(i: int, tried: set[int]) -> bool:
        have = [j for j, card in enumerate(pool) if colours[i] in card]
        for j in sorted(have, key=owner.__contains__):
            if j in tried:
                continue
            tried.add(j)
            if j not in owner or settle(owner[j], tried):
                owner[j] = i
                return True
        return False

    if not all(settle(i, set()) for i in range(len(colours))):
        return None
    places = {i: j for j, i in owner.items()}
    return [places[i] for i in range(len(colours))]


def kind(card: Held) -> Held:
    """A card, whichever way it stands."""
    return min(card, TURNED[card])


def relaid(state: State, cards: Sequence[Held]) -> State:
    """The state with these cards in the place of all that it has."""
    left = iter(cards)
    holders = tuple(tuple(next(left) for _ in holder) for holder in state.holders)
    drawn = next(left) if state.drawn else None
    return replace(state, holders=holders, drawn=drawn, deck=tuple(left))
