"""UNO Flip dealt anew: other states that a viewer cannot tell from this one.

Written from the dossier (its sections 1, 3 and 4), not from `view`, so that the tests do not take
the game's word for what is hidden.

Each place where a card lies has a mark: what the viewer knows of the card there, if anything.
Cards change places along cycles on which every card fits the mark of the place that it comes to,
and the hands of others, known at most as a multiset, change their order. What only memory of
earlier moves could add (which back was drawn when, what was played) is not kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from msgspec.structs import replace

from engine.contract import Seat
from engine.dice import Dice
from engine.games.uno_flip.cards import CARDS, COLOURS, Card, Colour, Face, Side
from engine.games.uno_flip.pieces import Move, Options, Play, PlayOrKeep, State, TakeOrChallenge

Mark = str  # `R5/`: this light face; `/K3`: this dark one; `R5/K3`: this very card; ``: any
IDLE: dict[Side, Side] = {"light": "dark", "dark": "light"}
TRIES = 20
COMING = 5  # cards: as many as are drawn at once but for Wild Draw Color


def redeal(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Another state that fits what `viewer` may know; this one, if it finds none.

    Often but a few cards change, for what a viewer hears of all the others, and may, would drown
    what it hears besides and may not: after a whole deal the draw pile shows another back. And
    while a wild draw may be challenged, the accused is mostly of the other kind, if it can be.
    """
    turning, found = dice.below(4), state
    for _ in range(TRIES):
        other = reshown(dealt(state, viewer, dice), viewer)
        if other == state or not verdict_holds(state, other):
            continue
        found = other
        if not turning or accused(state) in (None, viewer) or guilty(state) != guilty(other):
            break
    return found


def disguise(state: State, seat: Seat, move: Move, dice: Dice) -> Move:
    """What others cannot tell from `move`: the same face, of another card where none sees its back.

    None does if backs are closed, or if the card is a Flip: then all backs of the hand change.
    """
    if not isinstance(move, Play) or isinstance(state.owed[0], PlayOrKeep):  # R30: that very card
        return move
    cards = [card for card in state.hands[seat] if showing(card, state.side) == move.face]
    played = cards[move.copy - 1]
    hidden = state.options.backs == "closed" or move.face[1:] == "F"
    copies = [n for n, card in enumerate(cards, 1) if hidden or card == played]
    copies.remove(move.copy)
    return replace(move, copy=copies[dice.below(len(copies))]) if copies else move


# Faces and marks


def showing(card: Card, side: Side) -> Face:
    light, dark = card.split("/")
    return light if side == "light" else dark


def marked(card: Card, side: Side) -> Mark:
    face = showing(card, side)
    return f"{face}/" if side == "light" else f"/{face}"


def fits(card: Card, mark: Mark) -> bool:
    return card.startswith(mark) or card.endswith(mark)


def marks(state: State, viewer: Seat | None) -> list[Mark]:
    """Of every hand, then the draw pile, then the discards."""
    zones = [hand_marks(state, seat, viewer) for seat in range(len(state.hands))]
    pile, discards = [""] * len(state.draw), [""] * len(state.discards)
    if pile and open_backs(state):
        pile[-1] = marked(state.draw[-1], IDLE[state.side])
    public = 2 if under_is_known(state) else 1
    discards[-public:] = [marked(card, state.side) for card in state.discards[-public:]]
    return [mark for zone in (*zones, pile, discards) for mark in zone]


def hand_marks(state: State, seat: Seat, viewer: Seat | None) -> list[Mark]:
    hand, shown = state.hands[seat], state.verdict
    if state.over or seat == viewer:
        return [marked(card, state.side) for card in hand]
    if viewer is None:  # not even backs: it may be anyone, the seat itself too
        return [""] * len(hand)
    seen = [marked(card, IDLE[state.side]) if open_backs(state) else "" for card in hand]
    if shown and shown.seat == viewer and shown.accused == seat:
        seen[: len(shown.hand)] = hand[: len(shown.hand)]  # R21; with the backs, nearly all
    return seen


def open_backs(state: State) -> bool:
    """Is an idle face to be seen? Once it is over the hands lie face up, and none is."""
    return state.options.backs == "open" and not state.over


def under_is_known(state: State) -> bool:
    """Is a wild draw in question? All know what lies under it, if no reshuffle took that away."""
    return accused(state) is not None or state.verdict is not None


def accused(state: State) -> Seat | None:
    asked = state.owed[0] if state.owed else None
    return asked.accused if isinstance(asked, TakeOrChallenge) else None


def guilty(state: State) -> bool:
    """Would a challenge succeed now?"""
    asked = state.owed[0] if state.owed else None
    if not isinstance(asked, TakeOrChallenge):
        return False
    held = [showing(card, state.side) for card in state.hands[asked.accused][: asked.held]]
    return convicts(state.options, held, asked.under, asked.colour)


# A deal


