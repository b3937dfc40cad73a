"""Notes: a player's own, each with the seq it was written at."""

from __future__ import annotations

import pytest

from services import roll
from tests.http.people import Player, problem, table

KEEP = {"type": "keep"}


def note(player: Player, match: str, seq: int, text: str):
    return player.put(f"/matches/{match}/notes", json={"seq": seq, "text": text})


def test_notes_carry_the_seq_and_are_their_authors_alone(make, visitor):
    match, (ann, bob) = table(make)
    note(ann, match, 3, "trade next time")
    assert note(ann, match, 2, "who is Bob?").json() == [
        {"seq": 2, "text": "who is Bob?"},
        {"seq": 3, "text": "trade next time"},
    ]
    assert bob.get(f"/matches/{match}/notes").json() == []
    assert problem(visitor.get(f"/matches/{match}/notes")) == "401 who-are-you"
    note(ann, match, 2, "")
    note(ann, match, 3, "kept *17*")
    other, _ = table(make)
    note(ann, other, 1, "another match")
    assert ann.get(f"/matches/{match}/notes").json() == [{"seq": 3, "text": "kept *17*"}]


def test_a_note_is_of_a_moment_that_its_author_may_see(make):
    match, (ann, _) = table(make, policy={"late": {"type": "entries", "n": 2}})
    eve = make()
    ann.play(match, KEEP, 3)
    assert note(ann, match, 4, "now").status_code == 200
    assert problem(note(ann, match, 5, "soon")) == "404 no-such-thing"
    assert problem(note(eve, match, 3, "it is dealt")) == "404 no-such-thing"
    assert note(eve, match, 2, "open as yet").status_code == 200
    closed, _ = table(make, policy={"watchers": "closed"})
    assert problem(note(eve, closed, 1, "?")) == "404 no-such-thing"


@pytest.mark.parametrize("body", [{}, {"seq": 0, "text": ""}, {"seq": 1, "text": "x" * 1001}])
def test_what_is_no_note(make, body):
    match, (ann, _) = table(make)
    assert problem(ann.put(f"/matches/{match}/notes", json=body)) == "422 invalid"


def test_a_player_has_so_many_and_takes_them_along_when_it_goes(make, stage):
    match, (ann, _) = table(make)
    wire = stage.wire()
    assert [wire.talk(roll.put_note(ann.id, match, n, "x", 2)) for n in (1, 2, 3, 2)] == [
        *(True, True, False, True)
    ]
    assert wire.talk(roll.notes(ann.id, match)) == {1: "x", 2: "x"}
    assert ann.delete(f"/players/me?confirm={ann.id}").status_code == 204
    assert not wire.talk(roll.put_note(ann.id, match, 1, "late", 2))
    assert wire.talk(roll.notes(ann.id, match)) == {}
    wire.close()
