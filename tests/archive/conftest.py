import pytest

from services.archive.shelf import Shelf
from services.archive.store import Store
from tests.chaos.fake_server import FakeWire, Server
from tests.workers.hall import Hall


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(str(tmp_path / "archive"))


@pytest.fixture
def hall(monkeypatch, store) -> Hall:
    """A house whose workers read through to the archive."""
    server = Server(monkeypatch)
    return Hall(server, FakeWire(server.store, shelf=Shelf(store)))
