"""The worked examples of the dossier, read from its own text, and golden rounds in the same form.

A golden round may say more: `refused CODE move`, `hears V sentences` of the last move, where V is a
seat or `-` for a watcher, and `end why`.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from engine.contract import Told, hear
from engine.dice import Dice
from engine.games import flipout
from engine.games.flipout import Move, State, words
from engine.games.flipout.cards import CARDS, NAMED

from .positions import LETTERS, SEED, position, seat_of, written

FOLDER = Path(__file__).parent
EXAMPLES = (FOLDER / "examples.md").read_text()
GOLDEN = (FOLDER / "golden.md").read_text()
BLOCK = re.compile(r"^```ex\n([OG]-\d\d)[^\n]*\n(.*?)^```$", re.M | re.S)
GIVEN = re.compile(r"given .*\n(?:(?:deck|[A-E]|pile [A-E]): *.*\n)*")
BLOCKS = BLOCK.findall(EXAMPLES) + BLOCK.findall(GOLDEN)


def test_nothing_is_left_out() -> None:
    assert len(BLOCK.findall(EXAMPLES)) == EXAMPLES.count("\ngiven ") == 24
    assert len(BLOCK.findall(GOLDEN)) == GOLDEN.count("\ngiven ") == 13
    assert len(dict(BLOCKS)) == 37


@pytest.mark.parametrize(("name", "text"), BLOCKS, ids=[name for name, _ in BLOCKS])
def test_worked_example(name: str, text: str) -> None:
    plain = re.sub(r" *#.*", "", text)
    given = GIVEN.match(plain)
    assert given
    table = Table(position(given[0]))
    lines = plain[given.end() :].splitlines()
    assert lines
    for line in lines:
        table.check(line)


class Table:
    """A position that the lines of an example play on and look at."""

    def __init__(self, s: State) -> None:
        self.s = s
        self.told: tuple[Told, ...] = ()

    def check(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word:
            case "move":
                self.move(words.read(rest))
            case "illegal":
                assert self.is_refused(rest), line
            case "refused":
                code, _, text = rest.partition(" ")
                no = flipout.allows(self.s, self.s.turn, words.read(text))
                assert no, line
                assert no.name == code
            case "hears":
                viewer, _, sentences = rest.partition(" ")
                assert self.heard(viewer) == sentences
            case "view":
                viewer, _, what, *seen = rest.replace(":", " ").split()
                assert self.seen(viewer, what) == seen, line
            case _:
                self.compare(line)

    def move(self, move: Move) -> None:
        assert flipout.allows(self.s, self.s.turn, move) is None
        self.s, self.told = hear(flipout.apply(self.s, self.s.turn, move, Dice(SEED, 1)))

    def is_refused(self, text: str) -> bool:
        try:
            move = words.read(text)
        except ValueError:
            return True
        return all(flipout.allows(self.s, seat, move) for seat in range(len(self.s.holders)))

    def heard(self, viewer: str) -> str:
        said = [words.say(f) for told in self.told for f in told.heard_by(seat_of(viewer))]
        return " ".join(one.sentence(LETTERS) for one in said)

    def seen(self, viewer: str, what: str) -> list[str]:
        view = flipout.view(self.s, seat_of(viewer))
        if what == "deck":
            return [view.top or "-", str(view.deck)]
        if what == "drawn":
            return ["/".join(view.drawn or "-")]
        return [card.strip("?-") or card[0] for card in view.holders[LETTERS.index(what)]]

    def compare(self, line: str) -> None:
        s, outcome = self.s, flipout.outcome(self.s)
        match line.replace(":", " ").replace("=", "= ", 1).split():
            case ["=", "deck", *cards]:
                assert written(s.deck) == " ".join(cards)
            case ["=", "pile", name, colours]:
                pile = s.piles[LETTERS.index(name)]
                assert Counter(pile) == Counter(colours.replace("(none)", ""))
            case ["=", name, *cards]:
                assert written(s.holders[LETTERS.index(name)]) == " ".join(cards)
            case ["next", name, left, *phase]:
                owed = (LETTERS[s.turn], s.owed.count("act"), s.owed[0])
                assert owed == (name, int(left), *(phase or ["act"]))
                assert flipout.to_act(s) == (s.turn,)
            case ["over" | "running" as status]:
                assert (outcome is not None) == (not flipout.to_act(s)) == (status == "over")
            case ["end", *why]:
                assert outcome
                assert outcome.why == s.over == " ".join(why)
            case ["winner", names]:
                assert outcome
                best = [i for i, place in enumerate(outcome.places) if place == 1]
                assert ",".join(LETTERS[i] for i in best) == names
            case ["tokens", counts]:
                assert ",".join(map(str, s.tokens)) == counts
            case _:
                raise AssertionError(f"what does this say? {line}")


def test_the_arithmetic_of_the_dossier() -> None:
    """15 kinds, six of each; every colour on 36 of the 180 sides."""
    kinds, colours = re.search(r"```cards\n(.*)\n(.*)\n```", GOLDEN).groups()
    assert Counter(written(CARDS).split()) == dict.fromkeys(kinds.split(), 6)
    assert [NAMED[c] for c in "rgybp"] == colours.split()
    assert len(CARDS) == 90
    assert Counter("".join(CARDS)) == dict.fromkeys("rgybp", 36)
    assert sum(card[0] == card[1] for card in CARDS) == 30
