"""The client: a player as any program can be one, or somebody who only watches."""

from __future__ import annotations

import secrets
import ssl
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import httpx
from msgspec import json

from engine.audit import Kept, Report, audit, opened
from engine.entries import ROBOTS, What
from engine.look import Choice, Look, News
from services.client import feeds
from services.client.asking import Asking
from services.client.feeds import Event
from services.client.keeping import Keeping
from services.said import (
    Account,
    Answer,
    GivenToken,
    Here,
    Invitation,
    Jotted,
    Ladder,
    Matches,
    Moved,
    NewAccount,
    OrdersSaid,
    Page,
    Rated,
    Step,
    Summary,
    Token,
)

T = TypeVar("T")
PATIENCE = 60.0  # seconds in which there must be some answer
PAUSE = 1.0  # seconds between two tries


class Client:
    """A player at one server; without a token, a watcher.

    What fails only for now (no connection, 429, 503) is sent again, a command with the same
    Idempotency-Key, so that it is done once. What is refused raises a `Problem`: `Stale` if a move
    was decided on an older table, `Refused` if the rules forbid it. `Away`: nobody answers.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        http: httpx.Client | None = None,
        patience: float = PATIENCE,
        pause: float = PAUSE,
    ) -> None:
        # Over plain http nobody shows a certificate, and to load whom we trust takes longer than a
        # request: there it is nobody.
        plain = url.lower().startswith("http://")
        trusts = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else True
        self._http = http or httpx.Client(base_url=url, timeout=30, verify=trusts)
        self._asking = Asking(self._http, patience, pause)
        self._keeping = Keeping()
        self._is(token)

    @classmethod
    def register(cls, url: str, name: str, **how: Any) -> Client:
        """A new player. Keep its `token`: the server cannot tell it a second time."""
        client = cls(url, **how)
        made = _read(client._asking.post("/players", {"name": name}), NewAccount)
        client._is(made.token)
        return client

    def _is(self, token: str | None) -> None:
        self.token = token
        if token is not None:
            self._http.headers["authorization"] = f"Bearer {token}"

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def me(self) -> Account:
        return _read(self._asking.get("/players/me"), Account)

    def vacation(self, until: int) -> Account:
        """Be away until then, in ms since 1970 UTC: this player's clocks stand still."""
        return _read(self._asking.post("/players/me/vacation", {"until": until}), Account)

    def ratings(self, game: str) -> Iterator[Rated]:
        """The players of a game's rated matches, best first."""
        query: dict[str, str] = {}
        while True:
            page = _read(self._asking.get(f"/games/{game}/ratings", query), Ladder)
            yield from page.players
            if page.next is None:
                return
            query["after"] = str(page.next)

    # Tokens

    def tokens(self) -> list[Token]:
        """This player's tokens, the oldest first; what they are was shown once."""
        return _read(self._asking.get("/players/me/tokens"), list[Token])

    def new_token(self, name: str) -> GivenToken:
        """One more token that stands for this player; `name` says what it is for."""
        return _read(self._asking.post("/players/me/tokens", {"name": name}), GivenToken)

    def revoke(self, id: str) -> None:
        """End a token: nobody is let in with it any more."""
        self._asking.delete(f"/players/me/tokens/{id}")

    # Matches

    def matches(self, **query: str) -> Iterator[Summary]:
        """Those that are open or, by `state`, `game`, `player` and `invited`, others; the newest
        first."""
        while True:
            page = _read(self._asking.get("/matches", query), Page)
            yield from page.matches
            if page.next is None:
                return
            query["after"] = page.next

    def offer(
        self,
        game: str,
        seats: int | Sequence[ROBOTS | None] = 2,
        options: Mapping[str, Any] | None = None,
        policy: Mapping[str, Any] | None = None,
    ) -> Look:
        """Offer a match for so many players, or with robots on some seats. Join it like any."""
        chairs = [None] * seats if isinstance(seats, int) else seats
        asked = {"game": game, "seats": chairs, "options": options or {}, "policy": policy or {}}
        made = self._asking.post("/matches", asked, {"idempotency-key": _key()}, again=True)
        where = made.headers["location"].split("/")[2]
        return self._answer(where, made).look

    def join(self, match: str, seat: int | None = None) -> Answer:
        """Take a chair, any open one if none is named."""
        self.look(match)  # the server's part of the chance is committed to before ours is drawn
        asked = {"seat": seat, "entropy": self._keeping.entropy(match)}
        return self._command(match, "join", asked, again=True)

    def leave(self, match: str) -> Answer:
        """Give the chair back before the deal."""
        return self._command(match, "leave")

    def resign(self, match: str) -> Answer:
        return self._command(match, "resign")

    def abort(self, match: str) -> Answer:
        """Withdraw one's own offer before the deal."""
        return self._command(match, "abort")

    def propose(self, match: str, what: What) -> Answer:
        """Propose what all others have to agree on: End, Pause, Replace or Back."""
        return self._command(match, "propose", {"what": what})

    def answer(self, match: str, to: int, yes: bool) -> Answer:
        """Agree to the proposal that is entry `to`, or not."""
        return self._command(match, "answer", {"to": to, "yes": yes})

    def resume(self, match: str) -> Answer:
        """Let the clocks of a paused match run again."""
        return self._command(match, "resume")

    def come_back(self, match: str) -> Answer:
        """Take the seat that the table gave this player, or its own again from a robot."""
        return self._command(match, "return")

    def claim(self, match: str, seat: int | None = None) -> Answer:
        """Have a seat leave whose time is up, where the policy gives that right."""
        return self._command(match, "claim", {"seat": seat})

    # Guests

    def guests(self, match: str) -> list[Invitation]:
        """Who is invited and has no seat; for players and, before the deal, for who offered."""
        return _read(self._asking.get(f"/matches/{match}/guests"), list[Invitation])

    def invite(self, match: str, player: str) -> Answer:
        """Let a player watch and, before the deal, join."""
        return self._command(match, "invite", {"player": player}, again=True)

    def uninvite(self, match: str, player: str) -> Answer:
        """Take an invitation back that nobody has used."""
        return self._command(match, "uninvite", {"player": player})

    def admit(self, match: str, player: str) -> Answer:
        """Let a guest see all faces, as far as it is for this seat to say."""
        return self._command(match, "admit", {"player": player}, again=True)

    # Playing

    def look(self, match: str, seq: int | None = None, viewer: int | str | None = None) -> Look:
        """The table, now or at an earlier seq; as another `viewer` only once it is over."""
        query = _query(seq=seq, **{"as": viewer})
        return self._keeping.look(_read(self._asking.get(f"/matches/{match}/look", query), Look))

    def grow(self, look: Look, move: Any) -> list[Choice]:
        """What a move in the making can have as its next piece; begin with one of `look.legal`."""
        return _read(
            self._asking.post(f"/matches/{look.match}/grow", move, again=True), list[Choice]
        )

    def play(self, look: Look, move: Any) -> Answer:
        """Play a move that was decided on at this look."""
        headers = {"if-match": f'"{look.seq}"', "idempotency-key": _key()}
        return self._command(look.match, "moves", move, headers, again=True)

    def orders(self, match: str) -> OrdersSaid:
        """This player's moves for later, and the entries that have come of some."""
        return _read(self._asking.get(f"/matches/{match}/orders"), OrdersSaid)

    def order(self, match: str, move: Any, when: Mapping[str, Any] | None = None) -> OrdersSaid:
        """Have a move played once this seat is waited for and, with `when`, has heard a fact that
        has these fields."""
        asked = {"move": move, "if": when, "confirm": True}
        where, headers = f"/matches/{match}/orders", {"idempotency-key": _key()}
        return _read(self._asking.post(where, asked, headers, again=True), OrdersSaid)

    def withdraw(self, match: str, id: str) -> None:
        """Take an order back that was not played yet."""
        self._asking.delete(f"/matches/{match}/orders/{id}?confirm=true")

    def my_turn(self, match: str) -> Look:
        """Wait until this player is to act or the match is over; the look then."""
        look = self.look(match)
        if _ready(look):
            return look
        for event in self.feed(match, look.seq):
            if _still_waits(look, event):
                continue
            look = self.look(match)
            if _ready(look):
                break
        return look

    # Watching

    def feed(
        self, match: str, after: int | None = None, viewer: str | None = None
    ) -> Iterator[Event]:
        """What happens, live: first a look or, `after` a seq, what came since; each thing once and
        in order, however often the connection breaks. `End` comes last."""
        for event in feeds.of_match(self._asking, match, _query(**{"as": viewer}), after):
            if isinstance(event, Look):
                self._keeping.look(event)
            elif isinstance(event, News):
                self._keeping.head(match, event)
            yield event

    def feed_of_many(self, mine: bool = False) -> Iterator[Matches | Moved]:
        """All public matches, or those in which this player has a seat: where they stand, then a
        line for each entry. After a break it begins with where they stand again."""
        return feeds.of_many(self._asking, {"mine": ""} if mine else {})

    def replay(self, match: str, after: int = 0, viewer: int | str | None = None) -> Iterator[Step]:
        """Each entry after a seq as one viewer saw it, with the look then."""
        where: str | None = f"/matches/{match}/replay"
        query: dict[str, str] | None = _query(after=after, **{"as": viewer})
        while where is not None:
            page = self._asking.get(where, query)
            for line in page.content.splitlines():
                yield self._keeping.head(match, json.decode(line, type=Step))
            where, query = page.links.get("next", {}).get("url"), None

    # Notes

    def notes(self, match: str) -> list[Jotted]:
        """What this player has noted of a match, each with the seq it was written at."""
        return _read(self._asking.get(f"/matches/{match}/notes"), list[Jotted])

    def note(self, match: str, seq: int, text: str) -> list[Jotted]:
        """Note something at a seq, instead of what stood there; an empty text takes that away."""
        asked = {"seq": seq, "text": text}
        return _read(self._asking.put(f"/matches/{match}/notes", asked), list[Jotted])

    # Proving

    def bundle(self, match: str) -> bytes:
        """A finished match as one file."""
        return self._asking.get(f"/matches/{match}/bundle").content

    def kept(self, match: str) -> Kept:
        """What was kept of a match unasked, to hold against its bundle."""
        return self._keeping.kept(match)

    def audit(self, match: str) -> Report:
        """Fold a finished match again, and compare it with what was kept."""
        return audit(opened(self.bundle(match)), self.kept(match))

    def forget(self, match: str) -> None:
        """Keep nothing of a match any more."""
        self._keeping.forget(match)

    # Answers

    def _command(
        self,
        match: str,
        what: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        again: bool = False,
    ) -> Answer:
        where = f"/matches/{match}/{what}"
        return self._answer(match, self._asking.post(where, body, headers, again))

    def _answer(self, match: str, response: httpx.Response) -> Answer:
        """What an entry did, once it is folded."""
        if response.status_code == 202:
            return self._folded(match, response)
        made = self._keeping.head(match, _read(response, Answer))
        self._keeping.look(made.look)
        return made

    def _folded(self, match: str, response: httpx.Response) -> Answer:
        """The entry is in the log, at the seq that the response names, and waits for a worker."""
        seq = int(response.headers["location"].rpartition("=")[2])
        tries = self._asking.tries()
        while (step := next(self.replay(match, seq - 1), None)) is None:
            tries.wait(response)
        return Answer(step.seq, step.at, step.head, step.facts, self.look(match, seq))


def _ready(look: Look) -> bool:
    return look.status == "over" or look.viewer in look.to_act


def _still_waits(look: Look, event: Event) -> bool:
    """Does this seat wait on after what was heard? Before the deal no seat is known."""
    if isinstance(event, Here):
        return True
    return (
        isinstance(event, News)
        and event.status == look.status == "running"
        and look.viewer not in event.to_act
    )


def _query(**asked: int | str | None) -> dict[str, str]:
    return {name: str(value) for name, value in asked.items() if value is not None}


def _key() -> str:
    """An Idempotency-Key: drawn for one command, sent again with its retries."""
    return secrets.token_hex(16)


def _read(response: httpx.Response, kind: type[T]) -> T:
    return json.decode(response.content, type=kind)
