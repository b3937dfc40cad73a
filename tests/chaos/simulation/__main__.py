"""`python -m tests.chaos.simulation SEED` plays a seed again and says all that happens in it."""

from __future__ import annotations

import sys

from tests.chaos.simulation.world import World, patched

if __name__ == "__main__":
    with patched() as patch:
        world = World(int(sys.argv[1]), patch, print)
        world.run()
    print(world.trace.digest)
