"""Flipology dealt anew: other states that a viewer cannot tell from this one.

Written from the dossier (its section 4 and the rulings), not from `view`, so that the tests do not
take the game's word for what is hidden.

What a viewer knows is read off the state: its own cards, all that is public, what the sun shows
it, the pile that it searches, and what the trail of the last turn gives away of backs (R37). What
only memory of earlier turns could add is not kept (R27). Hidden cards change places, two and two,
where each may lie as the other does; so the cards stay the same and no deal leads nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from engine.contract import Seat
from engine.dice import Dice
from engine.games.flipology.board import Cell, board
from engine.games.flipology.cards import CARDS, CATS, CLEARING, SHY, Card
from engine.games.flipology.facts import Flipped, Removed, Scavenged, Step, Swapped
from engine.games.flipology.moves import Arrange, Move
from engine.games.flipology.pieces import (
    MayScavenge,
    Options,
    Row,
    Slot,
    State,
    TurnUpOneOrNone,
)

May = frozenset[Card]  # what a back may be, for all that the viewer knows
Spot = tuple[str, int, int]
ANY: May = frozenset(CARDS)
DEALT = ANY - {CLEARING}  # R4: what deck, hands and discards are made of


def redeal(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Another state that fits what `viewer` may know: what is hidden from it is dealt anew."""
    known, thrown, removed, gone = piles(state, viewer)
    rows = lying("row", state.rows, state.seats, viewer, scored=not state.owed)
    lies = {
        **{spot: card for spot, card in rows.items() if spot not in sunlit(state, viewer)},
        **spots("deck", [state.deck]),
        **spots("hand", [() if i == viewer else hand for i, hand in enumerate(state.hands)]),
    }
    if not searches(state, viewer):
        lies |= spots("thrown", [thrown]) | spots("removed", [removed])
    lies = mixed(lies, {spot: may_be(spot, backs(state)) for spot in lies}, dice)
    thrown, removed = put("thrown", [thrown], lies)[0], put("removed", [removed], lies)[0]
    pile = [Slot(card) for card in (*known, *thrown, *removed)]
    return replace(
        state,
        rows=laid("row", state.rows, lies),
        deck=put("deck", [state.deck], lies)[0],
        hands=put("hand", state.hands, lies),
        plans=plans(state, viewer, dice),
        pile=tuple(sorted([*pile, *(slot for slot in state.pile if slot.up)])),
        away=discarded(state, viewer, (*thrown, *removed, *gone), dice),
        past=past(state, viewer, dice),
    )


def disguise(state: State, seat: Seat, move: Move, dice: Dice) -> Move:
    """What others cannot tell from `move`: another row, for how one is arranged stays hidden."""
    if not isinstance(move, Arrange):
        return move
    row = arranged(state.options, dice)
    return Arrange(row[::-1] if row == move.row else row)


# Hidden cards, each at its spot


def spots(zone: str, cards: Sequence[Sequence[Card]]) -> dict[Spot, Card]:
    return {(zone, i, j): card for i, some in enumerate(cards) for j, card in enumerate(some)}


def put(
    zone: str, cards: Sequence[Sequence[Card]], lies: Mapping[Spot, Card]
) -> tuple[tuple[Card, ...], ...]:
    """These cards, but what lies there now where they were dealt anew."""
    return tuple(
        tuple(lies.get((zone, i, j), card) for j, card in enumerate(some))
        for i, some in enumerate(cards)
    )


def laid(zone: str, rows: Sequence[Row], lies: Mapping[Spot, Card]) -> tuple[Row, ...]:
    cards = put(zone, [[slot.card for slot in row] for row in rows], lies)
    return tuple(
        tuple(Slot(card, slot.up) for card, slot in zip(*both, strict=True))
        for both in zip(cards, rows, strict=True)
    )


def lying(
    zone: str, rows: Sequence[Row], seats: int, viewer: Seat | None, scored: bool
) -> dict[Spot, Card]:
    """The backs in others' rows; once scored, all know the sloths and koalas among them (5.2)."""
    return {
        (zone, r, i): slot.card
        for r, row in enumerate(rows)
        for i, slot in enumerate(row)
        if not slot.up and r % seats != viewer and not (scored and slot.card in SHY)
    }


def sunlit(state: State, viewer: Seat | None) -> set[Spot]:
    """What the sun shows this viewer now. (R25)"""
    if viewer != state.turn or not state.owed or not isinstance(state.owed[0], TurnUpOneOrNone):
        return set()
    return {("row", *state.board.at[cell]) for cell in state.owed[0].cells}


def searches(state: State, viewer: Seat | None) -> bool:
    """Is it this viewer that the discard pile is shown to? (R29)"""
    owed = state.owed[0] if state.owed else None
    return isinstance(owed, MayScavenge) and owed.seat == viewer


def mixed(lies: Mapping[Spot, Card], may: Mapping[Spot, May], dice: Dice) -> dict[Spot, Card]:
    """The same cards at the same spots, each where it may be."""
    mixed = dict(lies)
    for one, card in lies.items():
        assert card in may[one], f"{card} at {one}, where nobody can think it to be"
    for one in dice.shuffled(mixed):
        here, card = may[one], mixed[one]
        alike = [two for two, other in mixed.items() if other in here and card in may[two]]
        two = alike[dice.below(len(alike))]
        mixed[one], mixed[two] = mixed[two], card
    return mixed


