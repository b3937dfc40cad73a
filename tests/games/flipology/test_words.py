"""Moves, sentences and the table as text."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from engine.contract import OPEN
from engine.games import flipology
from engine.games.flipology import words
from engine.games.flipology.facts import Peeked, Scored, Swapped
from engine.games.flipology.moves import Arrange, Peek, PeekFlip, Scavenge, Targets
from engine.games.flipology.notation import notation
from engine.games.flipology.pieces import MayScavenge

from .positions import dealt, play, position, walk

NAMES = ["Ann", "Bob", "Cem", "Dee", "Eve", "Fay", "Gus", "Hal"]
LINES = {  # 7.2: a position, moves, and how they are noted
    "A7+ > dog B1+ > snake B4+": """flip A7; target B1; target B4
A: (Ca4) (Fr4) (Sl6) (Ca5) (Mk2) (Pn9) (Do5)
B: (Sn3) (Ha3) (Ko8) (Sl7) (Mo1) (Wi3) (Kw9)""",
    "A1-": """flip A1
A: Do5 (Ca4) (Mo1) (Wo2) (Ca5) (Pn9) (Ca6)
B: (Pn9) (Kw9) (Sl6) (Sl7) (Ko8) (Qu8) (Cp8)""",
    "A3+ > mole A3x B1": """flip A3; target B1
A: Do5 (Ca4) (Mo1) (Wo2) (Ca5) (Pn9) (Ca6)
B: (Pn9) (Kw9) (Sl6) (Sl7) (Ko8) (Qu8) (Cp8)""",
    "A2+ > wolves xB3": """flip A2; target B3
A: Do5 (Wo2) (Mo1) (Ca4) (Ca5) (Pn9) (Ca6)
B: (Pn9) (Kw9) (Sl6) (Sl7) (Ko8) (Qu8) (Cp8)""",
    "A7+ > monkey A6+ B1+ > pick B1 > frog B3+": """flip A7; pick B1; target B3
A: (Ca4) (Pn9) (Ca5) (Do5) (Ca6) (Sn3) (Mk2)
B: (Fr4) (Ha3) (Sl6) (Do6) (Mo1) (Wi3) (Kw9)""",
    "A3+ > parrot=dog A2+": """flip A3; imitate dog; target A2
A: (Ca4) (Pn9) (Pa4) (Sl7) (Ca6) (Sn3) (Mk2)
B: (Fr5) Do6 (Sl6) (Ca5) Ha4 (Wi3) (Kw9)""",
    "A4+ > rain B2+ C1. A1-": """flip A4; target B2; target C1; target A1
A: Do5 (Ca4) (Ca5) (Ra3) (Kw9) (Qu8) (Fr4)
B: (Sl6) (Wo2) (Ko8) (Pg8) (Hc2) (Cp8) (Ok9)
C: Ca6 (Fr5) (Sn3) (Sn4) (Mk2) (Do6) (Mo1)""",
    "A1+ > sun ?B2,B6 > B6+": """flip A1; peek B2,B6; peekflip B6
A: (Su3) (Fr4) (Pa4) (Sl7) (Do6) (Sn3) (Mk2)
B: Fr5 (Mo2) Sl6 Ca5 Ha4 (Do5) Kw9""",
    "A1+ > sun ?B2,B6 > none": """flip A1; peek B2,B6; peekflip none
