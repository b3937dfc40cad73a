"""Looks, growing, replays and bundles: who may see what, from when."""

from __future__ import annotations

from collections import deque
from random import Random

import pytest
from msgspec import convert, json

from engine import audit
from engine.catalogue import GAMES
from engine.weighing import every
from tests.http.people import played, problem, table

KEEP = {"type": "keep"}


@pytest.fixture
def dealt(make):
    return table(make)


@pytest.fixture
def over(dealt):
    match, seats = dealt
    played(match, seats, Random(1))
    return match, seats


def lines(response) -> list[dict]:
    assert response.headers["content-type"] == "application/x-ndjson"
    return [json.decode(line) for line in response.content.splitlines()]


def test_a_look_is_of_whoever_asks(dealt, make, visitor):
    match, (ann, bob) = dealt
    looks = [who.look(match) for who in (ann, bob, visitor, make())]
    assert [look["viewer"] for look in looks] == [0, 1, "watcher", "watcher"]
    assert looks[2] == looks[3]
    for seat, look in enumerate(looks[:2]):
        assert [i for i, card in enumerate(look["view"]["hands"]) if card] == [seat]
    assert looks[2]["view"]["hands"] == [None, None]
    assert [len(look["legal"]) for look in looks] == [2, 0, 0, 0]
    assert [look["since"] for look in looks] == [3, None, None, None]


def test_an_earlier_look_stays_what_it_was(dealt):
    match, (ann, bob) = dealt
    before = [who.look(match) for who in (ann, bob)]
    ann.play(match, KEEP, 3)
    bob.play(match, KEEP, 4)
    assert [who.look(match, seq=3) for who in (ann, bob)] == before
    assert ann.look(match, seq=5) == ann.look(match)


def test_before_the_deal_a_look_is_from_a_chair_or_from_none(make):
    ann, bob = make(), make()
    match = ann.offer()
    early = [bob.look(match), ann.look(match)]
    bob.join(match)
    for seq in (1, 2):
        assert ann.look(match, seq=seq)["viewer"] == ("watcher" if seq == 1 else 0)
        assert bob.look(match, seq=seq)["viewer"] == "watcher"
    assert [bob.look(match, seq=2), ann.look(match, seq=2)] == early


def test_who_may_look_as_whom_while_it_runs(dealt, visitor):
    match, (ann, bob) = dealt
    own = [who.look(match, **{"as": i}) for i, who in enumerate((ann, bob))]
    assert [look["viewer"] for look in own] == [0, 1]
    assert ann.look(match, **{"as": "watcher"}) == visitor.look(match)
    for who, lens in ((ann, "1"), (ann, "open"), (bob, "0"), (visitor, "0"), (visitor, "open")):
        assert problem(who.see(match, **{"as": lens})) == "403 not-yours"
        assert problem(who.see(match, seq=1, **{"as": lens})) == "403 not-yours"
        assert problem(who.replay(match, **{"as": lens})) == "403 not-yours"
        assert problem(who.get(f"/matches/{match}/feed", params={"as": lens})) == "403 not-yours"


def test_once_over_everybody_may_look_as_anybody(over, visitor, make):
    match, (ann, _) = over
    for who in (ann, visitor, make()):
        assert who.look(match, seq=3, **{"as": "open"})["view"]["hands"].count(None) == 0
        assert who.look(match, seq=3, **{"as": 1})["view"]["hands"][0] is None
    assert visitor.look(match, seq=3)["view"]["hands"] == [None, None]


@pytest.mark.parametrize("lens", ["2", "-1", "x", "", "0002", "\xb2"])
def test_as_nobody(dealt, lens):
    match, (ann, _) = dealt
    assert problem(ann.see(match, **{"as": lens})) == "400 bad-request"


@pytest.mark.parametrize("seq", ["x", "-1", "", "1.0", "9" * 10])
def test_seqs_that_are_none(dealt, seq):
    match, (ann, _) = dealt
    assert problem(ann.see(match, seq=seq)) == "400 bad-request"


@pytest.mark.parametrize("seq", [0, 4, 999999999])
def test_no_look_where_no_entry_is(dealt, seq):
    match, (ann, _) = dealt
    answer = ann.see(match, seq=seq)
    assert problem(answer) == "404 no-such-thing"
    assert answer.json()["seq"] == 3


def test_a_look_has_a_tag_and_may_be_kept(dealt):
    match, (ann, _) = dealt
    first = ann.see(match)
    assert first.headers["etag"] == '"3"'
    assert first.headers["vary"] == "Authorization, Cookie"
    tag = {"if-none-match": '"3"'}
    again = ann.get(f"/matches/{match}/look", headers=tag)
    assert (again.status_code, again.content) == (304, b"")
    assert (again.headers["etag"], again.headers["vary"]) == ('"3"', "Authorization, Cookie")
    ann.play(match, KEEP, 3)
    assert ann.get(f"/matches/{match}/look", headers=tag).headers["etag"] == '"4"'
    assert ann.get(f"/matches/{match}/look?seq=3", headers=tag).status_code == 304


def test_growing_reaches_every_move_and_no_other(make):
    """All that a seat may play in the opening of Qwirkle, gathered over HTTP."""
    game = GAMES["qwirkle"]
    while True:
        match, seats = table(make, "qwirkle")
        [seat] = seats[0].look(match)["to_act"]
        look = seats[seat].look(match)
        if look["view"]["announced"][seat] <= 3:  # or there are too many
            break
    found, seen, front = set(), set(), deque(look["legal"])
    while front:
        choice = front.popleft()
        text = game.words.write(convert(choice["move"], game.Move))
        if text not in seen:
            seen.add(text)
            found |= {text} if choice["ready"] else set()
            front += seats[seat].post(f"/matches/{match}/grow", json=choice["move"]).json()
    hands = tuple(tuple(hand or ()) for hand in look["view"]["hands"])
    state = game.State(convert(look["options"], game.Options), ("R1",) * 96, hands, (0, 0), seat)
    assert found == {game.words.write(move) for move in every(game, state, seat)}