def dealt(state: State, viewer: Seat | None, dice: Dice) -> State:
    """As many cards moved as can be, or one and what has to make way; and hands reordered."""
    cards, known = lying(state), marks(state, viewer)
    nexts = next_ones(state)
    hidden = [seat for seat in range(len(state.hands)) if ordered_freely(state, seat, viewer)]
    match dice.below(10):
        case 0:
            deal_all(cards, known, dice)
        case 1 | 2 | 3:  # but what comes next, now or after a flip
            keep(known, nexts, cards)
            deal_all(cards, known, dice)
        case 4 | 5 | 6:  # and live faces of hands, so that plays can be played there too
            keep(known, nexts, cards)
            faces = [marked(card, state.side) for hand in state.hands for card in hand]
            keep(known, (i for i in range(len(faces)) if not known[i]), faces)
            deal_all(cards, known, dice)
            hidden = []
        case 7 | 8 if nexts:  # the first of them as often as all others
            moved(cards, known, nexts[dice.below(2) * dice.below(len(nexts))], dice)
            hidden = []
        case _:
            moved(cards, known, dice.below(len(cards)), dice)
            hidden = hidden and [hidden[dice.below(len(hidden))]]
    return laid_out(state, cards, hidden, dice)


def next_ones(state: State) -> list[int]:
    """The places of the cards that are drawn or uncovered next, also after a flip."""
    start = sum(map(len, state.hands))
    end = start + len(state.draw)
    drawn = range(max(start, end - COMING), end)
    flipped = [start] * (len(state.draw) > COMING) + [end] * (len(state.discards) > 1)
    return [*reversed(drawn), *flipped]


def ordered_freely(state: State, seat: Seat, viewer: Seat | None) -> bool:
    """Does the viewer not know where in this hand a card lies?"""
    shown = state.verdict
    return seat != viewer and not (shown and (shown.seat, shown.accused) == (viewer, seat))


def lying(state: State) -> list[Card]:
    """All cards: those of every hand, then the draw pile, then the discards."""
    return [card for zone in (*state.hands, state.draw, state.discards) for card in zone]


def laid_out(state: State, cards: Sequence[Card], shuffled: Sequence[Seat], dice: Dice) -> State:
    """These cards where those of the state lie, some hands in another order."""
    sizes = map(len, (*state.hands, state.draw, state.discards))
    bounds = pairwise(accumulate(sizes, initial=0))
    *hands, draw, discards = (tuple(cards[i:j]) for i, j in bounds)
    for seat in shuffled:
        hands[seat] = dice.shuffled(hands[seat])
    return replace(state, hands=tuple(hands), draw=draw, discards=discards)


def keep(known: list[Mark], places: Iterable[int], anew: Sequence[Mark]) -> None:
    for i in places:
        known[i] = anew[i]


def deal_all(cards: list[Card], known: Sequence[Mark], dice: Dice) -> None:
    """Shuffle what nobody knows anything of, then move about half of the other cards."""
    free = [i for i, mark in enumerate(known) if not mark]
    for i, card in zip(free, dice.shuffled([cards[i] for i in free]), strict=True):
        cards[i] = card
    for i in dice.shuffled(i for i, mark in enumerate(known) if mark):
        if dice.below(2):
            moved(cards, known, i, dice)


def moved(cards: list[Card], known: Sequence[Mark], start: int, dice: Dice) -> None:
    """Another card to this place, another to where that one lay, and so on, if it can be done."""
    path, tried = [start], {start}

    def closes() -> bool:
        here = path[-1]
        if len(path) > 1 and fits(cards[start], known[here]):
            return True
        mark = known[here]
        there = [i for i, card in enumerate(cards) if i not in tried and fits(card, mark)]
        for i in dice.shuffled(there):
            if i in tried:
                continue
            tried.add(i)
            path.append(i)
            if closes():
                return True
            path.pop()
        return False

    if closes():
        taken = [cards[i] for i in (*path[1:], start)]
        for i, card in zip(path, taken, strict=True):
            cards[i] = card


# A hand that was challenged


def reshown(state: State, viewer: Seat | None) -> State:
    """The hand in the verdict is the one dealt anew, but to who saw it and to its owner."""
    shown = state.verdict
    if not shown or viewer in (shown.seat, shown.accused):
        return state
    held = state.hands[shown.accused][: len(shown.hand)]
    hand = tuple(sorted(showing(card, state.side) for card in held))
    return replace(state, verdict=replace(shown, hand=hand))


def verdict_holds(state: State, other: State) -> bool:
    """Guilt was told to all: does what was held still convict, or still not?"""
    if state.verdict is None or other.verdict is None:
        return True
    hands = state.verdict.hand, other.verdict.hand
    return all(
        convicts(state.options, hands[0], *before) == convicts(state.options, hands[1], *before)
        for before in befores(state)
    )


def befores(state: State) -> Iterator[tuple[Face, Colour]]:
    """What top and active colour there may have been before the wild draw that lies on top."""
    if len(state.discards) > 1:
        unders = {showing(state.discards[-2], state.side)}
    else:
        unders = {showing(card, state.side) for card in CARDS}
    for under in unders:
        for colour in COLOURS[state.side]:
            if under[0] in ("W", colour):
                yield under, colour


def convicts(options: Options, held: Sequence[Face], under: Face, colour: Colour) -> bool:
    """3.6, R1: a coloured card of the active colour, or, by option, any that could be laid."""
    alike = under[1:] if options.challenge_test == "playable" and under[0] != "W" else None
    return any(f[0] != "W" and (f[0] == colour or f[1:] == alike) for f in held)
