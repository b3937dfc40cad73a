"""Positions and plays as the dossier writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from engine.contract import Told, hear
from engine.dice import Dice
from engine.games import uno_flip
from engine.games.uno_flip import Fact, Move, No, Options, State, words
from engine.games.uno_flip.cards import CARDS, COLOUR
from engine.games.uno_flip.pieces import Catch, PlayOrDraw
from engine.games.uno_flip.rounds import turn_up
from engine.games.uno_flip.rules import act
from engine.robots import ROBOTS

SEED = bytes(32)
SIDES = {"L": "light", "D": "dark"}
Seen = tuple[State, list[Told], No | None]  # after a play: the state, what was told, a refusal


def position(text: str, **given: Any) -> State:
    """A state from the lines `given`, `disc`, `draw`, `h0` and so on, `sc`, `opts`."""
    header = dict(re.findall(r"(\w+)=(\S+)", text.strip().splitlines()[0]))
    lists = dict(re.findall(r"^\s*(disc|draw|h\d+|sc)\b *(.*)$", text, re.M))
    rest, n = list(CARDS), int(header["n"])
    for line in lists.values():
        for card in line.split():
            if "/" in card:
                rest.remove(card)
    cards = {
        name: tuple(c for card in line.split() for c in (rest if card == "*" else [card]))
        for name, line in lists.items()
    }
    scores = lists.get("sc", "0 " * n)
    return State(
        options=Options(**(options(text) | given)),
        dealer=int(header["dealer"]),
        draw=cards["draw"],
        discards=cards.get("disc", ()),
        hands=tuple(cards[f"h{seat}"] for seat in range(n)),
        scores=tuple(map(int, scores.split())),
        owed=(PlayOrDraw(int(header.get("turn", 0))),),
        side=SIDES[header["side"]],
        way=1 if header["dir"] == "+" else -1,
        colour=COLOUR.get(header.get("col", "")),
    )


def options(text: str) -> dict[str, Any]:
    """What `opts` says, in our names."""
    pairs = re.findall(r"^opts +options (.*)$", text, re.M)
    given = dict(pair.split("=") for line in pairs for pair in line.split())
    switch = {"on": True, "off": False}
    return {
        re.sub("[A-Z]", lambda big: "_" + big[0].lower(), name): switch.get(value, value)
        for name, value in given.items()
    }


def play(s: State, line: str, dice: Dice | None = None) -> Seen:
    """Commands as in `0:W2=G ; 1:take`, up to the end of the round, until one is refused."""
    told: list[Told] = []
    dice = dice or Dice(SEED, 1)
    for command in line.split(" ; "):
        if command == "open":
            s, facts = hear(turn_up(s, dice))
        else:
            seat, _, text = command.partition(":")
            move = read(s, text)
            if no := uno_flip.allows(s, int(seat), move):
                return s, told, no
            s, facts = hear(act(s, int(seat), move, dice))
        told += facts
    return s, told, None


def read(s: State, text: str) -> Move:
    """The dossier's `catch` does not say whom: it is whoever has come down to one card."""
    if text == "catch":
        return Catch(min(range(len(s.hands)), key=lambda seat: len(s.hands[seat])))
    return words.read(text)


def heard(told: Iterable[Told], viewer: Any) -> list[Fact]:
    return [fact for t in told for fact in t.heard_by(viewer)]


def match(
    number: int, seats: int, robots: str = "greedy", **given: Any
) -> Iterator[tuple[State, tuple[Told, ...], Any]]:
    """A match that robots play: each state, what was told on the way to it, and by what move."""
    dice = Dice(SEED, number)
    s, told = hear(uno_flip.setup(Options(**given), seats, dice))
    yield s, told, None
    names = robots.split()
    while acts := uno_flip.to_act(s):
        seat = acts[0]
        move = ROBOTS[names[seat % len(names)]](uno_flip, s, seat, dice)
        s, told = hear(uno_flip.apply(s, seat, move, dice))
        yield s, told, move


# Positions of a kind

LIGHT = """n=3 side=L dir=+ dealer=2 turn=0 col=B
disc B4/TD
draw * R9/P5 G9/OD R7/O1 R7/P5
h0 {}
h1 R2/OV Y1/KS
h2 G1/O5 Y2/T1"""
DARK = LIGHT.replace("side=L", "side=D").replace("col=B", "col=T")
TWO = """n=2 side=L dir=+ dealer=1 turn=0 col=B
disc B4/TD
draw * R9/P5 R7/O1
h0 {}
h1 B8/T4 Y1/KS Y7/O2"""
OPENING = """n=3 side=L dir=+ dealer=0 phase=OPEN
draw * R9/P5 Y8/K1 {}
h0 R1/K3
h1 R2/OV
h2 R3/K7"""
DRY = """n=2 side=L dir=+ dealer=1 turn=0 col=B
disc B4/P1
draw
h0 BF/P6 R1/K3
h1 *
sc 120 80"""


def light(hand: str, **options: Any) -> State:
    return position(LIGHT.format(hand), **options)


def dark(hand: str, **options: Any) -> State:
    return position(DARK.format(hand), **options)


def sizes(s: State) -> list[int]:
    return [len(hand) for hand in s.hands]


def no(s: State, line: str) -> No | None:
    return play(s, line)[2]
