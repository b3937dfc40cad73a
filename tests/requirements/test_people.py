"""Spectators and people, without notifications: by their numbers in docs/requirements.md."""

from __future__ import annotations

from random import Random

import pytest

from engine.catalogue import GAMES
from tests.games.matches import random_match
from tests.http.people import Player


def test_r39_a_bot_is_an_account_that_uses_the_public_api(make, api):
    """A few lines make one: it looks, chooses of what it may do, and plays."""
    ann, bot = make(), Player(api, name="Bot")
    match = ann.offer("qwirkle")
    bot.join(match)
    chance = Random(5)
    for _ in range(10):
        look = bot.look(match)
        who = bot if look["viewer"] in look["to_act"] else ann
        look = who.look(match)
        who.play(match, who.ready(match, look, chance), look["seq"])
    assert ann.look(match)["seq"] == 13
    bot.close()


def test_r39_and_vacant_seats_have_bots_of_the_house(make):
    ann = make()
    match = ann.offer("qwirkle", seats=["greedy", None, "random"])
    assert sorted(str(seat["robot"]) for seat in ann.look(match)["seats"]) == [
        *("None", "greedy", "random")
    ]


@pytest.mark.parametrize("game", GAMES)
def test_r40_every_state_and_move_has_a_text(game):
    """What a screen reader needs: the table as text, moves that are typed as they are read."""
    package = GAMES[game]
    for step in random_match(package, 1)[:30]:
        match = step.match
        if match.state is None or match.over:
            continue
        names = [f"seat {seat}" for seat in range(len(match.holders))]
        for viewer in (None, 0):
            shown = package.words.show(package.view(match.state, viewer), names)
            assert shown.isprintable() or "\n" in shown
        for move in package.legal(match.state, match.to_act[0]):
            assert package.words.read(package.words.write(move)) == move
