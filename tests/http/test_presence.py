"""Who looks at a match just now: told at once, wherever they look, and never wrong for long."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from services import here
from services.feed import Hub
from services.here import NOBODY, Looking, together
from services.house import House
from services.listen import DEAF, bound
from services.reader import Reader
from services.sight import Sight
from tests.engine.logs import after, joined, offered, player
from tests.http.feeds import NDJSON, SSE, Reading, frames, opened
from tests.http.people import Visitor, table
from tests.http.stage import until

KEEP = {"type": "keep"}
BOTH = pytest.mark.parametrize("kind", [SSE, NDJSON])


class Feeds(ExitStack):
    """Open feeds; `look` opens one, and gives what it tells of who looks."""

    def look(self, who: Visitor, match: str, kind: str = NDJSON, **query: Any) -> Iterator[dict]:
        response = self.enter_context(opened(who, match, kind, **query))
        told = frames(response, Reading(kind, here=True))
        return (frame.data for frame in told if frame.event == "here")


@pytest.fixture
def feeds() -> Iterator[Feeds]:
    with Feeds() as feeds:
        yield feeds


def comes(told: Iterator[dict], seats: list[int], watchers: int | None = None) -> bool:
    """Is that told in the end?"""
    return any(one["seats"] == seats and watchers in (None, one["watchers"]) for one in told)


@BOTH
def test_after_the_look_comes_who_looks_without_an_id(make, visitor, kind):
    match, (ann, _) = table(make)
    with opened(ann, match, kind) as response, opened(visitor, match, kind) as other:
        first = frames(response, Reading(kind, here=True))
        assert [next(first).event for _ in range(2)] == ["look", "here"]
        told = frames(other, Reading(kind, here=True))
        look, said = next(told), next(told)
        assert (look.event, said.event, said.id) == ("look", "here", None)
        assert said.data == {"seats": [0], "watchers": 1}
    with opened(ann, match, kind, 2) as response:
        told = frames(response, Reading(kind, here=True))
        assert [next(told).event for _ in range(2)] == ["entry", "here"], (
            "also after what it missed"
        )


def test_seats_are_told_as_they_come_and_go(make, feeds, visitor):
    match, (ann, bob) = table(make)
    told = feeds.look(visitor, match)
    assert next(told) == {"seats": [], "watchers": 1}
    with Feeds() as first:
        first.look(ann, match)
        assert comes(told, [0])
        with Feeds() as second:
            second.look(bob, match)
            second.look(bob, match, SSE)
            assert comes(told, [0, 1], 1)
        assert comes(told, [0])
    assert comes(told, [])


def test_watchers_are_counted_with_the_next_sign_of_life(make, feeds, visitor, brisk):
    ann = make()
    match = ann.offer(n=3)
    with ann.at(brisk) as sits, visitor.at(brisk) as watches:
        told = feeds.look(sits, match)
        for _ in range(3):
            feeds.look(watches, match)
        assert comes(told, [0], 3)


def test_who_sits_down_and_who_leaves_is_one_of_them_or_not(make, feeds):
    ann, bob = make(), make()
    match = ann.offer(policy={"order": "joined", "leave": "random"})
    told, _ = feeds.look(ann, match), feeds.look(bob, match)
    bob.join(match)
    assert comes(told, [0, 1], 0)
    bob.post(f"/matches/{match}/resign")
    assert comes(told, [0], 1)


def test_who_is_late_is_told_of_nobody(make, feeds, visitor):
    match, (ann, bob) = table(make, policy={"late": {"type": "entries", "n": 2}})
    told = feeds.look(ann, match)
    with opened(visitor, match, NDJSON) as late:
        found = frames(late, Reading(NDJSON, here=True))
        assert next(found).event == "look"
        feeds.look(bob, match)
        assert comes(told, [0, 1])
        ann.play(match, KEEP, 3)
        bob.play(match, KEEP, 4)
        assert {frame.event for frame in found} == {"entry", "end"}


def test_all_apis_tell_the_same(make, feeds, brisk):
    match, (ann, bob) = table(make)
    with bob.at(brisk) as elsewhere:
        told, told_there = feeds.look(ann, match), feeds.look(elsewhere, match)
        assert comes(told, [0, 1], 0)
        assert comes(told_there, [0, 1], 0)


def test_of_an_api_that_ends_nobody_looks(stage, make, feeds, brisk):
    """One that stops says so; one that is killed counts no longer than what it told."""
    dies = stage.api(TURNFOLD_SYNC="1").ready()
    match, (ann, bob) = table(make)
    with ann.at(brisk) as stays, bob.at(dies.base) as goes:
        told = feeds.look(stays, match)
        for end in (dies.stop, dies.kill):
            with Feeds() as gone:
                gone.look(goes, match)
                assert comes(told, [0, 1])
                end()
                assert comes(told, [0])
            dies.start()
            dies.ready()
    dies.stop()


def test_a_server_that_forgot_is_told_again(stage, make, feeds, brisk):
    """As soon as an api has looked whether what it told is there still."""
    match, (ann, _) = table(make)
    wire = stage.wire()

    def serves() -> str | None:
        apis = wire.ask(here.apis())
        return next((api for api in apis if match in wire.ask(here.served(api))), None)

    with ann.at(brisk) as sits:
        feeds.look(sits, match)
        api = until(serves)
        for ask in here.gone(api):
            wire.ask(ask)
        assert until(serves) == api
        assert wire.ask(here.served(api))[match] == Looking(frozenset([ann.id]), 0)
    wire.close()


def test_ten_thousand_watchers_are_one_number():
    """However many come: nothing is told elsewhere until the next sign of life."""
    match = after(offered(), joined(0))
    house, told = House("unix:///nowhere"), []

    async def many() -> Looking:
        hub = Hub(house)
        hub.presence.put = lambda name, looking: told.append(looking)
        hub._pump = lambda channel: None
        for n in range(10_000):
            seen = Sight("m", match, match, None, f"watcher {n}", late=False, opened=True)
            hub.join(Reader(seen, sse=True, aside=False), match)
        assert told == []
        await hub.beat(0)
        return told[-1]

    assert asyncio.run(many()) == Looking(frozenset(), 10_000)


def test_a_player_who_looks_at_several_places_looks_once():
    parts = [Looking(frozenset([player(0)]), 1), Looking(frozenset([player(0), player(1)]), 2)]
    assert together(parts) == Looking(frozenset([player(0), player(1)]), 3)
    assert together([]) == NOBODY


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux alone has it")
def test_a_peer_that_acknowledges_nothing_is_gone_in_time():
    """A laptop that sleeps says no goodbye: the kernel gives up what it sends to it."""
    with bound("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        taken, _ = listener.accept()
        with taken:
            ms = taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert ms == DEAF * 1000 <= 25_000
