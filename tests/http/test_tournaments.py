"""Tournaments: planned, offered to whom they are for, counted, brought to their end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from services import tournaments
from services.limits import Limits
from services.pairing import DRAW, WIN, Game, alike_meet, everybody_meets, standings
from tests.engine.logs import after, dealt, joined, offered, player
from tests.engine.logs import e as entries
from tests.http.people import Player, played, problem
from tests.http.stage import until

PLAYERS = [*"abcdefg"]


# Who meets whom


@pytest.mark.parametrize("n", range(2, 12))
def test_in_a_round_robin_each_meets_each_once_and_plays_in_every_round(n):
    players = [f"p{i}" for i in range(n)]
    rounds = everybody_meets(players)
    for one in rounds:
        assert sorted(player for pair in one for player in pair) == sorted(players)
    pairs = [frozenset(pair) for one in rounds for pair in one if len(pair) == 2]
    assert len(pairs) == len(set(pairs)) == n * (n - 1) // 2


@pytest.mark.parametrize("n", [2, 5, 8, 13, 40])
def test_in_a_swiss_one_nobody_meets_twice_or_is_alone_twice(n):
    chance, players, rounds = Random(n), [f"p{i}" for i in range(n)], []
    for _ in range(min(5, n - 1)):
        pairs = alike_meet(players, rounds)
        assert sorted(player for pair in pairs for player in pair) == sorted(players)
        rounds.append(tuple(Game(pair, "m", halves(pair, chance)) for pair in pairs))
    met = [frozenset(game.players) for one in rounds for game in one]
    assert len(met) == len(set(met))


def halves(pair: tuple[str, ...], chance: Random) -> tuple[int, ...]:
    return (WIN,) if len(pair) == 1 else chance.choice([(WIN, 0), (0, WIN), (DRAW, DRAW)])


def test_like_points_meet_and_what_was_met_parts_who_has_as_many():
    rounds = [(Game(("a", "b"), "m", (WIN, 0)), Game(("c", "d"), "n", (DRAW, DRAW)))]
    assert alike_meet("abcd", rounds) == (("a", "c"), ("d", "b"))
    rows = standings("abcd", rounds)
    assert [(row.place, row.player, row.points) for row in rows] == [
        *((1, "a", 1.0), (2, "c", 0.5), (2, "d", 0.5), (4, "b", 0.0))
    ]


# What a match is worth


def folded(*log: Any):
    return after(*log)


def test_points_of_a_match():
    two = (player(0), player(1))
    assert tournaments.halves_of(two, folded(*dealt())) is None
    resigned = folded(*dealt(), entries.Resigned(1))
    assert tournaments.halves_of(two, resigned) == (WIN, 0)
    robot = folded(*dealt(leave="greedy"), entries.Resigned(0))
    assert tournaments.halves_of(two, robot) is None
    lapsed = folded(offered(), joined(0, 1), entries.Aborted("withdrawn"))
    assert tournaments.halves_of(two, lapsed) == (0, WIN)
    stopped = folded(*dealt(), entries.Aborted("operator"))
    assert tournaments.halves_of(two, stopped) == (DRAW, DRAW)


# Over HTTP


def organise(who: Player, **more: Any):
    asked = {"name": "Cup", "game": "high-card", "kind": "round-robin"} | more
    return who.post("/tournaments", json=asked)


def test_three_meet_each_other_to_the_end(make, stage):
    people = [make() for _ in range(3)]
    by_id = {one.id: one for one in people}
    id = organise(people[0]).json()["id"]
    for one in people:
        assert one.post(f"/tournaments/{id}/join").status_code == 200
    assert problem(people[1].post(f"/tournaments/{id}/start")) == "409 not-now"
    begun = people[0].post(f"/tournaments/{id}/start").json()
    assert (begun["status"], len(begun["played"])) == ("running", 3)
    assert problem(make().post(f"/tournaments/{id}/join")) == "409 not-now"
    games = [game for one in begun["played"] for game in one if game[1]]
    for ids, match, _ in games:
        two = [by_id[one] for one in ids]
        assert problem(make().join(match)) == "403 not-yours"
        for one in two:
            assert one.join(match).status_code == 201
        two.sort(key=lambda one: one.look(match)["viewer"])
        played(match, two, Random(match))
    wire = stage.wire()
    wire.talk(tournaments.advance(id))
    wire.talk(tournaments.advance(id))
    wire.close()
    over = people[0].get(f"/tournaments/{id}").json()
    assert over["status"] == "over"
    assert sum(row["points"] for row in over["standings"]) == 3 + 3  # three matches, three byes
    assert [row["played"] for row in over["standings"]] == [3, 3, 3]


@pytest.mark.parametrize(
    "wrong", [{"game": "chess"}, {"rounds": 0}, {"name": ""}, {"options": {"x": 1}}, {"kind": "x"}]
)
def test_nothing_that_is_none(make, wrong):
    assert problem(organise(make(), **wrong)) == "422 invalid"


def test_alone_is_no_tournament_and_who_leaves_is_out(make):
    ann, bob = make(), make()
    id = organise(ann, kind="swiss").json()["id"]
    for one in (ann, bob):
        one.post(f"/tournaments/{id}/join")
    assert bob.post(f"/tournaments/{id}/leave").json()["players"] == [ann.id]
    assert problem(ann.post(f"/tournaments/{id}/start")) == "409 not-now"
    assert id in [one["id"] for one in ann.get("/tournaments").json()]
    assert problem(ann.get("/tournaments/nothing")) == "404 no-such-thing"
    assert Limits().tournaments


def test_two_processes_bring_it_forward_and_each_match_is_offered_once(make, stage):
    people = [make() for _ in range(4)]
    id = organise(people[0], kind="swiss", rounds=2).json()["id"]
    for one in people:
        one.post(f"/tournaments/{id}/join")
    begun = people[0].post(f"/tournaments/{id}/start").json()
    [first] = begun["played"]
    for _, match, _ in first:
        people[0].get(f"/matches/{match}/look")
    wires = [stage.wire() for _ in range(2)]
    for ids, match, _ in first:
        for one in (one for one in people if one.id in ids):
            one.join(match)
        next(one for one in people if one.id == ids[0]).post(f"/matches/{match}/resign")
    for wire in (*wires, *wires):
        wire.talk(tournaments.advance(id))
        wire.close()
    now = people[0].get(f"/tournaments/{id}").json()
    assert [len(one) for one in now["played"]] == [2, 2]
    until(lambda: all(people[0].see(m).status_code == 200 for _, m, _ in now["played"][1]))
    winners = [ids[1] for ids, _, _ in first]
    assert sorted(winners) in [sorted(ids) for ids, _, _ in now["played"][1]]


def test_who_was_not_invited_before_a_process_died_is_invited_after_it(make, stage):
    people = [make() for _ in range(2)]
    id = organise(people[0]).json()["id"]
    for one in people:
        one.post(f"/tournaments/{id}/join")
    wire = stage.wire()
    wire.talk(tournaments.changed(id, tournaments.begun))
    dying = tournaments.advance(id)
    ask = dying.send(None)
    while b"offered" not in b"".join(word for word in ask.args if isinstance(word, bytes)):
        ask = dying.send(wire.ask(ask))
    wire.ask(ask)  # the offer is written, and nobody is invited
    dying.close()
    [[[_, match, _]]] = people[0].get(f"/tournaments/{id}").json()["played"]
    assert problem(people[0].join(match)) == "403 not-yours"
    wire.talk(tournaments.advance(id))
    wire.close()
    assert [one.join(match).status_code for one in people] == [201, 201]


def test_what_watchers_may_not_know_yet_is_not_counted_yet(make, stage):
    people = [make() for _ in range(2)]
    late = {"late": {"type": "seconds", "n": 600}}
    id = organise(people[0], policy=late).json()["id"]
    for one in people:
        one.post(f"/tournaments/{id}/join")
    [[[_, match, _]]] = people[0].post(f"/tournaments/{id}/start").json()["played"]
    for one in people:
        one.join(match)
    people[0].post(f"/matches/{match}/resign")
    wire = stage.wire()
    wire.talk(tournaments.advance(id))
    wire.close()
    assert people[0].get(f"/tournaments/{id}").json()["played"][0][0][2] is None
