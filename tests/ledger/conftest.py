import pytest

from engine.catalogue import GAMES
from services import door
from tests.chaos.fake_server import Server
from tests.engine import bells as the_bells


@pytest.fixture
def server(monkeypatch):
    return Server(monkeypatch)


@pytest.fixture
def bells(monkeypatch):
    """The catalogue, with a game in it where all seats act at once."""
    monkeypatch.setitem(GAMES, "bells", the_bells)
    return the_bells


@pytest.fixture(autouse=True)
def commits(request, monkeypatch):
    """Whether the door commits what it has stepped; not, unless a test says so."""
    monkeypatch.setattr(door, "COMMITS", getattr(request, "param", False))
