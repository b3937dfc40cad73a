"""Chaos from a seed: doubled and stale commands, rival workers that die at any ask, rebuilds.

Whatever happens on the way, in the end each log has no gaps, and everything beside it is what a
fresh fold of it gives. TURNFOLD_LONG=1 plays ten times as many seeds.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from random import Random

import pytest
from msgspec import Raw

from engine import entries as e
from engine.catalogue import GAMES
from engine.dice import Dice
from engine.fold import replay
from engine.look import note
from engine.match import Match, No, encode
from engine.robots import stroll
from engine.snapshot import save
from services import door, ledger, offers, seats
from services.ledger import Told
from services.wire import Talk, converse
from tests.chaos.fake_server import Died, FakeWire, Server
from tests.chaos.fake_stage import Stage
from tests.engine.logs import entropy, offered, player
from workers import fold
from workers.clocks import expiry

SEEDS = 1000 if os.environ.get("TURNFOLD_LONG") else 100
CHUNK = 10
STEPS = 3000  # of all processes together
RISK = 0.01  # of death, at each pause
EACH = 2  # matches of each game
SEEN = ("deaths", "rebuilds", "Entered", "Repeated", "Stale", "NotAllowed", "KeyReused")


@dataclass
class Command:
    """A move as a client sends it, perhaps several times, and the places it was told of."""

    match: str
    played: e.Played
    places: set[int] = field(default_factory=set)
    entered: list[door.Entered] = field(default_factory=list)


class Chaos:
    """The processes of one seed and what they keep."""

    def __init__(self, seed: int, monkeypatch) -> None:
        self.chance, self.server = Random(seed), Server(monkeypatch)
        monkeypatch.setattr(door, "COMMITS", bool(seed % 2))
        self.stage = Stage(self.chance, self.between)
        games = [game for game in GAMES for _ in range(EACH)]
        self.matches = {f"0-{chr(97 + i) * 16}": game for i, game in enumerate(games)}
        self.commands: list[Command] = []
        self.heard: dict[str, list[Told]] = defaultdict(list)
        self.counts: Counter[str] = Counter()
        monkeypatch.setattr(fold, "BlockingWire", lambda url: self.wire())
        monkeypatch.setattr(fold.Folder, "_survives", lambda folder, todo: True)

    def play(self) -> None:
        for life in [self.worker] * self.chance.randint(2, 4) + [self.client] * 4:
            self.stage.enter(life)
        for life in (self.react, self.react, self.keeper):
            self.stage.enter(life)
        self.stage.play(STEPS)
        self.server.finish()

    def between(self) -> None:
        """Time goes on: mostly a little, at times long enough for lines to be taken over."""
        self.server.clock.sleep(0.5 if self.chance.random() < 0.03 else 0.01)

    def wire(self) -> FakeWire:
        return FakeWire(self.server.store, self.pause, lambda: self.chance.random() < 0.5)

    def pause(self) -> None:
        self.stage.pause()
        if self.chance.random() < RISK:
            self.counts["deaths"] += 1
            raise Died

    def worker(self) -> None:
        """One process after another, each with an empty book."""
        while True:
            try:
                fold.Loop("", 0).run()
            except Died:
                continue

    def client(self) -> None:
        """A player's client and the api it talks to, whose memory may be old."""
        api = Api(self)
        while True:
            name = self.chance.choice(list(self.matches))
            if self.chance.random() < 0.6 or name not in api.book:
                api.say(name, door.newest(name))
            match = api.book.get(name)
            if match is None:
                api.say(name, offers.offer(name, self.offer(name)))
            elif match.status == "open":
                n = self.chance.randrange(5)
                api.say(name, seats.join(name, player(n), None, entropy(n)))
            elif match.status == "running":
                self.move(api, name, match)

    def offer(self, name: str) -> e.Offered:
        bank = {"type": "bank", "seconds": 60, "increment": 9, "cap": 70}
        policy = {"clock": self.chance.choice((None, {"type": "move", "seconds": 60}, bank))}
        if expiry := self.chance.choice((None, None, "default", "claim")):
            policy["expiry"] = expiry
        seats, leave = (None,) * self.chance.randint(2, 3), self.chance.choice(("end", "random"))
        secret = self.chance.randbytes(32).hex()
        return offered(*seats, game=self.matches[name], secret=secret, leave=leave, **policy)

    def move(self, api: Api, name: str, match: Match) -> None:
        chance = self.chance
        seat = chance.choice(match.to_act)
        if chance.random() < 0.01:
            api.say(name, door.enter(name, lambda _: e.Resigned(seat)))
        move = encode(stroll(match.game, match.state, seat, Dice(chance.randbytes(32), 0)))
        key = chance.choice((None, door.hashed_key(str(len(self.commands)))))
        used = [c.played.key for c in self.commands if c.match == name and c.played.seat == seat]
        if used and chance.random() < 0.1:
            key = chance.choice(used)
        if chance.random() < 0.05:
            seat = (seat + 1) % len(match.holders)
        command = Command(name, e.Played(seat, Raw(move), key))
        self.commands.append(command)
        fresh = match.seq - (chance.random() < 0.1)
        for _ in range(chance.choice((1, 1, 2, 3))):
            known = chance.choice((None, match, api.book.get(name)))
            answer = api.say(name, door.play(name, known, seat, move, key, fresh))
            if isinstance(answer, door.Entered):
                command.entered.append(answer)
            if isinstance(answer, door.Entered | door.Repeated):
                command.places.add(answer.seq)

    def react(self) -> None:
        """Reads the facts of whatever match it hears of, from where it stopped."""
        wire = self.wire()
        while True:
            try:
                hints = wire.ask(ledger.reacts(0, "react", 10, None))
                self.listen(wire, hints or wire.ask(ledger.take_over_folded(0, "react", 2000, 10)))
            except Died:
                wire = self.wire()

    def listen(self, wire: FakeWire, hints: ledger.Heard) -> None:
        for name in dict.fromkeys(match for _, match, _ in hints):
            heard = self.heard[name]
            for told in wire.ask(ledger.facts(name, len(heard))):
                assert told.seq <= len(heard) + 1, "facts with a gap"
                heard += [told][told.seq <= len(heard) :]
        if hints:
            wire.ask(ledger.reacted(0, [id for id, _, _ in hints]))

    def keeper(self) -> None:
        """Whose time is up is out; clocks stand still, and matches are rebuilt, now and then."""
        api = Api(self)
        while True:
            for name in api.say("", ask(ledger.due(0, self.server.clock.ms, 9))) or ():
                api.say(name, door.enter(name, self.expired))
            if self.chance.random() < 0.05:
                name = self.chance.choice(list(self.matches))
                api.say(name, door.enter(name, self.chance.choice((self.stopped, self.talked))))
            if self.chance.random() < 0.05:
                self.counts["rebuilds"] += 1
                name = self.chance.choice(list(self.matches))
                api.say(name, ask(ledger.rebuild(name)))

    def stopped(self, match: Match) -> e.Entry:
        """The five seconds before, part of which may have been counted."""
        until = self.server.clock.ms
        return e.Stopped(max(match.opened_at, until - 5000), until, "downtime")

    def talked(self, match: Match) -> e.Entry:
        """What a table agrees on, or does not; somebody comes back."""
        seat = self.chance.randrange(len(match.holders))
        if match.vote is not None and self.chance.random() < 0.8:
            return e.Answered(seat, match.vote.seq, self.chance.random() < 0.9)
        if match.promised and self.chance.random() < 0.5:
            return e.Seated(*match.promised[0])
        robot = e.Replace(seat, robot="random")
        whats = [e.Pause(), robot, e.Replace(seat, player(9)), e.End()]
        what = self.chance.choice([*whats, *(e.Back(to) for to, _ in match.past)])
        gone, now = match.holders[seat].player or player(8), self.server.clock.ms
        away = e.Stopped(now, now + 5000, "vacation", seat)
        says = (e.Proposed(seat, what), e.Resumed(seat), e.Seated(seat, gone), away)
        return self.chance.choice(says)

    def expired(self, match: Match) -> e.Entry | No:
        deadlines = [(match.deadline(seat), seat) for seat in match.to_act]
        late = [seat for at, seat in deadlines if at is not None and at <= self.server.clock.ms]
        if not late:
            return No.TOO_EARLY
        by = self.chance.randrange(len(match.holders))
        claimed = match.holders[late[0]].late
        return e.Claimed(late[0], by) if claimed else expiry(match, late[0])


