import pytest

from engine import catalogue
from tests.rules import aces, older


@pytest.fixture
def newer(monkeypatch):
    """This process is the newer release, which has Aces by rules 1 and 2."""
    monkeypatch.setitem(catalogue.GAMES, "aces", aces)
    monkeypatch.setitem(catalogue.EARLIER, ("aces", 1), aces.v1)


@pytest.fixture
def become(monkeypatch):
    """To be another release from here on: `become(older)`, `become(aces)`."""

    def become(game):
        monkeypatch.setitem(catalogue.GAMES, "aces", game)
        monkeypatch.delitem(catalogue.EARLIER, ("aces", 1), raising=False)
        for old in getattr(game, "EARLIER", ()):
            monkeypatch.setitem(catalogue.EARLIER, ("aces", old.RULES), old)

    become(older)
    return become
