import pytest

from engine.catalogue import GAMES
from tests.engine import bells as the_bells


@pytest.fixture
def bells(monkeypatch):
    """The catalogue, with a game of bells in it."""
    monkeypatch.setitem(GAMES, "bells", the_bells)
    return the_bells
