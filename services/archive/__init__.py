"""The archive: finished matches as packed bundles in a folder or an object store, off the server.

A match is always whole in at least one of both. Whoever asks for what the server has no more is
answered from the archive (`shelf`), in the same words; `mover` brings matches there, `proof` tells
whether all are there as they were.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from services.archive.shelf import Shelf

ENV: Final = "TURNFOLD_ARCHIVE"  # a folder, or s3://bucket/path
AFTER: Final = "TURNFOLD_ARCHIVE_AFTER"
DAYS: Final = 30.0  # after its end, until a match goes there


class Unread(Exception):
    """The archive does not give, or not take, what it was asked; the message says why."""


def opened(where: str | None = None) -> Shelf | None:
    """The archive that is named, else that of the environment; None if neither names one.

    ValueError if it names nothing that could be one.
    """
    where = os.environ.get(ENV, "") if where is None else where
    if not where:
        return None
    from services.archive.shelf import Shelf  # what only archives need is loaded for them alone
    from services.archive.store import Store

    return Shelf(Store(where))


def days(text: str | None = None) -> float:
    """For how many days a finished match stays on the server; ValueError if that is no number."""
    text = os.environ.get(AFTER, "") if text is None else text
    try:
        after = float(text or DAYS)
    except ValueError:
        after = -1.0
    if not 0 <= after < 1e6:
        raise ValueError(f"{AFTER} takes a number of days, not {text!r}")
    return after
