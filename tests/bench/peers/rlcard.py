"""`rlcard`: our UNO Flip beside RLCard's UNO, in one process and one run.

RLCard is no dependency of ours: it is installed into a cache folder.
"""

from __future__ import annotations

import sys
from time import process_time
from typing import Any

from tests.bench.peers.installed import Missing, wheels
from tests.bench.recorded import many
from tests.bench.report import at_least, just, show
from tests.bench.steps import rate

TIMES = 1.5  # as fast, at least
MATCHES = 60
PINNED = ("rlcard==1.2.0",)


def run(quick: bool) -> bool:
    title = "rlcard: UNO Flip beside RLCard's UNO"
    try:
        sys.path.append(str(wheels(*PINNED)))
    except Missing as error:
        show(f"{title}: {error}", [])
        return True
    runs = 3 if quick else 7
    moves = [(match.dealt, match.log[match.dealt.seq :]) for match in many("uno-flip", quick)]
    env = _env()
    pairs = [(rate(moves), _rlcard(env)) for _ in range(runs)]  # in turn, as the machine drifts
    show(
        title,
        [
            just("UNO Flip: step, with head", [ours for ours, _ in pairs], "/s"),
            just("RLCard: moves through env.run, random agents", [peer for _, peer in pairs], "/s"),
            at_least("ours of theirs", [ours / peer for ours, peer in pairs], "", TIMES),
        ],
    )
    return True


def _env() -> Any:
    import rlcard  # type: ignore[import-not-found,unused-ignore]
    from rlcard.agents import RandomAgent  # type: ignore[import-not-found,unused-ignore]

    env = rlcard.make("uno", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    return env


def _rlcard(env: Any) -> float:
    """Moves a second. A trajectory is a state, then an action and a state per move."""
    moves, began = 0, process_time()
    for _ in range(MATCHES):
        trajectories, _ = env.run(is_training=False)
        moves += sum(len(trajectory) // 2 for trajectory in trajectories)
    return moves / (process_time() - began)
