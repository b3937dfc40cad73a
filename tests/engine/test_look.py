import pytest
from msgspec import json

from engine import entries as e
from engine.contract import OPEN
from engine.look import choices, look, news, note
from engine.match import commitment
from tests.engine.logs import after, dealt, joined, offered, played, player, told

VIEWERS = (None, 0, 1)
CLOCK = {"clock": {"type": "move", "seconds": 60}}


def shown(match, viewer, **how):
    return json.decode(json.encode(look(match, viewer, "0-a", **how)))


def test_an_open_match_shows_its_chairs():
    match = after(offered(None, "greedy", None), joined(2))
    for viewer in (None, 2):
        seen = shown(match, viewer)
        assert seen["status"] == "open"
        assert seen["seats"] == [
            {"player": None, "robot": None, "gone": None},
            {"player": None, "robot": "greedy", "gone": None},
            {"player": player(2), "robot": None, "gone": None},
        ]
        assert seen["view"] is seen["since"] is seen["outcome"] is seen["aborted"] is None
        assert seen["to_act"] == seen["legal"] == []
        assert seen["deadline"] == [None] * 3


def test_a_running_match():
    match = after(*dealt(**CLOCK))
    seen = {viewer: shown(match, viewer) for viewer in VIEWERS}
    legal = [{"move": {"type": move}, "ready": True} for move in ("keep", "trade")]
    assert [seen[viewer]["legal"] for viewer in VIEWERS] == [[], legal, []]
    assert [seen[viewer]["since"] for viewer in VIEWERS] == [None, 3, None]
    assert [seen[viewer]["viewer"] for viewer in VIEWERS] == ["watcher", 0, 1]
    assert seen[None]["deadline"] == [match.at + 60_000, None]
    assert seen[None]["view"]["hands"] == [None, None]
    assert seen[1]["view"]["hands"] == [None, match.state.hands[1]]
    assert {(s["match"], s["head"]) for s in seen.values()} == {("0-a", match.head)}
    assert seen[None]["commitment"] == commitment(match.offered)
    replayed = {name: value for name, value in seen[0].items() if name != "legal"}
    assert shown(match, 0, legal=False) == replayed


LOOK = """match game rules seq at head commitment status viewer seats options policy to_act
    since deadline bank claimable proposal paused promised back legal view outcome
    aborted"""
NEWS = "seq at head facts status to_act deadline outcome aborted"


def test_the_fields_are_those_of_the_format():
    match, verdict = told(*dealt())[-1]
    assert list(shown(match, 0)) == LOOK.split()
    assert list(json.decode(json.encode(news(note(match), verdict, 0)))) == NEWS.split()


@pytest.mark.parametrize("last", [e.Resigned(0), e.Aborted("operator"), None])
def test_over_nobody_may_do_anything_whatever_the_game_says(last):
    keeps = [played(0, "keep"), played(1, "keep")]
    match = after(*dealt(**CLOCK), *([last] if last else keeps))
    for viewer in (*VIEWERS, OPEN):
        seen = shown(match, viewer)
        assert seen["status"] == "over"
        assert seen["legal"] == seen["to_act"] == []
        assert seen["deadline"] == [None, None]
        assert (seen["outcome"] is None) == (seen["aborted"] is not None)
    assert shown(match, OPEN)["view"]["hands"] == list(match.state.hands)


def test_open_sees_all_faces_and_may_do_nothing():
    for match in (after(offered()), after(*dealt()), after(offered(), e.Aborted("operator"))):
        seen = shown(match, OPEN)
        assert (seen["viewer"], seen["since"], seen["legal"]) == ("open", None, [])
    assert shown(after(*dealt()), OPEN)["view"]["hands"] == list(after(*dealt()).state.hands)


def test_choices_are_beginnings_and_then_what_has_a_piece_more(bells):
    match = after(*dealt(game="bells"), played(1, "rest"))
    assert [c.move for c in choices(match, 0)] == list(bells.MOVES)
    assert all(c.ready for c in choices(match, 0))
    assert choices(match, 0, bells.Ring()) == ()
    assert choices(match, 1) == choices(match, None) == choices(match, OPEN) == ()
    assert choices(after(offered()), 0) == ()


def test_news_is_what_one_viewer_hears():
    match, verdict = told(*dealt(), played(0, "trade"))[-1]
    heard = {viewer: news(note(match), verdict, viewer) for viewer in VIEWERS}
    cards = {viewer: [fact.card for fact in heard[viewer].facts] for viewer in VIEWERS}
    assert cards == {None: [None], 0: [match.state.hands[0]], 1: [None]}
    assert heard[None].to_act == (1,)
    assert heard[None].head == match.head


def test_of_a_refused_entry_there_is_no_news_but_its_seq_and_head():
    match, verdict = told(*dealt(), played(1, "trade"))[-1]
    heard = news(note(match), verdict, 1)
    assert (heard.seq, heard.facts, heard.head) == (4, (), match.head)


def test_gone_is_shown():
    match = after(*dealt(leave="random"), e.Resigned(1))
    assert shown(match, None)["seats"][1] == {
        "player": player(1),
        "robot": "random",
        "gone": "resigned",
    }
