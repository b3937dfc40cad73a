"""Runs a module as a child that ends when its parent does, however that one ended.

`python -m services.leash MODULE …`: standard input is a pipe that only the parent holds open.
"""

from __future__ import annotations

import os
import runpy
import sys
from threading import Thread


def _hold() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)  # at once: everything here may be killed at any time


def main() -> None:
    Thread(target=_hold, daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