A: (Su3) (Fr4) (Pa4) (Sl7) (Do6) (Sn3) (Mk2)
B: Fr5 (Mo2) Sl6 Ca5 Ha4 (Do5) Kw9""",
}


@pytest.mark.parametrize("noted", LINES)
def test_a_turn_on_one_line(noted: str) -> None:
    moves, _, text = LINES[noted].partition("\n")
    seats = "".join(re.findall("^([A-C]):", text, re.M))
    s, _ = play(position(f"given nature seats={seats} active=A\n{text}"), *moves.split("; "))
    assert notation(s.trail) == noted
    assert f"last: {noted}" in words.show(flipology.view(s, 0), NAMES)


def test_a_wind_is_noted() -> None:
    s = position(
        "given nature seats=AB active=A discard=(Sl7),(Do6)\n"
        "A: (Wi3) Hc2 (Ca4) Ca5 (Pn9) (Kw9) (Ok9)\nB: (Pn9) (Kw9) (Sl6) (Sl7) (Ko8) (Qu8) (Cp8)"
    )
    after, _ = play(s, "flip A1")
    assert notation(after.trail) == "A1+ > wind A2- A3+ A4. A5+ A6+ A7+"


def test_scavenging_is_noted() -> None:
    s = position(
        "given nature seats=AB active=A discard=(Sl7),(Do6)\n"
        "A: Hc2 Hc2 (Ca4) Ca5 (Pn9) (Kw9) (Ok9)\nB: (Pn9) (Kw9) (Sl6) (Sl7) (Ko8) (Qu8) (Cp8)"
    )
    s = replace(s, owed=(MayScavenge(0), MayScavenge(0)))
    s, _ = play(s, "scavenge Sl7 down", "scavenge Do6")
    assert notation(s.trail) == "scavenge Sl7 down > scavenge Do6"
    assert "Ann scavenged (Sl7) Do6" in words.show(flipology.view(s, 1), NAMES)


@pytest.mark.parametrize(
    ("texts", "written"),
    [
        (("arrange 3152746/89", "arrange 3 1 5 2 7 4 6 discard 9 8"), "arrange 3152746/89"),
        (("arrange 3152746",), "arrange 3152746/89"),
        (("arrange 31524",), "arrange 31524"),
        (("flip a3", " flip  A3 "), "flip A3"),
        (("targets A2.3,A1.2", "TARGETS a1.2, a2.3"), "targets A1.2,A2.3"),
        (("peek C1,B2",), "peek B2,C1"),
        (("peekflip none",), "peekflip none"),
        (("scavenge sl7 down",), "scavenge Sl7 down"),
        (("scavenge none",), "scavenge none"),
        (("regrow yes",), "regrow yes"),
        (("imitate wolves",), "imitate wolves"),
        (("pass",), "pass"),
    ],
)
def test_moves_are_read_and_written(texts: tuple[str, ...], written: str) -> None:
    for text in texts:
        assert words.write(words.read(text)) == written


NONSENSE = """flip
flip A8
flip I1
flip A4.1
flip A1.6
flip A1 A2
target
peek
peek A1,
peek A1,A2,A3,A4
targets A1
imitate cat
imitate parrot
regrow
regrow maybe
pass it
arrange
arrange 0
arrange 12/
arrange 1 2 x
arrange ٣
arrange 1234567/89 10
scavenge
scavenge Xx1
scavenge Do5 sideways
scavenge Sl7 up down
peekflip nobody"""


@pytest.mark.parametrize("text", NONSENSE.splitlines())
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match="say `flip A3`"):
        words.read(text)


def test_pieces_in_another_order_are_the_same_move() -> None:
    pairs = [
        (Targets(("A1.2", "A2.3")), Targets(("A2.3", "A1.2"))),
        (Peek(("A1", "B2", "B1")), Peek(("B2", "B1", "A1"))),
        (Arrange((1, 2, 3, 4, 5, 6, 7), (8, 9)), Arrange((1, 2, 3, 4, 5, 6, 7), (9, 8))),
        (Arrange((1, 2, 3, 4, 5, 6, 7), (8, 9)), Arrange((1, 2, 3, 4, 5, 6, 7))),
    ]
    for one, other in pairs:
        assert words.write(one) == words.write(other)
    assert words.write(PeekFlip(None)) != words.write(PeekFlip("A1"))
    assert words.write(Scavenge("Sl7")) == "scavenge Sl7"


def test_sentences() -> None:
    def said(fact) -> str:
        return words.say(fact).sentence(NAMES)

    assert said(Swapped("A1", "B2")) == "A1 and B2 trade places."
    assert said(Swapped("A1", "B2", "Do5")).endswith("A1 is now Do5, face down.")
    assert said(Peeked(1, ("A1", "A2"), ("Do5", "Sl6"))) == "Bob looks at A1, A2: Do5 Sl6."
    assert said(Scored((5, 9), (1, 2), False, (1,))) == "Scores 5 : 9: Bob wins."
    tied = Scored((9, 9, 3), (2, 2, 1), True, (0, 1))
    assert said(tied) == (
        "Under the moon the lowest wins. Scores 9 : 9 : 3; different animals 2 : 2 : 1: "
        "Ann, Bob share the game."
    )


@pytest.mark.parametrize("number", range(4))
def test_the_table_fits_and_names_who_is_waited_for(number: int) -> None:
    options = [{}, {"variant": "great_tree"}, {"match": "to100"}][number % 3]
    names = [f"seat {seat} (you)" for seat in range(8)]
    for step in walk(number, **options):
        s = step.after
        for viewer in (0, None, OPEN):
            text = words.show(flipology.view(s, viewer), names)
            assert max(map(len, text.splitlines())) <= 100, text
            assert text.splitlines() == [line.rstrip() for line in text.splitlines()]
            waited = ", ".join(names[seat] for seat in flipology.to_act(s))
            assert f"{waited}: " in re.sub("\n *", " ", text) if waited else "is over." in text


def test_the_table() -> None:
    s, _ = play(
        position(
            "given nature seats=AB active=A clearings=5\n"
            "A: (Ca4) (Fr4) (Sl6) (Ca5) (Mk2) (Pn9) (Do5)\n"
            "B: (Sn3) (Ha3) Ko8 Cl0 (Mo1) (Wi3) (Kw9)"
        ),
        "flip A7",
        "target B1",
    )
    assert words.show(flipology.view(s, 0), NAMES).splitlines() == [
        "Nature, moon in, wolves in",
        "          1     2     3     4     5     6     7",
        "Ann  A  (Ca4) (Fr4) (Sl6) (Ca5) (Mk2) (Pn9)  Do5   open 5, in all 11",
        "Bob  B   Sn3   (??)  Ko8   Cl0   (??)  (??)  (??)  open -5",
        "last: A7+ > dog B1+ > snake",
        "deck=0 discard=0 clearings=5 start=A turn=A round=1/3 pending=snake@B1",
        "Ann: snake at B1: flip another card of its row",
    ]
    text = words.show(flipology.view(dealt(2), 1), NAMES)
    assert "Bob holds 1:" in text
    assert "Ann holds" not in text
