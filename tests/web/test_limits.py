"""What the page lets one ask for is little enough, and no header of a proxy makes it fail."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from services.problems import Problem
from services.web import films, session
from services.web.films import Film


def test_so_many_films_wait_to_be_made_and_no_more(monkeypatch):
    """Each takes time of a worker, then memory of the jobs' server for an hour."""
    asked = []

    class Queue:
        def __init__(self, *_: object, **__: object) -> None:
            self.count = len(asked)

        def enqueue_call(self, *_: object, **how: object) -> None:
            asked.append(how)

    monkeypatch.setattr(films, "Queue", Queue)
    monkeypatch.setattr(films, "_found", lambda *_: Film("none"))
    monkeypatch.setattr(films.Redis, "from_url", lambda _: nullcontext())
    for match in range(films.MOST):
        films._begun("", f"0-{match}", False, {})
    with pytest.raises(Problem, match="too-many"):
        films._begun("", "0-more", False, {})
    assert len(asked) == films.MOST


@pytest.mark.parametrize("scheme", ["http", "https", "ws", "wss"])
def test_whatever_a_proxy_passes_on_a_cookie_is_looked_for(scheme):
    """uvicorn takes these four from X-Forwarded-Proto."""
    assert session.token_in("turnfold=a; __Host-turnfold=b", scheme) in ("a", "b")
