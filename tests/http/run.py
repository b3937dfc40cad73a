"""Runs a process of the house with the tests' own game in its catalogue.

`python -m tests.http.run MODULE …`; TURNFOLD_BEAT gives feeds another heartbeat, TURNFOLD_GRACE
requests another time to end when an api stops,
TURNFOLD_SYNC the apis another pace of telling each other who looks, with
TURNFOLD_LEAVES the door leaves all folding to the workers, and with TURNFOLD_PLAIN there are only
the games that everybody has.
"""

from __future__ import annotations

import os
import runpy
import sys

from engine.catalogue import GAMES
from services import door, outlet, presence, settings
from tests.http import together


def main() -> None:
    if "TURNFOLD_PLAIN" not in os.environ:
        GAMES[together.NAME] = together
    outlet.BEAT = float(os.environ.get("TURNFOLD_BEAT", outlet.BEAT))
    presence.SYNC = float(os.environ.get("TURNFOLD_SYNC", presence.SYNC))
    settings.GRACE = int(os.environ.get("TURNFOLD_GRACE", settings.GRACE))
    door.COMMITS = "TURNFOLD_LEAVES" not in os.environ
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
