from collections.abc import Iterator

import pytest

from engine.catalogue import GAMES
from tests.http import together
from tests.http.people import Document, Player, Visitor
from tests.http.stage import Stage


@pytest.fixture(scope="session")
def stage(tmp_path_factory) -> Iterator[Stage]:
    """The house that most tests here visit."""
    with Stage(tmp_path_factory.mktemp("house")) as stage:
        stage.worker("workers.fold")
        yield stage


@pytest.fixture(scope="session")
def api(stage) -> str:
    return stage.api().ready().base


@pytest.fixture(scope="session")
def brisk(stage) -> str:
    """Another api of the same house: its feeds give a sign of life four times a second, and what
    it takes is folded by a worker."""
    return stage.api(TURNFOLD_BEAT="0.25", TURNFOLD_SYNC="1", TURNFOLD_LEAVES="1").ready().base


@pytest.fixture(scope="session")
def document(api) -> Document:
    with Visitor(api) as anybody:
        return Document(anybody.get("/openapi.json").json())


@pytest.fixture
def visitor(api, document) -> Iterator[Visitor]:
    with Visitor(api, document.hear) as visitor:
        yield visitor


@pytest.fixture
def make(api, document):
    """Makes players."""
    made: list[Player] = []

    def one(*hears, base: str = api, **more) -> Player:
        made.append(Player(base, document.hear, *hears, **more))
        return made[-1]

    yield one
    for player in made:
        player.close()


@pytest.fixture(autouse=True)
def with_together(monkeypatch):
    """The tests' own game, in the catalogue of this process too."""
    monkeypatch.setitem(GAMES, together.NAME, together)
