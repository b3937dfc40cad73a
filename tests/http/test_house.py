"""What an api process keeps while it commits."""

from __future__ import annotations

import gc

from services import door
from services.house import House
from tests.engine.logs import joined, offered, told


def test_the_collector_walks_what_is_new_in_small_parts():
    """Commits free as much as they make: of itself it would wait for long, and then hold up all."""
    house, (match, verdict) = House("unix:///nowhere"), told(offered(), joined(0))[-1]
    given = door.Entered(match.seq, match, verdict)
    gc.disable()
    try:
        made = []
        for _ in range(1000):
            made.append([object() for _ in range(10)])
            house.committed("m", given)
        assert len(gc.get_objects(0)) < len(made) / 2
    finally:
        gc.enable()
