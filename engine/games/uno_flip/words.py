"""UNO Flip as text: `R5`, `W=G`, `W2=Y!`, `R1#2`, `draw`, `keep`, `col=P`, `take`, `chal`, `uno`,
`catch 2`. A face is a colour and a number or symbol: D draw, S skip, V reverse, F flip.
"""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import ValidationError, convert

from engine.contract import Said, Seat

from .cards import Face, Faces
from .faces import COLOUR_NAMES, named
from .facts import (
    Called,
    Caught,
    Challenged,
    Dealt,
    Drew,
    Fact,
    Kept,
    Miscaught,
    Named,
    Passed,
    PileShows,
    Played,
    Reshuffled,
    RoundEnded,
    Took,
    Turned,
    TurnedUp,
)
from .pieces import Catch, Challenge, Draw, Keep, Move, Name, Play, Take, Uno
from .table import show

__all__ = ["read", "say", "show", "write"]

FORM: Final = "say a card, as in `R5`, `R5!`, `W=G` or `R1#2`, or a word: " + (
    "draw, keep, take, chal, uno, `catch 2`, `col=P`"
)
PLAIN: Final[dict[str, Move]] = {
    "draw": Draw(),
    "keep": Keep(),
    "take": Take(),
    "chal": Challenge(),
    "uno": Uno(),
}
WORD: Final = {type(move): text for text, move in PLAIN.items()}
CARD: Final = re.compile(r"(\w\w?)(?:#([1-4]))?(?:=(\w))?(!?)", re.ASCII)
CATCH: Final = re.compile(r"catch ([0-9])")


def write(move: Move) -> str:
    match move:
        case Play(face, copy, colour, uno):
            which = f"#{copy}" if copy > 1 else ""
            wish = f"={colour}" if colour else ""
            return f"{face}{which}{wish}{'!' * uno}"
        case Name(colour):
            return f"col={colour}"
        case Catch(seat):
            return f"catch {seat}"
    return WORD[type(move)]


def read(text: str) -> Move:
    text = " ".join(text.split())
    if text in PLAIN:
        return PLAIN[text]
    if caught := CATCH.fullmatch(text):
        return Catch(int(caught[1]))
    tree: dict[str, Any]
    if text.startswith("col="):
        tree = {"type": "name", "colour": text[4:]}
    elif card := CARD.fullmatch(text):
        face, copy, colour, uno = card.groups()
        tree = {"type": "play", "face": face, "copy": int(copy or 1), "colour": colour}
        tree["uno"] = bool(uno)
    else:
        raise ValueError(FORM)
    try:
        return convert(tree, Play | Name)
    except ValidationError:
        raise ValueError(FORM) from None


def say(fact: Fact) -> Said:
    match fact:
        case Dealt(dealer, number, hand):
            return with_hand("{seat} deals round {round}.", hand, seat=dealer, round=number)
        case TurnedUp(face, over, returned):
            return turned_up(face, over, returned)
        case Played():
            return played(fact)
        case Drew(seat, count, faces, backs):
            return drew(seat, count, faces, backs)
        case Reshuffled(count):
            return Said("{count} discards are shuffled, and are the draw pile.", {"count": count})
        case PileShows(face):
            return Said("The draw pile shows {face}.", {"face": face or "nothing"})
        case Turned(side, top, hand):
            said = "Everything turns {side}, with {face} ({name}) on top."
            return with_hand(said, hand, side=side, face=top, name=named(top))
        case Kept(seat):
            return Said("{seat} keeps it.", {"seat": seat})
        case Passed(seat):
            return Said("There is nothing to draw; {seat} passes.", {"seat": seat})
        case Named(seat, colour):
            return Said("{seat} names {colour}.", {"seat": seat, "colour": COLOUR_NAMES[colour]})
        case Took(seat):
            return Said("{seat} takes it.", {"seat": seat})
        case Challenged():
            return challenged(fact)
        case Called(seat):
            return Said("{seat} calls UNO.", {"seat": seat})
        case Caught(seat, by):
            return Said("{seat1} catches {seat}: no UNO was called.", {"seat": seat, "seat1": by})
        case Miscaught(seat, by):
            said = "{seat1} has nothing to catch {seat} at."
            return Said(said, {"seat": seat, "seat1": by})
        case RoundEnded():
            return ended(fact)


def with_hand(said: str, hand: Faces, **args: Any) -> Said:
    """The same, and the hand if it is to be heard."""
    if not hand:
        return Said(said, args)
    return Said(f"{said} Hand: {{cards}}.", {**args, "cards": " ".join(hand)})


def drew(seat: Seat, count: int, faces: Faces, backs: Faces) -> Said:
    args = {"seat": seat, "count": count, "cards": " ".join(faces or backs)}
    if faces:
        return Said("{seat} draws {count}: {cards}.", args)
    return Said("{seat} draws {count}, backs {cards}." if backs else "{seat} draws {count}.", args)


def turned_up(face: Face, over: Face | None, returned: int) -> Said:
    args: dict[str, Any] = {"face": face, "name": named(face)}
    said = "{face} ({name}) is turned up"
    if returned:
        said = "Wild Draw Two goes back into the pile ({returned}); " + said
        args["returned"] = returned
    if over:
        said += ": everything turns dark, with {over} ({dark}) on top"
        args |= {"over": over, "dark": named(over)}
    return Said(f"{said}.", args)


def played(fact: Played) -> Said:
    args: dict[str, Any] = {"seat": fact.seat, "face": fact.face, "name": named(fact.face)}
    said = "{seat} plays {face} ({name})"
    if fact.colour:
        said += " and names {colour}"
        args["colour"] = COLOUR_NAMES[fact.colour]
    if fact.back:
        said += ", back {back}"
        args["back"] = fact.back
    return Said(f"{said}. UNO!" if fact.uno else f"{said}.", args)


def challenged(fact: Challenged) -> Said:
    said = "{seat} challenges {seat1}: " + ("guilty" if fact.guilty else "not guilty")
    if fact.hand:
        said += "; the hand was {cards}"
    args = {"seat": fact.seat, "seat1": fact.accused, "cards": " ".join(fact.hand)}
    return Said(f"{said}.", args)


def ended(fact: RoundEnded) -> Said:
    scores = " : ".join(map(str, fact.scores))
    args: dict[str, Any] = {"points": sum(fact.points), "scores": scores, "side": fact.side}
    if fact.out is None:
        return Said("The round is blocked. Scores {scores}.", args)
    said = "{seat} goes out, {side} side up: {points} points are left. Scores {scores}."
    return Said(said, {**args, "seat": fact.out})
