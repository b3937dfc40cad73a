"""The worked examples of the dossier, played from its own text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.contract import Told, hear
from engine.dice import Dice
from engine.games import flipology
from engine.games.flipology import Options, State, words
from engine.games.flipology.board import SEATS
from engine.games.flipology.facts import Committed, Regrown, Woken
from engine.games.flipology.moves import Regrow
from engine.games.flipology.pieces import (
    Aim,
    FlipTwo,
    ImitateOne,
    LayRow,
    MayRegrow,
    MayScavenge,
    PeekAtThree,
    RainOn,
    Result,
    TurnOne,
    TurnUpOneOrNone,
    UseOneOf,
)
from engine.games.flipology.rules import crabs, search
from engine.games.flipology.scores import (
    animals,
    by_seat,
    interim,
    leader,
    result,
    scores,
    totalled,
)

from .positions import SEED, begun, dealt, label, play, position, refusal, rows

TEXT, MORE = (Path(__file__).with_name(name).read_text() for name in ("examples.md", "rulings.md"))
BLOCKS = re.findall(r"```ex\n(F-\d+) open: [^\n]*\n(.*?)```", TEXT + MORE, re.S)
CALC = ("F-35", "F-36", "F-37")  # told in prose
MATCH = "F-29"
GIVEN = [(name, text) for name, text in BLOCKS if name not in (*CALC, MATCH)]
DECISIONS = {
    TurnOne: "turn",
    RainOn: "rain",
    FlipTwo: "monkey",
    UseOneOf: "monkey-pick",
    ImitateOne: "parrot",
    PeekAtThree: "sun",
    TurnUpOneOrNone: "sun-flip",
    MayScavenge: "scavenge",
}


def test_nothing_is_left_out() -> None:
    assert (TEXT.count("```ex"), MORE.count("```ex")) == (39, 8)
    assert [name for name, _ in BLOCKS] == [f"F-{n:02}" for n in range(1, 48)]
    assert len(GIVEN) == 43
    assert all(text.startswith("given ") for _, text in GIVEN)
    assert sum(text.count("\nillegal ") for _, text in GIVEN) == 30
    assert sum(len(re.findall("^calc ", text, re.M)) for _, text in BLOCKS) == 12


class Example:
    """A block, played line by line."""

    def __init__(self, text: str) -> None:
        self.s, self.told = position(text), list[Told]()
        self.lines = 0
        for line in text.strip().splitlines()[1:]:
            verb, _, rest = re.sub(r"\s*#.*", "", line).partition(" ")
            if not re.fullmatch("[A-H][1-3]?:", verb):
                getattr(self, {"=": "row"}.get(verb, f"{verb}_"))(rest)
                self.lines += 1

    def move_(self, text: str) -> None:
        self.s, told = play(self.s, text)
        self.told += told

    def illegal_(self, text: str) -> None:
        assert refusal(self.s, text) is not None, text

    def prompt_(self, text: str) -> None:
        seat, decision, *count, offered = text.split()
        question = self.s.owed[0]
        asked = question.kind if isinstance(question, Aim) else DECISIONS[type(question)]
        assert (asked, flipology.to_act(self.s)) == (decision, (SEATS.index(seat),))
        given = {cell for option in begun(self.s) for cell in option.split(",")}
        assert given == spelled(self.s, offered.strip("{}"))
        if decision == "monkey":  # any two of them
            assert len(begun(self.s)) == len(given) * (len(given) - 1) // 2
        if count:
            assert int(count[0]) == min(3, len(given))

    def row(self, text: str) -> None:
        name, _, wanted = text.partition(": ")
        assert rows(self.s)[name] == wanted

    def next_(self, text: str) -> None:
        assert self.s.owed == (TurnOne(),)
        assert self.s.turn == SEATS.index(text)

    def score_(self, text: str) -> None:
        assert numbers(scores(self.s)) == text

    def distinct_(self, text: str) -> None:
        assert numbers(by_seat(self.s, animals)) == text

    def interim_(self, text: str) -> None:
        assert numbers(by_seat(self.s, interim)) == text

    def winner_(self, text: str) -> None:
        assert result(self.s).winners == tuple(map(SEATS.index, text.split(",")))

    def default_(self, text: str) -> None:
        (seat,) = flipology.to_act(self.s)
        assert words.write(flipology.default(self.s, seat)) == text

    def clearings_(self, text: str) -> None:
        assert self.s.clearings == int(text)

    def discard_(self, text: str) -> None:
        pile = [slot.card if slot.up else f"({slot.card})" for slot in self.s.pile]
        assert sorted(pile) == sorted(text.strip("{}").split(","))

    def view_(self, text: str) -> None:
        viewer, name, wanted = re.fullmatch(r"(\w) sees (\w+): (.*)", text).groups()
        assert rows(self.s, SEATS.index(viewer))[name] == wanted

    def activations_(self, text: str) -> None:
        woken = [t.fact for t in self.told if isinstance(t.fact, Woken)]
        assert " ".join(f"{fact.kind}@{fact.cell}" for fact in woken) == text

    def endgame_(self, text: str) -> None:
        self.s, _ = hear(search(replace(self.s, owed=crabs(self.s)), Dice(SEED, 1)))
        order = " ".join(SEATS[question.seat] for question in self.s.owed)
        assert text == f"-> scavenge {order}"

    def starter_(self, text: str) -> None:
        old, new = re.fullmatch(r"prev=(\w) -> (\w)", text).groups()
        assert SEATS[leader(replace(self.s, start=SEATS.index(old)))] == new


def spelled(s: State, text: str) -> set[str]:
    """`{A*,B1,C4..C7}` cell by cell."""
    found = set[str]()
    for name in text.split(","):
        first, dots, last = name.partition("..")
        if name.endswith("*"):
            row = next(r for r in range(len(s.rows)) if label(s, r) == name[:-1])
            found.update(s.board.rows[row])
        elif dots:
            found |= {f"{first[:-1]}{i}" for i in range(int(first[-1]), int(last[-1]) + 1)}
        else:
            found.add(name)
    return found


def numbers(counts: tuple[int, ...]) -> str:
    return " ".join(f"{SEATS[seat]}={n}" for seat, n in enumerate(counts))


@pytest.mark.parametrize(("name", "text"), GIVEN, ids=[name for name, _ in GIVEN])
def test_worked_example(name: str, text: str) -> None:
    assert Example(text).lines


LINE = re.compile(r"match totals (.*) scores (.*) winners=(.*) moon=(yes|no) -> (.*)")


def test_match_totals() -> None:
    """F-29: R33"""
    lines = dict(BLOCKS)[MATCH].strip().splitlines()
    assert len(lines) == 3
    for line in lines:
        totals, counts, winners, moon, after = LINE.fullmatch(line).groups()
        won = tuple(map(SEATS.index, winners.split(",")))
        ended = Result(values(counts), (0, 0), moon == "yes", won)
        assert totalled(values(totals), ended) == values(after)


def values(text: str) -> tuple[int, ...]:
    return tuple(int(pair[2:]) for pair in text.split())


# F-35 … F-37, told in prose


def send(s: State, seat: int, text: str) -> State:
    move = words.read(text)
    assert flipology.allows(s, seat, move) is None
    return hear(flipology.apply(s, seat, move, Dice(SEED, 1)))[0]


def test_arranging() -> None:
    """F-35"""
    s = dealt(2)
    hands = s.hands
    s, told = hear(
        flipology.apply(s, 0, words.read("arrange 1 2 3 4 5 6 7 discard 8 9"), Dice(SEED, 1))
    )
    assert [t.heard_by(1) for t in told] == [(Committed(0),)]
    seen = flipology.view(s, 1)
    assert (seen.ready, seen.plans, seen.rows) == ((True, False), (None, ()), ())
    assert refusal(s, "arrange 2 1 3 4 5 6 7 discard 8 9", 0) == "COMMITTED"
    assert refusal(s, "arrange 1 2 3 4 5 6 discard 7 8 9", 1) == "WRONG_LENGTH"
    assert refusal(s, "arrange 1 1 2 3 4 5 6 discard 7 8", 1) == "CARD_TWICE"
    s = send(s, 1, "arrange 9 8 7 6 5 4 3 discard 2 1")
    assert rows(s, None) == {seat: " ".join(["(??)"] * 7) for seat in "AB"}
    assert rows(s, 1)["B"] == " ".join(f"({card})" for card in hands[1][8:1:-1])
    assert (len(s.pile), s.owed, s.turn) == (4, (TurnOne(),), s.start)


def regrowths(s: State, *answers: bool) -> tuple[State, str]:
    """Who is asked in turn, until rows are arranged."""
    asked = ""
    for yes in answers:
        assert isinstance(s.owed[0], MayRegrow)
        (seat,) = flipology.to_act(s)
        asked += SEATS[seat]
        assert (
            not [  # none may arrange yet
                other
                for other in range(s.seats)
                if flipology.allows(s, other, words.read("arrange 12345")) is None
            ]
        )
        s, told = hear(flipology.apply(s, seat, Regrow(yes), Dice(SEED, len(asked))))
        assert told[0].heard_by(None) == (Regrown(seat, yes),)
    assert s.owed == (LayRow(),)
    return s, asked


def rest_of_round(s: State) -> State:
    """All arrange, and turn over what comes first; nobody's choice matters here."""
    rows = len(s.rows)
    while flipology.to_act(s) and (not any(s.hands) or len(s.rows) == rows):
        seat = flipology.to_act(s)[0]
        move = flipology.default(s, seat)
        s, _ = hear(flipology.apply(s, seat, move, Dice(SEED, 9)))
    return s


