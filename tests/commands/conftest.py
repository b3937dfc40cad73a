from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis.client import Redis

from services.server import Server
from tests.commands.processes import Serve


@pytest.fixture(scope="session")
def house(tmp_path_factory) -> Iterator[Serve]:
    """A house with a player at the door, for tests of what operators may ask of it."""
    one = Serve(tmp_path_factory.mktemp("house") / "data")
    one.player()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> Iterator[Server]:
    """A server without any worker."""
    one = Server(tmp_path_factory.mktemp("alone") / "data")
    one.start()
    yield one
    one.stop()


@pytest.fixture
def redis(alone) -> Iterator[Redis]:
    """That server, emptied afterwards."""
    with Redis.from_url(alone.url) as redis:
        yield redis
        redis.flushall()
