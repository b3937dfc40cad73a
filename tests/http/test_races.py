"""Many at once: what must happen once happens once, and all get an answer they can use."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable
from random import Random

import httpx
import pytest

from tests.http.people import Player, problem, table

KEEP, TRADE = {"type": "keep"}, {"type": "trade"}


@pytest.fixture
def at_once(document):
    """Posts all these at once, each on a connection of its own: (player, path, body, headers)."""

    async def post(base: str, asked: list[tuple]) -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=100)
        async with httpx.AsyncClient(
            base_url=base, timeout=20, limits=limits, verify=False
        ) as client:
            return await asyncio.gather(
                *(
                    client.post(path, json=body, headers={**player.headers, **headers})
                    for player, path, body, headers in asked
                )
            )

    def all_at_once(asked: Iterable[tuple]) -> list[httpx.Response]:
        asked = list(asked)
        answers = asyncio.run(post(str(asked[0][0].base_url), asked))
        for answer in answers:
            document.hear(answer)
        return answers

    return all_at_once


def test_fifty_join_for_the_last_two_seats(make, at_once):
    players = [make() for _ in range(12)]
    crowd = [player for player in players[1:] for _ in range(5)][:50]
    match = players[0].offer(n=3)
    path = f"/matches/{match}/join"
    answers = at_once((player, path, {"entropy": player.entropy}, {}) for player in crowd)
    joined = {crowd[i].id for i, answer in enumerate(answers) if answer.status_code == 201}
    assert len(joined) == 2
    seats = {place["player"] for place in players[0].look(match)["seats"]}
    assert seats == joined | {players[0].id}
    for player, answer in zip(crowd, answers, strict=True):
        if player.id not in joined:
            assert problem(answer) in ("409 not-open", "409 seat-taken")
            assert answer.json()["free"] == []
        else:
            assert answer.status_code == 201


def test_ten_join_for_the_same_seat_of_many(make, at_once):
    players = [make() for _ in range(11)]
    match = players[0].offer(n=4)
    path = f"/matches/{match}/join"
    asked = [(player, path, {"entropy": player.entropy, "seat": 2}, {}) for player in players[1:]]
    answers = at_once(asked)
    assert Counter(map(problem, answers)) == {"201": 1, "409 seat-taken": 9}
    losers = [answer for answer in answers if answer.status_code == 409]
    assert all(answer.json()["free"] == [1, 3] for answer in losers)


def moving(player: Player, match: str, seq: int, move: dict, key: str | None = None) -> tuple:
    headers = {"if-match": f'"{seq}"'} | ({"idempotency-key": key} if key else {})
    return player, f"/matches/{match}/moves", move, headers


@pytest.mark.parametrize("key", ["one", None])
@pytest.mark.parametrize("apis", [1, 2])
def test_ten_identical_commands_are_one(make, at_once, api, brisk, key, apis):
    match, (ann, bob) = table(make)
    player, path, move, headers = moving(ann, match, 3, TRADE, key)
    bases = [api, brisk][:apis]
    answers = at_once((player, bases[i % apis] + path, move, headers) for i in range(10))
    assert {problem(answer) for answer in answers} == {"201"}
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].json()["seq"] == bob.look(match)["seq"] == 4


@pytest.mark.parametrize("keys", [(None, None), ("one", "two")])
def test_two_different_moves_for_one_turn(make, at_once, keys):
    """Two clicks in a hurry: one counts, the other hears what happened instead."""
    match, (ann, bob) = table(make)
    keep, trade = (moving(ann, match, 3, m, k) for m, k in zip((KEEP, TRADE), keys, strict=True))
    answers = at_once([keep, trade] * 4)
    assert {problem(answer) for answer in answers} == {"201", "412 stale"}
    assert len({answer.content for answer in answers if answer.status_code == 201}) == 1
    for answer in answers:
        if answer.status_code == 412:
            assert [news["seq"] for news in answer.json()["missed"]] == [4]
    assert bob.look(match)["seq"] == 4


def test_one_key_for_two_moves_at_once(make, at_once):
    match, (ann, _) = table(make)
    answers = at_once(moving(ann, match, 3, m, "one") for m in (KEEP, TRADE) * 4)
    assert Counter(map(problem, answers)) == {"201": 4, "422 key-reused": 4}


def test_eight_seats_act_at_once(make, at_once):
    """One POST each, all with the same If-Match; nobody sees another's choice before the last."""
    match, seats = table(make, "together", 8)
    seq = seats[0].look(match)["seq"]
    asked = [moving(p, match, seq, choice(seat), "key") for seat, p in enumerate(seats[:7])]
    answers = at_once(asked)
    assert [problem(answer) for answer in answers] == ["201"] * 7
    assert sorted(answer.json()["seq"] for answer in answers) == [*range(seq + 1, seq + 8)]
    for seat, player in enumerate(seats):
        replay = player.replay(match).text
        for other in range(8):
            told = f'"seat":{other},"number":{other + 1}' in replay
            assert told == (other == seat < 7)
        seen = player.look(match)["view"]["chosen"]
        assert seen == [seat + 1 if i == seat < 7 else None for i in range(8)]
    last = seats[7].play(match, choice(7), seq).json()
    assert last["look"]["status"] == "over"
    assert last["facts"][1] == {"type": "shown", "numbers": [*range(1, 9)]}


