"""What an api process counts of its own work: plain numbers, cheap enough for the hot route."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds


class Times:
    """How many took how long."""

    __slots__ = ("counts", "sum")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def put(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def buckets(self) -> Sequence[tuple[str, float]]:
        """For each bound how many took no longer."""
        total, found = 0, []
        for bound, count in zip((*BOUNDS, "+Inf"), self.counts, strict=True):
            total += count
            found.append((str(bound), float(total)))
        return found


class Tally:
    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()  # method, route, status
        self.moves: Counter[str] = Counter()  # `accepted`, or why not
        self.times: dict[str, Times] = {}  # by route; feeds take as long as they like
        self.appends = Times()  # from judging a move to its place in the log
        self.unread = 0  # times that the archive did not give what it holds
        self.folds = Times()  # from an append to the fold, where a worker folded

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests[method, route, status] += 1
        times = self.times.get(route)
        if times is None:
            times = self.times[route] = Times()
        times.put(seconds)
