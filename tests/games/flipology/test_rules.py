"""Deals, rows in secret, turns, rounds, scavenging, scores and the match to 100."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from engine.contract import OPEN, Outcome, hear
from engine.dice import Dice
from engine.games import flipology
from engine.games.flipology import Options, State, words
from engine.games.flipology.cards import ACTIVE, COPIES, KIND, VALUE, deck
from engine.games.flipology.facts import (
    Dealt,
    Declined,
    Laid,
    Revealed,
    Scavenged,
    Scored,
    Searched,
    Started,
    Totalled,
)
from engine.games.flipology.moves import Arrange, Flip, PeekFlip, Regrow, Scavenge
from engine.games.flipology.pieces import LayRow, MayRegrow, MayScavenge, Slot, TurnOne
from engine.games.flipology.rules import left_out
from engine.games.flipology.scores import first, leader, result
from tests.games.flipology.pieces import pieces

from .positions import SEED, begun, dealt, done, play, position, public, refusal, rows, walk

# Options and cards


def test_options_carry_their_limits() -> None:
    read = msgspec.json.Decoder(Options).decode
    assert read(b"{}") == Options("nature", True, True, "single")
    wrong = (
        b'{"variant":"tree"}',
        b'{"match":"to50"}',
        b'{"moon":1}',
        b'{"seats":3}',
        b'{"variant":"great_tree","match":"to100"}',  # 2.1
    )
    for raw in wrong:
        with pytest.raises(msgspec.ValidationError):
            read(raw)
    assert flipology.seats(Options()) == range(2, 9)
    assert flipology.seats(Options("great_tree")) == range(2, 5)


def test_the_deck() -> None:
    """R1, R2: the check sums of 1.1"""
    cards = deck(())
    assert len(cards) == sum(COPIES.values()) == 78
    assert sum(card in ACTIVE for card in cards) == 55
    assert sum(VALUE[card] for card in cards) == 342
    unique = [card for card in cards if KIND[card] in ("panda", "kiwi", "okapi")]
    assert [VALUE[card] for card in unique] == [9, 9, 9]
    assert "Cl0" not in cards


@pytest.mark.parametrize("moon", [True, False])
@pytest.mark.parametrize("wolves", [True, False])
def test_what_a_variant_leaves_out(moon: bool, wolves: bool) -> None:
    """R3, R4: wolves in or out in both; Clearings are never dealt."""
    tree = deck(left_out(Options("great_tree", moon, wolves)))
    nature = deck(left_out(Options("nature", moon, wolves)))
    for cards in (tree, nature):
        assert ("Mn7" in cards, "Wo2" in cards) == (moon, wolves)
    assert Counter(nature) - Counter(tree) == {"Ra3": 3, "Hc2": 2}
    assert dealt(2, variant="great_tree").clearings == 6


# The deal


def test_the_start_is_drawn_and_hands_are_dealt_from_it() -> None:
    """R6, 2.4"""
    starts = {dealt(8, number).start for number in range(60)}
    assert starts == set(range(8))
    s, told = hear(flipology.setup(Options(), 3, Dice(SEED, 2)))
    order = [(s.start + i) % 3 for i in range(3)]
    assert public(told) == [Started(s.start, 1, 1), *(Dealt(seat, 9) for seat in order)]
    dice = Dice(SEED, 2)
    start, cards = dice.below(3), dice.shuffled(deck(()))
    assert (start, [*s.hands[start]]) == (s.start, [*cards[:9]])
    assert s.hands[(start + 1) % 3] == cards[9:18]
    for seat in range(3):
        mine = [f for t in told for f in t.heard_by(seat) if isinstance(f, Dealt) and f.cards]
        assert mine == [Dealt(seat, 9, s.hands[seat])]


@pytest.mark.parametrize("variant", ["nature", "great_tree"])
def test_no_order_of_arrival_changes_anything(variant: str) -> None:
    """3.1, R37: every order of four seats comes to the same bytes."""
    s = replace(dealt(4, variant=variant), owed=(LayRow(),))
    width = s.options.width
    plans = [tuple(range(seat + 1, seat + width + 1)) for seat in range(3)] + [
        tuple(range(width, 0, -1))
    ]
    size = s.options.hand
    plans = [tuple((i - 1) % size + 1 for i in plan) for plan in plans]
    ends = set()
    for order in permutations(range(4)):
        after = s
        for i, seat in enumerate(order):
            assert flipology.to_act(after) == tuple(sorted(set(order[i:])))
            after, told = hear(flipology.apply(after, seat, Arrange(plans[seat]), Dice(SEED, 1)))
            others = {repr(t.heard_by(viewer)) for t in told for viewer in (None, (seat + 1) % 4)}
            assert not [card for card in COPIES if card in "".join(others)]
        assert public(told)[-1] == Laid(1, s.start)
        ends.add(msgspec.json.encode(after))
    assert len(ends) == 1


def test_the_discards_go_without_saying() -> None:
    """3.1: named or not, in any order, they are the same; and are checked if named."""
    s = dealt(2)
    ways = [Arrange((1, 2, 3, 4, 5, 6, 9), away) for away in ((), (7, 8), (8, 7))]
    assert {flipology.allows(s, 0, way) for way in ways} == {None}
    assert len({msgspec.json.encode(hear(flipology.apply(s, 0, w, Dice(SEED, 1)))) for w in ways})
    refused = {
        "arrange 1234569/7": "WRONG_DISCARDS",
        "arrange 1234569/78 ": None,
        "arrange 1234569/79": "CARD_TWICE",
        "arrange 123456": "WRONG_LENGTH",
        "arrange 12345678": "WRONG_LENGTH",
    }
    assert {text: refusal(s, text, 0) for text in refused} == refused
    tree = replace(dealt(2, variant="great_tree"), owed=(LayRow(),))
    assert refusal(tree, "arrange 12346", 0) == "NOT_IN_HAND"
    assert refusal(tree, "arrange 1234", 0) == "WRONG_LENGTH"
    assert refusal(tree, "arrange 1234/5", 0) == "WRONG_LENGTH"
    assert refusal(tree, "arrange 12344", 0) == "CARD_TWICE"


def test_nine_beginnings_grow_to_every_row() -> None:
    s = dealt(2)
    assert len(list(flipology.legal(s, 0))) == 9
    row = Arrange((4,))
    for left in range(8, 2, -1):
        more = list(flipology.grow(s, 0, row))
        assert len(more) == left
        row = more[-1]
    assert flipology.allows(s, 0, row) is None
    assert not list(flipology.grow(s, 0, row))
    assert not list(flipology.grow(s, 0, Arrange((1, 1))))
    assert not list(flipology.grow(s, 0, Arrange((1,), (2,))))


def test_regrowth_is_once_and_only_asked() -> None:
    """R7: cards are drawn first; a refusal keeps the right, and the hand."""
    s = dealt(2, variant="great_tree")
    assert s.owed == (MayRegrow(s.start), MayRegrow(1 - s.start), LayRow())
    assert refusal(s, "regrow yes", 1 - s.start) == "NOT_YOUR_TURN"
    after, told = play(s, "regrow yes", "regrow no")
    old = (*s.deck[5:], *s.hands[s.start])
    assert after.deck == Dice(SEED, 1).shuffled(old)
    assert after.regrown == tuple(seat == s.start for seat in range(2))
    assert after.hands[1 - s.start] == s.hands[1 - s.start]
    assert not set(told[1].heard_by(None)) - {Dealt(s.start, 5)}
    assert Counter(after.deck) + Counter(after.hands[s.start]) == Counter(s.deck) + Counter(
        s.hands[s.start]
    )
    assert refusal(after, "regrow no", s.start) == "NOT_ASKED"


# Turns


def test_turns_go_round() -> None:
    """3.1: three each in nature, one by one from the starting seat."""
    s = position("given nature seats=ABC active=B start=B\n" + rows_of("(Pn9)", 3, 7))
    seats = []
    while flipology.to_act(s):
        seats.append(s.turn)
        s, _ = play(s, f"flip {'ABC'[s.turn]}{len(seats) // 3 + 1}")
    assert seats == [1, 2, 0] * 3


def rows_of(card: str, seats: int, width: int, level: str = "") -> str:
    row = " ".join([card] * width)
    return "\n".join(f"{seat}{level}: {row}" for seat in "ABCDEFGH"[:seats])


def test_not_your_turn_comes_first() -> None:
    """3.1"""
    s = position("given nature seats=AB active=A\n" + rows_of("(Pn9)", 2, 7))
    for text in ("flip B1", "flip A1", "pass", "target H7", "arrange 1", "scavenge none"):
        assert refusal(s, text, 1) == "NOT_YOUR_TURN"
    assert refusal(s, "target A1", 0) == refusal(s, "arrange 1", 0) == "NOT_ASKED"
    assert refusal(s, "flip C1", 0) == refusal(s, "flip A1.1", 0) == "NO_SUCH_CELL"
    over = replace(s, owed=())
    assert refusal(over, "flip A1", 0) == "NOT_YOUR_TURN"
    assert not list(flipology.legal(over, 0))


def test_each_refusal_is_given_somewhere() -> None:
    """Every code but one is asserted by name in these tests; the fixtures only say `illegal`."""
    texts = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    assert [no.name for no in flipology.No if f'"{no.name}"' not in texts] == []


def test_rounds_of_the_great_tree() -> None:
    """R30: the highest open score starts the next round, and is first to be asked."""
    s = position(
        "given greatTree seats=ABC active=A start=A\n"
        "A1: (Pn9) (Kw9) (Ko8) (Ko8) (Sl7)\n"
        "B1: Pn9 Do5 (Ca4) (Ca5) (Mk2)\n"
        "C1: Do6 Do6 (Pn9) (Mo1) (Pa4)"
    )
    s = replace(s, deck=("Fr4",) * 30, turns=5, turn=2)
    s, told = play(s, "flip C1.3")  # C now has 21, A but face-down koalas, B 14
    assert Started(2, 1, 2) in public(told)
    assert (s.start, s.turn, s.turns) == (2, 2, 0)
    assert s.owed == (*(MayRegrow(seat) for seat in (2, 0, 1)), LayRow())
    s, _ = play(s, "regrow no", "regrow no", "regrow no", *["arrange 54321"] * 3)
    assert refusal(s, "flip C1.1") == "NOT_YOUR_ROW"
    assert [words.write(move) for move in flipology.legal(s, 2)] == [
        f"flip C2.{i}" for i in range(1, 6)
    ]


def test_a_tied_start_stays_or_goes_clockwise() -> None:
    """R30, R33"""
    assert first([0, 2], 1, 3) == 2
    assert first([0, 2], 0, 3) == 0
    assert first([0, 1, 2], 2, 3) == 2
    s = position("given greatTree seats=ABC active=A start=B\n" + rows_of("Pn9", 3, 5, "1"))
    assert leader(s) == 1


# The end of a game


PILE = "(Sl7),(Do6),(Do6),(Su3),(Cl0),Mo1"
CRABS = f"""given nature seats=AB active=A start=A clearings=5 discard={PILE}
A: Hc2 (Do5) (Fr4) (Fr5) Ca4 (Ca5) Hc2
B: (Hc2) (Ha3) (Ha4) Do6 (Sn3) (Sn4) (Pn9)"""


def last_turn(text: str, **changes: object) -> State:
    """The position with B about to take the last turn."""
    s = position(text)
    return replace(s, turn=1, turns=3 * s.seats - 1, **changes)


def test_each_hermit_crab_that_is_up_scavenges() -> None:
    """R29: both of A, not the one face down; animals only, each card once."""
    s, told = play(last_turn(CRABS), "flip B7")
    assert s.owed == (MayScavenge(0), MayScavenge(0))
    pile = ("Cl0", "Do6", "Do6", "Mo1", "Sl7", "Su3")
    assert told[-1].heard_by(0) == (Searched(0, 6, pile),)
    assert told[-1].heard_by(1) == told[-1].heard_by(None) == (Searched(0, 6),)
    assert begun(s) == ["Do6", "Mo1", "Sl7", "none"]
    assert flipology.view(s, 0).pile == pile
    assert flipology.view(s, 1).pile == ("Mo1",)
    codes = {
        "scavenge Su3": "NO_ANIMAL",
        "scavenge Cl0": "NO_ANIMAL",  # R36
        "scavenge Pn9": "NOT_IN_PILE",
        "scavenge Sl7": "SAY_HOW_IT_LIES",
        "scavenge Do6 up": "LIES_EITHER_WAY",
        "scavenge none down": "LIES_EITHER_WAY",
    }
    assert {text: refusal(s, text) for text in codes} == codes
    assert [words.write(move) for move in flipology.grow(s, 0, Scavenge("Sl7"))] == [
        "scavenge Sl7 up",
        "scavenge Sl7 down",
    ]
    s, told = play(s, "scavenge Sl7 up")
    assert public(told)[0] == Scavenged(0, "Sl7", -7)
    s, told = play(s, "scavenge none")
    assert public(told)[0] == Declined(0)
    assert s.result is not None
    assert s.result.scores == (2 + 4 + 2 - 7, 6 + 9)


def test_a_crab_is_asked_though_nothing_is_there() -> None:
    """R35: not to be asked would tell all what lies in the pile."""
    s, _ = play(last_turn(CRABS, pile=(Slot("Su3"),)), "flip B7")
    assert flipology.to_act(s) == (0,)
    assert begun(s) == ["none"]


def test_of_two_alike_the_one_all_saw_leaves_the_pile() -> None:
    """R38: so the pile tells nobody whether there was another."""
    pile = (Slot("Do6"), Slot("Do6", up=True))
    s, _ = play(last_turn(CRABS, pile=pile), "flip B7", "scavenge Do6")
    assert s.pile == (Slot("Do6"),)
    assert flipology.view(s, 1).pile == ()


def test_scores_reveal_sloths_and_koalas_alone() -> None:
    """R28, R41"""
    text = """given nature seats=AB active=A start=A
