"""Sync, submit, API: what people ask for, by its number in docs/requirements.md."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from signal import SIGCONT, SIGSTOP
from time import time_ns

import httpx
import pytest
from msgspec import json

from engine import entries as e
from engine.catalogue import GAMES
from engine.fold import replay
from services import door, ledger, uptime
from services.wire import BlockingWire
from tests.chaos.fake_server import FakeWire, Server
from tests.engine.logs import lines, played
from tests.http.feeds import NDJSON, SSE, Reading, frames, opened
from tests.http.people import Player, problem, table
from tests.http.stage import Stage, until
from tests.workers.hall import Hall, M
from tests.workers.hall import table as dealt

KEEP, TRADE = {"type": "keep"}, {"type": "trade"}


def choose(number: int) -> dict:
    return {"type": "choose", "number": number}


def first(who, match: str, kind: str = SSE, event: str | None = None):
    """The first frame of a feed, or the first that tells such an event."""
    with opened(who, match, kind) as response:
        found = frames(response, Reading(kind, here=True))
        return next(frame for frame in found if event in (None, frame.event))


def without(said: dict, name: str) -> dict:
    return {key: value for key, value in said.items() if key != name}


def test_r1_an_old_version_gets_412_with_the_current_one_and_what_was_missed(make):
    match, (ann, bob) = table(make)
    ann.play(match, TRADE, 3)
    stale = bob.play(match, KEEP, 2)
    assert problem(stale) == "412 stale"
    assert stale.json()["seq"] == bob.look(match)["seq"] == 4
    assert [news["seq"] for news in stale.json()["missed"]] == [3, 4]
    steps = [json.decode(line) for line in bob.replay(match, after=2).content.splitlines()]
    assert stale.json()["missed"] == [without(step, "look") for step in steps]
    assert bob.play(match, KEEP, stale.json()["seq"]).status_code == 201


@pytest.mark.parametrize("game", GAMES)
def test_r2_every_rejected_command_says_why_in_words_and_by_which_rule(make, game):
    """A move before the deal, off turn, and without a piece that it needs."""
    match, seats = table(make, game, max(2, GAMES[game].seats(GAMES[game].Options())[0]))
    looks = [player.look(match) for player in seats]
    ways = next(look["legal"] for look in looks if look["legal"])
    move = ways[0]["move"]
    early, off_turn = make(), zip(seats, looks, strict=True)
    refusals = [early.play(early.offer(game, len(seats) + 1), move, 1)]
    refusals += [p.play(match, move, look["seq"]) for p, look in off_turn if not look["legal"]]
    refusals += [
        player.play(match, way["move"], look["seq"])
        for player, look in zip(seats, looks, strict=True)
        for way in look["legal"][:3]
        if not way["ready"]
    ]
    for refused in refusals:
        assert problem(refused) == "422 refused"
        said = refused.json()
        assert said["code"].isupper()
        assert said["rule"]
        assert said["says"].endswith(".")
    assert seats[0].look(match)["seq"] == looks[0]["seq"]


def test_r3_who_acts_at_once_names_the_phase_and_spoils_nobodys_move(make):
    match, seats = table(make, "together", 5)
    phase = seats[0].look(match)["seq"]
    answers = [player.play(match, choose(n), phase) for n, player in enumerate(seats)]
    assert [answer.status_code for answer in answers] == [201] * 5
    assert seats[0].look(match)["status"] == "over"


def test_r4_a_retry_gets_the_first_answer_and_the_clock_counts_from_receipt(make):
    policy = {"clock": {"type": "move", "seconds": 60}}
    match, (ann, bob) = table(make, policy=policy)
    once = ann.play(match, TRADE, 3, key="k")
    again = [ann.play(match, TRADE, 3, key="k") for _ in range(3)]
    assert {answer.content for answer in again} == {once.content}
    received = once.json()["at"]
    assert bob.look(match)["deadline"] == [None, received + 60_000]
    assert bob.look(match)["seq"] == 4


@pytest.mark.parametrize("kind", [SSE, NDJSON])
def test_r5_a_stream_begins_with_a_whole_look_who_sits_and_what_is_offered(make, visitor, kind):
    ann, bob = make(), make()
    match = ann.offer()
    opening = first(visitor, match, kind)
    assert opening.event == "look"
    assert [seat["player"] for seat in opening.data["seats"]] == [ann.id, None]
    assert opening.data["status"] == "open"
    assert first(ann, match, kind, "here").data["seats"] == [0]
    bob.join(match)
    dealt = first(bob, match, kind).data
    assert {seat["player"] for seat in dealt["seats"]} == {ann.id, bob.id}
    assert dealt == bob.look(match)
    ann.post(f"/matches/{match}/resign")
    assert "resigned" in [seat["gone"] for seat in first(bob, match, kind).data["seats"]]


def test_r6_several_streams_of_one_token(make):
    match, (ann, _) = table(make)
    with opened(ann, match) as one, opened(ann, match, NDJSON) as two:
        feeds = [frames(one, Reading(SSE)), frames(two, Reading(NDJSON))]
        assert [next(feed).event for feed in feeds] == ["look", "look"]
        ann.play(match, KEEP, 3)
        assert [next(feed).id for feed in feeds] == [4, 4]


def test_r6_the_limit_is_documented_and_answered_with_429(stage):
    api = stage.api(TURNFOLD_LIMITS="feeds=2").ready()
    ann, other = Player(api.base), Player(api.base)
    match = ann.offer()
    with opened(ann, match), opened(ann, match, NDJSON):
        refused = ann.get(f"/matches/{match}/feed")
        assert problem(refused) == "429 too-many"
        assert int(refused.headers["retry-after"]) > 0
        assert first(other, match).event == "look", "the limit is one of each client"
    said = ann.get("/openapi.json").json()["info"]["description"]
    assert "`feeds`: 2 open feeds of one client" in said
    assert "429" in said


def test_r8_one_way_to_say_who_you_are_and_errors_in_the_reply(make, visitor, document):
    """A wrong token is never taken for none; and the document is that of this very code."""
    match, _ = table(make)
    said = document.said
    assert list(said["components"]["securitySchemes"]) == ["token"]
    for wrong in ("Bearer nonsense", "Basic x", "nonsense"):
        headers = {"authorization": wrong}
        for path in (f"/matches/{match}/look", f"/matches/{match}/feed", "/players/me"):
            assert problem(visitor.get(path, headers=headers)) == "401 who-are-you", path
    assert said["info"]["version"] == visitor.get("/healthz").json()["release"]


def test_r9_kill_9_loses_nothing_that_was_acknowledged(tmp_path):
    """The server and the api are killed on the heels of the answer."""
    with Stage(tmp_path, "always") as stage:
        api = stage.api().ready()
        match, (ann, _) = table(lambda: Player(api.base))
        answer = ann.play(match, TRADE, 3, key="k")
        stage.kill_server()
        api.kill()
        stage.start_server()
        api.start()
        api.ready()
        assert ann.look(match) == answer.json()["look"]
        assert ann.play(match, TRADE, 3, key="k").content == answer.content


def test_r10_downtime_is_charged_to_no_clock(monkeypatch):
    """An hour in which nobody is there, over a deadline: all that was left before is left after."""
    server = Server(monkeypatch)
    hall = Hall(server, FakeWire(server.store))
    hall.write(M, *dealt(clock={"type": "move", "seconds": 60}))
    hall.sleep(20)
    before = hall.match(M).deadline(0)
    hall.away(3600)
    hall.reactor = hall.react("after the restart")
    hall.tick()
    assert hall.match(M).deadline(0) == before + 3_600_000
    hall.tick(39)
    hall.write(M, played(0, "keep"))
    assert hall.match(M).to_act == (1,)
    hall.tick(63)
    assert hall.match(M).holders[1].gone == "expired", "and the clock goes on by itself"


def test_r10_nobody_loses_on_time_by_a_kill_of_the_server(tmp_path):
    """kill -9 of it while the api hangs, a second before a deadline and until it is long past."""
    with Stage(tmp_path, "always") as stage:
        api = stage.api().ready()
        stage.worker("workers.fold")
        stage.worker("workers.react")
        with Player(api.base) as ann, Player(api.base) as bob, closing(stage.wire()) as wire:
            api.child.send_signal(SIGSTOP)
            deadline = seated(wire, ann, bob, wire.ask(uptime.last_sign(0)) + 1000)
            stage.kill_server()
            until(lambda: time_ns() // 10**6 > deadline + uptime.BREAK)
            stage.start_server()
            api.child.send_signal(SIGCONT)
            covers = lambda stop: stop["since"] < deadline < stop["until"]  # noqa: E731
            until(lambda: any(covers(stop) for stop, _ in stopped(ann)), 60)
            moved = deadline
            for stop, after in stopped(ann):  # of a slow machine there may be others
                moved += stop["until"] - stop["since"]
                assert after == [moved, None]


def stopped(who: Player) -> list[tuple[dict, list]]:
    """All that the match has told of downtime, each with the deadlines after it."""
    seen = who.replay(M, after=3)
    steps = [json.decode(line) for line in seen.iter_lines()] if seen.status_code == 200 else []
    facts = [(fact, step["deadline"]) for step in steps for fact in step["facts"]]
    return [(fact, after) for fact, after in facts if fact["type"] == "match.stopped"]


def seated(wire: BlockingWire, ann: Player, bob: Player, deadline: int) -> int:
    """A match whose clock has run for almost a minute, as if they had been at it all the while."""
    offer, *_ = dealt(clock={"type": "move", "seconds": 60})
    joins = [e.Joined(chair, who.id, who.entropy) for chair, who in enumerate((ann, bob))]
    log = lines(offer, *joins, at=deadline - 62_000)
    for match, verdict in replay(log):  # noqa: B007 (the last ones)
        pass
    assert wire.ask(ledger.copy(log, door.done(M, None, match, verdict)))
    return match.deadline(0)


def test_r11_a_seat_is_taken_once_and_the_loser_hears_which_are_free(make):
    ann, *others = (make() for _ in range(7))
    match = ann.offer(n=4)

    def join(player: Player) -> httpx.Response:
        return player.join(match, seat=2)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(join, others))
    assert sorted(map(problem, answers)) == ["201", *["409 seat-taken"] * 5]
    assert all(a.json()["free"] == [1, 3] for a in answers if a.status_code == 409)
