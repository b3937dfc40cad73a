"""Feeds: what is heard, in which order, and that nothing is missed, however they are cut."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from random import Random
from signal import SIGCONT, SIGSTOP

import httpx
import pytest

from engine import entries as e
from engine.contract import Viewer
from engine.look import note
from engine.match import Match, Verdict, encode
from services import door, ledger
from services.answers import read_news
from services.feed import Hub, _begin
from services.house import House
from services.problems import Problem
from services.reader import Channel, Reader
from services.sight import Sight
from tests.engine import logs
from tests.engine.logs import after, dealt, then
from tests.http.feeds import BEAT, NDJSON, SSE, Frame, Listener, Reading, frames, heard, opened
from tests.http.people import played, problem, table
from tests.http.stage import until

KEEP, TRADE = {"type": "keep"}, {"type": "trade"}
BOTH = pytest.mark.parametrize("kind", [SSE, NDJSON])
ONE = {"type": "choose", "number": 1}


def shape(found: list[Frame]) -> list[tuple[str, int | None]]:
    return [(frame.event, frame.id) for frame in found]


@BOTH
def test_first_a_look_then_every_entry_then_the_end(make, visitor, kind):
    match, (ann, bob) = table(make)
    feeds = [Listener(who, match, kind) for who in (ann, bob, visitor)]
    ann.play(match, TRADE, 3)
    bob.play(match, KEEP, 4)
    told = [feed.all() for feed in feeds]
    for found in told:
        assert shape(found) == [("look", 3), ("entry", 4), ("entry", 5), ("end", None)]
        assert found[3].data == {}
        assert found[2].data["status"] == "over"
    for who, found in zip((ann, bob, visitor), told, strict=True):
        assert found[0].data == who.look(match, seq=3)
        assert found[2].data["head"] == who.look(match, seq=5)["head"]
    cards = [found[1].data["facts"][0]["card"] for found in told]
    assert cards[0]
    assert cards[1:] == [None, None]


def test_the_bytes_of_server_sent_events(make):
    match, (ann, bob) = table(make)
    ann.play(match, KEEP, 3)
    bob.play(match, KEEP, 4)
    answer = ann.get(f"/matches/{match}/feed", headers={"last-event-id": "4"})
    assert answer.headers["cache-control"] == "no-store"
    assert "Authorization" in answer.headers["vary"]
    assert answer.text.startswith('retry: 1000\n\nevent: entry\nid: 5\ndata: {"seq":5,')
    assert answer.text.endswith("}\n\nevent: end\ndata: {}\n\n")
    lines = ann.get(f"/matches/{match}/feed?after=4", headers={"accept": NDJSON}).text
    assert lines.startswith('{"event":"entry","seq":5,')
    assert lines.endswith('}\n{"event":"end"}\n')


@BOTH
def test_what_is_not_heard_is_an_entry_all_the_same(make, visitor, kind):
    match, seats = table(make, "together", 3)
    feed = Listener(visitor, match, kind)
    for player in seats:
        player.play(match, ONE, 4)
    assert shape(feed.all()) == [("look", 4), ("entry", 5), ("entry", 6), ("entry", 7), END]


END = ("end", None)


@BOTH
def test_whoever_has_it_all_gets_nothing(make, kind):
    match, seats = table(make)
    played(match, seats, Random(1))
    for last in (5, "005"):
        with opened(seats[0], match, kind, last) as response:
            assert response.status_code == 204
    for last in (4, "04"):
        assert shape(heard(seats[0], match, kind, last)) == [("entry", 5), END]
    assert shape(heard(seats[0], match, kind)) == [("look", 5), END]
    assert shape(heard(seats[0], match, kind, 0))[0] == ("entry", 1)


@BOTH
@pytest.mark.parametrize(
    ("last", "why"),
    [("x", "unreadable"), ("-1", "unreadable"), ("1" * 10, "unreadable"), ("6", "ahead")],
)
def test_begin_again(make, kind, last, why):
    match, seats = table(make)
    played(match, seats, Random(1))
    found = heard(seats[0], match, kind, last)
    assert shape(found) == [("reset", None), ("look", 5), END]
    assert found[0].data == {"why": why}


@BOTH
def test_too_far_behind(make, kind):
    match, (ann,) = table(make, "together", 1, options={"rounds": 260})
    played(match, [ann], Random(1))
    seq = ann.look(match)["seq"]
    found = heard(ann, match, kind, seq - 257)
    assert (shape(found)[:2], found[0].data) == (
        [("reset", None), ("look", seq)],
        {"why": "behind"},
    )
    found = heard(ann, match, kind, seq - 256)
    assert shape(found) == [*(("entry", n) for n in range(seq - 255, seq + 1)), END]


@BOTH
def test_a_sign_of_life(make, brisk, kind):
    match = make().offer()
    ann = make(base=brisk)
    with opened(ann, match, kind) as response:
        found = frames(response, Reading(kind))
        assert [next(found) for _ in range(4)][1:] == [Frame(BEAT, None, None)] * 3


@BOTH
def test_feeds_of_one_player_at_once_and_of_two_apis(make, brisk, kind):
    ann = make()
    match = ann.offer("qwirkle", policy={"leave": "end"})
    with ann.at(brisk) as elsewhere:
        feeds = [Listener(who, match, kind) for who in (ann, ann, elsewhere, elsewhere)]
        bob = make()
        bob.join(match)
        seats = sorted((ann, bob), key=lambda player: player.look(match)["viewer"])
        played(match, seats, Random(4), 6)
        ann.post(f"/matches/{match}/resign")
        first, *rest = (feed.all() for feed in feeds)
    assert rest == [first] * 3
    assert [frame.id for frame in first[:-1]] == [*range(2, 11)]


@BOTH
def test_whoever_feeds_on_from_a_chair_keeps_its_seat(make, kind):
    """Seats are shuffled at the deal: from then on a feed is that of the seat, not of the chair."""
    for n in range(6):
        sitters = [make() for _ in range(4)]
        match = sitters[0].offer(n=4)
        for player in sitters[1:3]:
            player.join(match)
        feeds = [Listener(player, match, kind) for player in sitters]
        asides = Listener(sitters[0], match, kind, **{"as": "watcher"})
        sitters[3].join(match)
        seats = [player.look(match)["viewer"] for player in sitters]
        sitters[0].post(f"/matches/{match}/resign")
        for seat, feed in zip(seats, feeds, strict=True):
            [dealt] = [frame for frame in feed.all() if frame.id == 5]
            assert mine(dealt) == [seat]
        assert mine(next(frame for frame in asides.all() if frame.id == 5)) == []
        for seat, player in zip(seats, sitters, strict=True):
            assert mine(heard(player, match, kind, 4)[0]) == [seat]
        if seats != [0, 1, 2, 3] and n:
            return
    pytest.fail("nothing was shuffled")


@BOTH
def test_who_has_left_a_seat_to_a_robot_hears_what_a_watcher_hears(make, stage, kind):
    match, (ann, bob) = table(make, "together", policy={"leave": "random"})
    feeds = [Listener(player, match, kind) for player in (ann, bob)]
    ann.post(f"/matches/{match}/resign")
    wire = stage.wire()
    wire.talk(door.play(match, None, 0, b'{"type":"choose","number":7}', None, 4))
    wire.close()
    assert bob.play(match, ONE, 3).status_code == 201
    told = [feed.all() for feed in feeds]
    assert [shape(found) for found in told] == [
        [("look", 3), *(("entry", n) for n in (4, 5, 6)), END]
    ] * 2
    for entry, numbers in ((2, [None, None]), (3, [None, 1])):
        assert [found[entry].data["facts"][0]["number"] for found in told] == numbers


def seen_by(match: Match, viewer: Viewer, player: str | None) -> Sight:
    return Sight(M, match, match, viewer, player, late=False, opened=True)


def test_whose_time_is_up_hears_what_a_watcher_hears():
    dealing = after(*dealt(leave="random", clock={"type": "move", "seconds": 60}))
    match, verdict = then(dealing, e.Expired(0), dealing.at + 60_000)

    async def heed() -> list[Viewer]:
        seen = [seen_by(dealing, n, logs.player(n)) for n in range(2)]
        readers = [Reader(one, sse=True, aside=False) for one in seen]
        for reader in readers:
            reader.heed(read_news(kept(match, verdict), None))
        return [reader.viewer for reader in readers]

    assert asyncio.run(heed()) == [None, 1]


def kept(match: Match, verdict: Verdict) -> ledger.Told:
    """As the ledger keeps it."""
    return ledger.Told(match.seq, encode(verdict), encode(note(match)))


M = "0-" + "m" * 16


async def begun(*looks: list[ledger.Told]) -> Reader:
    """A reader that comes to a match of three entries, where others have been served a fourth.

    These are the facts that the ledger holds, at one look after another; and then none.
    """
    house, left = House("unix:///nowhere"), iter(looks)

    async def ask(_) -> list[ledger.Told]:
        return next(left, [])

    house.ask = ask
    match = after(*dealt())
    seen = seen_by(match, None, None)
    hub, reader, ahead = Hub(house), Reader(seen, True, False), Reader(seen, True, False)
    ahead.seq = 4
    hub.channels[M, False] = Channel(ahead, match)
    hub.join = lambda reader, now: None
    await _begin(hub, reader, match, None)
    return reader


async def served(upon: str | None) -> tuple[Reader, list[object]]:
    """A reader of a match in whose process an entry is committed, upon that head or its own; and
    what was asked of the ledger."""
    house, asked, match = House("unix:///nowhere"), [], after(*dealt())

    async def ask(one) -> list[ledger.Told]:
        asked.append(one)
        return []

    house.ask = ask
    hub, reader = Hub(house), Reader(seen_by(match, None, None), True, False)
    reader.seq, reader.head = match.seq, match.head
    hub.channels[M, False] = channel = Channel(reader, match)
    channel.add(reader)
    now, verdict = then(match, logs.played(0, "keep"))
    told = kept(now, verdict)
    house.committed(M, door.Entered(4, now, verdict, True, told, upon or match.head))
    await asyncio.sleep(0)
    return reader, asked


def test_what_is_committed_here_is_told_without_asking_for_it():
    reader, asked = asyncio.run(served(None))
    assert reader.frames[-1].startswith(b"event: entry\nid: 4\n")
    assert reader.seq == 4
    assert not asked


def test_but_not_to_who_has_heard_something_else_before_it():
    """The log lost its tail, and has gone on from there."""
    reader, asked = asyncio.run(served("another"))
    assert reader.seq == 3
    assert asked


def test_whoever_comes_while_a_match_is_rebuilt_waits_for_what_others_were_served():
    match, verdict = then(after(*dealt()), logs.played(0, "keep"))
    reader = asyncio.run(begun([], [], [kept(match, verdict)]))
    assert reader.seq == 4
    assert reader.frames[-1].startswith(b"event: entry\nid: 4\n")


def test_whoever_comes_while_a_match_is_rebuilt_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr("services.feed.PATIENCE", 0.0)
    with pytest.raises(Problem, match="busy"):
        asyncio.run(begun())


@BOTH
def test_a_match_that_is_being_rebuilt_has_no_feed_just_then(make, stage, kind):
    match, (ann, _) = table(make)
    [fold] = [process for process in stage.processes if process.name == "workers.fold"]
    wire = stage.wire()
    fold.child.send_signal(SIGSTOP)
    try:
        assert wire.ask(ledger.rebuild(match))
        answer = ann.get(f"/matches/{match}/feed", headers={"accept": kind})
        assert (problem(answer), answer.headers["retry-after"]) == ("503 busy", "1")
    finally:
        fold.child.send_signal(SIGCONT)
        wire.close()
    until(lambda: ann.see(match).status_code == 200)
    with opened(ann, match, kind) as response:
        assert next(frames(response, Reading(kind))).id == 3


def mine(frame: Frame) -> list[int]:
    """Whose cards an entry tells."""
    return [fact["seat"] for fact in frame.data["facts"] if fact.get("card")]


@BOTH
def test_a_feed_opened_while_the_match_is_dealt(make, kind):
    """Never a look or an entry as somebody else, whenever the deal comes in between."""
    chance = Random(5)
    for _ in range(12):
        ann, bob = make(), make()
        match = ann.offer()
        joining = threading.Thread(target=bob.join, args=[match])
        joining.start()
        time.sleep(chance.random() * 0.006)
        last = chance.choice([None, 1, 2])
        with opened(ann, match, kind, last) as response:
            found = frames(response, Reading(kind))
            seen = [next(found)]
            while seen[-1].id < 3:
                seen.append(next(found))
        joining.join()
        seat = ann.look(match)["viewer"]
        ids = [frame.id for frame in seen]
        assert ids == [*range(ids[0], 4)]
        dealt = seen[-1]
        if dealt.event == "look":
            assert dealt.data == ann.look(match)
        else:
            assert mine(dealt) == [seat]


@pytest.mark.parametrize("game", ["qwirkle", "together"])
def test_a_feed_cut_a_hundred_times_is_as_one_that_never_was(make, visitor, game):
    options = {"rounds": 40} if game == "together" else {}
    match, seats = table(make, game, 3, options=options)
    listeners = [(seats[1], SSE), (seats[1], NDJSON), (visitor, SSE), (visitor, NDJSON)]
    whole = [Listener(who, match, kind) for who, kind in listeners]
    cut = [Cut(who, match, kind, Random(n)) for n, (who, kind) in enumerate(listeners)]
    played(match, seats, Random(7))
    for one in cut:
        one.patient = False
    for one, other in zip(whole, cut, strict=True):
        assert other.all() == one.all()
    assert sum(one.cuts for one in cut) >= 400
    assert min(one.cuts for one in cut) >= 100


class Cut(threading.Thread):
    """Reads a few bytes, is cut, comes back with the last id that it has; to the end.

    It reads little enough to be cut a hundred times, be it in the middle of a frame.
    """

    def __init__(self, who, match: str, kind: str, chance: Random) -> None:
        super().__init__(daemon=True)
        self.who, self.match, self.kind, self.chance = who, match, kind, chance
        self.frames: list[Frame] = []
        self.cuts, self.patient = 0, True
        self.ready = threading.Event()
        self.start()
        assert self.ready.wait(10)

    def run(self) -> None:
        with opened(self.who, self.match, self.kind) as response:
            self.frames.append(next(frames(response, Reading(self.kind))))
        self.ready.set()
        while not self._again():
            self.cuts += 1

    def _again(self) -> bool:
        """One more connection; True at the end."""
        reading, left = Reading(self.kind), self.chance.randrange(1, 900)
        try:
            with opened(self.who, self.match, self.kind, self.frames[-1].id) as response:
                if response.status_code == 204:
                    self.frames.append(Frame("end", None, {}))
                    return True
                response.request.extensions["timeout"]["read"] = self.chance.random() * 0.1
                for data in response.iter_raw():
                    told = reading.feed(data[:left])
                    self.frames += [frame for frame in told if frame.event != BEAT]
                    if self.frames[-1].event == "end":
                        return True
                    left -= len(data)
                    if left <= 0:
                        return False
        except httpx.ReadTimeout:
            pass
        return False

    def all(self) -> list[Frame]:
        self.join(30)
        assert not self.is_alive()
        return self.frames


def test_a_slow_reader_is_cut_and_misses_nothing(make, api):
    match, (ann,) = table(make, "together", 1, options={"rounds": 200, "padding": 100_000})
    host, _, port = api.removeprefix("http://").partition(":")
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect((host, int(port)))
    asked = f"GET /matches/{match}/feed?after=2 HTTP/1.1\r\nhost: x\r\naccept: {NDJSON}\r\n"
    slow.sendall(f"{asked}authorization: Bearer {ann.token}\r\n\r\n".encode())
    assert slow.recv(1).startswith(b"H")
    played(match, [ann], Random(1), 90)
    slow.settimeout(10)
    got = bytearray()
    while data := slow.recv(1 << 20):
        got += data
    slow.close()
    assert b'"event":"reset"' not in got
    assert not got.endswith(b"0\r\n\r\n"), "it was not cut"
    seen = [int(part.split(b",")[0]) for part in got.split(b'{"event":"entry","seq":')[1:]]
    assert seen == [*range(3, 3 + len(seen))]
    assert 0 < len(seen) < 90
    with opened(ann, match, NDJSON, seen[-2]) as response:
        found = frames(response, Reading(NDJSON))
        ids = [next(found).id for _ in range(92 - seen[-2])]
    assert ids == [*range(seen[-2] + 1, 93)]


def test_an_api_that_is_restarted(stage, make, document):
    """The feed ends, and goes on at the next process where it was."""
    api = stage.api().ready()
    ann, bob = make(base=api.base), make(base=api.base)
    match, seats = table(iter((ann, bob)).__next__)
    with opened(ann, match) as response:
        found = frames(response, Reading(SSE))
        assert next(found).id == 3
        api.kill()
        with pytest.raises(httpx.TransportError):
            next(found)
    api.start()
    api.ready()
    assert seats[0].play(match, TRADE, 3, "key").status_code == 201
    seats[1].play(match, KEEP, 4)
    assert shape(heard(ann, match, SSE, 3)) == [("entry", 4), ("entry", 5), END]


def test_no_feed_is_a_problem(make, visitor):
    match = make().offer()
    assert problem(visitor.get(f"/matches/{match}/feed?as=9")) == "400 bad-request"
