"""The worked examples and golden rounds of the dossier, and its tables, read from its own text."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.contract import OPEN, hear
from engine.dice import Dice
from engine.games import uno_flip
from engine.games.uno_flip import Options, State
from engine.games.uno_flip.cards import CARDS, COLOURS, FACES, wild
from engine.games.uno_flip.facts import Challenged, Drew
from engine.games.uno_flip.pieces import (
    Catch,
    Draw,
    Keep,
    Name,
    NameColour,
    Play,
    PlayOrDraw,
    PlayOrKeep,
    TakeOrChallenge,
    Uno,
)
from engine.games.uno_flip.rules import act
from engine.games.uno_flip.words import read, write

from .positions import SEED, heard, play, position

HERE = Path(__file__).parent
TEXT = (HERE / "examples.md").read_text()
MORE = (HERE / "rulings.md").read_text()
BLOCK = re.compile(r"### (U\d+) — [^\n]*\n```\n(given .*?)moves +(.*?)\nexpect (.*?)\n```", re.S)
BLOCKS = BLOCK.findall(TEXT + MORE)
GIVEN = {name: given for name, given, _, _ in BLOCKS}
GOLDEN = re.findall(
    r"### (GR\d) — n=(\d), a=(\d+), b=(\d+), answer to every wild draw: (\w+)\n"
    r"(.*?)\n```\n(.*?)\n```",
    TEXT,
    re.S,
)
TOLD = ("U67", "U68", "U69", "U70", "U71", "U72", "U73")  # in prose; see the end of this file
PHASES = {
    PlayOrDraw: "PLAY",
    PlayOrKeep: "DREW",
    NameColour: "COLOUR",
    TakeOrChallenge: "CHALLENGE",
}


def test_nothing_is_left_out() -> None:
    assert len(BLOCK.findall(TEXT)) == TEXT.count("\ngiven ") == 52
    assert len(BLOCK.findall(MORE)) == MORE.count("\ngiven ") == 7
    assert len(GOLDEN) == 4
    names = [name for name, *_ in (*BLOCK.findall(TEXT), *GOLDEN)]
    assert sorted([*names, *TOLD]) == sorted(re.findall(r"^### (\w+) —", TEXT, re.M))


@pytest.mark.parametrize(("name", "given", "moves", "expect"), BLOCKS, ids=[b[0] for b in BLOCKS])
def test_worked_example(name: str, given: str, moves: str, expect: str) -> None:
    before = position(given)
    after, _, no = (before, [], None) if moves.startswith("(") else play(before, moves)
    wanted = dict(re.findall(r"(\w+)=(\[.*?\]|\S+)", expect))
    true = {"err": no and no.name} | came_of(after)
    assert {key: true[key] for key in wanted} == wanted
    assert ("err" in wanted) == (no is not None)
    if no and ";" not in moves:
        assert after is before


def came_of(s: State) -> dict[str, Any]:
    """All that an example may expect."""
    hands = {f"h{seat}": f"[{' '.join(hand)}]" for seat, hand in enumerate(s.hands)}
    turn = s.owed[0].seat if s.owed else None
    return (
        hands
        | {f"n{seat}": str(len(hand)) for seat, hand in enumerate(s.hands)}
        | {
            "turn": str(turn),
            "phase": phase(s),
            "col": s.colour or "-",
            "side": s.side[0].upper(),
            "dir": "+" if s.way == 1 else "-",
            "top": s.discards[-1],
            "disc": f"[{' '.join(s.discards)}]",
            "draw_top": s.draw[-1] if s.draw else None,
            "draw_n": str(len(s.draw)),
            "uno": "-" if s.window is None else f"{s.window}",
            "sc": row(s.scores),
            "winner": "-" if not s.ended or s.ended.out is None else str(s.ended.out),
            "match": row(winners(s)),
            "default": None if turn is None else write(uno_flip.default(s, turn)),
            "legal": f"[{' '.join(beginnings(s, turn))}]",
        }
    )


def phase(s: State) -> str:
    if not s.owed:
        return "MATCH_OVER" if s.over else "ROUND_OVER"
    return PHASES[type(s.owed[0])]


def beginnings(s: State, seat: int | None) -> list[str]:
    """The moves of the seat to act, as the dossier lists them: without a call or a catch."""
    moves = [] if seat is None else uno_flip.legal(s, seat)
    return [write(move) for move in moves if not isinstance(move, Uno | Catch)]


def winners(s: State) -> list[int]:
    outcome = uno_flip.outcome(s)
    return [seat for seat, place in enumerate(outcome.places) if place == 1] if outcome else []


def row(numbers: Any) -> str:
    return f"[{','.join(map(str, numbers))}]"


# Golden rounds


class Stacked(Dice):
    """Dice that let seat 0 deal, and whose one shuffle is the arithmetic of the golden rounds."""

    def __init__(self, order: Any) -> None:
        super().__init__(SEED, 0)
        self.deck = tuple(CARDS[i] for i in order)

    def below(self, n: int) -> int:
        return 0

    def shuffled(self, items: Any) -> Any:
        assert tuple(items) == CARDS
        return self.deck


def policy(s: State, answer: str) -> Any:
    """The move of the golden rounds."""
    first = next(iter(uno_flip.legal(s, s.owed[0].seat)))
    match first:
        case Play(face):
            named = COLOURS[s.side][0] if wild(face) else None
            return Play(face, colour=named, uno=len(s.hands[s.owed[0].seat]) == 2)
        case Name() | Draw() | Keep():
            return first
    return read(answer)


@pytest.mark.parametrize("golden", GOLDEN, ids=[golden[0] for golden in GOLDEN])
def test_golden_round(golden: tuple[str, ...]) -> None:
    _, n, a, b, answer, says, moves = golden
    stacked = Stacked([(int(a) * i + int(b)) % 112 for i in range(112)])
    s, _ = hear(uno_flip.setup(Options(), int(n), stacked))
    first, played, flips = s.discards[0], [], 0
    while s.owed:
        seat, move = s.owed[0].seat, policy(s, answer)
        played.append(f"{seat}:{write(move)}")
        flips += isinstance(move, Play) and move.face[1:] == "F"
        s, _ = hear(act(s, seat, move, Dice(SEED, 0)))
    assert " ".join(played) == moves
    assert s.ended is not None
    assert says == (
        f"Turned-up card {first}. {len(played)} moves, {flips} flips played, no reshuffle. "
        f"Ends on side {s.side[0].upper()}; winner seat {s.ended.out}; scores {list(s.scores)}; "
        f"hand sizes {[len(hand) for hand in s.hands]}; "
        f"draw pile {len(s.draw)}, discard {len(s.discards)}."
    )


# The examples in prose


def test_u67_dealing_order() -> None:
    s, _ = hear(uno_flip.setup(Options(), 2, Stacked(range(111, -1, -1))))
    assert s.hands == (CARDS[1:14:2], CARDS[0:13:2])
    assert (s.discards, s.colour, len(s.draw)) == ((CARDS[14],), "R", 97)
    assert s.owed == (PlayOrDraw(1),)


@pytest.mark.parametrize("backs", ["open", "closed"])
def test_u68_u69_what_a_seat_sees(backs: str) -> None:
    seen = uno_flip.view(position(GIVEN["U16"], backs=backs), 1)
    assert seen.hands == (None, ("R2", "Y1"), None)
    assert seen.held == (3, 2, 2)
    assert (seen.top, seen.discards) == ("B7", 3)
    shown = (("K2", "K3", "P6"), None, ("O5", "T1"))
    assert seen.backs == (shown if backs == "open" else (None, None, None))
    assert seen.pile == ("T9" if backs == "open" else None)
    assert seen.piles is None


def test_u70_what_a_seat_sees_after_a_flip() -> None:
    before = position(GIVEN["U16"])
    s, told, _ = play(before, "0:BF")
    seen = uno_flip.view(s, 1)
    assert seen.side == "dark"
    assert seen.hands == (None, ("OV", "KS"), None)
    assert seen.backs == (("R1", "R5"), None, ("G1", "Y2"))
    assert seen.pile == before.draw[0].split("/")[0]
    assert (seen.top, seen.discards) == ("O8", 4)
    assert heard(told, 1)[1].hand == seen.hands[1]


def test_u71_what_a_challenge_shows() -> None:
    s, told, _ = play(position(GIVEN["U27"]), "0:W2=G ; 1:chal")
    hands = {viewer: of(Challenged, told, viewer).hand for viewer in (0, 1, 2, None)}
    assert hands == {0: (), 1: ("B9", "G3"), 2: (), None: ()}
    assert all(of(Challenged, told, viewer).guilty for viewer in hands)
    shown = {viewer: uno_flip.view(s, viewer).verdict for viewer in (0, 1, 2, None, OPEN)}
    assert {viewer: told.hand for viewer, told in shown.items()} == hands | {OPEN: ("B9", "G3")}
    assert [of(Drew, told, viewer).faces for viewer in (1, 2, None)] == [(), (), ()]


def of(kind: type, told: Any, viewer: Any) -> Any:
    return next(fact for fact in heard(told, viewer) if isinstance(fact, kind))


def test_u72_the_deal_goes_round() -> None:
    text = "n=4 side=D dir=- dealer=3 turn=2 col=P\ndisc R1/P2\ndraw *\nh2 B1/PS\n"
    s = position(text + "h0 Y1/KS\nh1 R2/OV\nh3 W/K5\n")
    s, _ = hear(uno_flip.apply(s, 2, Play("PS"), Stacked(range(111, -1, -1))))
    assert (s.dealer, s.round, s.way, s.side) == (0, 2, 1, "light")
    assert s.owed == (PlayOrDraw(1),)
    assert s.discards == (CARDS[28],)  # a number


def test_u73_ten_seats() -> None:
    s, _ = hear(uno_flip.setup(Options(), 10, Dice(SEED, 3)))
    assert sum(map(len, s.hands)) == 70
    assert (len(s.discards), len(s.draw)) == (1, 41)


# The cards


CARDS_TEXT = (HERE / "cards.md").read_text()


def test_the_deck() -> None:
    listed = re.findall(r"c(\d{3}) (\w+/\w+)", CARDS_TEXT)
    assert tuple(card for _, card in listed) == CARDS
    assert [int(number) for number, _ in listed] == list(range(112))
    for side, wilds in ((0, ("W", "W2")), (1, ("W", "WC"))):
        colours = ("RYGB", "KTOP")[side]
        want = {c + k: 2 for c in colours for k in "123456789DSVF"} | dict.fromkeys(wilds, 4)
        assert Counter(card.split("/")[side] for card in CARDS) == want
    assert len(FACES) == len(set(FACES)) == 107
    assert Counter(Counter(CARDS).values()) == {1: 110, 2: 1}


@pytest.mark.parametrize(("colours", "front", "back"), [("RYGB", 0, 1), ("KTOP", 1, 0)])
def test_what_lies_behind_each_face(colours: str, front: int, back: int) -> None:
    for c in colours:
        cells = re.search(rf"^\| {c} \| (.*) \|$", CARDS_TEXT, re.M)
        assert cells
        for kind, cell in zip("123456789DSVF", cells[1].split(" | "), strict=True):
            faces = [card.split("/") for card in CARDS]
            assert sorted(f[back] for f in faces if f[front] == c + kind) == sorted(cell.split("/"))
