"""`/feed`: one feed of many matches; who hears of which, and that no line is missed or repeated."""

from __future__ import annotations

import asyncio
import threading
from random import Random

import pytest
from msgspec import convert

from engine import entries as e
from engine.fold import fold
from engine.match import Line
from services import door, ledger, offers, ticker
from services.outlet import CUT
from tests.http.feeds import BEAT, NDJSON, SSE, Frame, Reading, frames
from tests.http.people import Visitor, played, problem, table

BOTH = pytest.mark.parametrize("kind", [SSE, NDJSON])
KEEP = {"type": "keep"}


class Following(threading.Thread):
    """Reads `/feed` in a thread, until `end` was seen in it."""

    def __init__(self, who: Visitor, kind: str = NDJSON, **query: str) -> None:
        super().__init__(daemon=True)
        self.frames: list[Frame] = []
        self.who, self.kind, self.query, self.last = who, kind, query, ""
        self.begun = threading.Event()
        self.start()
        assert self.begun.wait(10)

    def run(self) -> None:
        headers = {"accept": self.kind}
        with self.who.stream("GET", "/feed", params=self.query, headers=headers) as response:
            for frame in frames(response, Reading(self.kind)):
                self.frames.append(frame)
                self.begun.set()
                if frame.data and (frame.data.get("match"), frame.data.get("status")) == self.end:
                    return

    end: tuple[str, str] = ("", "")

    def until_over(self, match: str) -> list[Frame]:
        """All that came until this match was over; it must not be yet."""
        self.end = (match, "over")
        self.join(20)
        assert not self.is_alive(), "that never came"
        return [frame for frame in self.frames if frame.event != BEAT]


def lines(found: list[Frame], match: str) -> list[int]:
    return [f.data["seq"] for f in found if f.event == "entry" and f.data["match"] == match]


def listed(who: Visitor, **query: str) -> dict[str, int]:
    """Where the matches stand, as the feed begins."""
    with who.stream("GET", "/feed", params=query, headers={"accept": NDJSON}) as response:
        assert response.status_code == 200
        return next(frames(response, Reading(NDJSON))).data["seqs"]


def index(stage, match: str, player: str | None = None) -> None:
    """What react would do: there is none on this stage."""
    name = "open" if player is None else f"player:{player}"
    wire = stage.wire()
    wire.ask(ledger.index(name, match, door.now()))
    wire.close()


@BOTH
def test_first_where_matches_stand_then_a_line_for_each_entry(make, visitor, stage, kind):
    match, (ann, bob) = table(make)
    index(stage, match)
    feed = Following(visitor, kind)
    assert feed.frames[0].event == "matches"
    assert feed.frames[0].data["seqs"][match] == 3
    other = make().offer("qwirkle")
    feed.end = (match, "over")
    ann.play(match, KEEP, 3)
    bob.play(match, KEEP, 4)
    found = feed.until_over(match)
    assert lines(found, other) == [1, 2]
    assert lines(found, match) == [4, 5]
    assert kind == NDJSON or {frame.id for frame in found} == {None}
    look = visitor.look(match)
    shown = ("match", "game", "seq", "at", "status", "to_act", "deadline", "outcome", "aborted")
    assert found[-1].data == {name: look[name] for name in shown}


def test_mine_are_those_where_i_have_a_seat(make, stage):
    ann, bob = make(), make()
    match, other = ann.offer(), bob.offer()
    index(stage, match, ann.id)
    mine = Following(ann, mine="")
    assert mine.frames[0].data["seqs"] == {match: 2}
    third = bob.offer()
    assert ann.join(third).status_code == 201
    bob.post(f"/matches/{other}/abort")
    assert bob.join(match).status_code == 201
    seats = sorted((ann, bob), key=lambda player: player.look(match)["viewer"])
    mine.end = (match, "over")
    played(match, seats, Random(1))
    found = mine.until_over(match)
    assert lines(found, other) == []
    assert lines(found, third) == [3]
    assert lines(found, match) == [3, 4, 5]