A: (Sl6) (Ko8) Sl7 (Pn9) (Do5) (Mn7) (Fr4)
B: Pn9 (Sl7) (Mk2) (Mk3) (Sn3) (Sn4) (Pn9)"""
    s, told = play(last_turn(text), "flip B7")
    facts = public(told)
    assert [(face.cell, face.card) for face in facts[1].faces] == [
        ("A1", "Sl6"),
        ("A2", "Ko8"),
        ("B2", "Sl7"),
    ]
    assert isinstance(facts[1], Revealed)
    assert facts[2] == Scored((7, 25), (1, 1), False, (1,))
    assert rows(s, None)["A"] == "(Sl6) (Ko8) Sl7 (??) (??) (??) (??)"
    assert rows(s, 0)["A"] == "(Sl6) (Ko8) Sl7 (Pn9) (Do5) (Mn7) (Fr4)"
    assert rows(s, OPEN)["B"].startswith("Pn9 (Sl7) (Mk2)")
    assert flipology.outcome(s) == Outcome((2, 1), (7, 25), "highest")
    assert flipology.to_act(s) == ()


TIE = """given nature seats=ABC active=A
A: Pn9 (Do5) (Fr4) (Fr5) (Ca4) (Ca5) (Mk2)
B: Do6 Mk3 (Fr4) (Fr5) (Ca4) (Ca5) (Mk2)
C: Do5 Fr4 (Mn7) (Fr5) (Ca4) (Ca5) (Mk2)"""


def test_ties() -> None:
    """R31, R32: more different animals win, also under the moon; else the win is shared."""
    assert result(position(TIE)).winners == (1, 2)
    moon = position(TIE.replace("Pn9 (Do5)", "(Pn9) Mn7").replace("Do6 Mk3", "Do6 Mo1"))
    assert (result(moon).scores, result(moon).moon) == ((7, 7, 9), True)
    assert result(moon).winners == (1,)
    s = position(TIE.replace("B: Do6 Mk3", "B: Do6 (Mk3)"))
    ended = replace(s, owed=(), result=result(s))
    assert flipology.outcome(ended) == Outcome((2, 3, 1), (9, 6, 9), "highest")  # R39


def test_the_same_kind_of_another_value_is_another_animal() -> None:
    """R31: but weather, Clearings, what lies face down and what was scavenged is none."""
    s = position(
        "given nature seats=AB active=A\n"
        "A: Ha4 Ha4 Ha3 Ra3 Cl0 (Do5) Mn7\nB: Sl6 Ko8 Wo2 Hc2 Ca4 Ca4 (Fr4)"
    )
    s = replace(s, found=((Slot("Mk2", up=True),), ()))
    assert result(s).animals == (2, 5)
    assert result(s).scores[0] == 4 + 4 + 3 + 3 + 7 + 2


# The match to 100


def ending(totals: tuple[int, ...], text: str) -> State:
    s = last_turn(text, totals=totals)
    return replace(s, options=Options(match="to100"))


GAME = """given nature seats=ABC active=A start=B
A: Pn9 (Ko8) (Do5) (Fr4) (Fr5) (Ca4) (Ca5)
B: Do6 (Sl7) (Mk2) (Mk3) (Sn3) (Sn4) (Qu8)
C: (Do5) (Fr4) (Mo1) (Mo2) (Ca4) (Ca5) (Mk2)"""


SHARED = """given nature seats=ABC active=A start=B
A: (Pn9) (Ca6) (Do5) (Fr4) (Fr5) (Ca4) (Ca5)
B: Do5 (Ca6) (Mk2) (Mk3) (Sn3) (Sn4) (Ca4)
C: Ca4 Do5 (Mo1) (Mo2) (Fr4) (Ca5) (Mk2)"""


def test_another_game_follows_until_somebody_has_a_hundred() -> None:
    """R33, R6: the winner gets 10 more and starts; a whole deck is mixed anew."""
    s, told = play(ending((40, 60, 0), GAME), "flip B7", number=5)
    assert public(told)[-6:-3] == [
        Scored((17, 21, 0), (1, 2, 0), False, (1,)),
        Totalled((57, 91, 0)),
        Started(1, 2, 1),
    ]
    assert (s.totals, s.game, s.start, s.turns) == ((57, 91, 0), 2, 1, 0)
    assert (len(s.deck), s.rows, s.pile, s.clearings) == (78 - 27, (), (), 6)
    pieces(s)
    assert flipology.outcome(s) is None


def test_the_last_game_is_seen_until_the_next_turn() -> None:
    """R40: its rows, what was revealed of them, and how it ended."""
    s, _ = play(ending((40, 60, 0), GAME), "flip B7")
    seen = flipology.view(s, None)
    assert [card.card for card in seen.past[0]] == ["Pn9", "Ko8"] + [None] * 5
    assert [card.card for card in seen.past[1]][1] == "Sl7"
    assert [card.card for card in flipology.view(s, 0).past[0]][2] == "Do5"
    assert seen.result is not None
    assert seen.trail
    text = words.show(seen, ["Ann", "Bob", "Cem"])
    assert "the game before:" in text
    assert "totals: Ann 57, Bob 91, Cem 0" in text
    s, _ = play(s, *["arrange 1234567"] * 3)
    assert (flipology.view(s, None).past, s.result) == (seen.past, seen.result)
    s, _ = play(s, words.write(next(flipology.legal(s, s.turn))))
    assert (s.past, s.result) == ((), None)


def test_the_match_to_100_ends() -> None:
    """R33: by the highest total; of equals, whoever won the last game."""
    s, _ = play(ending((74, 70, 100), GAME), "flip B7")
    assert flipology.outcome(s) == Outcome((3, 1, 2), (91, 101, 100), "most in the match to 100")
    s, _ = play(ending((0, 69, 100), GAME), "flip B7")
    assert s.totals == (17, 100, 100)
    assert flipology.outcome(s).places == (3, 1, 2)
    s, _ = play(ending((0, 81, 81), SHARED), "flip B7")
    assert s.totals == (0, 100, 100)
    assert flipology.outcome(s).places == (3, 1, 1)


def test_under_the_moon_the_winner_alone_gains() -> None:
    """R33: 25 in all, and the others nothing."""
    s, told = play(ending((40, 60, 3), GAME.replace("(Mo1)", "Mn7")), "flip B7")
    assert Totalled((40, 60, 28)) in public(told)
    assert s.start == 2


@pytest.mark.parametrize(("old", "new"), [(0, 1), (1, 1), (2, 2)])
def test_co_winners_share_and_the_first_from_the_old_start_begins(old: int, new: int) -> None:
    """R33"""
    s, _ = play(replace(ending((0, 0, 0), SHARED), start=old), "flip B7")
    assert s.totals == (0, 19, 19)
    assert s.start == s.turn == new


# Whoever is absent, and whole matches


def test_an_absent_seat() -> None:
    """R34"""
    s = dealt(2)
    assert flipology.default(s, 0) == Arrange((1, 2, 3, 4, 5, 6, 7))
    assert flipology.default(dealt(2, variant="great_tree"), 0) == Regrow(False)
    s = position(
        "given nature seats=AB active=A\nA: Pn9 (Do5) (Fr4) (Su3) Ca4 (Ca5) (Mk2)\n"
        "B: (Ha3) (Ha4) (Do6) (Sn3) (Sn4) (Pn9) (Kw9)"
    )
    assert flipology.default(s, 0) == Flip("A2")
    s, _ = play(s, "flip A4")
    assert words.write(flipology.default(s, 0)) == "peek B1,B2,B3"
    s, _ = play(s, "peek B1,B2,B3")
    assert flipology.default(s, 0) == PeekFlip(None)
    up = position("given nature seats=AB active=A\n" + rows_of("Pn9", 2, 7))
    assert flipology.default(up, 0) == Flip("A1")
    s, _ = play(last_turn(CRABS), "flip B7")
    assert flipology.default(s, 0) == Scavenge(None)


KINDS = [{}, {"variant": "great_tree"}, {"match": "to100"}, {"moon": False, "wolves": False}]


@pytest.mark.parametrize("number", range(12))
def test_what_holds_in_every_match(number: int) -> None:
    for step in walk(number, **KINDS[number % 4]):
        s = step.after
        pieces(s)
        assert max(Counter(s.acted).values(), default=0) <= 3  # R17
        assert list(s.pile) == sorted(s.pile)
        assert s.game - step.before.game in (0, 1)
        for seat in flipology.to_act(s):
            assert flipology.allows(s, seat, flipology.default(s, seat)) is None  # R34
        if in_effect(s):
            assert len(s.owed) == 1  # R16
            assert flipology.to_act(s) == (s.turn,)  # R8
        else:
            assert s.acted == ()


def in_effect(s: State) -> bool:
    return bool(s.owed) and not isinstance(s.owed[0], TurnOne | LayRow | MayRegrow | MayScavenge)


@pytest.mark.parametrize("number", range(12))
def test_a_snapshot_in_a_cascade_goes_on_to_the_same_bytes(number: int) -> None:
    found = 0
    for before, seat, move, k, after, told in walk(number, **KINDS[number % 4]):
        found += in_effect(before)
        back = msgspec.json.decode(msgspec.json.encode(before), type=State)
        again = done(back, seat, move, k)
        assert msgspec.json.encode(again) == msgspec.json.encode((after, told))
    assert found > 3
