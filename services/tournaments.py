"""Tournaments: many matches of two, planned first, then offered to whom they are for.

A tournament is one document, written only over the version that was read, so any number of
processes may bring it forward. The matches are ordinary ones: their players join by themselves,
with entropies of their own, and who does not come in time has lost; unless all tables of a round
are dealt the same (`services/deals.py`).
"""

from __future__ import annotations

import secrets
from base64 import b32encode
from collections.abc import Callable
from typing import Any, Literal

from msgspec import UNSET, Raw, Struct, json
from msgspec.structs import replace

from engine import entries as e
from engine.match import Match
from services import deals, door, ledger, offers
from services.ledger import Ask
from services.pairing import DRAW, WIN, Game, Round, alike_meet, everybody_meets
from services.ratings import known_at
from services.scripts import SHA, SWAP
from services.wire import Talk

Kind = Literal["round-robin", "swiss"]
Change = Callable[["Tournament"], "Tournament | str"]
TRIES = 20  # times that a change is made again because somebody else was quicker
MOST = 128  # players
ALL_MEET = 16  # players of a round-robin


class Tournament(Struct, frozen=True):
    id: str
    name: str
    by: str
    game: str
    options: Raw
    policy: e.Policy
    kind: Kind
    shards: int  # over which its matches are spread
    rounds: int  # of a Swiss one
    players: tuple[str, ...] = ()
    played: tuple[Round, ...] = ()
    status: Literal["open", "running", "over"] = "open"
    secrets: tuple[str, ...] = ()  # one for each round, if all its tables are dealt the same
    entropies: dict[str, str] = {}  # then, of the players who gave one

    @property
    def same_deals(self) -> bool:
        return bool(self.secrets)

    @property
    def shown(self) -> tuple[Round, ...]:
        """What was played, without how a match ended whose deal is secret still."""
        return tuple(
            one if not self.same_deals or _is_over(one) else tuple(map(_untold, one))
            for one in self.played
        )

    def round_of(self, match: str) -> int | None:
        """In which round a match is, from 0."""
        rounds = enumerate(self.played)
        return next((i for i, one in rounds if any(game.match == match for game in one)), None)


def most_rounds(kind: Kind, rounds: int) -> int:
    """How many rounds there may be."""
    return rounds if kind == "swiss" else ALL_MEET - 1


def is_id(id: str) -> bool:
    return len(id) == 16 and id.isascii() and id.isalnum()


def new_id() -> str:
    return b32encode(secrets.token_bytes(10)).decode().lower()


# Changes, each a pure function


def joined(player: str, entropy: str | None = None) -> Change:
    """With this player, whose entropy counts if all tables are dealt the same."""

    def change(now: Tournament) -> Tournament | str:
        most = ALL_MEET if now.kind == "round-robin" else MOST
        if now.status != "open":
            return "It has begun."
        if player in now.players:
            return now
        if len(now.players) >= most:
            return f"It has {most} players, the most there may be."
        given = {player: entropy} if entropy and now.same_deals else {}
        players = (*now.players, player)
        return replace(now, players=players, entropies=now.entropies | given)

    return change


def left(player: str) -> Change:
    def change(now: Tournament) -> Tournament | str:
        if now.status != "open":
            return "It has begun: resign your matches instead."
        players = tuple(one for one in now.players if one != player)
        given = {one: entropy for one, entropy in now.entropies.items() if one != player}
        return replace(now, players=players, entropies=given)

    return change


def begun(now: Tournament) -> Tournament | str:
    """Its first round is planned; of a round-robin all are."""
    if now.status != "open":
        return "It has begun."
    if len(now.players) < 2:
        return "There must be two players at least."
    if now.kind == "swiss":
        return replace(now, status="running", played=(_planned(now),))
    rounds = everybody_meets(now.players)
    played = tuple(tuple(_game(pair, now.shards) for pair in one) for one in rounds)
    return replace(now, status="running", played=played)


def _planned(now: Tournament) -> Round:
    return tuple(_game(pair, now.shards) for pair in alike_meet(now.players, now.played))


def _game(pair: tuple[str, ...], shards: int) -> Game:
    return Game(pair, "", (WIN,)) if len(pair) == 1 else Game(pair, ledger.new_match(shards))


def counted(halves: dict[str, tuple[int, ...]]) -> Change:
    """With what these matches came to; and the next round, or the end, once all are over."""

    def change(now: Tournament) -> Tournament:
        played = tuple(
            tuple(replace(game, halves=game.halves or halves.get(game.match)) for game in one)
            for one in now.played
        )
        now = replace(now, played=played)
        if now.status != "running" or not all(map(_is_over, played)):
            return now
        if now.kind == "swiss" and len(played) < now.rounds:
            return replace(now, played=(*played, _planned(now)))
        return replace(now, status="over")

    return change


def _is_over(one: Round) -> bool:
    return all(game.halves is not None for game in one)


def _untold(game: Game) -> Game:
    return replace(game, halves=None) if game.match else game


