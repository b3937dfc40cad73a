from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.commands.processes import Serve


@pytest.fixture(scope="session")
def house(tmp_path_factory) -> Iterator[Serve]:
    """A house with a player at the door, for tests of what operators may ask of it."""
    one = Serve(tmp_path_factory.mktemp("house") / "data")
    one.player()
    yield one
    one.stop()