def may_be(spot: Spot, backs: Mapping[Spot, May]) -> May:
    """Clearings lie in rows, and where wolves laid cards away that lay face down. (R23b)"""
    return ANY if spot[0] == "removed" else backs.get(spot, DEALT)


# What all know of backs


def backs(state: State) -> dict[Spot, May]:
    """What each card on the table may be, were it face down, as the state lets all see."""
    scored = ANY if state.owed else ANY - SHY
    fresh = not any(state.hands) and not state.turns  # in new rows no Clearing was laid yet
    old = len(state.rows) - state.seats if fresh else len(state.rows)
    rows = enumerate(state.board.rows)
    may = {cell: scored if r < old else scored - {CLEARING} for r, row in rows for cell in row}
    may, _ = told(may, () if state.past else state.trail)
    return {("row", *state.board.at[cell]): cards for cell, cards in may.items()}


def told(may: Mapping[Cell, May], trail: Sequence[Step]) -> tuple[dict[Cell, May], list[Card]]:
    """`may` after a turn of which all heard this; and cards known to have left it face down."""
    now, buried = dict(may), list[Card]()
    for fact in trail:
        match fact:
            case Flipped(cell, None):
                now[cell] -= CATS  # R9
            case Flipped(cell, card) if card:
                now[cell] = frozenset({card})
            case Swapped(one, two):
                now[one], now[two] = now[two], now[one]
            case Removed(cell, card):
                if card is None and len(now[cell]) == 1:
                    buried += now[cell]
                now[cell] = frozenset({CLEARING})
    return now, buried


# The discard pile and the rows in the making


def piles(state: State, viewer: Seat | None) -> Iterator[tuple[Card, ...]]:
    """Face-down discards: what this viewer knows, what others threw away, what wolves removed.

    And last, what others threw away that is no longer there: it was scavenged.
    """
    down = Counter(slot.card for slot in state.pile if not slot.up)
    mine = Counter(state.away[viewer] if state.away and viewer is not None else ())
    _, buried = told(dict.fromkeys(state.board.at, ANY), () if state.past else state.trail)
    known = mine + Counter(buried) - taken(state)
    others = Counter(c for i, cards in enumerate(state.away) if i != viewer for c in cards)
    free = down - known
    assert known <= down, f"{known} should lie in {down}"
    return (tuple(some.elements()) for some in (known, free & others, free - others, others - free))


def taken(state: State) -> Counter[Card]:
    """What may have been scavenged of the face-down discards, for all that the state tells.

    Face-up ones go first (R38): while one lies there, no other of its kind has gone.
    """
    up = {slot.card for slot in state.pile if slot.up}
    found = Counter(slot.card for row in state.found for slot in row if slot.card not in up)
    return found - Counter(f.card for f in state.trail if isinstance(f, Removed) and f.card)


def discarded(
    state: State, viewer: Seat | None, cards: Sequence[Card], dice: Dice
) -> tuple[tuple[Card, ...], ...]:
    """Who threw away what: anybody else any of these, for the pile is sorted."""
    some = iter(dice.shuffled(card for card in cards if card != CLEARING))
    return tuple(
        mine if seat == viewer else tuple(next(some) for _ in mine)
        for seat, mine in enumerate(state.away)
    )


def plans(state: State, viewer: Seat | None, dice: Dice) -> tuple[tuple[int, ...], ...]:
    """Others see who is ready, and nothing else."""
    return tuple(
        plan if seat == viewer or not plan else arranged(state.options, dice)
        for seat, plan in enumerate(state.plans)
    )


def arranged(options: Options, dice: Dice) -> tuple[int, ...]:
    return dice.shuffled(range(1, options.hand + 1))[: options.width]


# The game before


def past(state: State, viewer: Seat | None, dice: Dice) -> tuple[Row, ...]:
    """Its rows, with the cards of that game that are no longer in the state as a reserve."""
    if not state.past:
        return ()
    cells = board(state.options.variant, state.seats, len(state.past)).rows
    may, buried = told({cell: ANY - SHY for row in cells for cell in row}, state.trail)
    rows = lying("past", state.past, state.seats, viewer, scored=True)
    lies = rows | spots("box", [tuple((unseen(state, buried)).elements())])
    all_ = {spot: may[cells[spot[1]][spot[2]]] if spot in rows else DEALT for spot in lies}
    return laid("past", state.past, mixed(lies, all_, dice))


def unseen(state: State, buried: Sequence[Card]) -> Counter[Card]:
    """Cards of the game before that lay in no row and that nobody heard of."""
    facts = state.trail
    scavenged = Counter(fact.card for fact in facts if isinstance(fact, Scavenged))
    removed = Counter(f.card for f in facts if isinstance(f, Removed) and f.card) + Counter(buried)
    lay = Counter(slot.card for row in state.past for slot in row)
    every = in_play(state) - lay - (scavenged | removed)
    return Counter({card: n for card, n in every.items() if card != CLEARING})


def in_play(state: State) -> Counter[Card]:
    """All cards of this game, and so of the one before, but for Clearings in the supply."""
    tables = (*state.rows, state.pile, *state.found)
    hands = Counter(card for hand in (state.deck, *state.hands) for card in hand)
    return hands + Counter(slot.card for row in tables for slot in row)
