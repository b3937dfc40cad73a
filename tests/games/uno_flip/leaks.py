"""Leaks of UNO Flip, planted on purpose."""

from msgspec.structs import replace

from engine.contract import OPEN
from engine.games.uno_flip.cards import FACE, OTHER, matches
from engine.games.uno_flip.facts import (
    Challenged,
    Dealt,
    Drew,
    PileShows,
    Played,
    RoundEnded,
    Turned,
    TurnedUp,
)
from engine.games.uno_flip.moves import convicts, live, top
from engine.games.uno_flip.pieces import Challenge, Draw, No, PlayOrKeep, Take, TakeOrChallenge
from engine.games.uno_flip.rounds import after, turn_to
from tests.games.sabotage import Leak, aside, retold, seen, to_all, untold, with_eyes_of


def wilds(cards, side) -> int:
    """A secret: how many of these are wild or, where that says little, of the first colours?"""
    return sum(FACE[side][card][0] in "WRK" for card in cards)


def next_wild(s) -> int:
    return wilds(s.draw[-1:], s.side)


def others(s, seat) -> int:
    return wilds(s.hands[(seat + 1) % len(s.hands)], s.side)


def guilty(s) -> bool:
    asked = s.owed[0] if s.owed else None
    if not isinstance(asked, TakeOrChallenge):
        return False
    held = live(s, asked.accused)[: asked.held]
    return convicts(s.options, held, asked.under, asked.colour)


def view(change):
    """A view that also shows what `change(view, state)` says of the state."""
    return seen(lambda view, s, viewer: replace(view, **change(view, s)))


def to_watchers(kind):
    """Watchers hear such a fact as the seat after the one that it is about."""

    def told(t):
        return replace(t, fact=t.to[-1][1]) if isinstance(t.fact, kind) and t.to else t

    return retold(told)


def sees_own_backs(backs, s, seat, viewer):
    if seat != viewer or s.options.backs == "closed":
        return backs
    return tuple(sorted(FACE[OTHER[s.side]][card] for card in s.hands[seat]))


def passes_by_itself(honest):
    """R12: no `keep` after a card that does not fit."""

    def draw(s, seat, dice):
        s = yield from honest(s, seat, dice)
        if s.owed and isinstance(s.owed[0], PlayOrKeep):
            face = FACE[s.side][s.hands[seat][-1]]
            if not matches(face, top(s), s.colour):
                return turn_to(s, after(s, seat))
        return s

    return draw


def tells_the_slot(honest):
    def played(s, seat, play, back):
        t = honest(s, seat, play, back)
        live_ = [face for face in live(s, seat) if face == play.face]
        return t if len(live_) < 2 else replace(t, fact=replace(t.fact, uno=back > "O"))

    return played


