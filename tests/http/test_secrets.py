"""Secrecy over the wire: every byte that each viewer is sent while a match runs, at every turn."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import httpx
import pytest
from msgspec import DecodeError, Raw, json

from engine import audit
from engine import entries as e
from engine.catalogue import GAMES
from engine.fold import replay
from engine.look import heard, look
from engine.match import Line, encode
from tests.engine import logs
from tests.http import together
from tests.http.feeds import NDJSON, SSE, Listener
from tests.http.people import Visitor, table
from tests.http.worlds import differs, sent, world

HIDDEN = {  # what a fact holds for its seat alone, by the fact's type
    "high-card": {"dealt": "card", "traded": "card"},
    "qwirkle": {"drew": "tiles", "swapped": "tiles"},
    "together": {"chose": "number"},
}
MOST = 80  # entries after which a seat resigns
OFTEN = 0.1 if "TURNFOLD_LONG" in os.environ else 0.04  # of the later entries, who snoops
WRONG = ({"type": "fly"}, {"type": "keep"}, {"type": "pass"}, {"type": "choose", "number": 3})


def seated(game: str) -> int:
    """Three seats, or as near as the game allows."""
    allowed = GAMES[game].seats(GAMES[game].Options())
    return min(max(3, allowed[0]), allowed[-1])


class Ear(list[bytes]):
    """All that one viewer is sent, with its headers; feeds are followed beside it."""

    def hear(self, response: httpx.Response) -> None:
        if "/feed" not in response.request.url.path or response.status_code != 200:
            self.append(repr(response.headers.raw).encode() + b"\n" + response.read())


def snoop(who: Visitor, match: str, seats: int, chance: Random) -> None:
    """Ask for whatever might give something away."""
    who.see(match)
    who.replay(match)
    who.see(match, seq=chance.randrange(1, 8))
    for lens in (*range(seats), "open", "watcher"):
        who.see(match, **{"as": str(lens)})
        who.replay(match, limit=2, after=chance.randrange(9), **{"as": str(lens)})
    who.get(f"/matches/{match}/feed?as=open")
    who.get(f"/matches/{match}/bundle")
    who.get("/matches", params={"player": chance.choice(["me", "x"])})
    who.post(f"/matches/{match}/join", json={"entropy": "0" * 64})
    for wrong in WRONG:
        who.post(f"/matches/{match}/grow", json=wrong)
        for seq in (1, 10**6):
            who.play(match, wrong, seq)


class Sitting:
    """A match played at random to its end, or until somebody has had enough, with all that its
    viewers were sent before that."""

    def __init__(self, game: str, make, visitor: Visitor) -> None:
        self.chance, n = Random(game), seated(game)
        self.match, seats = table(lambda: make(Ear().hear), game, n)
        visitor.event_hooks["response"].append(Ear().hear)
        self.viewers: list[Visitor] = [*seats, make(Ear().hear), visitor]
        self.feeds = [Listener(v, self.match, SSE) for v in self.viewers]
        self.feeds += [Listener(v, self.match, NDJSON, after=0) for v in self.viewers]
        self.ears: list[Ear] = [v.event_hooks["response"][-1].__self__ for v in self.viewers]
        look = seats[0].look(self.match)
        while look["status"] == "running" and look["seq"] < MOST:
            if look["seq"] < n + 4 or self.chance.random() < OFTEN:
                for viewer in self.viewers:
                    snoop(viewer, self.match, n, self.chance)
            player = seats[self.chance.choice(look["to_act"])]
            look = player.look(self.match)
            move = player.ready(self.match, look, self.chance)
            self.before = [ear[:] for ear in self.ears]
            look = player.play(self.match, move, look["seq"]).json()["look"]
        if look["status"] == "running":
            self.before = [ear[:] for ear in self.ears]
            assert seats[0].post(f"/matches/{self.match}/resign").status_code == 201

    def sent(self) -> list[tuple[Visitor, int | None, list[bytes]]]:
        """Each viewer, its seat, and the messages that it got before the end."""
        n, found = len(self.viewers), []
        for i, viewer in enumerate(self.viewers):
            frames = [*self.feeds[i].all(), *self.feeds[n + i].all()]
            told = [frame.raw for frame in frames if frame.data.get("status") == "running"]
            seat = i if i < n - 2 else None
            found.append((viewer, seat, [*self.before[i], *told]))
        return found


@pytest.mark.parametrize("game", [*GAMES, together.NAME])
def test_nothing_leaves_the_house_while_a_match_runs(make, visitor, game):
    sitting = Sitting(game, make, visitor)
    bundle = audit.opened(visitor.get(f"/matches/{sitting.match}/bundle").content)
    told = list(replay(Line(one.at, one.entry.encode()) for one in bundle.entries))
    secrets = {
        *(match.digest.hex().encode() for match, _ in told),
        told[-1][0].offered.secret.encode(),
        bundle.seed.encode(),
        *(player.entropy.encode() for player in sitting.viewers[:-1]),
    }
    for viewer, seat, messages in sitting.sent():
        assert len(messages) > 20
        text = b"\n".join(messages)
        tokens = {other.token.encode() for other in sitting.viewers[:-1] if other is not viewer}
        for secret in secrets | tokens:
            assert secret not in text, secret
        for message in messages:
            walk(game, said(message), seat, told)
        assert viewer.replay(sitting.match, **{"as": "open"}).status_code == 200
    assert audit.audit(bundle).ok


def orders(state: Any) -> list[bytes]:
    """Four in a row of what lies in the bag or the deck, from either end, as it would be sent."""
    piles = [pile for name in ("bag", "deck") if len(pile := getattr(state, name, ())) > 3]
    ends = [end for p in piles for end in (p[:4], p[3::-1], p[-4:], p[:-5:-1])]
    return [encode(end)[1:-1] for end in ends if len(set(end)) > 2]


def said(message: bytes) -> list[Any]:
    """The JSON values in a message, whatever they stand between."""
    found = []
    for line in message.split(b"\n"):
        try:
            found.append(json.decode(line))
        except DecodeError:
            continue
    return found


def walk(game: str, value: Any, seat: int | None, told: list) -> None:
    """Looks and news are those of this seat or of a watcher, and hold nothing of others."""
    if isinstance(value, list):
        for one in value:
            walk(game, one, seat, told)
    if not isinstance(value, dict):
        return
    if "seq" in value and ("view" in value or "facts" in value):
        text = encode(value)
        assert not any(order in text for order in orders(told[value["seq"] - 1][0].state))
    if "view" in value and value["view"] is not None:
        viewer = None if value["viewer"] == "watcher" else value["viewer"]
        assert viewer in (seat, None)
        if game in HIDDEN:
            for other, hand in enumerate(value["view"].get("hands", ())):
                assert hand is None or other == viewer
        match = told[value["seq"] - 1][0]
        real = look(match, viewer, value["match"], legal="legal" in value)
        assert value == json.decode(encode(real))
    if "facts" in value and "seq" in value:
        verdict = told[value["seq"] - 1][1]
        mine, theirs = (json.decode(encode(heard(verdict, who))) for who in (seat, None))
        assert value["facts"] in (mine, theirs)
    hidden = HIDDEN.get(game, {}).get(value.get("type"))
    if hidden is not None and value["seat"] != seat:
        assert not value.get(hidden)
    for one in value.values():
        walk(game, one, seat, told)


# Watchers, in two worlds that differ in what they may not know, or not yet


CHAIRS, GUEST, STRANGER = (0, 1), 5, 6
TIMES = {"late": {"type": "seconds", "n": 10_000}}
COUNTS = {"late": {"type": "entries", "n": 2}}


def begun(**how) -> list[tuple[float, e.Entry]]:
    """Entries that all watchers may know of by now, the last of them a move."""
    entries = [
        logs.offered(game=together.NAME, options={"rounds": 3}, **how),
        *map(logs.joined, CHAIRS),
        e.Invited(0, logs.player(GUEST)),
    ]
    log = [(20_000.0 - n, entry) for n, entry in enumerate(entries)]
    return [*log, goes_on(log, 0, 15_000)]


def goes_on(log: list[tuple[float, e.Entry]], number: int, age: float) -> tuple[float, e.Entry]:
    """Whose turn it is chooses this number: it is shown once all have chosen."""
    seat = logs.after(*(entry for _, entry in log)).to_act[0]
    return age, e.Played(seat, Raw(b'{"type":"choose","number":%d}' % number), None)


def grown(log: list, *moves: int) -> list:
    for i, move in enumerate(moves):
        log = [*log, goes_on(log, move, 90 - i)]
    return log


RESIGNED = (50.0, e.Resigned(0))


@pytest.mark.parametrize(("watchers", "who"), [("public", None), ("invited", GUEST)])
def test_what_is_late_is_late_everywhere(stage, who, watchers):
    """Whatever happened since: the same bytes."""
    for how, ends in (
        (COUNTS, [(0, 1), (2, 0)]),
        (TIMES, [(0, 1), (2, 0), ()]),
    ):
        log = begun(watchers=watchers, **how)
        worlds = [grown(log, *moves) for moves in ends]
        if how is TIMES:
            worlds.append([*log, RESIGNED])
        first, *others = (sent(world(stage.server.url, 1, one), who) for one in worlds)
        for other in others:
            assert not differs(first, other)
        assert b'"seq":5' in first[0]


def test_players_are_never_late(stage):
    log = grown(begun(**TIMES), 0)
    assert b'"seq":6' in sent(world(stage.server.url, 1, log), 0)[0]


@pytest.mark.parametrize(
    ("watchers", "who"), [("closed", GUEST), ("closed", None), ("invited", STRANGER)]
)
def test_who_may_not_watch_is_told_as_if_there_were_no_match(stage, watchers, who):
    log = begun(watchers=watchers, listed=True)
    worlds = [log, grown(log, 0, 1), [*log, RESIGNED]]
    first, *others = (sent(world(stage.server.url, 1, one), who) for one in worlds)
    assert [differs(first, other) for other in others] == ["", ""]
    nothing = sent(world(stage.server.url, 1, []), who)
    joins = {b"409"}  # who asks for a chair that is gone is told that
    told = {new[:3] for old, new in zip(nothing, first, strict=True) if old != new}
    assert told <= joins


def test_nobody_sees_all_faces_before_all_seats_admit(stage):
    """`together`: what a seat has chosen nobody else knows until all have."""
    offer = [logs.offered(game=together.NAME), *map(logs.joined, CHAIRS)]
    guest = logs.player(GUEST)
    admits = [e.Invited(0, guest), e.Admitted(0, guest), e.Admitted(1, guest)]
    for admitted, same in ((admits[:2], True), (admits, False)):
        seen = []
        for number in (b"3", b"7"):
            chose = e.Played(0, Raw(b'{"type":"choose","number":%s}' % number), None)
            log = [(10.0, entry) for entry in (*offer, *admitted, chose)]
            seen.append(sent(world(stage.server.url, 1, log), GUEST, heads=False))
        assert (differs(*seen) == "") == same, differs(*seen)
        assert (b'"viewer":"open"' in b"".join(seen[0])) != same
