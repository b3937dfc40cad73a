"""The bench: medians and ratios of one run. `python -m tests.bench [PART …] [--quick]`

Fails if an answer is wrong; a target that is missed is said, for machines differ.
"""

from __future__ import annotations

import argparse
import signal
import sys

from tests.bench import commit, feeds, live, over_http, pages, profile, robots, steps
from tests.bench.peers import rlcard
from tests.bench.peers import run as peers
from tests.bench.report import machine

PARTS = ("step", "rlcard", "commit", "http", "feeds", "pages")
OTHERS = "peers, live, profile api|fold [GAME], or robots GAME …"


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    words.add_argument("part", nargs="*", help=f"{', '.join(PARTS)}; or: {OTHERS}")
    words.add_argument("--quick", action="store_true", help="smaller and shorter, to see it work")
    words.add_argument("--pinned", action="store_true", help="http: each process keeps its core")
    asked = words.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that no process is left behind
    if asked.part[:1] == ["profile"] and asked.part[1:2] in (["api"], ["fold"]):
        profile.run(*asked.part[1:3])
        return
    if asked.part[:1] == ["robots"]:
        print(machine())
        sys.exit(0 if robots.run(asked.part[1:], asked.quick) else 1)
    parts = asked.part or PARTS
    if unknown := [part for part in parts if part not in (*PARTS, "peers", "live")]:
        words.error(f"no part is called {unknown[0]}")
    print(machine())
    run = {
        "step": lambda: steps.run(asked.quick),
        "peers": lambda: peers.run(asked.quick),
        "live": lambda: live.run(asked.quick),
        "rlcard": lambda: rlcard.run(asked.quick),
        "commit": lambda: commit.run(asked.quick),
        "http": lambda: over_http.run(asked.quick, asked.pinned),
        "feeds": lambda: feeds.run(asked.quick),
        "pages": lambda: pages.run(asked.quick),
    }
    good = [run[part]() for part in parts]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
