"""How moves are written, and how the table is shown."""

from __future__ import annotations

import pytest

from engine.contract import OPEN
from engine.games import flipout
from engine.games.flipout import Options, words

from .positions import every, play, table, walk

NAMES = ["Ann", "Bob", "Cem", "Dee", "Eve"]
A, B = "r/g r/b r/y p/g b/b g/y", "g/r y/p b/y p/y g/y y/y"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("F A3", "flip a3"),
        ("X A2-6", "switch A6 A2"),
        ("X A2-6", "x a2-a6"),
        ("X A2", "switch A2"),
        ("X A1-B2", "switch B2 A1"),
        ("S A3=B6", "swap A3 B6"),
        ("S A3", "swap1 A3"),
        ("SS A1=B3", "swap2 A1 B3"),
        ("C A2-5", "score A2-A5"),
        ("W B1-4", "swipe B1 4"),
        ("D", "draw"),
        (">4", "place 4"),
        ("+", "third"),
        (".", "end"),
    ],
)
def test_moves_are_read_as_they_are_written(text: str, same: str) -> None:
    assert words.write(words.read(text)) == text
    assert words.write(words.read(same)) == text


def test_all_moves_come_back() -> None:
    for s, _ in walk(2, Options(tokens=True))[::9]:
        for move in every(s, s.turn):
            assert words.read(words.write(move)) == move


@pytest.mark.parametrize(
    "text",
    [
        *("", "fly", "F", "F F1", "F A7", "F A1 A2", "X", "X A1-2-3", "S A1=B1=C1", "C A1"),
        *("C A1-7", "C A1-B4", "W B1-", "W B1-14", ">7", ">", "> 4 4", "D>4", "D 4", "++"),
        *(". .", "A1", "F A٣"),
    ],
)
def test_what_is_no_move_is_told_the_form(text: str) -> None:
    with pytest.raises(ValueError, match="`X A2-6` to switch"):
        words.read(text)


def test_every_fact_is_said() -> None:
    told = [t for number in range(3) for _, told in walk(number) for t in told]
    said = {words.say(fact).sentence(NAMES) for t in told for fact in t.heard_by(OPEN)}
    assert all(line.endswith(".") and "?" not in line for line in said)


def test_the_table_of_a_seat() -> None:
    """R24: slot 1 of all holders at the left, each in its own line."""
    s, _, _ = play(table("r/g y/b p/p", A, B), "X B1-2")
    assert words.show(flipout.view(s, 0), NAMES[:2]).splitlines() == [
        "        1    2    3    4    5    6",
        "A Ann  r/?  r/?  r/?  p/?  b/?  g/?    0 taken",
        "B Bob  ?/p  ?/r  ?/y  ?/y  ?/y  ?/y    0 taken",
        "The deck holds 3, green on top.",
        "Side by side: A1-3 red, W B3-6 yellow",
        "Last: Ann, X B1-2 (switch)",
        "The turn of Ann: 1 action left",
        "Moves: F B3 flip, X B2-6 switch, S A3=B6 swap, SS A1=B3 swap pairs",
        "       C A2-5 score, W B1-4 swipe, D draw a card for one of yours",
    ]


def test_the_table_of_others() -> None:
    """R26: a watcher sees the deck and the piles; another seat is not told what to do."""
    s, _, _ = play(table("r/g y/b p/p g/r r/r", A, B, tokens=2), "W B3-6")
    assert words.show(flipout.view(s, None), NAMES[:2]).splitlines() == [
        "        1    2    3    4    5    6",
        "A Ann  ?/?  ?/?  ?/?  ?/?  ?/?  ?/?    3 taken: 3y, 2 tokens",
        "B Bob  ?/?  ?/?  ?/?  ?/?  ?/?  ?/?    1 taken: 1y, 2 tokens",
        "The deck holds 1, red on top.",
        "Last: Ann, W B3-6 (swipe)",
        "The turn of Ann: 1 action left",
    ]
    assert "Moves" not in words.show(flipout.view(s, 1), NAMES)


def test_the_table_in_other_phases() -> None:
    s, _, _ = play(table("r/g", A, B, tokens=1), "D")
    mine = words.show(flipout.view(s, 0), NAMES).splitlines()
    assert mine[3:] == [
        "The deck is empty.",
        "Drawn: r/g",
        "Side by side: A1-3 red, W B3-6 yellow",
        "Last: Ann, D (draw)",
        "The turn of Ann: place the drawn card",
        "Moves: >4 put the drawn card into slot 4, and so on",
    ]
    assert "Drawn: ?/g" in words.show(flipout.view(s, 1), NAMES)
    s, _, _ = play(s, ">1 ; F A1")
    assert words.show(flipout.view(s, 0), NAMES).splitlines()[-2:] == [
        "The turn of Ann: a third action, or the end of the turn",
        "Moves: + pay a token for a third action, . end the turn",
    ]
    s, _, _ = play(s, "+ W B3-6")
    shown = words.show(flipout.view(s, OPEN), NAMES).splitlines()
    assert shown[2] == "B Bob  g/r  y/p  r/g   -    -    -     1 taken: 1y, 1 token"
    assert shown[-1] == "Over: the deck ran out; collected: nothing"


def test_the_table_fits() -> None:
    for s, _ in walk(3, Options(tokens=True)):
        for viewer in (OPEN, None, 0):
            shown = words.show(flipout.view(s, viewer), [f"seat {i} (you)" for i in range(5)])
            assert max(map(len, shown.splitlines())) <= 100
