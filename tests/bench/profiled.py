"""Run a module under a profiler that counts CPU time: `python -m tests.bench.profiled OUT MODULE …`

The profile is written when the process is told to end.
"""

from __future__ import annotations

import cProfile
import runpy
import signal
import sys
import time


def main() -> None:
    out, *sys.argv = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    profile = cProfile.Profile(time.thread_time)
    try:
        profile.runcall(runpy.run_module, sys.argv[0], run_name="__main__", alter_sys=True)
    except (SystemExit, KeyboardInterrupt):
        pass
    finally:
        profile.dump_stats(out)


if __name__ == "__main__":
    main()
