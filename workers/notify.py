"""The sender of notices: takes what is due out of the outbox, sends it, and notes how that went.

Right before it is sent each is held against the match as it is then. Several senders share the
rows by leases; one that dies with a row in its hands leaves it to be sent again, under the same id,
when its lease is over. What cannot be sent is tried again, later each time, and given up at last.
"""

from __future__ import annotations

import argparse
import logging
import signal
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import NamedTuple

from services import door, ledger, logs
from services.guests import invite
from services.notices import channels, due, how, outbox, push
from services.notices.channels import Channel
from services.notices.how import How
from services.notices.outbox import Name, Row
from services.notices.outside import Gone
from services.notices.said import notice
from services.notices.ways import Letter, code_letter, letter
from services.wire import BlockingWire, Lost, Refused, converse

AT_ONCE = 8  # that are on their way
LEASE = 300_000  # ms for which a row is ours; longer than the longest sending
LATER = 60_000  # ms until a match that is being folded, or is stuck, is looked at again
BUSY = 5_000  # ms until a channel that is being sent to is tried again
BACKOFF = (60, 300, 1800, 7200, 28_800)  # seconds before each further try; then it is given up
EVERY = 0.5  # seconds between two looks at what is due
log = logging.getLogger("turnfold.notify")


class Task(NamedTuple):
    """A row on its way."""

    name: Name
    row: Row
    channel: Channel


class Sender:
    def __init__(
        self, wire: BlockingWire, how: How, pool: Executor, send: Callable[[Letter], None]
    ) -> None:
        self._wire, self._how, self._pool, self._send = wire, how, pool, send
        self._going: dict[Future[None], Task] = {}
        self._key = converse(push.house_key(), wire.ask)

    def turn(self, seconds: float) -> None:
        """Take what is due, as much as can be on its way at once; see what came of the rest."""
        now = self._wire.ask(ledger.clock(0))
        free = AT_ONCE - len(self._going)
        for name in self._wire.ask(outbox.claim(now, now + LEASE, free)) if free else ():
            self._take(name, now)
        if self._going:
            wait(self._going, seconds, FIRST_COMPLETED)
        self.settle()

    def settle(self) -> None:
        """Write down what came of those that have arrived, or have not."""
        for future in [one for one in self._going if one.done()]:
            self._end(self._going[future], future.exception())
            del self._going[future]

    def finish(self) -> None:
        wait(self._going)
        self.settle()

    def _take(self, name: Name, now: int) -> None:
        row = self._wire.ask(outbox.row(name))
        channel = None if row is None else self._wire.ask(channels.one(row.player, name.channel))
        if row is None or channel is None:
            self._wire.ask(outbox.cancel(name))
            return
        task = Task(name, row, channel)
        try:
            self._begin(task, now)
        except (Lost, Refused):
            raise
        except Exception as error:  # a bug, of one match: not now
            log.exception("a notice of %s", name.match)
            self._end(task, error)

    def _begin(self, task: Task, now: int) -> None:
        """Send it if it is to be sent now; else say in the outbox why not."""
        if any(other.channel.id == task.channel.id for other in self._going.values()):
            self._wire.ask(outbox.again(task.name, task.row, now + BUSY))
        elif (made := self._letter(task, now)) is not None:
            self._going[self._pool.submit(self._send, made)] = task

    def _letter(self, task: Task, now: int) -> Letter | None:
        """What is to be sent; None if that is nothing, or nothing as yet."""
        name, row, channel = task
        if name.kind == "confirm":
            if not channel.confirmed:
                return code_letter(name.id, channel, self._how)
            self._wire.ask(outbox.cancel(name))
            return None
        match = converse(door.newest(name.match), self._wire.ask)
        at = now + LATER if match is None else due.still(name, row.player, match, now)
        if at is None:
            self._wire.ask(outbox.cancel(name))
        elif at > now:  # it cannot be read just now, or its deadline has moved
            self._wire.ask(outbox.again(name, row, at))
        elif match is not None:
            what = notice(name, row.player, match)
            return letter(name.id, channel, what, self._how, self._key)
        return None

    def _end(self, task: Task, error: BaseException | None) -> None:
        name, row, channel = task
        if error is None:
            self._wire.ask(outbox.sent(name))
            return
        if isinstance(error, Gone):
            self._wire.ask(channels.remove(row.player, channel.id))
        now, kind = self._wire.ask(ledger.clock(0)), type(channel.to).__name__.lower()
        logs.event(log, f"a notice by {kind} was not taken", match=name.match, tries=row.tries + 1)
        if row.tries < len(BACKOFF) and not isinstance(error, Gone):
            later = now + BACKOFF[row.tries] * 1000
            self._wire.ask(outbox.again(name, Row(row.player, row.tries + 1), later))
        else:
            why = str(error) or type(error).__name__
            lost = outbox.Failed(name.id, row.player, kind, why, now)
            self._wire.ask(outbox.give_up(name, lost))


def run(letter: Letter) -> None:
    letter()


def work(url: str, how: How) -> None:
    """Send until a signal comes, connecting again whenever the server was away."""
    told = False

    def stop(*_: object) -> None:
        nonlocal told
        told = True

    signal.signal(signal.SIGTERM, stop)
    sender = None
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while not told:
            try:
                sender = sender or Sender(BlockingWire(url), how, pool, run)
                begun = time.monotonic()
                sender.turn(EVERY)
                time.sleep(max(0.0, EVERY - (time.monotonic() - begun)))
            except (Lost, Refused) as error:
                log.warning("%s; again in a second", error)
                time.sleep(1)
        if sender is not None:
            sender.finish()


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m workers.notify", description=__doc__)
    words.add_argument("--redis", required=True, help="unix:///path or redis://host:port/db")
    words.add_argument("--site", default="", help="where the page is, if nothing else says so")
    asked = words.parse_args()
    invite()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    logs.begin("notify")
    work(asked.redis, how.read(asked.site))


if __name__ == "__main__":
    main()
