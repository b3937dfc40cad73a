"""Who sees what, how it is said, and the table in text."""

from __future__ import annotations

import pytest
from msgspec import json

from engine.contract import OPEN, hear
from engine.dice import Dice
from engine.games import captain_flip
from engine.games.captain_flip import Options, words
from engine.games.captain_flip.boards import PRINTED, SPACES
from engine.games.captain_flip.facts import (
    Drew,
    Fact,
    HandFlipped,
    Placed,
    Scored,
    TileFlipped,
)
from engine.games.captain_flip.notation import position_text
from engine.games.captain_flip.pieces import Flip, Place, Target
from engine.games.captain_flip.scoring import scores

from .positions import SEED, begun, over, play, position, table, view_text, walk

NAMES = ["Ann", "Bob", "Cem", "Dee", "Eve"]


@pytest.mark.parametrize(("seen_backs", "shown"), [("shown", "Sg"), ("hidden", "S?")])
def test_backs_that_were_seen_are_shown_or_not(seen_backs: str, shown: str) -> None:
    """R4: by option, on the boards; the tile in hand shows both its sides once it was flipped."""
    s = table("A 1 1 0,0", "bag Gs Kc", seen_backs=seen_backs)
    hand = captain_flip.view(s, 0).hand
    assert (hand.up, hand.back) == ("G", None)
    assert not captain_flip.view(s, 0).flipped
    s, _, _ = play(s, "F")
    assert captain_flip.view(s, None).flipped
    for viewer in (0, 1, None):
        hand = captain_flip.view(s, viewer).hand
        assert (hand.up, hand.back) == ("S", "G")
    s, _, _ = play(s, "c")
    assert view_text(captain_flip.view(s, 0).boards[0]) == f"- / - / {shown} / - / -"
    assert view_text(captain_flip.view(s, OPEN).boards[0]) == "- / - / Sg / - / -"
    assert captain_flip.view(s, OPEN).hand.back == "C"


@pytest.mark.parametrize(("seen_backs", "shown"), [("shown", "Gl"), ("hidden", "G?")])
def test_the_face_that_was_up_is_the_back_now(seen_backs: str, shown: str) -> None:
    s = table("A 1 1 0,0", "p1 - / Lg / - / - / -", "bag Ms Kc", seen_backs=seen_backs)
    assert view_text(captain_flip.view(s, 1).boards[0]) == "- / L? / - / - / -"
    s, _, _ = play(s, "b @b1")
    assert view_text(captain_flip.view(s, 1).boards[0]) == f"- / {shown}.M? / - / - / -".replace(
        ".", " "
    )
    assert s.boards[0][1][0].seen


def test_what_is_sent_names_no_tile_and_no_order() -> None:
    s = table("A 1 1 0,0", "bag Gs Kc")
    sent = json.decode(json.encode(captain_flip.view(s, 0)))
    assert sent["bag"] == 71
    assert sent["hand"] == {"up": "G", "back": None}
    assert "first" in sent
    assert set(sent) == set(captain_flip.view(s, 0).__struct_fields__)


def test_facts_explain_looks() -> None:
    """Whatever a look newly shows was told: faces up, on boards and in hand."""
    for board in PRINTED:
        for s, told, _ in walk(5, Options(board), 2):
            heard = [t.fact for t in told]
            view = captain_flip.view(s, None)
            if view.hand is not None:
                last = [fact for fact in heard if isinstance(fact, (Drew, HandFlipped))][-1]
                assert (last.seat, last.up) == (view.turn, view.hand.up)
            for fact in heard:
                if isinstance(fact, (Placed, TileFlipped)):
                    c, i = s.layout.at[fact.space]
                    assert view.boards[fact.seat][c][i].up == fact.up


def test_moves_are_read_as_they_are_written() -> None:
    for move in (Flip(), *map(Place, "abcde"), *map(Target, SPACES)):
        assert words.read(words.write(move)) == move
    assert words.read(" F ") == Flip()
    for text in ("", "f", "A", "F c", "@f1", "@b6", "@", "b2", "flip"):
        with pytest.raises(ValueError, match="`F` to flip"):
            words.read(text)


def test_every_fact_is_said() -> None:
    told = [
        t.fact
        for board in PRINTED
        for solo in (False, True)
        for n in range(6)
        for _, ts, _ in walk(n, Options(board, solo=solo), 1 if solo else 5)
        for t in ts
    ]
    empty = begun("board A; seats 2; first 1; active 1; map -; coins 0 0\nbag Ps end")
    told += play(empty, "a")[1]
    said = {words.say(fact).sentence(NAMES) for fact in told}
    assert all(line.endswith(".") for line in said)
    assert {type(fact) for fact in told} == set(Fact.__args__)
    assert {
        "Ann draws a Cook.",
        "Ann gains 5 for the Gunner on a1.",
        "Ann gains 1 for the treasure map.",
        "Ann pays a coin to enter e3.",
        "Ann puts the treasure map back into the middle.",
        "Ann takes the treasure map from Bob.",
        "Ann takes the treasure map.",
        "Ann draws nothing: the bag is empty.",
        "Round 1: Ann begins a turn.",
        "Ann completes column b.",
        "Ann has four full columns: this round is the last.",
    } <= said
    assert any(line.startswith("Ann places the Gunner on ") for line in said)


