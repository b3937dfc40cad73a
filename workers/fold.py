"""The fold worker: takes the lines of `unfolded`, steps their entries, commits what that gave.

Blocking, no asyncio. While the server commits one batch the next is folded, so any number of
workers may die anywhere: what was not committed stays a line and is taken over.
"""

from __future__ import annotations

import argparse
import logging
import os
import secrets
import signal
import subprocess
import sys
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from typing import Any, NamedTuple, Protocol, TypeVar

from engine import RELEASE
from engine.entries import Unknown
from engine.fold import step
from engine.match import Line, Match
from engine.snapshot import load
from services import door, ledger, logs, traces
from services.guests import invite
from services.ledger import Ask, Done, Stuck, Todo
from services.wire import BlockingWire, Lost, Refused, converse
from workers.ending import ending
from workers.shards import Shards

T = TypeVar("T")
BATCH = 128  # lines taken at once
BUSY = 16  # from so many on, the next batch is fetched before this one is folded
WAIT = 1000  # ms that a read waits for a line
IDLE = 2000  # ms after which a line of another worker is taken over
TRIES = 3  # deliveries after which a line is suspected of killing its worker
LIFE = 5  # seconds that a child has for such a line
SLOW = 5  # seconds that folding one entry may take here
OLD = 600_000  # ms after which a consumer that holds nothing is forgotten
log = logging.getLogger("turnfold.fold")


class Asks(Protocol):
    """What a folder needs of a connection."""

    def ask(self, ask: Ask[T]) -> T: ...


