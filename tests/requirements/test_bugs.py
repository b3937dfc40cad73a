"""Bug reports of others, as small tests of ours, by their numbers in docs/requirements.md."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from signal import SIGCONT, SIGSTOP
from time import sleep

import httpx
import pytest
from msgspec import json
from msgspec.structs import replace

from engine import entries as e
from engine.catalogue import GAMES
from engine.dice import Dice
from services import ledger
from tests.chaos.fake_server import FakeWire, Server
from tests.engine.logs import played
from tests.games.matches import places
from tests.games.qwirkle.redeal import redeal
from tests.games.test_secrecy import played as step_on
from tests.games.test_secrecy import told
from tests.http.feeds import SSE, Reading, frames, opened
from tests.http.people import problem, table
from tests.workers.hall import Hall, M, N
from tests.workers.hall import table as dealt

KEEP, TRADE = {"type": "keep"}, {"type": "trade"}
CLOCK = {"clock": {"type": "move", "seconds": 60}}


@pytest.fixture
def hall(monkeypatch):
    server = Server(monkeypatch)
    return Hall(server, FakeWire(server.store))


def choose(number: int) -> dict:
    return {"type": "choose", "number": number}


def test_bug_1_two_clicks_in_a_hurry_are_one_move(make):
    match, (ann, bob) = table(make)
    first, second = ann.play(match, TRADE, 3), ann.play(match, KEEP, 3)
    assert [problem(first), problem(second)] == ["201", "412 stale"]
    assert bob.look(match)["seq"] == 4


def test_bug_2_the_second_click_of_a_double_click_does_not_count_in_the_next_phase(make):
    match, (ann, bob) = table(make, "together", 2, options={"rounds": 2})
    phase = ann.look(match)["seq"]
    ann.play(match, choose(1), phase)
    once = bob.play(match, choose(2), phase)
    again, another = bob.play(match, choose(2), phase), bob.play(match, choose(3), phase)
    assert again.content == once.content, "the same click again: the first answer"
    assert problem(another) == "412 stale"
    assert bob.look(match)["to_act"] == [0, 1], "nobody has chosen in the second round"


@pytest.mark.parametrize("key", [None, "k"])
def test_bug_4_ten_fast_clicks_are_one_event(make, key):
    match, (ann, bob) = table(make)
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: ann.play(match, TRADE, 3, key=key), range(10)))
    assert len({answer.content for answer in answers}) == 1
    assert bob.look(match)["seq"] == 4


def test_bug_5_of_fifty_who_join_a_table_for_two_exactly_two_sit(make):
    host, *crowd = (make() for _ in range(11))
    made = host.post("/matches", json={"game": "high-card", "seats": [None, None]})
    match = made.json()["look"]["match"]
    many = [player for player in crowd for _ in range(5)]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda player: player.join(match), many))
    seated = {seat["player"] for seat in host.look(match)["seats"]}
    assert len(seated) == 2
    joined = {p.id for p, a in zip(many, answers, strict=True) if a.status_code == 201}
    assert joined == seated
    assert set(Counter(map(problem, answers))) <= {"201", "409 not-open", "409 seat-taken"}


def test_bug_7_whoever_comes_back_with_an_old_look_is_told_what_happened(make):
    match, (ann, bob) = table(make)
    old = bob.look(match)["seq"]
    ann.play(match, KEEP, old)
    stale = bob.play(match, KEEP, old - 1).json()
    assert [news["seq"] for news in stale["missed"]] == [old, old + 1]
    assert stale["missed"][-1]["to_act"] == [1]
    assert bob.play(match, KEEP, stale["seq"]).json()["look"]["status"] == "over"


def test_bug_8_a_move_before_the_clock_counts_and_a_flag_for_an_old_turn_is_void(hall):
    hall.write(M, *dealt(**CLOCK))
    hall.clock.sleep(59)
    hall.write(M, played(0, "keep"))
    hall.clock.sleep(3)
    hall.write(M, e.Expired(0))
    match = hall.match(M)
    assert (match.over, match.holders[0].gone, match.to_act) == (False, None, (1,))
    assert json.decode(hall.server.ask(ledger.last_facts(M)).verdict)["type"] == "refused"


def test_bug_9_no_answer_before_it_is_written_and_what_is_sent_again_counts_once(stage, make):
    """The server sleeps while a move is on its way, and the api that was to answer is killed."""
    match, (ann, _) = table(make)
    api = stage.api().ready()
    with ann.at(api.base) as doomed, ThreadPoolExecutor(1) as pool:
        assert doomed.look(match)["seq"] == 3
        stage.server._process.send_signal(SIGSTOP)
        answer = pool.submit(doomed.play, match, KEEP, 3, "k")
        sleep(0.1)
        assert not answer.done()
        api.kill()
        stage.server._process.send_signal(SIGCONT)
        with pytest.raises(httpx.TransportError):
            answer.result()
    assert ann.play(match, KEEP, 3, key="k").json()["seq"] == 4
    assert ann.look(match)["seq"] == 4


def test_bug_9_nobody_flags_for_the_time_that_a_restart_took(hall):
    hall.write(M, *dealt(**CLOCK))
    deadline = hall.match(M).deadline(0)
    hall.away(90)
    hall.reactor = hall.react("after the restart")
    hall.tick()
    assert hall.match(M).deadline(0) == deadline + 90_000
    hall.tick(50)
    hall.write(M, played(0, "keep"))
    assert hall.match(M).holders[0].gone is None
    assert hall.match(M).to_act == (1,)


def test_bug_12_after_a_restart_the_clock_rings_by_itself(hall):
    """Of react alone; and of all the house, once the rest of the time is over too."""
    hall.write(M, *dealt(**CLOCK))
    hall.sleep(100)  # an api is there, but no react
    hall.reactor = hall.react("after the restart")
    hall.tick()
    assert isinstance(hall.entry(M), e.Expired)
    hall.write(N, *dealt(**CLOCK))
    hall.away(100)
    hall.reactor = hall.react("after the restart")
    hall.tick(58)
    assert isinstance(hall.entry(N), e.Stopped)
    hall.tick(6)
    assert isinstance(hall.entry(N), e.Expired)
    assert hall.match(M).holders[0].gone == "expired"


def test_bug_14_a_watcher_hears_the_same_of_a_play_whatever_the_racks_hold():
    """Two worlds that differ in all racks but the mover's: the news has the same bytes."""
    qwirkle, dice, plays = GAMES["qwirkle"], Dice(bytes(32), 1), 0
    for seed in range(3):
        for match, then in places(qwirkle, seed, 40):
            entry = then and e.decode(then.raw)
            if not isinstance(entry, e.Played) or not match.state.bag:
                continue
            state = redeal(match.state, entry.seat, dice)
            one, two = (step_on(one, entry) for one in (match, replace(match, state=state)))
            assert told(one, None) == told(two, None)
            plays += state.hands != match.state.hands
    assert plays > 20


def test_bug_16_no_first_message_holds_what_is_hidden(make, visitor):
    """Looks, feeds and replays from the first entry on: no seed, no secret, no other's hand."""
    match, (ann, bob) = table(make, "qwirkle")
    said = {who: who.see(match).content + who.replay(match).content for who in (ann, bob, visitor)}
    for who in said:
        with opened(who, match) as response:
            said[who] += next(frames(response, Reading(SSE))).raw
    ann.post(f"/matches/{match}/resign")
    bundle = json.decode(ann.get(f"/matches/{match}/bundle").content)
    secret = json.decode(bundle["entries"][0]["entry"])["secret"]
    hands = bob.look(match, seq=3, **{"as": "open"})["view"]["hands"]
    for who, text in said.items():
        for hidden in (bundle["seed"], secret, ann.entropy, bob.entropy):
            assert hidden.encode() not in text
        seen = [json.encode(hand) in text for hand in hands]
        assert seen == [who is ann, who is bob]
