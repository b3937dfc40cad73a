"""UNO Flip as text: `R5`, `W=G`, `W2=Y!`, `R1#2`, `draw`, `keep`, `col=P`, `take`, `chal`, `uno`,
`catch 2`. A face is a colour and a number or symbol: D draw, S skip, V reverse, F flip.
"""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import ValidationError, convert

from engine.contract import Said, Seat

from .cards import LIGHT, Face, Faces, Side
from .faces import COLOUR_NAMES, called
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
WHYS: Final = ("a single round", "{count} points")
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
            said = "{seat} deals round {round}."
            return with_hand(Said(said, {"seat": dealer, "round": number}), hand)
        case TurnedUp(face, over, returned):
            return turned_up(face, over, returned)
        case Played():
            return played(fact)
        case Drew(seat, count, faces, backs):
            return drew(seat, count, faces, backs)
        case Reshuffled(count):
            return Said(
                "{count} discard is shuffled, and is the draw pile.",
                {"count": count},
                "{count} discards are shuffled, and are the draw pile.",
            )
        case PileShows(None):
            return Said("The draw pile shows nothing.")
        case PileShows(face):
            return Said("The draw pile shows {face}.", {"face": face})
        case Turned(side, top, hand):
            said = "Everything turns {side}, with {face} ({name}) on top."
            args = {"side": lit(side), "face": top, "name": called(top)}
            return with_hand(Said(said, args), hand)
        case Kept(seat):
            return Said("{seat} keeps it.", {"seat": seat})
        case Passed(seat):
            return Said("There is nothing to draw; {seat} passes.", {"seat": seat})
        case Named(seat, colour):
            said = "{seat} names {colour}."
            return Said(said, {"seat": seat, "colour": Said(COLOUR_NAMES[colour])})
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


def with_hand(sentence: Said, hand: Faces) -> Said:
    """The same, and the hand if it is to be heard."""
    if not hand:
        return sentence
    return Said("{sentence} Hand: {cards}.", {"sentence": sentence, "cards": " ".join(hand)})


def lit(side: Side) -> Said:
    return Said("light" if side == LIGHT else "dark")


def drew(seat: Seat, count: int, faces: Faces, backs: Faces) -> Said:
    args = {"seat": seat, "count": count, "cards": " ".join(faces or backs)}
    if faces:
        return Said("{seat} draws {count}: {cards}.", args)
    return Said("{seat} draws {count}, backs {cards}." if backs else "{seat} draws {count}.", args)


def turned_up(face: Face, over: Face | None, returned: int) -> Said:
    args: dict[str, Any] = {"face": face, "name": called(face)}
    said = "{face} ({name}) is turned up."
    if over:
        said = "{face} ({name}) is turned up: everything turns dark, with {over} ({dark}) on top."
        args |= {"over": over, "dark": called(over)}
    sentence = Said(said, args)
    if not returned:
        return sentence
    said = "Wild Draw Two goes back into the pile ({returned}); {sentence}"
    return Said(said, {"returned": returned, "sentence": sentence})


def played(fact: Played) -> Said:
    args: dict[str, Any] = {"seat": fact.seat, "face": fact.face, "name": called(fact.face)}
    clause = Said("{seat} plays {face} ({name})", args)
    if fact.colour:
        args["colour"] = Said(COLOUR_NAMES[fact.colour])
        clause = Said("{seat} plays {face} ({name}) and names {colour}", args)
    said = "{clause}, back {back}." if fact.back else "{clause}."
    sentence = Said(said, {"clause": clause, "back": fact.back})
    return Said("{sentence} UNO!", {"sentence": sentence}) if fact.uno else sentence


def challenged(fact: Challenged) -> Said:
    verdict = Said("guilty" if fact.guilty else "not guilty")
    args = {"seat": fact.seat, "seat1": fact.accused, "verdict": verdict}
    if not fact.hand:
        return Said("{seat} challenges {seat1}: {verdict}.", args)
    said = "{seat} challenges {seat1}: {verdict}; the hand was {cards}."
    return Said(said, {**args, "cards": " ".join(fact.hand)})


def ended(fact: RoundEnded) -> Said:
    scores = " : ".join(map(str, fact.scores))
    if fact.out is None:
        return Said("The round is blocked. Scores {scores}.", {"scores": scores})
    args = {"seat": fact.out, "side": lit(fact.side), "count": sum(fact.points), "scores": scores}
    return Said(
        "{seat} goes out, {side} side up: {count} point is left. Scores {scores}.",
        args,
        "{seat} goes out, {side} side up: {count} points are left. Scores {scores}.",
    )