def test_growing_is_for_seats(dealt, make, visitor):
    match, (ann, bob) = dealt
    path = f"/matches/{match}/grow"
    grown = ann.post(path, json=KEEP)
    assert (grown.json(), grown.headers["etag"]) == ([], '"3"')
    assert bob.post(path, json=KEEP).json() == []
    assert problem(make().post(path, json=KEEP)) == "403 not-yours"
    assert problem(visitor.post(path, json=KEEP)) == "401 who-are-you"
    for wrong in ({}, [], {"type": "fly"}):
        assert problem(ann.post(path, json=wrong)) == "422 invalid"


def test_a_replay_in_pages(over):
    match, (ann, _) = over
    whole = lines(ann.replay(match))
    assert [step["seq"] for step in whole] == [1, 2, 3, 4, 5]
    assert "link" not in ann.replay(match).headers
    steps, path = [], f"/matches/{match}/replay?limit=2&as=open"
    while path:
        page = ann.get(path)
        steps += lines(page)
        path = page.links.get("next", {}).get("url")
    assert [step["seq"] for step in steps] == [1, 2, 3, 4, 5]
    assert steps == lines(ann.replay(match, **{"as": "open"}))
    assert lines(ann.replay(match, after=5)) == lines(ann.replay(match, after=99)) == []
    assert [step["seq"] for step in lines(ann.replay(match, after=3, limit=0))] == [4]


def test_a_replay_is_news_and_looks(dealt, visitor):
    match, (ann, bob) = dealt
    news = lines(ann.get(f"/matches/{match}/replay"))
    ann.play(match, {"type": "trade"}, 3)
    for who in (ann, bob, visitor):
        steps = lines(who.replay(match))
        assert steps[:3] == lines(who.replay(match, limit=3))
        for step in steps:
            look = who.look(match, seq=step["seq"])
            del look["legal"]
            assert step["look"] == look
            assert step["head"] == look["head"]
        cards = {fact["card"] for step in steps for fact in step["facts"] if "card" in fact}
        assert len(cards) == (1 if who is visitor else 2 + (who is ann))
        assert None in cards
    assert lines(ann.replay(match))[:3] == news
    opened = problem(ann.replay(match, **{"as": "open"}))
    assert opened == "403 not-yours"


def test_an_open_replay_shows_every_card(over, visitor):
    match, _ = over
    steps = lines(visitor.replay(match, **{"as": "open"}))
    dealt = [fact for fact in steps[2]["facts"] if fact["type"] == "dealt" and fact["card"]]
    hands = steps[2]["look"]["view"]["hands"]
    assert [fact["card"] for fact in dealt] == hands
    assert None not in hands


@pytest.mark.parametrize("query", ["after=x", "limit=-1", "as=9"])
def test_replays_that_are_none(dealt, query):
    match, (ann, _) = dealt
    answer = ann.get(f"/matches/{match}/replay?{query}")
    assert problem(answer) == "400 bad-request"


@pytest.mark.parametrize("what", ["look", "replay", "bundle", "audit", "feed"])
@pytest.mark.parametrize("match", ["0-aaaaaaaaaaaaaaaa", "1-aaaaaaaaaaaaaaaa", "x", "0-%0a"])
def test_no_such_match(visitor, what, match):
    assert problem(visitor.get(f"/matches/{match}/{what}")) == "404 no-such-thing"


@pytest.mark.parametrize("game", ["high-card", "qwirkle", "together"])
def test_a_bundle_proves_itself(make, visitor, game):
    match, seats = table(make, game)
    path, heads = f"/matches/{match}/bundle", {}
    early = visitor.get(path)
    assert (problem(early), early.json()["seq"]) == ("409 not-over", 3)
    assert problem(visitor.get(f"/matches/{match}/audit")) == "409 not-over"
    heads[3] = visitor.look(match)["head"]
    played(match, seats, Random(2))
    bundle = visitor.get(path)
    assert bundle.headers["content-type"] == audit.MEDIA_TYPE
    assert match in bundle.headers["content-disposition"]
    commitment = visitor.look(match)["commitment"]
    kept = audit.Kept(heads, tuple(player.entropy for player in seats), commitment)
    report = audit.audit(audit.opened(bundle.content), kept)
    assert (report.ok, report.faults) == (True, ())
    assert report.head == visitor.look(match)["head"]
    assert json.decode(json.encode(report.outcome)) == visitor.look(match)["outcome"]
    text = visitor.get(f"/matches/{match}/notation").text.splitlines()
    assert text[0] == f"# {game}, rules 1, match {match}"
    assert text[2:5] == ["1. offered", "2. 0: (joined)", "3. 1: (joined)"]
    assert text[-1].endswith(f"; head {report.head}")
    found = visitor.get(f"/matches/{match}/audit").content
    assert json.decode(found, type=audit.Report) == audit.audit(audit.opened(bundle.content))


def test_the_bundle_of_a_match_that_was_withdrawn(make, visitor):
    ann = make()
    match = ann.offer()
    ann.post(f"/matches/{match}/abort")
    bundle = audit.opened(visitor.get(f"/matches/{match}/bundle").content)
    assert bundle.seed is None
    assert audit.audit(bundle).ok
