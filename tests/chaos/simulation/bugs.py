"""Bugs to plant: each a few words of the product, put otherwise, for the simulation to find."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from hashlib import sha1
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from services import door, feed, ledger, moves, scripts, sight, wire
from tests.chaos.simulation import network
from workers import clocks, react

if TYPE_CHECKING:
    import pytest

Bug = Callable[["pytest.MonkeyPatch"], None]


def rewritten(patch: pytest.MonkeyPatch, home: Any, name: str, was: str, now: str) -> None:
    """Have a function of a module or class say something else in one place."""
    function = getattr(home, name)
    source = dedent(inspect.getsource(function))
    assert source.count(was) == 1, f"{name} does not say {was!r} once"
    made: dict[str, Any] = {}
    code = "from __future__ import annotations\n" + source.replace(was, now)
    exec(compile(code, name, "exec"), function.__globals__, made)
    patch.setattr(home, name, made[name])


def scripted(patch: pytest.MonkeyPatch, name: str, was: str, now: str) -> None:
    """Likewise a script of the ledger."""
    right = getattr(scripts, name)
    assert right.count(was) == 1, f"{name} does not say {was!r} once"
    wrong = right.replace(was, now)
    patch.setitem(scripts.SHA, wrong, sha1(wrong.encode()).hexdigest())
    patch.setattr(ledger, name, wrong)
    for home in (wire, network):
        patch.setattr(home, "SETUP", (*home.SETUP, ("SCRIPT", "LOAD", wrong)))


def unchecked_append(patch: pytest.MonkeyPatch) -> None:
    """What was judged by an older table is written behind the newest entry."""
    was = "if seq ~= seen or folded ~= seen or (seen > 0 and at ~= ARGV[9]) then"
    now = "seen = seq ARGV[2] = string.format('%.0f', seq + 1) if folded ~= seq then"
    scripted(patch, "APPEND", was, now)


def forgotten_key(patch: pytest.MonkeyPatch) -> None:
    """A command that comes again is judged as if it were new."""
    rewritten(patch, door, "_repeat", "return dict(holder.keys).get(key)", "return None")


def old_memory(patch: pytest.MonkeyPatch) -> None:
    """What an api remembers of a match is not read again before it says no."""
    was = "if match is not known or isinstance(judged, Entered | Repeated):"
    rewritten(patch, door, "judged", was, "if True:")


def newest_answer(patch: pytest.MonkeyPatch) -> None:
    """A repeat is answered with the table as it is by now, not as its entry left it."""
    was = "first_answer(house, name, given.seq, player)"
    rewritten(patch, moves, "_move", was, "first_answer(house, name, given.match.seq, player)")


def late_resume(patch: pytest.MonkeyPatch) -> None:
    """A feed goes on one entry after the one that was missed."""
    was = "reader.tell(missed, now.seq)"
    rewritten(patch, feed, "_begin", was, "reader.tell(missed[1:], now.seq)")


def lost_hints(patch: pytest.MonkeyPatch) -> None:
    """What was folded while an api heard nothing is told by nobody."""
    rewritten(patch, feed.Hub, "beat", "self._pump(channel)", "pass")
    rewritten(patch, feed.Hub, "_returned", "self._pump(channel)", "pass")


def one_for_all(patch: pytest.MonkeyPatch) -> None:
    """All feeds get the frame that was made for the first."""
    was = "kind = (reader.viewer, reader.sse)"
    rewritten(patch, feed.Hub, "_serve", was, "kind = (None, reader.sse)")


def no_delay(patch: pytest.MonkeyPatch) -> None:
    """Watchers who are to be late are not."""
    was = "max(first, now.seq - late.n)"
    rewritten(patch, sight, "due", was, "now.seq")


def hasty_clock(patch: pytest.MonkeyPatch) -> None:
    """Clocks ring when a move would still count."""
    for home in (clocks, react):
        patch.setattr(home, "GRACE", 0)


QUICK: tuple[Bug, ...] = (unchecked_append, forgotten_key, late_resume, one_for_all, no_delay)
BUGS: tuple[Bug, ...] = (*QUICK, old_memory, newest_answer, hasty_clock, lost_hints)
