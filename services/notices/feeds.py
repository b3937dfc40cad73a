"""Feeds of one's turns, for feed readers (Atom, RFC 4287) and calendars (iCalendar, RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, tostring

from engine import RELEASE
from engine.entries import Millis
from engine.match import Match
from engine.snapshot import load
from services import ledger
from services.notices import due
from services.notices.due import Turn
from services.notices.said import rfc3339
from services.notices.words import moment
from services.web.readmes import title
from services.web.tongues import _
from services.wire import Talk

MOST = 5000  # of the newest matches of a player, over or not, that are looked through
FOLD = 75  # bytes of a line of a calendar
ATOM = "http://www.w3.org/2005/Atom"


class Waits(NamedTuple):
    """A match that waits for the reader."""

    name: str
    match: Match
    turn: Turn

    @property
    def id(self) -> str:
        return f"{self.name}-{self.turn.seat}-{self.turn.since}"

    @property
    def deadline(self) -> Millis | None:
        return self.match.deadlines[self.turn.seat]


def waits(player: str) -> Talk[list[Waits]]:
    """The matches that wait for a player, the latest first."""
    listed = yield ledger.listed(f"player:{player}", MOST)
    names = sorted(name for name, at in listed)
    found: list[Waits] = []
    for shard, some in groupby(names, lambda name: int(name.partition("-")[0])):
        live = yield ledger.alive(shard, [*some])
        snapshots = (yield ledger.all_newest(live)) if live else []
        for name, snapshot in zip(live, snapshots, strict=True):
            match = None if snapshot is None else load(snapshot)
            if match is not None:
                turns = [turn for turn in due.turns(match) if turn.player == player]
                found += [Waits(name, match, turn) for turn in turns]
    return sorted(found, key=lambda one: -one.turn.at)


# Atom


def atom(found: Sequence[Waits], own: str, site: str, since: Millis) -> bytes:
    """A feed of this id and since this time, with an entry for each turn."""
    feed = Element("feed", xmlns=ATOM)
    head = _("Turnfold: my turns")
    updated = max([since, *(one.turn.at for one in found)])
    _add(feed, "id", _urn(own))
    _add(feed, "title", head)
    _add(feed, "updated", rfc3339(updated))
    _add(SubElement(feed, "author"), "name", "Turnfold")
    SubElement(feed, "link", rel="alternate", type="text/html", href=f"{site}/me")
    for one in found:
        _entry(SubElement(feed, "entry"), one, site)
    made: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return made


def _entry(entry: Element, one: Waits, site: str) -> None:
    _add(entry, "id", _urn(one.id))
    _add(entry, "title", _says(one))
    _add(entry, "updated", rfc3339(one.turn.at))
    SubElement(entry, "link", rel="alternate", type="text/html", href=_table(one, site))
    _add(entry, "content", _until(one) or _says(one))


def _add(to: Element, tag: str, text: str) -> None:
    SubElement(to, tag).text = text


def _urn(id: str) -> str:
    return uuid5(NAMESPACE_URL, f"turnfold:{id}").urn


# iCalendar


def calendar(found: Sequence[Waits], site: str) -> bytes:
    """A calendar with an event at each deadline; its sequence grows with the match."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//Turnfold//Turnfold {RELEASE}//EN"]
    name = _escaped(_("Turnfold: my deadlines"))
    lines += ["CALSCALE:GREGORIAN", f"NAME:{name}", f"X-WR-CALNAME:{name}"]
    lines += ["REFRESH-INTERVAL;VALUE=DURATION:PT15M", "X-PUBLISHED-TTL:PT15M"]
    for one in found:
        if one.deadline is not None:
            lines += _event(one, one.deadline, site)
    lines.append("END:VCALENDAR")
    return b"".join(b"\r\n ".join(_folded(line)) + b"\r\n" for line in lines)


def _event(one: Waits, deadline: Millis, site: str) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{one.id}@turnfold"
    yield f"SEQUENCE:{one.match.seq - one.turn.since}"
    yield f"DTSTAMP:{_utc(one.match.at)}"
    yield f"DTSTART:{_utc(deadline)}"
    yield f"SUMMARY:{_escaped(_says(one))}"
    yield f"DESCRIPTION:{_escaped(_until(one))}"
    yield f"URL:{_table(one, site)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _utc(at: Millis) -> str:
    return rfc3339(at).replace("-", "").replace(":", "")


def _escaped(text: str) -> str:
    for plain, safe in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(plain, safe)
    return text


def _folded(line: str) -> Iterator[bytes]:
    """Its parts; none cuts a character."""
    part = b""
    for char in line:
        raw = char.encode()
        if len(part) + len(raw) >= FOLD:
            yield part
            part = b""
        part += raw
    yield part


def _says(one: Waits) -> str:
    return _("{game}: it is your turn", game=title(one.match.offered.game))


def _until(one: Waits) -> str:
    return "" if one.deadline is None else _("You have until {time}.", time=moment(one.deadline))


def _table(one: Waits, site: str) -> str:
    return f"{site}/table/{one.name}"
