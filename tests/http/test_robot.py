"""A robot outside the house: what it plays, and when, whatever others do meanwhile."""

from __future__ import annotations

from random import Random
from threading import Thread

import pytest
from msgspec import convert, json, to_builtins
from msgspec.structs import replace

from engine.catalogue import GAMES
from engine.look import Choice, Look, choices, look
from engine.match import encode
from services.client import Client, Problem, wits
from services.client.robot import Robot
from tests.games.matches import active, places

KEEP = {"type": "keep"}


class Inside:
    """Stands in for a client: what it is asked is answered from the match itself."""

    def __init__(self, match) -> None:
        self.match = match

    def look(self, seat: int) -> Look:
        return json.decode(encode(look(self.match, seat)), type=Look)

    def grow(self, seen: Look, move: object) -> list[Choice]:
        begun = convert(move, self.match.game.Move, str_keys=True)
        ways = choices(self.match, seen.viewer, begun)
        return [Choice(to_builtins(way.move, str_keys=True), way.ready) for way in ways]


def seats(game):
    """Seats that are to act, in places of a random match: how they see it, whom they can ask."""
    for place in places(game, 0):
        for seat in active(place.match)[:1]:
            inside = Inside(place.match)
            yield inside, inside.look(seat)


@pytest.mark.parametrize("name", GAMES)
def test_what_it_plays_is_allowed_and_greed_plays_what_looks_better(name, monkeypatch):
    monkeypatch.setattr(wits, "chance", Random(1))
    game, worth = GAMES[name], {wits.stroll: 0, wits.climb: 0}
    for inside, seen in seats(game):
        likes = wits.worths(seen)
        for choose in worth:
            move = choose(inside, seen)
            whole = convert(move, game.Move, str_keys=True)
            assert game.allows(inside.match.state, seen.viewer, whole) is None
            worth[choose] += likes(Choice(move, True))
    assert worth[wits.climb] > worth[wits.stroll]


def test_it_thinks_ahead_by_its_look_alone():
    inside, seen = next(seats(GAMES["flipout"]))
    move = wits.ponder(None, seen)  # it asks nobody
    assert GAMES["flipout"].allows(inside.match.state, seen.viewer, move) is None


def test_a_game_that_is_not_known_here_is_played_at_random(monkeypatch):
    inside, seen = next(seats(GAMES["qwirkle"]))
    assert wits.worths(seen)
    assert wits.worths(replace(seen, rules=seen.rules + 1)) is None
    monkeypatch.setattr(wits, "version", lambda name, rules: None)  # the house has it, not we
    assert wits.worths(seen) is None
    assert wits.climb(inside, seen)


def test_it_moves_no_sooner_than_its_delay(api):
    """Counted from when the match began to wait for it, not from when it was dealt."""
    with Client.register(api, "Ann") as ann, Client.register(api, "Rob") as rob:
        match = ann.offer("high-card", 2, policy={"order": "joined"}).match
        robot = Robot(rob, lambda client, look: KEEP, delay=0.4)
        ann.join(match)
        for _ in range(2):  # the second time it has a seat
            robot.join(match)
        thread = Thread(target=robot.play, args=(match,))
        thread.start()
        waits = ann.play(ann.look(match), KEEP)
        thread.join(60)
        last = list(ann.replay(match))[-1]
    assert last.status == "over"
    assert last.at - waits.at >= 390  # ms


def test_a_turn_that_is_gone_is_let_go(api):
    """Somebody else with the same token was quicker."""

    def choose(client: Client, look: Look) -> dict[str, object]:
        if look.seq == 2:
            client.play(look, {"type": "choose", "number": 1})
        return {"type": "choose", "number": 2}

    with Client.register(api, "Ann") as ann:
        match = ann.offer("together", 1, {"rounds": 3}).match
        ann.join(match)
        assert Robot(ann, choose).play(match).outcome.scores == (5,)


def test_what_is_wrong_with_its_moves_is_raised(api):
    with Client.register(api, "Ann") as ann:
        match = ann.offer("together", 1).match
        ann.join(match)
        with pytest.raises(Problem, match="not what the route takes"):
            Robot(ann, lambda client, look: {"type": "fly"}).play(match)
