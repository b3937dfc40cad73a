"""All processes, the clock and a fake server in one process under one seed: whatever breaks, what
was promised holds. A seed that fails says how to play it again; bugs that are planted are found.

TURNFOLD_LONG=1 plays thousands of seeds, and plants all bugs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from tests.chaos.simulation import bugs
from tests.chaos.simulation.world import World, patched

LONG = bool(os.environ.get("TURNFOLD_LONG"))
SEEDS = int(os.environ.get("TURNFOLD_SEEDS", 3000)) if LONG else 100
CHUNK = 25
FOUND = 60  # seeds within which a planted bug is found
SEEN = ("broke before", "broke after", "slow", "gone", "api")  # in any chunk
PLANTED = bugs.BUGS if LONG else bugs.QUICK


def play(seed: int, bug: bugs.Bug | None = None) -> World:
    with patched() as patch:
        if bug is not None:
            bug(patch)
        world = World(seed, patch)
        try:
            world.run()
        except BaseException as error:
            error.add_note(f"play it again: python -m tests.chaos.simulation {seed}")
            raise
        return world


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_what_was_promised_holds(first):
    counts: Counter[str] = Counter()
    for seed in range(first, first + CHUNK):
        world = play(seed)
        counts += world.counts + world.faults.counts
    for kind in SEEN:
        assert counts[kind], f"no {kind} in {CHUNK} seeds: {counts}"


@pytest.mark.parametrize("bug", PLANTED, ids=lambda bug: bug.__name__)
def test_a_planted_bug_is_found(bug):
    for seed in range(FOUND):
        try:
            play(seed, bug)
        except (AssertionError, TimeoutError):
            return
    pytest.fail(f"{bug.__doc__} Nobody sees that.")


def test_a_seed_that_fails_says_how_to_play_it_again():
    def broken(patch):
        patch.setattr(World, "sound", lambda world, reply: pytest.fail("nothing is sound"))

    with pytest.raises(pytest.fail.Exception) as failed:
        play(1, broken)
    assert failed.value.__notes__ == ["play it again: python -m tests.chaos.simulation 1"]


def test_a_seed_is_the_same_in_any_process():
    """Be the order of sets what it may."""
    words = [sys.executable, "-m", "tests.chaos.simulation", "1"]
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    said = subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == play(1).trace.digest
    assert len(said.splitlines()) > 100, "it does not say what happens"
