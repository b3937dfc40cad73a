"""Moves as text, facts as sentences, the table as it is shown."""

from __future__ import annotations

import pytest

from engine.contract import OPEN
from engine.games import uno_flip
from engine.games.uno_flip import words
from engine.games.uno_flip.cards import FACES
from engine.games.uno_flip.faces import named
from engine.games.uno_flip.pieces import Catch, Name, Play

from .positions import LIGHT, light, match, play, position

NAMES = ["Ann", "Bob", "Cem", "Dee"]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("R5", Play("R5")),
        ("WC=T!", Play("WC", colour="T", uno=True)),
        ("W#3=G!", Play("W", copy=3, colour="G", uno=True)),
        ("R1#2", Play("R1", copy=2)),
        ("col=P", Name("P")),
        ("catch 9", Catch(9)),
    ],
)
def test_moves_are_read_as_they_are_written(text: str, move: object) -> None:
    assert words.read(text) == move
    assert words.write(move) == text
    assert words.read(f"  {text} ") == move


@pytest.mark.parametrize(
    "text",
    ["", "R0", "R10", "5R", "col=", "col=X", "W=X", "catch", "catch 10", "R1#5", "R1#", "r5", "WW"],
)
def test_what_is_no_move_is_told_the_form(text: str) -> None:
    with pytest.raises(ValueError, match="as in `R5`"):
        words.read(text)


def test_faces_have_names() -> None:
    assert len({named(face) for face in FACES}) == len(FACES)
    assert [named(face) for face in ("R5", "RD", "KD", "BS", "TS", "WC")] == [
        "red 5",
        "red Draw One",
        "pink Draw Five",
        "blue Skip",
        "teal Skip Everyone",
        "Wild Draw Color",
    ]


def test_every_fact_is_said() -> None:
    facts = [
        fact
        for number in range(6)
        for _, told, _ in match(number, 4, "greedy random", target=100)
        for t in told
        for fact in t.heard_by(OPEN)
    ]
    assert len({type(fact) for fact in facts}) >= 12
    said = {words.say(fact).sentence(NAMES) for fact in facts}
    assert all(line.endswith((".", "!")) for line in said)
    assert all(len(line) < 160 for line in said)


def test_the_table_is_shown() -> None:
    s, _, _ = play(light("B9/O5 R1/K3 G3/KF R4/OF W/K5"), "0:B9")
    assert words.show(uno_flip.view(s, 0), NAMES).splitlines() == [
        "Round 1, light side up, clockwise",
        "On top B9 (blue 9); active colour: BLUE",
        "Draw pile 102 (P5 on its back), discards 2",
        "  Ann   4 cards     0 points",
        "> Bob   2 cards     0 points  backs KS OV",
        "  Cem   2 cards     0 points  dealer  backs O5 T1",
        "Ann holds R1 R4 G3 W",
        "Bob plays a card or draws.",
    ]
    mine = words.show(uno_flip.view(s, 1), NAMES).splitlines()
    assert mine[3:] == [
        "  Ann   4 cards     0 points  backs K3 K5 KF OF",
        "> Bob   2 cards     0 points",
        "  Cem   2 cards     0 points  dealer  backs O5 T1",
        "Bob holds R2 Y1",
        "Bob plays a card or draws.",
        "Playing down to one card, call UNO: `!` after the card.",
    ]
    seen = words.show(uno_flip.view(s, None), NAMES)
    assert "backs" not in seen
    assert "holds" not in seen
    assert words.show(uno_flip.view(s, OPEN), NAMES).count("holds") == 3


def test_what_may_be_played_is_in_brackets() -> None:
    shown = words.show(uno_flip.view(light("B9/O5 R1/K3 R4/OF W/K5 W2/O4"), 0), NAMES)
    assert "Ann holds R1 [R4] [B9] [W] [W2]" in shown
    honest = light("B9/O5 R1/K3 R4/OF W/K5 W2/O4", challenges=False)
    assert "Ann holds R1 [R4] [B9] [W] W2" in words.show(uno_flip.view(honest, 0), NAMES)
    drew, _, _ = play(light("B9/O5 R1/K3"), "0:draw")
    assert "Ann plays the drawn R7 or keeps it." in words.show(uno_flip.view(drew, 0), NAMES)
    assert "Ann plays the drawn card or keeps it." in words.show(uno_flip.view(drew, 1), NAMES)


def test_what_is_owed_is_shown() -> None:
    s, _, _ = play(light("W2/O4 B9/O5"), "0:W2=G")
    shown = words.show(uno_flip.view(s, 2), NAMES).splitlines()
    assert shown[-2:] == [
        "Bob takes the cards or challenges: Ann laid W2 on B4, blue.",
        "Until another seat acts: `uno` for Ann, `catch 0`.",
    ]
    assert "  Ann   1 card      0 points  one card, no UNO called  backs O5" in shown
    s, _, _ = play(s, "0:uno ; 1:chal")
    first = words.show(uno_flip.view(s, 1), NAMES).splitlines()[0]
    assert first == "Bob challenged Ann: guilty; the hand was B9."
    first = words.show(uno_flip.view(s, 2), NAMES).splitlines()[0]
    assert first == "Bob challenged Ann: guilty."


def test_the_last_round_is_shown() -> None:
    s, _, _ = play(position(LIGHT.format("B7/O3"), target="round"), "0:B7")
    shown = words.show(uno_flip.view(s, None), NAMES).splitlines()
    assert shown[:4] == [
        "The last round: Ann went out, light side up. Left in hand, and points:",
        "    Ann: +6  nothing",
        "    Bob: +0  R2 Y1",
        "    Cem: +0  Y2 G1",
    ]
    assert shown[-1] == "The match is over: a single round."


def test_no_line_is_too_long() -> None:
    for s, _, _ in match(3, 10, "greedy random", target="round"):
        for viewer in (0, None, OPEN):
            shown = words.show(uno_flip.view(s, viewer), [f"Seat {n}" for n in range(10)])
            assert all(len(line) <= 100 for line in shown.splitlines())


def test_a_flip_is_shown() -> None:
    s = light("BF/P6 R1/K3 R5/K2")
    s, _, _ = play(s, "0:BF")
    assert words.show(uno_flip.view(s, 1), NAMES).splitlines()[:2] == [
        "Round 1, dark side up, clockwise",
        "On top TD (teal Draw Five); active colour: TEAL",
    ]
