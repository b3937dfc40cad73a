"""Feeds as a client reads them: cut wherever they may be, each thing comes once and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

import httpx
from msgspec import json

from engine.look import Look, News
from services.client.asking import LATER, Asking
from services.client.problems import problem
from services.said import End, Here, Matches, Moved, Reset

T = TypeVar("T")
SILENCE = 45.0  # seconds after which a feed is taken for dead; signs of life come every 15
Event = Look | News | Here | Reset | End


class Frame(NamedTuple):
    event: str
    data: bytes


def frames(chunks: Iterable[bytes]) -> Iterator[Frame]:
    """The server-sent events in a stream of bytes, however it is cut; the last may break off."""
    left = b""
    for chunk in chunks:
        *whole, left = (left + chunk).split(b"\n\n")
        for text in whole:
            fields = dict(line.partition(b": ")[::2] for line in text.split(b"\n"))
            if b"event" in fields:
                yield Frame(fields[b"event"].decode(), fields[b"data"])


class Heard:
    """What was heard of one match so far; `last` is the seq to go on from."""

    def __init__(self, last: int | None) -> None:
        self.last = last

    def read(self, found: Iterable[Frame]) -> Iterator[Event]:
        """The events of one connection. A reset comes with its look, or not at all."""
        resets: list[Reset] = []
        for event, data in found:
            if event == "reset":
                resets = [json.decode(data, type=Reset)]
            elif event == "look":
                look = json.decode(data, type=Look)
                self.last = look.seq
                yield from resets
                yield look
            elif event == "entry":
                news = json.decode(data, type=News)
                if self.last is None or news.seq > self.last:
                    self.last = news.seq
                    yield news
            elif event == "here":
                yield json.decode(data, type=Here)
            elif event == "end":
                yield End()

    def place(self) -> dict[str, str]:
        return {} if self.last is None else {"last-event-id": str(self.last)}


def of_match(
    asking: Asking, match: str, query: Mapping[str, str], after: int | None
) -> Iterator[Event]:
    """What is heard of a match: a look first unless it goes on after a seq, `End` at the end."""
    heard = Heard(after)
    for event in _lasting(asking, f"/matches/{match}/feed", query, heard.place, heard.read):
        yield event
        if isinstance(event, End):
            return
    yield End()  # it was over, and all of it heard


def of_many(asking: Asking, query: Mapping[str, str]) -> Iterator[Matches | Moved]:
    """What happens in many matches. After a break it begins with `Matches` again."""

    def read(found: Iterable[Frame]) -> Iterator[Matches | Moved]:
        for event, data in found:
            if event == "matches":
                yield json.decode(data, type=Matches)
            elif event == "entry":
                yield json.decode(data, type=Moved)

    return _lasting(asking, "/feed", query, dict, read)


def _lasting(
    asking: Asking,
    path: str,
    query: Mapping[str, str],
    place: Callable[[], dict[str, str]],
    read: Callable[[Iterable[Frame]], Iterator[T]],
) -> Iterator[T]:
    """What `read` makes of the frames of one connection after the other, each asked for with
    the headers of `place`; ends when there is nothing more to hear."""
    tries = asking.tries()
    timeout = httpx.Timeout(30, read=SILENCE)
    while True:
        headers = {"accept": "text/event-stream", **place()}
        why: httpx.Response | httpx.TransportError = httpx.ReadError("The feed broke off.")
        try:
            with asking.http.stream(
                "GET", path, params=query, headers=headers, timeout=timeout
            ) as response:
                if response.status_code == 204:
                    return
                if response.is_success:
                    try:
                        yield from read(frames(response.iter_bytes()))
                    finally:
                        tries.begin()
                elif response.status_code in LATER:
                    response.read()
                    why = response
                else:
                    raise problem(response)
        except httpx.TransportError as error:
            why = error
        tries.wait(why)