class Folder:
    """Folds the lines of one shard. `reads` serves whatever is not in memory.

    `url` is where a child finds the server.
    """

    def __init__(self, reads: Asks, shard: int, name: str, url: str = "") -> None:
        self.reads, self.shard, self.name, self.url = reads, shard, name, url
        self.book = door.Book()
        self._spared: set[bytes] = set()  # lines that a child has folded and lived

    def folded(self, lines: Sequence[Todo]) -> Iterator[Done]:
        """What these lines give, entry by entry; lines with nothing to do are settled."""
        if unread := [todo.id for todo in lines if not todo.match]:
            log.error("%s lines of `unfolded` are none of ours, and are thrown away", len(unread))
            for ask in ledger.discard(self.shard, unread):
                self.reads.ask(ask)
            lines = [todo for todo in lines if todo.match]
        self._fetch(lines)
        settled = []
        for todo in lines:
            last = 0  # as far as it goes
            try:
                for one in self._fold(todo):
                    yield one
                    last = one.seq
                if not last:
                    settled.append(todo)
            except Unknown as unknown:
                log.warning("%s is for another release: %s", todo.match, unknown)
            except (Lost, Refused):
                raise
            except Exception:
                self._park(todo, traceback.format_exc(), last + 1 if last else todo.seq)
        if settled:
            self.reads.ask(ledger.settle(self.shard, settled))

    def committed(self, done: Sequence[Done], answers: Sequence[int]) -> list[Todo]:
        """Take note of a commit's answers; the lines that must be folded again."""
        again: dict[str, Todo] = {}
        for one, answer in zip(done, answers, strict=True):
            if answer < 0:
                self.book.drop(one.match)
                again[one.match] = Todo(one.todo or b"", one.match)
        return [todo for todo in again.values() if todo.id]

    def _fetch(self, lines: Sequence[Todo]) -> None:
        """Bring the newest snapshots of what is not remembered into the book, in one read."""
        wanted = {todo.match for todo in lines if todo.seq != 1 and not self._known(todo)}
        names = sorted(wanted)
        if not names:
            return
        snapshots = self.reads.ask(ledger.all_newest(names))
        for name, snapshot in zip(names, snapshots, strict=True):
            match = None if snapshot is None else load(snapshot)
            if match is None:
                self.book.drop(name)
            else:
                self.book.put(name, match)

    def _known(self, todo: Todo) -> Match | None:
        """The remembered match, if this line's entry follows on it."""
        match = self.book.get(todo.match)
        follows = match is not None and (match.seq, match.at) == (todo.seq - 1, todo.after)
        return match if follows else None

    def _fold(self, todo: Todo) -> Iterator[Done]:
        match = self._known(todo)
        if match is None and todo.seq != 1:
            match = self.book.get(todo.match) or converse(door.newest(todo.match), self.reads.ask)
        lines = [(todo.seq, todo.line)]
        if todo.seq == 0 or todo.seq != (match.seq if match else 0) + 1:
            lines = self._beyond(todo.match, match.seq if match else 0)
        for i, (seq, line) in enumerate(lines, 1):
            with watch:
                before, (match, verdict) = match, step(match, line)
            assert match.seq == seq, "the log has a gap"
            self.book.put(todo.match, match)
            yield door.done(todo.match, before, match, verdict, todo.id if i == len(lines) else b"")

    def _beyond(self, name: str, seq: int) -> list[tuple[int, Line]]:
        """What the log holds after `seq`."""
        lines: list[tuple[int, Line]] = []
        while written := self.reads.ask(ledger.log(name, seq + len(lines))):
            lines += [(one.seq, one.line) for one in written]
        return lines

    def _park(self, todo: Todo, trace: str, seq: int) -> None:
        """Nobody waits for this match any longer; it is stuck at `seq`, the next one for 0."""
        if not seq:
            last = self.reads.ask(ledger.last_facts(todo.match))
            seq = last.seq + 1 if last else 1
        why = Stuck(seq, RELEASE, trace)
        log.error("%s is stuck at entry %s; the ledger says why", todo.match, why.seq)
        self.reads.ask(ledger.park(todo.match, why, todo.id))

    def again(self) -> list[Todo]:
        """Lines that other workers left behind; those that may kill are tried in a child first."""
        lines = self.reads.ask(ledger.take_over(self.shard, self.name, IDLE, BATCH))
        if not lines:
            return []
        ids = [todo.id for todo in lines]
        tries = self.reads.ask(ledger.deliveries(self.shard, ids))
        harmless = [t.id for t in lines if tries.get(t.id, 0) <= TRIES or t.id in self._spared]
        return [t for t in lines if t.id in harmless or self._survives(t)]

    def _survives(self, todo: Todo) -> bool:
        """Does a child fold this line? If it dies of it, the match is stuck."""
        words = [sys.executable, "-m", "workers.fold", "--redis", self.url, "--try", todo.match]
        child = subprocess.Popen(words, start_new_session=True)
        try:
            code = child.wait(LIFE)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            code = -signal.SIGKILL
        if code == 0:
            self._spared.add(todo.id)
            return True
        self._park(todo, f"a child that folded it ended with {code}, or took {LIFE} s", todo.seq)
        return False

    def begin(self) -> None:
        """Make the groups; try again what another release was stuck on."""
        for ask in ledger.groups(self.shard):
            try:
                self.reads.ask(ask)
            except Refused as error:
                if "BUSYGROUP" not in str(error):
                    raise
        for name, why in self.reads.ask(ledger.all_stuck(self.shard)).items():
            if why.release != RELEASE:
                self.reads.ask(ledger.retry(name))

    def tidy(self) -> None:
        """Forget consumers that are long dead and hold nothing."""
        for one in self.reads.ask(ledger.consumers(self.shard, "unfolded", "fold")):
            if one[b"pending"] == 0 and one[b"idle"] > OLD and one[b"name"] != self.name.encode():
                name = one[b"name"]
                self.reads.ask(ledger.forget_consumer(self.shard, "unfolded", "fold", name))


class Watch:
    """Breaks off, with TimeoutError, an entry that takes too long: others wait behind it."""

    since: float | None = None

    def __enter__(self) -> None:
        self.since = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.since = None

    def begin(self) -> None:
        """Look every second: cheaper than an alarm for each entry."""
        signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, 1, 1)

    def _look(self, *_: object) -> None:
        if self.since is not None and time.perf_counter() - self.since > SLOW:
            raise TimeoutError(f"folding an entry took over {SLOW} s")


watch = Watch()


class Flying(NamedTuple):
    """What the server was asked and has not answered; if that is a commit, of what, and when
    folding it was begun."""

    ask: Ask[Any]
    done: Sequence[Done] = ()
    begun: int = 0