def halves_of(players: tuple[str, ...], match: Match) -> tuple[int, ...] | None:
    """What each has won by a match; None while it is played. Of an offer that lapsed, who had
    come wins."""
    if not match.over:
        return None
    if match.outcome is None:
        here = {holder.player for holder in match.holders}
        alone = match.state is None
        return tuple((WIN if player in here else 0) if alone else DRAW for player in players)
    places = {h.player: p for h, p in zip(match.holders, match.outcome.places, strict=True)}
    gone = {holder.player for holder in match.holders if holder.gone}
    if len(gone) == 1:
        return tuple(0 if player in gone else WIN for player in players)
    best = [player for player in players if places.get(player) == 1]
    if len(best) != 1:
        return (DRAW,) * len(players)
    return tuple(WIN if player in best else 0 for player in players)


# Bringing it forward


def advance(id: str) -> Talk[None]:
    """Offer what is planned and not offered, count what is known to be over, plan the next round:
    again and again, until nothing is to be done for now."""
    while True:
        found = yield read(id)
        if found is None or found.status != "running":
            return
        now = yield ledger.clock(0)
        halves = {}
        for game in (game for one in found.played for game in one if game.halves is None):
            match = yield from _offered(found, game)
            won = None if match is None else (yield from _won(found, game, match, now))
            if won is not None:
                halves[game.match] = won
        if not halves:
            return
        yield from changed(id, counted(halves))


def _won(
    found: Tournament, game: Game, match: Match, now: e.Millis
) -> Talk[tuple[int, ...] | None]:
    """What each has won, once that may be known."""
    won = halves_of(game.players, match)
    if won is None and found.same_deals and (yield from deals.forsaken(game.match, match, now)):
        return (DRAW, DRAW)
    return won if won is not None and known_at(match) <= now else None


def _offered(now: Tournament, game: Game) -> Talk[Match | None]:
    """The match of a game; if it waits for its players, they are invited to it, whoever died
    before they were."""
    match = yield from door.newest(game.match)
    if now.same_deals:
        return match or (yield from _dealt(now, game))
    if match is None:
        policy = replace(now.policy, join="invited", listed=False)
        made = offers.offered(now.game, bytes(now.options), None, (None, None), policy)
        if isinstance(made, door.Invalid):
            return None
        yield from offers.offer(game.match, made)
    elif match.state is not None or match.over or all(map(match.guest, game.players)):
        return match
    for player in game.players:
        yield from door.judged(game.match, None, offers.inviting(player))
    return (yield from door.newest(game.match))


def _dealt(now: Tournament, game: Game) -> Talk[Match | None]:
    """A match that is dealt as all of its round are."""
    made = offers.offered(now.game, bytes(now.options), None, (None, None), now.policy)
    number = now.round_of(game.match)
    if isinstance(made, door.Invalid) or number is None:
        return None
    offered = replace(made, secret=now.secrets[number], tournament=now.id)
    entropy = deals.entropy_of(now.entropies.get(player) for player in now.players)
    yield from deals.begun(game.match, offered, game.players, entropy)
    return (yield from door.newest(game.match))


def opened(name: str, match: Match) -> Talk[bool]:
    """Is the deal no secret any more that this match shares with others? It and they are over."""
    id = match.offered.tournament
    found = (yield read(id)) if match.over and id is not UNSET else None
    number = None if found is None else found.round_of(name)
    return found is not None and number is not None and _is_over(found.played[number])


# Keys


def begin(new: Tournament, at: e.Millis) -> Talk[None]:
    yield Ask(("SET", _key(new.id), json.encode(new), "NX"), _as_is)
    yield Ask(("ZADD", "{tournaments}:all", at, new.id), _as_is)


def read(id: str) -> Ask[Tournament | None]:
    args = ("GET", _key(id))
    return Ask(args, lambda reply: reply and json.decode(reply, type=Tournament))


def changed(id: str, change: Change) -> Talk[Tournament | str | None]:
    """The tournament after this change, written; why it cannot be, or None if there is none."""
    for _ in range(TRIES):
        raw = yield Ask(("GET", _key(id)), _as_is)
        if raw is None:
            return None
        after = change(json.decode(raw, type=Tournament))
        if isinstance(after, str):
            return after
        if (yield _swap(id, raw, after)):
            return after
    return "Many want something of it just now: try again."


def _swap(id: str, was: bytes, after: Tournament) -> Ask[bool]:
    keys = (_key(id), "{tournaments}:running")
    running = "1" if after.status == "running" else ""
    argv = (was, json.encode(after), id, running)
    return Ask(("EVALSHA", SHA[SWAP], 2, *keys, *argv), bool)


def running() -> Ask[list[str]]:
    args = ("SMEMBERS", "{tournaments}:running")
    return Ask(args, lambda reply: sorted(id.decode() for id in reply))


def newest(most: int) -> Ask[list[str]]:
    args = ("ZREVRANGE", "{tournaments}:all", 0, most - 1)
    return Ask(args, lambda reply: [id.decode() for id in reply])


def _key(id: str) -> str:
    return f"{{tournaments}}:{id}"


def _as_is(reply: Any) -> Any:
    return reply
