"""Games that live elsewhere: TURNFOLD_GAMES names their modules, and every process of ours asks.

PYTHONPATH=~/games TURNFOLD_GAMES="coup nim" turnfold serve
"""

from __future__ import annotations

import os

from engine.catalogue import add

VARIABLE = "TURNFOLD_GAMES"


def invite() -> None:
    """Put the guests into the catalogue; whoever cannot come ends us, with a sentence."""
    for path in os.environ.get(VARIABLE, "").split():
        try:
            add(path)
        except ValueError as error:
            raise SystemExit(f"{VARIABLE} names {path}: {error}.") from error
        except ModuleNotFoundError as error:
            if error.name != path:  # one that it imports: let its author see where
                raise
            hint = "PYTHONPATH must name the folder that it lies in."
            raise SystemExit(
                f"{VARIABLE} names {path}, and there is no such module: {hint}"
            ) from error