class Loop:
    """Reads, folds and commits on one connection, in the order of its answers."""

    def __init__(self, url: str, shard: int, reads: BlockingWire | None = None) -> None:
        self.wire, self.reads = BlockingWire(url), reads or BlockingWire(url)
        name = f"{os.uname().nodename}-{os.getpid()}-{secrets.token_hex(4)}"
        self.folder = Folder(self.reads, shard, name, url)
        self.flying: deque[Flying] = deque()
        self.looked_after = self.tidied = 0.0

    def run(self) -> None:
        """Fold until the connection is lost or, told to end, nothing that was taken is left."""
        self.begin()
        while self.flying:
            self.turn()

    @property
    def idle(self) -> bool:
        """Is there nothing that it waits for but lines?"""
        return not any(one.done for one in self.flying) and len(self.flying) < 2

    def begin(self) -> None:
        self.folder.begin()
        self._send(self._todo(WAIT))

    def turn(self) -> None:
        """Wait for the next answer, and do what follows from it."""
        with ending if self.idle else nullcontext():
            ask, done, begun = self.flying.popleft()
            reply = self.wire.receive(ask)
        if done:
            for one in done:
                traces.span("fold", one.match, one.seq, begun)
            self._work(self.folder.committed(done, reply), fetch=False)
        else:
            self._work(reply, fetch=True)

    def _work(self, lines: list[Todo], fetch: bool) -> None:
        if fetch:
            lines = lines + self._look_after()
        ahead = fetch and len(lines) >= BUSY and not ending.told
        if ahead:
            self._send(self._todo(None))
        batch: list[Done] = []
        begun = traces.now()
        for one in self.folder.folded(lines):
            if len(batch) == BATCH:
                self._send(self._commit(batch, begun))
                batch, begun = [], traces.now()
            batch.append(one)
        asks = [self._commit(batch, begun)] if batch else []
        if fetch and not ahead and not ending.told:
            asks.append(self._todo(WAIT))
        self._send(*asks)

    def _look_after(self) -> list[Todo]:
        """Now and then: lines left behind, consumers long dead."""
        now = time.monotonic()
        if now - self.tidied > 60:
            self.tidied = now
            self.folder.tidy()
        if now - self.looked_after < 1:
            return []
        self.looked_after = now
        return self.folder.again()

    def _commit(self, batch: Sequence[Done], begun: int) -> Flying:
        return Flying(ledger.commit(self.folder.shard, batch), batch, begun)

    def _todo(self, wait: int | None) -> Flying:
        return Flying(ledger.todo(self.folder.shard, self.folder.name, BATCH, wait))

    def _send(self, *asks: Flying) -> None:
        if asks:
            self.wire.send(*(one.ask for one in asks))
            self.flying.extend(asks)


def work(url: str, shard: int) -> None:
    """Fold a shard until a signal comes, connecting again whenever the server was away."""
    watch.begin()
    ending.begin()
    while not ending.told:
        try:
            Loop(url, shard).run()
        except (Lost, Refused) as error:
            log.warning("%s; again in a second", error)
            with ending:
                time.sleep(1)
    ending.leave()


def share(url: str, shards: int) -> None:
    """Fold all shards, likewise."""
    watch.begin()
    ending.begin()
    reads = BlockingWire(url)
    Shards(lambda shard: Loop(url, shard, reads), range(shards), log).run()
    ending.leave()


def attempt(url: str, name: str) -> None:
    """Fold what a match waits for, and throw it away: does it kill?"""
    reads = BlockingWire(url)
    with suppress(Unknown):  # it is for another release
        match = converse(door.newest(name), reads.ask)
        for one in reads.ask(ledger.log(name, match.seq if match else 0, BATCH)):
            match, _ = step(match, one.line)


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m workers.fold", description=__doc__)
    words.add_argument("--redis", required=True, help="where the server is")
    words.add_argument("--shards", type=int, default=1, help="how many shards to fold, from 0 on")
    words.add_argument("--shard", type=int, help="which shard to fold, if not all of these")
    words.add_argument("--try", dest="match", help="fold what this match waits for, to no effect")
    asked = words.parse_args()
    invite()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C just ends us
    logs.begin("fold")
    traces.begin("fold")
    if asked.match:
        attempt(asked.redis, asked.match)
    elif asked.shard is None and asked.shards > 1:
        share(asked.redis, asked.shards)
    else:
        work(asked.redis, asked.shard or 0)


if __name__ == "__main__":
    main()