LEAKS = [
    Leak("the deal is told to all", "rounds.deal", to_all(Dealt)),
    Leak("what is drawn is told to all", "rules.apply", to_all(Drew)),
    Leak("watchers hear the backs of what is drawn", "rules.apply", to_watchers(Drew)),
    Leak("watchers hear the back of what is played", "rules.apply", to_watchers(Played)),
    Leak("all hear the back of what is played, its owner too", "rules.apply", to_all(Played)),
    Leak("the challenged hand is told to all", "rules.challenge", to_all(Challenged)),
    Leak("all see all hands", "looks.view", with_eyes_of(lambda viewer: OPEN)),
    Leak("watchers see a hand", "looks.view", with_eyes_of(lambda v: 0 if v is None else v)),
    Leak(
        "watchers see all backs",
        "looks.backs",
        lambda honest: lambda s, seat, v: honest(s, seat, -1 if v is None else v),
    ),
    Leak("a seat sees its own backs", "looks.backs", seen(sees_own_backs)),
    Leak(
        "backs lie in the order in which the cards were got",
        "moves.idle",
        lambda honest: lambda s, seat: tuple(FACE[OTHER[s.side]][c] for c in s.hands[seat]),
    ),
    Leak(
        "the draw pile shows the face that will be drawn",
        "draws.shows",
        lambda honest: lambda s: FACE[s.side][s.draw[-1]] if s.draw else None,
    ),
    Leak(
        "the draw pile shows its back though backs are closed",
        "draws.shows",
        lambda honest: lambda s: FACE[OTHER[s.side]][s.draw[-1]] if s.draw else None,
    ),
    Leak(
        "the challenged hand stays for all to see",
        "looks.verdict",
        lambda honest: lambda s, viewer: s.verdict,
    ),
    Leak(
        "the view says who would be guilty",
        "looks.view",
        view(lambda v, s: {"fails": v.fails + 100 * guilty(s)}),
    ),
    Leak(
        "the size of the draw pile says what is drawn next",
        "looks.view",
        view(lambda v, s: {"draw": 2 * v.draw + next_wild(s)}),
    ),
    Leak(
        "how many cards a seat holds says how many are wild",
        "looks.view",
        view(
            lambda v, s: {"held": tuple(len(h) + 100 * wilds(h, s.side) for h in s.hands)},
        ),
    ),
    Leak(
        "the number of discards says what the next flip uncovers",
        "looks.view",
        view(lambda v, s: {"discards": 2 * v.discards + wilds(s.discards[:1], OTHER[s.side])}),
    ),
    Leak(
        "the back of the top discard is to be seen",
        "looks.view",
        view(lambda v, s: {"pile": FACE[OTHER[s.side]][s.discards[-1]]}),
    ),
    Leak(
        "drawing is not offered when a wild comes next",
        "moves.answers",
        seen(
            lambda moves, s, seat: [
                m for m in moves if not (isinstance(m, Draw | Take) and next_wild(s))
            ]
        ),
    ),
    Leak(
        "the order of moves says what another holds",
        "moves.legal",
        seen(lambda moves, s, seat: sorted(moves, key=repr, reverse=others(s, seat) % 2)),
    ),
    Leak(
        "a play grows less when another holds wilds",
        "moves.grow",
        seen(lambda moves, s, seat, move: list(moves)[others(s, seat) % 2 :]),
    ),
    Leak(
        "a refusal says what another holds",
        "moves.allows",
        seen(lambda no, s, seat, m: No.PHASE if no and others(s, seat) % 2 else no),
    ),
    Leak("a seat draws, but is not told what", "rules.apply", aside(Drew)),
    Leak("a seat is dealt a hand, but is not told", "rounds.deal", untold(Dealt)),
    Leak("a card is turned up, but no fact says so", "rounds.deal", untold(TurnedUp)),
    Leak("the pile shows another back, but no fact says so", "rules.show_pile", untold(PileShows)),
    Leak("everything turns, but no fact says so", "effects.flip", untold(Turned)),
    Leak("an equal card that is played is known by its back", "effects.played", tells_the_slot),
]

# Seldom seen in random matches: hands are large there. `test_secrets` sees them.
SUBTLE = [
    Leak("after a flip all hear what seat 0 hears", "rules.apply", to_all(Turned)),
    Leak(
        "a challenge comes first where it would succeed",
        "moves.answers",
        seen(lambda moves, s, seat: sorted(moves, key=repr, reverse=not guilty(s))),
    ),
    Leak(
        "a challenge that would fail is refused",
        "moves.allows",
        seen(
            lambda no, s, seat, m: (
                No.PHASE if not no and isinstance(m, Challenge) and not guilty(s) else no
            )
        ),
    ),
    Leak("an unplayable draw passes by itself", "rules.draw", passes_by_itself),
    Leak("a hand was shown, but no fact says so", "rules.challenge", aside(Challenged)),
    Leak("hands are shown at the end, but no fact says so", "rounds.end_round", untold(RoundEnded)),
]
