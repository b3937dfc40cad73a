"""What must hold, while the simulation runs and at its end."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from msgspec import json

from engine import entries as e
from engine.fold import step
from engine.look import look, note
from engine.match import Accepted, Match, Verdict, encode
from engine.snapshot import save
from services import door, ledger
from services.answers import answer, read_news
from services.house import own_seat
from services.ledger import Told
from tests.chaos.simulation.people import Command, Feed, Frame
from tests.chaos.simulation.requests import Reply
from workers.clocks import GRACE

if TYPE_CHECKING:
    from tests.chaos.simulation.world import World

RING = 30_000  # ms after a deadline by which a clock has rung, whoever was dead meanwhile
TAKEN = (201, 202)
REFUSED = (403, 409, 410, 412, 422)


class Judge:
    """Folds the log for itself as it grows, and compares."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.commands: list[Command] = []
        self.steps: list[tuple[Match, Verdict]] = []
        self.lines: list[Any] = []
        self.places: dict[int, Command] = {}  # the command that was told of each entry

    # The truth

    def read(self) -> list[tuple[Match, Verdict]]:
        """The match after each entry of its log."""
        written = self.world.server.ask(ledger.log(self.world.match, len(self.steps), 10_000))
        for one in written:
            assert one.seq == len(self.steps) + 1, "the log has a gap"
            before = self.steps[-1][0] if self.steps else None
            self.steps.append(step(before, one.line))
            self.lines.append(one.line)
        return self.steps

    def at(self, seq: int) -> Match | None:
        return self.read()[seq - 1][0] if seq else None

    # While it runs

    def hears(self, feed: Feed, kind: str, seq: int) -> None:
        steps = self.read()
        assert kind != "reset", "there was nothing to reset"
        assert seq <= len(steps), "it heard of what is not in the log"
        if kind == "look" and feed.seq:
            raise AssertionError("a look, though it was told where to go on")
        if kind == "entry":
            assert seq == feed.seq + 1, f"entry {seq} after {feed.seq}"
        now, late = steps[-1][0], self.world.late
        dealt = now.state is not None and not now.over
        if late and dealt and kind != "end" and own_seat(now, feed.player) is None:
            assert seq <= max(now.dealt - 1, now.seq - late, 1), f"{seq} told at {now.seq}"

    def answers(self, command: Command, reply: Reply) -> None:
        assert reply.status in (*TAKEN, *REFUSED), reply
        if reply.status == 412:
            assert reply.said["seq"] >= command.fresh, f"stale by an older table: {command}"
        if reply.status not in TAKEN:
            return
        seq = reply.seq
        first = self.places.setdefault(seq, command)
        assert first is command, f"two commands were told that they are entry {seq}"
        match, verdict = self.read()[seq - 1]
        entry = e.decode(self.lines[seq - 1].raw)
        assert isinstance(entry, e.Played), entry
        assert (entry.seat, bytes(entry.move)) == (command.seat, command.move), (entry, command)
        if reply.status == 201:
            made = answer(self.world.match, match, verdict, own_seat(match, command.player))
            assert reply.said == json.decode(encode(made)), f"the answer to entry {seq}"

    def looks(self, player: str, reply: Reply) -> None:
        assert reply.status == 200, reply
        match = self.at(reply.said["seq"])
        seen = look(match, own_seat(match, player), self.world.match)
        assert reply.said == json.decode(encode(seen)), "a look"

    def sat(self, player: str, reply: Reply) -> None:
        if reply.status in TAKEN:
            self.read()
            entry = e.decode(self.lines[reply.seq - 1].raw)
            assert isinstance(entry, e.Joined), entry
            assert entry.player == player, entry

    # In the end

    def ends(self) -> None:
        self.read()
        self._is_over()
        self._kept()
        self._commands()
        self._clocks()
        for feed in self.world.feeds:
            self._feed(feed)

    def is_settled(self) -> bool:
        """Is nothing left to be folded, and no clock to ring?"""
        ask = self.world.server.ask
        return ask(ledger.length(0, "unfolded")) == 0 and not ask(ledger.live(0, 0, 100))[1]

    def _is_over(self) -> None:
        match = self.steps[-1][0]
        assert match.over, "the match is not over"
        for seq, ((_, verdict), line) in enumerate(zip(self.steps, self.lines, strict=True), 1):
            assert isinstance(verdict, Accepted), f"entry {seq} was not to be written: {line}"
        times = [line.at for line in self.lines]
        assert times == sorted(times), "time went back"

    def _kept(self) -> None:
        """Everything beside the log is what a fresh fold of it gives."""
        ask, name = self.world.server.ask, self.world.match
        told = [Told(m.seq, encode(verdict), encode(note(m))) for m, verdict in self.steps]
        assert ask(ledger.facts(name)) == told[-ledger.FACTS :], "facts"
        assert ask(ledger.newest(name)) == save(self.steps[-1][0]), "the newest snapshot"
        for seq in range(ledger.MARK, len(self.steps) + 1, ledger.MARK):
            assert ask(ledger.mark(name, seq)) == save(self.steps[seq - 1][0]), "a mark"
        assert ask(ledger.all_stuck(0)) == {}, "it is stuck"
        assert self.is_settled(), "it is over, and something is still to be done"

    def _commands(self) -> None:
        """Each is in the log once at the most; each that was acknowledged, once."""
        log = [e.decode(line.raw) for line in self.lines]
        played = [entry for entry in log if isinstance(entry, e.Played)]
        keys = Counter(entry.key for entry in played if entry.key)
        assert set(keys.values()) <= {1}, f"played twice: {keys.most_common(3)}"
        robots = {s for s, h in enumerate(self.steps[-1][0].holders) if h.player is None}
        sent = Counter((c.seat, c.move, c.key and door.hashed_key(c.key)) for c in self.commands)
        there = Counter(
            (one.seat, bytes(one.move), one.key) for one in played if one.seat not in robots
        )
        assert there <= sent, f"nobody sent {there - sent}"
        for command in self.commands:
            self._agreed(command, bool(command.key and door.hashed_key(command.key) in keys))

    def _agreed(self, command: Command, there: bool) -> None:
        taken = [reply for reply in command.replies if reply.status in TAKEN]
        places = {reply.seq for reply in taken}
        assert len(places) <= 1, f"one command in two places: {places}"
        whole = {reply.body for reply in taken if reply.status == 201}
        assert len(whole) <= 1, "two answers to one command"
        if command.key is not None:
            assert len(taken) == there * len(command.replies), f"it is in, or is not: {command}"

    def _clocks(self) -> None:
        """They rang in time, and for nobody whose time was not up."""
        for (before, _), line in zip(self.steps, self.lines[1:], strict=False):
            entry, deadline = e.decode(line.raw), before.due
            if isinstance(entry, e.Expired):
                due = before.deadline(entry.seat)
                assert due is not None, entry
                assert due + GRACE <= line.at, f"{due - line.at} ms too early"
            if deadline is not None and before.paused is None:
                assert line.at <= deadline + GRACE + RING, f"{line.at - deadline} ms too late"

    def _feed(self, feed: Feed) -> None:
        for frame in feed.frames:
            if frame.kind in ("look", "entry"):
                may = self._may_hear(feed, frame)
                assert frame.said in may, f"{feed.name}, {frame.seq}: {frame.said}, not {may}"
        last = [frame.seq for frame in feed.frames if frame.kind != "end"]
        assert last[-1] == len(self.steps), f"{feed.name} has not heard the end"

    def _may_hear(self, feed: Feed, frame: Frame) -> list[Any]:
        match, verdict = self.steps[frame.seq - 1]
        holds = own_seat(self.steps[-1][0], feed.player)
        viewers = {own_seat(match, feed.player)}
        if match.state is None or self._left(feed.player):
            viewers |= {None, holds}
        if frame.kind == "look":
            name = self.world.match
            return [json.decode(encode(look(match, viewer, name))) for viewer in viewers]
        told = Told(match.seq, encode(verdict), encode(note(match)))
        return [json.decode(encode(read_news(told, viewer))) for viewer in viewers]

    def _left(self, player: str | None) -> bool:
        """Was it ever taken from its seat?"""
        sat = [own_seat(match, player) for match, _ in self.steps if match.state is not None]
        gone = any(one.player == player and one.gone for one in self.steps[-1][0].holders)
        return gone or any(a is not None and b is None for a, b in pairwise(sat))