def test_who_leaves_hears_that_and_no_more(make, stage):
    ann, bob = make(), make()
    match, last = bob.offer(n=3), ann.offer()
    ann.join(match)
    index(stage, match, ann.id)
    mine = Following(ann, mine="")
    mine.end = (last, "over")
    ann.post(f"/matches/{match}/leave")
    make().join(match)
    ann.post(f"/matches/{last}/abort")
    assert lines(mine.until_over(last), match) == [4]


@pytest.mark.parametrize(
    ("policy", "public"),
    [
        ({}, True),
        ({"listed": False}, False),
        ({"watchers": "closed"}, False),
        ({"watchers": "invited"}, False),
        ({"late": {"type": "entries", "n": 1}}, False),
    ],
)
def test_only_what_anybody_may_watch_at_once_is_public(policy, public):
    seats = (None, None)
    offered = offers.offered("high-card", b"{}", None, seats, convert(policy, e.Policy))
    match = fold([Line(0, e.encode(offered))])
    assert (None in ticker.known_of(match, 0).hears) == public


def test_what_is_not_public_is_not_told(make, visitor):
    feed = Following(visitor)
    ann = make()
    hidden, last = ann.offer(policy={"listed": False}), ann.offer()
    feed.end = (last, "over")
    ann.post(f"/matches/{hidden}/abort")
    ann.post(f"/matches/{last}/abort")
    assert lines(feed.until_over(last), hidden) == []


def test_what_nobody_heard_of_goes_on_where_it_then_is(make, stage):
    """A match that is dealt and that no reader hears of costs nothing, and nothing is told late."""
    match, (ann, bob) = table(make)
    index(stage, match, ann.id)
    other = make()
    last = other.offer()
    index(stage, last, other.id)
    somebody = Following(other, mine="")
    ann.play(match, KEEP, 3)
    mine = Following(ann, mine="")
    assert mine.frames[0].data["seqs"] == {match: 4}
    mine.end = (match, "over")
    bob.play(match, KEEP, 4)
    assert lines(mine.until_over(match), match) == [5]
    somebody.end = (last, "over")
    other.post(f"/matches/{last}/abort")
    assert lines(somebody.until_over(last), match) == []


def test_what_is_over_is_not_where_it_begins(make, visitor, stage):
    match, seats = table(make)
    index(stage, match)
    assert match in listed(visitor)
    played(match, seats, Random(1))
    assert match not in listed(visitor)


def test_mine_needs_to_know_who_i_am(visitor):
    assert problem(visitor.get("/feed?mine")) == "401 who-are-you"
    assert problem(visitor.get("/feed", headers={"authorization": "Bearer x"})) == "401 who-are-you"


@BOTH
def test_a_sign_of_life(make, brisk, kind):
    with make(base=brisk).stream("GET", "/feed?mine", headers={"accept": kind}) as response:
        found = frames(response, Reading(kind))
        assert [next(found) for _ in range(3)][1:] == [Frame(BEAT, None, None)] * 2


def line(match: str, seq: int) -> ticker.Line:
    return ticker.Line(match, seq, {False: b"%s %d\n" % (match.encode(), seq)})


def test_what_comes_while_it_begins_is_told_after_and_once():
    async def told() -> bytes:
        reader = ticker.Listener(None, sse=False)
        for seq in (4, 5, 6):
            reader.tell(line("a", seq))
            reader.beat()
        reader.tell(line("b", 1))
        reader.begin({"a": 5})
        reader.tell(line("a", 7))
        return b"".join(reader.frames)

    found = asyncio.run(told()).splitlines()
    assert found == [b'{"event":"matches","seqs":{"a":5}}', b"a 6", b"b 1", b"a 7"]


def test_a_slow_reader_is_cut():
    async def read() -> None:
        reader = ticker.Listener(None, sse=False)
        reader.begin({})
        big = ticker.Line("a", 1, {False: b"x" * 100_000})
        for _ in range(11):
            reader.tell(big)
        await asyncio.sleep(1)

    with pytest.raises(asyncio.CancelledError, match=CUT):
        asyncio.run(read())
