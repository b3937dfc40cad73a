"""The table as text: what lies in the middle, who holds how many, one's own hand, who must act."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from .cards import COLOURS, WILD_DRAWS, Face, Faces, in_order, matches
from .faces import COLOUR_NAMES, named
from .facts import RoundEnded
from .moves import restricted
from .pieces import DrawTwo, NameColour, Owed, PlayOrDraw, PlayOrKeep, TakeOrChallenge, View

WIDTH: Final = 96


def show(view: View, names: Sequence[str]) -> str:
    """The table in text, of whoever has this view."""
    return "\n".join(
        [
            *just_shown(view, names),
            *middle(view),
            *seats(view, names),
            *hands(view, names),
            *due(view, names),
        ]
    )


def just_shown(view: View, names: Sequence[str]) -> Iterator[str]:
    if view.ended:
        yield from round_ended(view.ended, names)
    if view.returned:
        yield f"Wild Draw Twos that were turned up and went back: {view.returned}."
    if told := view.verdict:
        verdict = "guilty" if told.guilty else "not guilty"
        hand = f"; the hand was {' '.join(in_order(told.hand))}" if told.hand else ""
        yield f"{names[told.seat]} challenged {names[told.accused]}: {verdict}{hand}."


def round_ended(ended: RoundEnded, names: Sequence[str]) -> Iterator[str]:
    how = "blocked" if ended.out is None else f"{names[ended.out]} went out"
    yield f"The last round: {how}, {ended.side} side up. Left in hand, and points:"
    for name, hand, points in zip(names, ended.hands, ended.points, strict=False):
        yield from wrapped(f"    {name}: +{points} ", hand or ("nothing",))


def middle(view: View) -> Iterator[str]:
    way = "clockwise" if view.way == 1 else "anticlockwise"
    yield f"Round {view.round}, {view.side} side up, {way}"
    active = COLOUR_NAMES[view.colour].upper() if view.colour else "not named yet"
    yield f"On top {view.top} ({named(view.top)}); active colour: {active}"
    pile = f" ({view.pile} on its back)" if view.pile else ""
    yield f"Draw pile {view.draw}{pile}, discards {view.discards}"


def seats(view: View, names: Sequence[str]) -> Iterator[str]:
    """A line each: whose turn, how many cards, score, UNO, and the backs one sees."""
    width = max(map(len, names[: len(view.held)]))
    acts = view.owed[0].seat if view.owed else None
    for seat, held in enumerate(view.held):
        notes = ["dealer"] * (seat == view.dealer)
        if seat == view.window:
            notes.append("UNO!" if view.called else "one card, no UNO called")
        cards = "card " if held == 1 else "cards"
        line = f"{'>' if seat == acts else ' '} {names[seat]:<{width}} {held:3} {cards}"
        line += f" {view.scores[seat]:5} points  {', '.join(notes)}"
        backs = view.backs[seat]
        yield from wrapped(f"{line.rstrip()}  backs", backs) if backs else (line.rstrip(),)


def hands(view: View, names: Sequence[str]) -> Iterator[str]:
    """The hands one sees, by colour; what may be played now is in brackets."""
    for seat, hand in enumerate(view.hands):
        if hand is not None:
            order = in_order(hand)
            shown = [f"[{face}]" if fits(view, seat, hand, face) else face for face in order]
            yield from wrapped(f"{names[seat]} holds", shown or ["nothing"])


def fits(view: View, seat: int, hand: Faces, face: Face) -> bool:
    asked = view.owed[0] if view.owed else None
    if asked is None or asked.seat != seat or not matches(face, view.top, view.colour):
        return False
    if face in WILD_DRAWS and restricted(view.options, hand, view.top, view.colour):
        return False
    if isinstance(asked, PlayOrKeep):
        return face == hand[asked.at]
    return isinstance(asked, PlayOrDraw)


def due(view: View, names: Sequence[str]) -> Iterator[str]:
    if view.over:
        yield f"The match is over: {view.over}."
        return
    seat = view.owed[0].seat
    yield f"{names[seat]} {asked(view, view.owed[0], names)}."
    if view.hands[seat] is not None and view.held[seat] == 2 and view.options.uno_call:
        yield "Playing down to one card, call UNO: `!` after the card."
    if view.window is not None and not view.called:
        yield f"Until another seat acts: `uno` for {names[view.window]}, `catch {view.window}`."


def asked(view: View, question: Owed, names: Sequence[str]) -> str:
    match question:
        case PlayOrDraw():
            return "plays a card or draws"
        case PlayOrKeep(seat, at):
            hand = view.hands[seat]
            return f"plays the drawn {hand[at] if hand else 'card'} or keeps it"
        case NameColour():
            return f"names a colour: {' '.join(COLOURS[view.side])}"
        case TakeOrChallenge(_, accused, _, under, colour):
            laid = f"{names[accused]} laid {view.top} on {under}, {COLOUR_NAMES[colour]}"
            return f"takes the cards or challenges: {laid}"
        case DrawTwo():
            return "draws two"


def wrapped(start: str, words: Iterable[str]) -> Iterator[str]:
    """A line, or as many as it takes."""
    line = start
    for word in words:
        if len(line) + len(word) >= WIDTH:
            yield line
            line = " " * 8
        line += f" {word}"
    yield line