class Api:
    """A process that talks to the door; a new one takes its place when it dies."""

    def __init__(self, chaos: Chaos) -> None:
        self.chaos, self.wire = chaos, chaos.wire()
        self.book: dict[str, Match] = {}

    def say(self, name: str, talk: Talk) -> object:
        """The answer, None if nobody lived to hear it."""
        try:
            answer = converse(talk, self.wire.ask, lambda _: self.chaos.stage.pause())
        except Died:
            self.wire = self.chaos.wire()
            self.book.clear()
            return None
        assert not isinstance(answer, door.Waits) or answer.why is None, "nothing is stuck here"
        self.chaos.counts[type(answer).__name__] += 1
        match = answer if isinstance(answer, Match) else getattr(answer, "match", None)
        if match is not None:
            self.book[name] = match
        return answer


def ask(what: ledger.Ask) -> Talk:
    return (yield what)


def check(chaos: Chaos) -> None:
    server, lives = chaos.server, {}
    folded = {(name, seq) for _, name, seq in server.ask(ledger.heard(0, b"0", 10**6, 0))}
    chaos.listen(server, [(b"0-1", name, 0) for name in chaos.matches])
    logs = {}
    for name in chaos.matches:
        written = server.ask(ledger.log(name, 0, 10**6))
        logs[name] = [one.line for one in written]
        assert [one.seq for one in written] == list(range(1, len(written) + 1))
        assert [one.line.at for one in written] == sorted(one.line.at for one in written)
        steps = list(replay(logs[name]))
        told = [Told(match.seq, encode(verdict), encode(note(match))) for match, verdict in steps]
        assert server.ask(ledger.facts(name)) == told[-ledger.FACTS :]
        assert chaos.heard[name] == told
        assert {(name, seq) for seq in range(1, len(steps) + 1)} <= folded
        for command in chaos.commands:
            if command.match == name:
                check_command(command, logs[name], [match for match, _ in steps])
        if steps:
            assert server.ask(ledger.newest(name)) == save(steps[-1][0])
            lives[name] = door.due(steps[-1][0])
    entered = [(c.match, one.seq) for c in chaos.commands for one in c.entered]
    assert len(entered) == len(set(entered))
    live = server.run("ZRANGE", "{0}:live", 0, -1, "WITHSCORES")
    scores = {name.decode(): float(at) for name, at in zip(live[::2], live[1::2], strict=True)}
    assert scores == {name: float(at) for name, at in lives.items() if at != "over"}
    assert server.run("XLEN", "{0}:unfolded") == 0
    assert server.run("XPENDING", "{0}:unfolded", "fold")[0] == 0
    assert server.ask(ledger.all_stuck(0)) == {}


def check_command(command: Command, log: list, matches: list[Match]) -> None:
    """It is in the log once at the most, and where its answers said."""
    assert len(command.entered) <= 1
    assert len(command.places) <= 1
    played = command.played
    for seq in command.places:
        entry = e.decode(log[seq - 1].raw)
        assert (entry.seat, bytes(entry.move)) == (played.seat, bytes(played.move))
        assert played.key in (None, entry.key)
    for one in command.entered:
        assert save(one.match) == save(matches[one.seq - 1])


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_chaos_ends_in_order(first, monkeypatch):
    counts: Counter[str] = Counter()
    for seed in range(first, first + CHUNK):
        with monkeypatch.context() as patch:
            chaos = Chaos(seed, patch)
            try:
                chaos.play()
                check(chaos)
            except BaseException as error:
                error.add_note(f"seed {seed}")
                raise
            counts += chaos.counts
    print(counts)
    for kind in SEEN:
        assert counts[kind], f"no {kind} in {CHUNK} seeds: {counts}"
