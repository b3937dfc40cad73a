"""What an api process remembers of tokens, and when it must not."""

from __future__ import annotations

import asyncio

import pytest

from services import callers as module
from services.callers import Callers


@pytest.fixture
def callers() -> Callers:
    """They have begun to listen."""
    found = Callers("unix:///nowhere")
    found._begin()
    return found


def remember(callers: Callers, **tokens: str) -> None:
    for token, player in tokens.items():
        callers.put(token, player, callers.news)


def test_tokens_are_remembered_until_their_player_has_one_revoked(callers):
    told: list[str] = []
    callers.cuts.append(told.append)
    remember(callers, one="ann", two="ann", three="bob")
    callers._forget("ann")
    assert [callers.known(token) for token in ("one", "two", "three")] == [None, None, "bob"]
    assert told == ["ann"]


def test_what_was_asked_before_the_news_is_not_remembered(callers):
    """The answer may have left the server before the token was revoked."""
    asked_at = callers.news
    callers._forget("ann")
    callers.put("one", "ann", asked_at)
    assert callers.known("one") is None


def test_who_does_not_listen_remembers_nothing():
    callers = Callers("unix:///nowhere")
    asked_at = callers.news
    callers.put("one", "ann", asked_at)
    callers._begin()
    callers.put("one", "ann", asked_at)
    assert callers.known("one") is None
    remember(callers, one="ann")
    callers._forget_all()
    remember(callers, one="ann")
    assert callers.known("one") is None


def test_only_so_many_are_remembered(callers, monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    remember(callers, one="ann", two="bob", three="ann")
    assert [callers.known(token) for token in ("one", "two", "three")] == [None, "bob", "ann"]
    callers._forget("ann")
    remember(callers, four="eve", five="eve")
    assert callers._tokens == {"eve": {"four", "five"}}


def test_a_server_that_goes_away_is_noticed(callers, caplog):
    """Then all is asked again."""

    async def listen() -> None:
        remember(callers, one="ann")
        task = asyncio.create_task(callers.listen())
        while callers.known("one"):
            await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(asyncio.wait_for(listen(), 10))
    assert "listening to revocations" in caplog.text
