"""Replay and audit: what people ask for, by its number in docs/requirements.md."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import json

from engine import entries as e
from engine.audit import audit, opened
from engine.catalogue import GAMES
from services import door, ledger
from tests.chaos.fake_server import Server
from tests.engine import bells as the_bells
from tests.engine.logs import joined, offered, played
from tests.http.people import played as play_on
from tests.http.people import table

KEEP = {"type": "keep"}
M = "0-" + "m" * 16


@pytest.fixture
def server(monkeypatch):
    return Server(monkeypatch)


def write(server: Server, *entries: e.Entry) -> None:
    for entry in entries:
        seen, at = server.ask(ledger.ends(M))
        server.ask(ledger.append(M, seen, at, e.encode(entry)))
        server.work()


def lines(response) -> list[dict]:
    return [json.decode(line) for line in response.content.splitlines()]


def test_r29_a_replay_is_made_for_who_asks_and_paged_by_seq(make, visitor):
    match, (ann, bob) = table(make)
    ann.play(match, {"type": "trade"}, 3)
    for who in (ann, bob, visitor):
        whole = lines(who.replay(match))
        assert [step["seq"] for step in whole] == [1, 2, 3, 4]
        page = who.replay(match, limit=2)
        assert lines(page) + lines(who.get(page.links["next"]["url"])) == whole
        for step in whole:
            assert step["look"] | {"legal": []} == who.look(match, seq=step["seq"]) | {"legal": []}
    cards = [[fact.get("card") for fact in lines(p.replay(match))[3]["facts"]] for p in (ann, bob)]
    assert cards[0] != cards[1] == [None]


def test_r30_three_lenses_ones_own_seat_unless_another_is_asked_for(make):
    match, (ann, bob) = table(make)
    assert ann.replay(match, **{"as": "open"}).status_code == 403
    assert ann.replay(match, **{"as": "1"}).status_code == 403
    play_on(match, [ann, bob], Random(1))
    own, *asked = (ann.replay(match, **how) for how in ({}, {"as": "0"}, {"as": "1"}))
    assert lines(own) == lines(asked[0]) != lines(asked[1])
    hands = [
        lines(ann.replay(match, **{"as": lens}))[3]["look"]["view"]["hands"]
        for lens in ("watcher", "0", "open")
    ]
    assert [hand.count(None) for hand in hands] == [2, 1, 0]


def test_r31_a_finished_match_goes_on_from_any_entry(make):
    """With the same table, chance and log up to there; from then on robots hold the other seats."""
    match, seats = table(make, "together", 3, options={"rounds": 2})
    dealt = seats[0].look(match)["seq"]
    last = play_on(match, seats, Random(6))["seq"]
    asker = make()
    for seq in range(dealt, last):
        made = asker.post(f"/matches/{match}/branch", json={"seq": seq, "seat": 1})
        assert made.status_code == 201
        now, then = made.json()["look"], seats[1].look(match, seq=seq)
        assert (now["seq"], now["viewer"], now["status"]) == (seq + 1, 1, "running")
        for same in ("view", "to_act", "commitment", "options"):
            assert now[same] == then[same]
        if now["viewer"] in now["to_act"]:
            chosen = {"type": "choose", "number": 7}
            assert asker.play(now["match"], chosen, now["seq"]).status_code == 201
    assert seats[0].look(match)["seq"] == last, "nothing happened to the match itself"


def test_r32_a_match_is_never_folded_by_other_rules_than_it_began_with(server, monkeypatch):
    monkeypatch.setitem(GAMES, "bells", the_bells)
    write(server, offered(None, None, game="bells"), joined(0), joined(1), played(0, "ring"))
    before = server.ask(ledger.facts(M))
    with monkeypatch.context() as patch:
        patch.setattr(the_bells, "RULES", the_bells.RULES + 1)
        server.ask(ledger.rebuild(M))
        server.work()
    assert server.ask(ledger.facts(M)) == []
    assert server.ask(ledger.all_stuck(0)) == {}, "it waits for a release that has its rules"
    server.finish()
    assert server.ask(ledger.facts(M)) == before


def test_r33_any_moment_is_read_in_one_snapshot_and_64_entries_at_the_most(server, monkeypatch):
    monkeypatch.setitem(GAMES, "bells", the_bells)
    write(server, offered(None, None, game="bells"), joined(0), joined(1))
    write(server, *(played(n % 2, "ring") for n in range(150)))
    read = []

    def log(match, after, most):
        read.append(most)
        return plain(match, after, most)

    plain = ledger.log
    monkeypatch.setattr(ledger, "log", log)
    for seq in range(1, 154):
        read.clear()
        assert server.talk(door.moment(M, seq)).seq == seq
        assert sum(read) < ledger.MARK
    read.clear()
    assert server.talk(door.newest(M)).seq == 153
    assert read == []


@pytest.mark.parametrize("end", ["played", "resigned", "withdrawn"])
def test_r34_however_it_ended_it_replays_and_is_true(make, end):
    match, seats = table(make) if end != "withdrawn" else (None, [make()])
    if end == "withdrawn":
        match = seats[0].offer()
        seats[0].post(f"/matches/{match}/abort")
    elif end == "resigned":
        seats[1].post(f"/matches/{match}/resign")
    else:
        play_on(match, seats, Random(2))
    steps = lines(seats[0].replay(match, **{"as": "open"}))
    assert steps[-1]["status"] == "over"
    report = audit(opened(seats[0].get(f"/matches/{match}/bundle").content))
    assert report.ok
    assert [entry.seq for entry in report.entries] == [step["seq"] for step in steps]


def test_r35_page_by_page_a_replay_tells_neither_its_length_nor_its_end(make, visitor):
    """Notes are not kept yet."""
    match, seats = table(make, "together", 2, options={"rounds": 3})
    last = play_on(match, seats, Random(3))["seq"]
    after = 0
    while after < last - 1:
        page = visitor.replay(match, after=after, limit=1)
        [step], after = lines(page), after + 1
        assert step["seq"] == after
        assert step["outcome"] is step["look"]["outcome"] is None
        assert step["look"]["seq"] == after
        assert page.links["next"]["url"] == f"/matches/{match}/replay?after={after}&limit=1"
    assert lines(visitor.replay(match, after=after, limit=1))[0]["outcome"] is not None


def test_r36_what_is_recorded_and_what_the_seed_gives_must_agree(make):
    """Neither is believed: each conflict is a fault that is named."""
    match, seats = table(make)
    play_on(match, seats, Random(4))
    bundle = json.decode(seats[0].get(f"/matches/{match}/bundle").content)

    def faults(change) -> set[str]:
        changed = json.decode(json.encode(bundle))
        change(changed)
        return {fault.kind for fault in audit(opened(json.encode(changed))).faults}

    def card(said: dict) -> None:
        [dealt] = [
            e for e in said["entries"] if "match.dealt" in json.encode(e["verdict"]).decode()
        ]
        fact = next(
            t for t in dealt["verdict"]["told"] if t["fact"] and t["fact"]["type"] == "dealt"
        )
        fact["to"][0][1]["card"] += 1

    def seed(said: dict) -> None:
        said["seed"] = "0" * 64

    def scores(said: dict) -> None:
        said["outcome"]["scores"][0] += 1

    assert faults(lambda said: None) == set()
    assert faults(card) == {"verdict"}
    assert faults(seed) == {"seed"}
    assert faults(scores) == {"outcome"}
