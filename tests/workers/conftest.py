import pytest

from tests.chaos.fake_server import FakeWire, Server
from tests.workers.hall import Hall


@pytest.fixture
def server(monkeypatch):
    return Server(monkeypatch)


@pytest.fixture
def hall(server):
    return Hall(server, FakeWire(server.store))
