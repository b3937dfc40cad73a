"""What a part of the bench says: rows of a name, a figure and, where there is one, its target."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple


class Row(NamedTuple):
    """`good` is None where there is no target."""

    what: str
    says: str
    target: str = ""
    good: bool | None = None


def at_least(what: str, values: Sequence[float], unit: str, target: float) -> Row:
    return Row(what, _spread(values, unit), f">= {_short(target)}", median(values) >= target)


def under(what: str, values: Sequence[float], unit: str, target: float) -> Row:
    return Row(what, _spread(values, unit), f"< {_short(target)} {unit}", median(values) < target)


def just(what: str, values: Sequence[float], unit: str) -> Row:
    return Row(what, _spread(values, unit))


def show(title: str, rows: Sequence[Row]) -> None:
    print(f"\n{title}")
    for row in rows:
        mark = {None: "", True: "  reached", False: "  MISSED"}[row.good]
        print(f"  {row.what:<44} {row.says:<34} {row.target:>12}{mark}".rstrip(), flush=True)


def machine() -> str:
    cpu = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {cores} cores of {cpu}, Linux {platform.release()}, load {load:.1f} before"


def percentile(values: Sequence[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def _spread(values: Sequence[float], unit: str) -> str:
    """The median and, of several, the lowest and the highest."""
    middle = f"{_short(median(values))} {unit}"
    if len(values) == 1:
        return middle
    return f"{middle}  ({_short(min(values))} to {_short(max(values))})"


def _short(x: float) -> str:
    if x >= 100:
        return f"{x:,.0f}"
    return f"{x:.1f}" if x >= 10 else f"{x:.3g}"
