"""What an api process keeps while it commits."""

from __future__ import annotations

import gc

from services.house import House
from tests.engine.logs import after, joined, offered


def test_the_collector_walks_what_is_new_in_small_parts():
    """Commits free as much as they make: of itself it would wait for long, and then hold up all."""
    house, match = House("unix:///nowhere"), after(offered(), joined(0))
    gc.disable()
    try:
        made = []
        for _ in range(1000):
            made.append([object() for _ in range(10)])
            house.committed("m", match)
        assert len(gc.get_objects(0)) < len(made) / 2
    finally:
        gc.enable()
