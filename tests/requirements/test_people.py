"""Spectators and people, without notifications: by their numbers in docs/requirements.md."""

from __future__ import annotations

from random import Random

import pytest

from engine.catalogue import GAMES
from tests.games.matches import random_match
from tests.http.feeds import SSE, Reading, frames, opened
from tests.http.people import Player, problem, table

NOBODY = "404 no-such-thing"
LATE = [
    ({"type": "entries", "n": 2}, "2 entries"),
    ({"type": "seconds", "n": 3600}, "3600 seconds"),
]


@pytest.mark.parametrize(("late", "says"), LATE)
def test_r7_a_late_view_says_how_late_it_is_and_which_version_it_shows(make, visitor, late, says):
    match, (ann, _) = table(make, policy={"late": late})
    ann.play(match, {"type": "keep"}, 3)
    views = [visitor.see(match), visitor.replay(match)]
    with opened(visitor, match) as feed:
        views.append(feed)
        looks = [views[0].json(), next(frames(feed, Reading(SSE))).data]
    assert {view.headers["turnfold-late"] for view in views} == {says}
    for seen in looks:
        assert seen["policy"]["late"] == late
        assert seen["seq"] == 2 < ann.look(match)["seq"] == 4
    assert views[0].headers["etag"] == '"2"'


@pytest.mark.parametrize(
    ("policy", "visitors", "guests"),
    [
        ({}, "200", "200"),
        ({"watchers": "invited"}, NOBODY, "200"),
        ({"watchers": "closed"}, NOBODY, NOBODY),
    ],
)
def test_r37_a_table_says_who_may_watch_and_how_late(make, visitor, policy, visitors, guests):
    match, (ann, _) = table(make, policy=policy)
    guest = make()
    if policy.get("watchers") == "invited":
        ann.post(f"/matches/{match}/invite", json={"player": guest.id})
    for path in ("look", "replay"):
        assert problem(visitor.get(f"/matches/{match}/{path}")) == visitors
        assert problem(guest.get(f"/matches/{match}/{path}")) == guests


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
