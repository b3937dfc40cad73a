"""Ratings are what the results come to, in whatever order they are heard of."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from services import ratings
from services.ratings import Result, all_rated
from tests.chaos.fake_server import Server

GAME, NOW = "qwirkle", 10**12
KEYS = ("results", "upto", "standings", "board")
PEOPLE = [letter * 16 for letter in "abcdef"]


@pytest.fixture
def server(monkeypatch) -> Server:
    return Server(monkeypatch)


def some_results(seed: int, n: int) -> list[tuple[int, Result]]:
    chance, made = Random(seed), []
    for i in range(n):
        players = tuple(chance.sample(PEOPLE, chance.randint(2, 4)))
        places = tuple(chance.randint(1, 2) for _ in players)
        made.append((chance.randint(1, n), Result(f"0-{i:016}", players, places)))
    return made


def counted(server: Server, now: int = NOW) -> dict[str, ratings.Standing]:
    while server.talk(ratings.count(GAME, now)):
        pass
    known = server.ask(ratings.standings(GAME, PEOPLE))
    return {player: one for player, one in zip(PEOPLE, known, strict=True) if one}


def test_whatever_the_order_they_come_to_the_same(server):
    results = some_results(1, 4)
    wanted = all_rated(results)
    for order in permutations(results):
        server.run("DEL", *(f"{{rating:{GAME}}}:{what}" for what in KEYS))
        for at, result in order:
            server.ask(ratings.add(GAME, at, result))
            assert counted(server)  # what comes before it later has all counted again
        assert counted(server) == wanted


def test_a_result_heard_twice_counts_once(server):
    [(at, result)] = some_results(2, 1)
    for _ in range(3):
        server.ask(ratings.add(GAME, at, result))
        assert {one.matches for one in counted(server).values()} == {1}


def test_many_are_counted_in_parts(server):
    results = some_results(3, 2 * ratings.BATCH + 7)
    for at, result in results:
        server.ask(ratings.add(GAME, at, result))
    assert server.talk(ratings.count(GAME, NOW)) == ratings.BATCH
    assert counted(server) == all_rated(results)
    best = server.ask(ratings.board(GAME, 0, 10))
    rating = {player: one.rating for player, one in all_rated(results).items()}
    assert [rating[player] for player in best] == sorted(rating.values(), reverse=True)
    assert server.ask(ratings.place(GAME, best[2])) == 3


def test_what_is_not_settled_waits(server):
    [(_, result)] = some_results(4, 1)
    server.ask(ratings.add(GAME, NOW, result))
    assert counted(server, NOW + ratings.SETTLED - 1) == {}
    assert counted(server, NOW + ratings.SETTLED)


def test_two_who_count_at_once_count_once(server):
    for at, result in some_results(5, 3):
        server.ask(ratings.add(GAME, at, result))
    slow = ratings.count(GAME, NOW)
    ask = slow.send(None)
    while "EVALSHA" not in ask.args:  # it has read everything, and is about to write
        ask = slow.send(server.ask(ask))
    quick = counted(server)
    last = server.ask(ask)
    assert (last, counted(server)) == (0, quick)


def test_who_wins_gains_and_all_begin_alike():
    after = all_rated([(1, Result("0-x", ("a", "b"), (1, 2)))])
    assert after["a"].rating > ratings.Standing().rating == ratings.NEWCOMER
    assert after["a"].mu - 25 == pytest.approx(25 - after["b"].mu)
    assert (after["a"].wins, after["b"].wins) == (1, 0)