def test_scores_are_said() -> None:
    head = "board A; seats 2; first 1; active 1; map 2; coins 6 60"
    s = over(position(f"{head}\np1 Sl Kp / - / Sw Lp / - / Pg\np2 Gs Gl / Gk / - / - / -"))
    said = [words.say(Scored(n, x)).sentence(NAMES) for n, x in enumerate(scores(s))]
    assert said == [
        "Ann scores 6 coins +4 S +4 L -1 P = 13.",
        "Bob scores 60 coins = 60, out with 3 Gunners.",
    ]


def test_a_position_in_one_line() -> None:
    s = table("A 1 1 12,9", "p1 Sk / - / Gl / - / -", "p2 Kc* / - / - / - / -", "bag Wn Ls")
    head = "A 2p f0 t0 r1 DECIDE map=- bag=68 hand=W?"
    assert position_text(captain_flip.view(s, None)) == (
        f"{head} | 0 $12 S? / - / G? / - / - | 1 $9 Kc / - / - / - / -"
    )
    assert " OVER map=" in position_text(captain_flip.view(over(s), None))


def test_the_table_is_shown() -> None:
    rows = ("p1 - / Lg / - / - / Sl Wk", "p2 Gs* Gl / - / - / Kw / -", "bag Mn Kc")
    s, _, _ = play(table("A 1 2 3,12", *rows), "e")
    assert words.show(captain_flip.view(s, 1), NAMES).splitlines() == [
        ">Ann                 Bob",
        " 4 coins             12 coins",
        "5       __          5       __",
        "4       __ __       4       __ __",
        "3    __ __ __ M?    3    __ __ K? __",
        "2 __ __ __    W?    2 G? __ __    __",
        "1 __ L? __    S?    1 Gs __ __    __",
        "  a  b  c  d  e       a  b  c  d  e",
        " 1 of 4 full         1 of 4 full",
        " 0 Gunners           2 Gunners!",
        " now 12              now 12",
        "Board A: a –; b the map; c +5; d –; e +3",
        "C Cartographer, N Navigator, K Cook, G Gunner, M Monkey, P Parrot, S Swabby, W Carpenter, "
        "L Lookout",
        "Bag 65; the map is in the middle; round 1, begun by Bob.",
        "Owed by Ann: MONKEY:e3 BON:e3 END",
        "  flip a tile beside the Monkey on e3",
        "  then the box over e3 pays",
        "  then the turn ends",
    ]


def test_what_is_owed_is_shown_in_words() -> None:
    s, _, _ = play(table("A 1 1 0,0", "bag Ps Wg Lk"), "a F")
    shown = words.show(captain_flip.view(s, 0), NAMES)
    assert "Owed by Ann: DECIDE END\n" in shown
    assert "place the Gunner (Gw) in hand, drawn for a1, which was flipped\n" in shown
    s, _, _ = play(table("E 1 1 0,0", "p1 - / - / Sg Wk / - / -", "bag Nl Ks"), "c")
    shown = words.show(captain_flip.view(s, 0), NAMES)
    assert "Owed by Ann: EFLIP END\n  flip any tile, for the box over c3\n" in shown


@pytest.mark.parametrize("board", PRINTED)
def test_no_table_is_wider_than_a_hundred(board: str) -> None:
    for s, _, _ in walk(7, Options(board), 5):
        text = words.show(captain_flip.view(s, None), [f"seat {n} (you)" for n in range(5)])
        assert max(map(len, text.splitlines())) <= 100
    assert "It is over.\n  seat 0 (you): " in text


def test_the_last_round_is_announced() -> None:
    rows = "p1 Sl Wk / Np Lw / - / Sg Lc / Wc Sp Kc"
    s, _, _ = play(table("A 1 1 0,0", rows, "bag Lk Wn Ws"), "b")
    assert "begun by Ann. The last round!" in words.show(captain_flip.view(s, 0), NAMES)


def test_open_sees_all_faces_and_the_same_else() -> None:
    for s, _, _ in walk(2, Options("E", "hidden"), 3):
        view, open_ = captain_flip.view(s, 0), captain_flip.view(s, OPEN)
        backs = [t.back for b in open_.boards for column in b for t in column]
        assert None not in backs
        assert (view.coins, view.bag, view.scores) == (open_.coins, open_.bag, open_.scores)


def test_setup_is_heard_by_all_alike() -> None:
    _, told = hear(captain_flip.setup(Options(), 4, Dice(SEED, 1)))
    assert len({tuple(t.heard_by(v) for t in told) for v in (None, 0, 1, 2, 3)}) == 1
