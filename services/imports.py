"""Imports: a finished match from its bundle onto a server, if it proves itself.

It comes with its name, its times and its heads, as if it had been played there: lists find it, it
counts for ratings, and the archive takes it in its turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine import entries as e
from engine.audit import LARGEST, Bundle, audit, opened
from engine.fold import replay
from engine.match import Line, Match, Verdict
from services import door, ledger
from services.packed import plain
from services.wire import BlockingWire, Talk


class NotImported(ValueError):
    """The server does not take this match; the message says why."""


def read(where: str) -> bytes:
    """What a file, http(s)://… or an object store such as s3://bucket/path holds, as far as a
    bundle may go; OSError or Unread if it cannot be read."""
    if where.startswith(("http://", "https://")):
        return _fetched(where)
    if "://" in where:
        from services.archive.store import Store

        folder, _, name = where.rpartition("/")
        return Store(folder).get(name)
    with open(where, "rb") as file:
        return file.read(LARGEST + 1)


def bring(wire: BlockingWire, raw: bytes, shards: int) -> tuple[str, bool]:
    """The name of the match in these bytes, and whether it is new to the server; NotImported, or
    NoBundle, if it is not taken."""
    file = _proved(raw, shards, wire.ask(ledger.clock(0)))
    lines = [Line(one.at, one.entry.encode()) for one in file.entries]
    match, verdict = _last(replay(lines))
    new = not wire.talk(_known(file)) and wire.ask(
        ledger.copy(lines, door.done(file.match, None, match, verdict))
    )
    if not new and not wire.talk(_known(file)):
        raise NotImported(f"{file.match} came in from elsewhere meanwhile")
    return file.match, new


def _proved(raw: bytes, shards: int, now: e.Millis) -> Bundle:
    """The bundle, if it folds to what is written, can be called what it is called, and is over."""
    file = opened(plain(raw))
    report = audit(file)
    if not report.ok:
        raise NotImported(f"it is not true: {report.faults[0].says}")
    if not ledger.is_match(file.match, shards):
        raise NotImported(f"{file.match!a} is no id of a match of this server")
    if file.entries[-1].at > now:
        raise NotImported("it ends in time to come")
    return file


def _known(file: Bundle) -> Talk[bool]:
    """Is this very match there, on the server or in its archive? NotImported if it is another."""
    seq, _ = yield ledger.ends(file.match)
    if not seq:
        return False
    now = yield from door.newest(file.match)
    if now is None or (seq, now.head) != (len(file.entries), file.entries[-1].head):
        raise NotImported(f"there is a match {file.match}, and it has another head")
    return True


def _last(steps: Iterator[tuple[Match, Verdict]]) -> tuple[Match, Verdict]:
    *_, last = steps
    return last


def _fetched(url: str) -> bytes:
    """As it comes: what would have to be unpacked on the way could be of any size."""
    import httpx  # what only this needs is loaded for it alone

    parts, size = [], 0
    plain = {"accept-encoding": "identity"}
    try:
        with httpx.stream("GET", url, headers=plain, follow_redirects=True, timeout=20) as response:
            response.raise_for_status()
            for part in response.iter_raw():
                parts.append(part)
                size += len(part)
                if size > LARGEST:
                    break
    except httpx.HTTPError as error:
        raise OSError(str(error)) from error
    return b"".join(parts)
