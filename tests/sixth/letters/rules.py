"""Letters: bring your letter to the princess; of two cards play one, and outlive the others.

Rulings (L1 …) are those of the README beside this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.contract import OPEN, Outcome, Play, Refusal, Seat, Told, Viewer, put, ranked
from engine.dice import Dice

NAME, RULES = "letters", 1

Rank = Annotated[int, Meta(ge=1, le=8)]
GUARD, PRIEST, BARON, MAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
CARDS = (1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8)
AIMED = (GUARD, PRIEST, BARON, PRINCE, KING)
Hand = tuple[int, ...]
Known = tuple[int | None, ...]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    favours: Annotated[int, Meta(ge=1, le=7, description="favours that win the match")] = 2


class Last(Struct, frozen=True, forbid_unknown_fields=True):
    """A round that is over, as all (or one viewer) saw it."""

    hands: Known
    piles: tuple[Hand, ...]


class State(Struct, frozen=True, forbid_unknown_fields=True):
    options: Options
    hands: tuple[Hand, ...]  # in one's turn with what was drawn, behind; none once out
    known: tuple[Known, ...]  # known[a][b]: the card that a has seen b hold, if b still does
    deck: Hand  # drawn from the front
    aside: int | None  # drawn last of all, and only for a prince
    open: Hand  # three cards that two seats do without
    piles: tuple[Hand, ...]  # what lies before each seat, in order
    safe: tuple[bool, ...]
    favours: tuple[int, ...]
    turn: Seat
    shown: bool = False  # the last round was decided by the hands, which all have seen
    last: Last | None = None  # the round before, as watchers saw it
    recalled: tuple[Known, ...] = ()  # its hands, as each seat saw them


class Use(Struct, frozen=True, forbid_unknown_fields=True, tag="play"):
    card: Rank
    target: Annotated[int, Meta(ge=0, le=3)] | None = None
    guess: Annotated[int, Meta(ge=2, le=8)] | None = None

    def __post_init__(self) -> None:
        if self.guess is not None and self.target is None:
            raise ValueError("a guess is about a target")


Move = Use


class Begun(Struct, frozen=True, forbid_unknown_fields=True, tag="begun"):
    open: Hand


class Dealt(Struct, frozen=True, forbid_unknown_fields=True, tag="dealt"):
    seat: Seat
    card: int | None = None  # to others: a card, unseen


class Drawn(Struct, frozen=True, forbid_unknown_fields=True, tag="drawn"):
    seat: Seat
    card: int | None = None


class Played(Struct, frozen=True, forbid_unknown_fields=True, tag="played"):
    seat: Seat
    card: int
    target: Seat | None = None
    guess: int | None = None


class Missed(Struct, frozen=True, forbid_unknown_fields=True, tag="missed"):
    seat: Seat


class Looked(Struct, frozen=True, forbid_unknown_fields=True, tag="looked"):
    seat: Seat
    target: Seat
    card: int | None = None  # to those two


class Compared(Struct, frozen=True, forbid_unknown_fields=True, tag="compared"):
    seat: Seat
    target: Seat
    cards: tuple[int, int] | None = None  # to those two


class Swapped(Struct, frozen=True, forbid_unknown_fields=True, tag="swapped"):
    seat: Seat
    target: Seat
    cards: tuple[int, int] | None = None  # to those two: what each holds now


class Discarded(Struct, frozen=True, forbid_unknown_fields=True, tag="discarded"):
    seat: Seat
    card: int


class Ousted(Struct, frozen=True, forbid_unknown_fields=True, tag="ousted"):
    seat: Seat
    card: int  # the one it still held


class Shown(Struct, frozen=True, forbid_unknown_fields=True, tag="shown"):
    hands: tuple[int | None, ...]


class Won(Struct, frozen=True, forbid_unknown_fields=True, tag="won"):
    seats: tuple[Seat, ...]


Fact = (
    Begun
    | Dealt
    | Drawn
    | Played
    | Missed
    | Looked
    | Compared
    | Swapped
    | Discarded
    | Ousted
    | Shown
    | Won
)


class View(Struct, frozen=True, forbid_unknown_fields=True):
    hands: tuple[tuple[int | None, ...], ...]
    deck: int  # how many cards are left
    open: Hand
    piles: tuple[Hand, ...]
    safe: tuple[bool, ...]
    favours: tuple[int, ...]
    goal: int
    turn: Seat | None
    last: Last | None  # the round before


class No(Refusal):
    NOT_YOUR_TURN = "L2", "It is another seat's turn."
    NOT_HELD = "L2", "You do not hold that card."
    COUNTESS = "L3", "With the king or a prince in hand, the countess must be played."
    NO_TARGET_NEEDED = "L4", "That card is aimed at nobody, now."
    BAD_TARGET = "L4", "It cannot be aimed at that seat."
    NO_GUESS = "L5", "Only a guard guesses."
    UNAIMED = "L4", "Say which seat it is aimed at."
    UNGUESSED = "L5", "Say which card you guess."


def seats(options: Options) -> range:
    return range(2, 5)  # L1


def setup(options: Options, seats: int, dice: Dice) -> Play[State]:
    return (yield from deal(options, (0,) * seats, 0, dice))


def deal(options: Options, favours: tuple[int, ...], first: Seat, dice: Dice) -> Play[State]:
    """A round from its beginning, up to what the first seat draws."""
    n, deck = len(favours), dice.shuffled(CARDS)
    aside, deck = deck[0], deck[1:]
    n_open = 3 if n == 2 else 0  # L1
    shown, deck = deck[:n_open], deck[n_open:]
    yield Told(Begun(shown))
    for seat in range(n):
        yield Told(Dealt(seat), to=((seat, Dealt(seat, deck[seat])),))
    s = State(
        options=options,
        hands=tuple((card,) for card in deck[:n]),
        known=((None,) * n,) * n,
        deck=deck[n:],
        aside=aside,
        open=shown,
        piles=((),) * n,
        safe=(False,) * n,
        favours=favours,
        turn=first,
    )
    return (yield from drawn(s, first))


def to_act(s: State) -> tuple[Seat, ...]:
    return () if max(s.favours) >= s.options.favours else (s.turn,)


def targets(s: State, seat: Seat, card: int) -> tuple[Seat, ...]:
    """Whom a card may be aimed at; nobody, if it is not to be aimed."""
    if card not in AIMED:
        return ()
    others = (x for x, hand in enumerate(s.hands) if hand and not s.safe[x] and x != seat)
    return (*others, *((seat,) if card == PRINCE else ()))  # L4


def playable(s: State, seat: Seat) -> list[int]:
    hand = s.hands[seat]
    if COUNTESS in hand and (KING in hand or PRINCE in hand):  # L3
        return [COUNTESS]
    return sorted(set(hand))


def legal(s: State, seat: Seat) -> Iterator[Move]:
    if seat in to_act(s):
        yield from (Use(card) for card in playable(s, seat))


def grow(s: State, seat: Seat, move: Move) -> Iterator[Move]:
    if seat not in to_act(s) or move.card not in playable(s, seat):
        return
    aims = targets(s, seat, move.card)
    if move.target is None:
        yield from (Use(move.card, aim) for aim in aims)
    elif move.card == GUARD and move.target in aims and move.guess is None:
        yield from (Use(GUARD, move.target, guess) for guess in range(2, 9))


def allows(s: State, seat: Seat, move: Move) -> No | None:
    if seat not in to_act(s):
        return No.NOT_YOUR_TURN
    if move.card not in s.hands[seat]:
        return No.NOT_HELD
    if move.card not in playable(s, seat):
        return No.COUNTESS
    aims = targets(s, seat, move.card)
    if move.target is not None:
        if not aims:
            return No.NO_TARGET_NEEDED
        if move.target not in aims:
            return No.BAD_TARGET
    if move.guess is not None and move.card != GUARD:
        return No.NO_GUESS
    if aims and move.target is None:
        return No.UNAIMED
    return No.UNGUESSED if aims and move.card == GUARD and move.guess is None else None


def apply(s: State, seat: Seat, move: Move, dice: Dice) -> Play[State]:
    yield Told(Played(seat, move.card, move.target, move.guess))
    hand = list(s.hands[seat])
    hand.remove(move.card)
    s = replace(
        s,
        hands=put(s.hands, seat, tuple(hand)),
        known=tuple(
            put(row, seat, None if row[seat] == move.card else row[seat]) for row in s.known
        ),
        piles=put(s.piles, seat, (*s.piles[seat], move.card)),
        safe=put(s.safe, seat, move.card == MAID),
    )
    if move.card == PRINCESS:
        s = yield from ousted(s, seat)
    elif move.target is not None:
        s = yield from aimed(s, seat, move.card, move.target, move.guess)
    alive = [x for x, held in enumerate(s.hands) if held]
    if len(alive) == 1 or not s.deck:
        return (yield from ended(s, alive, dice))
    following = next(x % len(s.hands) for x in range(seat + 1, 9) if x % len(s.hands) in alive)
    s = replace(s, turn=following, safe=put(s.safe, following, False))
    return (yield from drawn(s, following))


def aimed(s: State, seat: Seat, card: int, at: Seat, guess: int | None) -> Play[State]:
    """What a card does to the seat it is aimed at."""
    mine, theirs = s.hands[seat][0], s.hands[at][0]
    both = (seat, at)
    if card == GUARD:
        if theirs == guess:
            return (yield from ousted(s, at))
        yield Told(Missed(at))
    elif card == PRIEST:
        yield Told(Looked(seat, at), to=tuple((x, Looked(seat, at, theirs)) for x in both))
        s = knows(s, seat, at, theirs)
    elif card == BARON:
        told = Compared(seat, at, (mine, theirs))
        yield Told(Compared(seat, at), to=tuple((x, told) for x in both))
        s = knows(knows(s, seat, at, theirs), at, seat, mine)
        if mine != theirs:
            return (yield from ousted(s, at if mine > theirs else seat))
    elif card == KING:
        swap = Swapped(seat, at, (theirs, mine))
        yield Told(Swapped(seat, at), to=tuple((x, swap) for x in both))
        s = replace(
            s,
            hands=put(put(s.hands, seat, (theirs,)), at, (mine,)),
            known=tuple(
                put(put(row, seat, None if x == seat else row[at]), at, row[seat])
                for x, row in enumerate(s.known)
            ),
        )
        s = replace(s, known=put(s.known, at, put(s.known[at], at, None)))
        s = knows(knows(s, seat, at, mine), at, seat, theirs)
    elif theirs == PRINCESS:
        return (yield from ousted(s, at))
    else:
        yield Told(Discarded(at, theirs))
        s = dropped(s, at)
        return (yield from drawn(s, at))
    return s


def knows(s: State, who: Seat, of: Seat, card: int) -> State:
    return replace(s, known=put(s.known, who, put(s.known[who], of, card)))


def dropped(s: State, seat: Seat) -> State:
    """The hand of a seat goes to its pile."""
    return replace(
        s,
        hands=put(s.hands, seat, ()),
        piles=put(s.piles, seat, s.piles[seat] + s.hands[seat]),
        known=tuple(put(row, seat, None) for row in s.known),
    )


def ousted(s: State, seat: Seat) -> Play[State]:
    yield Told(Ousted(seat, s.hands[seat][0]))
    return dropped(s, seat)


def drawn(s: State, seat: Seat) -> Play[State]:
    card = s.deck[0] if s.deck else s.aside  # L6
    assert card is not None
    yield Told(Drawn(seat), to=((seat, Drawn(seat, card)),))
    s = replace(s, hands=put(s.hands, seat, (*s.hands[seat], card)))
    return replace(s, deck=s.deck[1:]) if s.deck else replace(s, aside=None)


def ended(s: State, alive: list[Seat], dice: Dice) -> Play[State]:
    """The round is over: who wins it, and the next one, unless that was the last."""
    if len(alive) > 1:  # L7
        yield Told(Shown(tuple(hand[0] if hand else None for hand in s.hands)))
        s = replace(s, shown=True)
        worth = {x: (s.hands[x][0], sum(s.piles[x])) for x in alive}
        alive = [x for x in alive if worth[x] == max(worth.values())]
    yield Told(Won(tuple(alive)))
    favours = tuple(had + (x in alive) for x, had in enumerate(s.favours))
    if max(favours) >= s.options.favours:
        return replace(s, favours=favours)
    after = yield from deal(s.options, favours, alive[0], dice)  # L8
    hands = [hand[0] if hand else None for hand in s.hands]
    recalled = tuple(
        tuple(x if s.shown or a == b else s.known[a][b] for b, x in enumerate(hands))
        for a in range(len(hands))
    )
    last = Last(tuple(x if s.shown else None for x in hands), s.piles)
    return replace(after, last=last, recalled=recalled)


def view(s: State, viewer: Viewer) -> View:
    def seen(seat: Seat) -> tuple[int | None, ...]:
        hand = s.hands[seat]
        if viewer in (OPEN, seat) or s.shown:
            return hand
        if isinstance(viewer, int) and (card := s.known[viewer][seat]) is not None:
            return (card, *(None for _ in hand[1:]))
        return tuple(None for _ in hand)

    return View(
        hands=tuple(map(seen, range(len(s.hands)))),
        deck=len(s.deck),
        open=s.open,
        piles=s.piles,
        safe=s.safe,
        favours=s.favours,
        goal=s.options.favours,
        turn=s.turn if to_act(s) else None,
        last=replace(s.last, hands=s.recalled[viewer])
        if s.last and isinstance(viewer, int)
        else s.last,
    )


def outcome(s: State) -> Outcome | None:
    return None if to_act(s) else ranked(s.favours, "most favours")


def default(s: State, seat: Seat) -> Move:
    """The lowest card, aimed at the first seat it may be; a guard guesses a priest."""
    card = playable(s, seat)[0]
    aims = targets(s, seat, card)
    aim = aims[0] if aims else None
    return Use(card, aim, PRIEST if aims and card == GUARD else None)  # L9


def hint(view: View, seat: Seat, move: Move) -> int:
    """Keep the higher card, and use what you have seen."""
    score = -10 * move.card
    if move.target is None:
        return score
    seen = view.hands[move.target][0]
    if move.target == seat:
        return score - 5
    if move.card == GUARD and move.guess is not None:
        gone = [*view.open, *view.hands[seat], *sum(view.piles, ())].count(move.guess)
        return score + (50 if seen == move.guess else CARDS.count(move.guess) - gone)
    if move.card == GUARD and seen == GUARD:
        return score - 1
    if move.card == BARON and seen is not None:
        return score + (40 if seen < max(c or 0 for c in view.hands[seat]) else -40)
    return score
