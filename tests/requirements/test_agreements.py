"""What tables agree on, by the numbers in docs/requirements.md."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from msgspec import json

from tests.http.feeds import SSE, Reading, frames, opened
from tests.http.people import Player, problem, table

CLOCK = {"clock": {"type": "move", "seconds": 86_400}}
END, PAUSE = {"type": "end"}, {"type": "pause"}


def propose(who: Player, match: str, what: dict) -> int:
    """The seq of the proposal."""
    made = who.post(f"/matches/{match}/propose", json={"what": what})
    assert made.status_code == 201, made.text
    return made.json()["seq"]


def answer(who: Player, match: str, to: int, yes: bool = True):
    return who.post(f"/matches/{match}/answer", json={"to": to, "yes": yes})


def test_r20_a_seat_goes_to_another_by_vote_who_has_fresh_time(make):
    match, (ann, bob, cem) = table(make, n=3, policy=CLOCK)
    dan = make()
    before = ann.look(match)
    to = propose(bob, match, {"type": "replace", "seat": 0, "player": dan.id})
    assert ann.look(match)["proposal"]["waits"] == [0, 2]
    assert problem(dan.post(f"/matches/{match}/return")) == "403 not-yours"
    for who in (cem, ann):
        assert answer(who, match, to).status_code == 201
    with opened(ann, match) as feed:
        reading = frames(feed, Reading(SSE))
        assert next(frame for frame in reading if frame.event == "look").data["viewer"] == 0
        taken = dan.post(f"/matches/{match}/return").json()
    look = taken["look"]
    assert (look["viewer"], look["seats"][0]["player"]) == (0, dan.id)
    assert look["view"] == before["view"], "the same hand"
    assert look["deadline"][0] == look["at"] + 86_400_000 > before["deadline"][0]
    assert ann.look(match)["viewer"] == "watcher"
    assert problem(ann.play(match, {"type": "keep"}, look["seq"])) == "403 not-yours"
    assert dan.play(match, {"type": "keep"}, look["seq"]).status_code == 201


def test_r20_who_was_replaced_by_a_robot_comes_back(make):
    match, (ann, bob) = table(make, policy=CLOCK)
    to = propose(ann, match, {"type": "replace", "seat": 1, "robot": "greedy"})
    answer(bob, match, to)
    assert ann.look(match)["seats"][1]["gone"] == "replaced"
    assert bob.post(f"/matches/{match}/return").json()["look"]["viewer"] == 1
    assert problem(bob.post(f"/matches/{match}/return")) == "403 not-yours"


def test_r23_all_agree_to_end_it_without_a_result(make, visitor):
    match, (ann, bob) = table(make)
    to = propose(ann, match, END)
    assert problem(make().post(f"/matches/{match}/propose", json={"what": END})) == "403 not-yours"
    assert problem(answer(bob, match, to - 1)) == "422 refused"
    over = answer(bob, match, to).json()["look"]
    assert (over["status"], over["aborted"], over["outcome"]) == ("over", "agreed", None)
    facts = [fact["type"] for line in ended(visitor, match) for fact in line["facts"]]
    assert facts[-3:] == ["match.proposed", "match.answered", "match.aborted"], "recorded"


def ended(who, match: str) -> list[dict]:
    lines = who.replay(match, limit=100).text.splitlines()
    return [json.decode(line) for line in lines if line]


def test_r25_of_accept_and_cancel_at_once_one_wins_and_all_see_it(make):
    match, (ann, bob) = table(make, policy=CLOCK)
    for _ in range(5):
        to = propose(ann, match, PAUSE)
        with ThreadPoolExecutor(2) as pool:
            both = pool.map(lambda call: answer(*call), [(bob, match, to), (ann, match, to, False)])
            answers = sorted(problem(one) for one in both)
        looks = [who.look(match) for who in (ann, bob)]
        assert looks[0]["paused"] == looks[1]["paused"]
        assert answers == ["201", "422 refused"]
        assert looks[0]["proposal"] is None
        if looks[0]["paused"] is not None:
            assert looks[0]["deadline"] == [None, None]
            assert bob.post(f"/matches/{match}/resume").status_code == 201


KEEP = {"type": "keep"}


def test_r24_a_way_back_names_its_entry_and_all_answer(make):
    match, (ann, bob, cem) = table(make, n=3)
    before = ann.look(match)["view"]
    kept = ann.play(match, KEEP, 4).json()["seq"]
    assert cem.look(match)["back"] == [kept]
    wrong = ann.post(f"/matches/{match}/propose", json={"what": {"type": "back", "to": kept - 1}})
    assert (problem(wrong), wrong.json()["code"]) == ("422 refused", "NO_WAY_BACK")
    to = propose(ann, match, {"type": "back", "to": kept})
    answer(bob, match, to)
    assert ann.look(match)["to_act"] == [1]
    assert answer(cem, match, to).status_code == 201
    look = ann.look(match)
    assert (look["to_act"], look["view"]) == ([0], before)
    assert problem(ann.play(match, KEEP, kept)) == "412 stale", "decided on what is no more"


def test_r25_of_a_move_and_an_answer_at_once_one_wins(make):
    for _ in range(4):
        match, (ann, bob) = table(make)
        kept = ann.play(match, KEEP, 3).json()["seq"]
        to = propose(ann, match, {"type": "back", "to": kept})
        with ThreadPoolExecutor(2) as pool:
            agrees = pool.submit(answer, bob, match, to)
            moves = pool.submit(bob.play, match, KEEP, to)
            both = {problem(agrees.result()), problem(moves.result())}
        assert both in ({"201", "409 over"}, {"201", "412 stale"}, {"201", "422 refused"})
        over = ann.look(match)["status"] == "over"
        assert over == (agrees.result().status_code != 201)


def test_r26_taking_back_is_an_entry_that_can_be_taken_back(make):
    match, (ann, bob) = table(make)
    kept = ann.play(match, KEEP, 3).json()["seq"]
    for acts in ([0], [1], [0]):
        answer(bob, match, propose(ann, match, {"type": "back", "to": kept}))
        look = ann.look(match)
        assert look["to_act"] == acts
        [kept] = look["back"]
        assert kept == look["seq"]