def test_eight_seats_arrange_their_rows_at_once(make, at_once):
    """Flipology: nobody sees another's row, plan or what it laid away before the last has laid."""
    chance, (match, seats) = Random(8), table(make, "flipology", 8)
    seq = seats[0].look(match)["seq"]
    hands = [player.look(match)["view"]["hands"][seat] for seat, player in enumerate(seats)]
    rows = [{"type": "arrange", "row": chance.sample(range(1, 10), 7)} for _ in seats]
    order = chance.sample(range(7), 7)
    answers = at_once(moving(seats[s], match, seq, rows[s], f"key {s}") for s in order)
    assert [problem(answer) for answer in answers] == ["201"] * 7
    for seat, player in enumerate(seats):
        view = player.look(match)["view"]
        assert [hand is not None for hand in view["hands"]] == [s == seat for s in range(8)]
        assert [bool(plan) for plan in view["plans"]] == [s == seat < 7 for s in range(8)]
        assert not any(view["rows"])
    assert seats[7].play(match, rows[7], seq).status_code == 201
    for seat, player in enumerate(seats):
        steps = [json.loads(line) for line in player.replay(match).text.splitlines()]
        facts = [fact for step in steps for fact in step["facts"]]
        laid = {fact["seat"]: fact["row"] for fact in facts if fact["type"] == "committed"}
        own = [hands[seat][i - 1] for i in rows[seat]["row"]]
        assert laid == {s: own if s == seat else [] for s in range(8)}
        assert [len(row) for row in player.look(match)["view"]["rows"]] == [7] * 8


def choice(seat: int) -> dict:
    return {"type": "choose", "number": seat + 1}


def test_a_move_at_the_moment_of_the_deal_is_never_that_of_another_seat(make, at_once):
    """Ann guesses the seq of the deal, while her chair may become another seat."""
    shuffled = 0
    for _ in range(8):
        ann, bob = make(), make()
        match = ann.offer()
        join = (bob, f"/matches/{match}/join", {"entropy": bob.entropy}, {})
        answers = at_once([join, *(moving(ann, match, 3, KEEP) for _ in range(12))])
        assert {problem(answer) for answer in answers[1:]} <= {"201", "412 stale", "422 refused"}
        look = ann.look(match)
        shuffled += look["viewer"] == 1
        assert look["seq"] == (3 if look["viewer"] == 1 else look["seq"])
    assert shuffled


def test_offers_under_one_key_at_once(make, at_once):
    ann = make()
    offer = {"game": "high-card", "seats": [None] * 2, "join": {"entropy": ann.entropy}}
    answers = at_once((ann, "/matches", offer, {"idempotency-key": "one"}) for _ in range(10))
    assert {problem(answer) for answer in answers} == {"201"}
    assert len({answer.content for answer in answers}) == 1


def test_leaving_and_joining_at_once(make, at_once):
    """Whatever comes first: a chair holds one player, and the log goes on."""
    ann, bob, eve = make(), make(), make()
    match = ann.offer(n=3)
    bob.join(match, seat=1)
    leaves = [(bob, f"/matches/{match}/leave", {}, {})] * 5
    joins = [(eve, f"/matches/{match}/join", {"entropy": eve.entropy, "seat": 1}, {})] * 5
    answers = at_once(leaves + joins)
    assert Counter(map(problem, answers[:5])) == {"201": 1, "403 not-yours": 4}
    assert {problem(answer) for answer in answers[5:]} <= {"201", "409 seat-taken"}
    assert eve.join(match, seat=1).status_code == 201
    assert eve.look(match)["seats"][1]["player"] == eve.id