def starting(s: State, seat: int) -> State:
    """The round just dealt, started by this seat."""
    order = [(seat + i) % s.seats for i in range(s.seats)]
    asked = [MayRegrow(seat) for seat in order if not s.regrown[seat]]
    return replace(s, start=seat, turn=seat, owed=(*asked, LayRow()))


def test_regrowth_order() -> None:
    """F-36: R7"""
    s = starting(dealt(3, variant="great_tree"), 1)
    s, asked = regrowths(s, True, False, False)
    assert asked == "BCA"
    s = starting(rest_of_round(s), 2)
    s, asked = regrowths(s, False, True)
    assert asked == "CA"
    s = rest_of_round(s)
    assert [q for q in s.owed if isinstance(q, MayRegrow)] == [MayRegrow(2)]
    deck = s.deck
    s, asked = regrowths(s, False)
    assert (asked, s.deck) == ("C", deck)


def test_dealing_and_deck_sizes() -> None:
    """F-37: 2.1, R7"""
    s = dealt(8, moon=False, wolves=False)
    assert (sum(map(len, s.hands)), len(s.deck)) == (72, 3)
    for seat in range(8):
        s = send(s, seat, "arrange 1234567/89")
    assert len(s.pile) == 16
    s = dealt(2)
    assert (sum(map(len, s.hands)), len(s.deck)) == (18, 60)
    assert len(send(send(s, 0, "arrange 1234567"), 1, "arrange 1234567").pile) == 4
    s = dealt(4, variant="great_tree", moon=False, wolves=False)
    assert sum(map(len, s.hands)) + len(s.deck) == 70
    for _ in range(3):
        s, _ = regrowths(s, *[False] * 4)
        s = rest_of_round(s)
    assert len(s.deck) == 10
    s = dealt(4, variant="great_tree")
    assert len(s.deck) == 53
    old, top = s.hands[s.start], s.deck[:5]
    after = send(s, s.start, "regrow yes")
    assert (len(after.deck), after.hands[s.start]) == (53, top)
    assert sorted(after.deck) == sorted((*s.deck[5:], *old))


def test_deck_sizes_by_options() -> None:
    """2.1: 78, 77, 76, 75 in nature; 73, 72, 71, 70 in the Great Tree."""
    for variant, most in (("nature", 78), ("great_tree", 73)):
        sizes = [
            sum(map(len, s.hands)) + len(s.deck)
            for moon, wolves in ((True, True), (False, True), (True, False), (False, False))
            for s in [dealt(2, variant=variant, moon=moon, wolves=wolves)]
        ]
        assert sizes == [most, most - 1, most - 2, most - 3]
    assert Options().variant == "nature"
