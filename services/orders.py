"""Orders for later: moves that a player gives ahead, and a job plays once it is waited for.

They lie beside the log, are seen by their owner alone, and look at nothing but what that one has
heard: so others can tell from an order no more than from the move that it becomes. Each is played
once, through the door, under a key of its own.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Raw, Struct, json
from msgspec.structs import replace

from engine import entries as e
from engine.contract import Seat
from engine.fold import replay
from engine.look import heard, note
from engine.match import Accepted, Match, No, Refused, encode
from services import door, ledger, roll
from services.house import seat_of
from services.ledger import Ask, Told
from services.scripts import CHANGE, SHA
from services.wire import Talk

MOST: Final = 8  # orders of a player that wait in a match
SHOWN: Final = 1000  # entries that are known to have come of an order
BY_HAND: Final = Refused("BY_HAND", "orders", "You have played yourself since you gave it.")
BACK: Final = Refused("BACK", "orders", "The table has taken moves back since you gave it.")
_verdict = json.Decoder(Accepted | Refused)


class Order(Struct, frozen=True, omit_defaults=True):
    """A move of a seat for later."""

    id: str
    seat: Seat
    seq: int  # of the match when it was given
    move: Raw
    when: dict[str, Any] | None = None  # part of a fact that its owner has to hear first
    tried: int | None = None  # since when the seat was waited for when a job set out to play it
    void: Refused | None = None  # why it is not played any more

    @property
    def key(self) -> str:
        return door.hashed_key(f"order {self.id}")


class Orders(Struct, frozen=True, omit_defaults=True):
    """Those of a player in one match, in the order in which they were given, and the entries that
    have come of orders."""

    waiting: tuple[Order, ...] = ()
    played: tuple[int, ...] = ()


NONE: Final = Orders()
_orders = json.Decoder(Orders)
Make = Callable[[Orders], Orders]
News = Sequence[tuple[int, tuple[Any, ...]]]  # what was heard, by the seq of its entry
TAKEN_BACK: Final = e.MatchTakenBack.__struct_config__.tag


def new_id() -> str:
    return secrets.token_hex(8)


# What is due: pure functions


def due(orders: Orders, seat: Seat, news: News) -> Order | None:
    """The first whose condition holds; none behind one that went wrong."""
    if any(order.void or order.seat != seat for order in orders.waiting):
        return None
    return next((order for order in orders.waiting if holds(order, news)), None)


def holds(order: Order, news: News) -> bool:
    """Has its owner heard what it waits for, since it was given?"""
    if order.when is None:
        return True
    return any(
        contains(fact, order.when) for seq, facts in news if seq > order.seq for fact in facts
    )


def contains(fact: Any, part: Any) -> bool:
    """Has a fact these fields, and they these values?"""
    if isinstance(part, Mapping):
        return isinstance(fact, Mapping) and all(
            name in fact and contains(fact[name], value) for name, value in part.items()
        )
    return encode(fact) == encode(part)  # 1 is not true


def settled(orders: Orders, match: Match, player: str) -> Orders:
    """What is left of them as the match stands: without those that were played, and, once it is
    over, without any. Whoever has played by hand since has none that is still to be played."""
    mine = [holder for holder in match.holders if holder.player == player]
    keys = dict(key for holder in mine for key in holder.keys)
    came = [keys[order.key] for order in orders.waiting if order.key in keys]
    played = tuple(sorted({*orders.played, *came}))[-SHOWN:]
    waiting = () if match.over else (o for o in orders.waiting if o.key not in keys)
    return Orders(tuple(_by_hand(one, match, played) for one in waiting), played)


def _by_hand(order: Order, match: Match, played: tuple[int, ...]) -> Order:
    last, _ = match.holders[order.seat].last or (0, 0)
    by_hand = last > order.seq and last not in played
    return replace(order, void=BY_HAND) if by_hand and order.void is None else order


def _back(news: News, orders: Orders) -> Orders:
    """None is played of those given before the table went back: nobody meant them for this."""
    back = [seq for seq, facts in news for fact in facts if fact["type"] == TAKEN_BACK]
    waiting = (
        replace(one, void=BACK) if one.void is None and one.seq < max(back, default=0) else one
        for one in orders.waiting
    )
    return replace(orders, waiting=tuple(waiting))


def _tried(id: str, since: int, orders: Orders) -> Orders:
    """A job sets out to play it: it cannot be withdrawn meanwhile."""
    return _with(orders, id, lambda order: replace(order, tried=since))


def _after(order: Order, given: door.Answer, orders: Orders) -> Orders:
    """What the door's answer makes of them."""
    match given:
        case door.Entered(seq) | door.Repeated(seq):
            waiting = tuple(one for one in orders.waiting if one.id != order.id)
            return Orders(waiting, tuple(sorted({*orders.played, seq}))[-SHOWN:])
        case door.NotAllowed(refused) if refused.code not in (No.OVER.name, No.NOT_SEATED.name):
            return _with(orders, order.id, lambda one: replace(one, void=refused))
        case door.Invalid() | door.KeyReused():
            no = No.UNREADABLE
            void = Refused(no.name, no.rule, no.says)
            return _with(orders, order.id, lambda one: replace(one, void=void))
    return orders


def _with(orders: Orders, id: str, make: Callable[[Order], Order]) -> Orders:
    waiting = tuple(make(one) if one.id == id else one for one in orders.waiting)
    return replace(orders, waiting=waiting)


# Giving, withdrawing, playing


def of(player: str, match: str) -> Talk[Orders]:
    raw = yield Ask(("HGET", _key(player), match), _as_is)
    return _orders.decode(raw) if raw else NONE


def give(match: str, player: str, order: Order) -> Talk[Orders | None]:
    """Keep an order, once; None if the player has as many as it may, or is no more."""

    def more(orders: Orders) -> Orders:
        known = any(one.id == order.id for one in orders.waiting)
        full = known or len(orders.waiting) >= MOST
        return orders if full else replace(orders, waiting=(*orders.waiting, order))

    kept = yield from change(match, player, more)
    if (yield roll.player_name(player)) is None:
        yield forget(player)
        return None
    yield _tell(match, player)
    return kept if any(one.id == order.id for one in kept.waiting) else None


def withdraw(name: str, match: Match, player: str, id: str) -> Talk[bool]:
    """Take an order back. False if it is being played just now, or was."""
    gone = False

    def less(orders: Orders) -> Orders:
        nonlocal gone
        orders = settled(orders, match, player)
        found = [one for one in orders.waiting if one.id == id]
        gone = any(one.void or not _trying(one, match) for one in found)
        waiting = tuple(one for one in orders.waiting if one.id != id)
        return replace(orders, waiting=waiting) if gone else orders

    yield from change(name, player, less)
    yield _tell(name, player)
    return gone


def _trying(order: Order, match: Match) -> bool:
    """May a job still have it played that has set out to? `match` may be older than that."""
    if order.tried is None:
        return False
    return order.tried > match.seq or order.tried == match.holders[order.seat].since


def play(name: str, player: str) -> Talk[None]:
    """Play the first order that is due, if the match waits for this player."""
    match = yield from door.newest(name)
    if match is None:
        return
    orders = yield from settle(name, match, player)
    seat = seat_of(match, player)
    since = None if seat is None else match.holders[seat].since
    if seat is None or since is None or seat not in match.to_act:
        return
    given = [one.seq for one in orders.waiting]
    news = (yield from _heard(name, match, seat, min(given))) if given else []
    orders = yield from change(name, player, partial(_back, news))
    order = due(orders, seat, news)
    if order is None:
        return
    orders = yield from change(name, player, partial(_tried, order.id, since))
    if all(one.id != order.id for one in orders.waiting):
        return  # it was withdrawn
    move, key = bytes(order.move), order.key
    answer = yield from door.play(name, match, seat, move, key, since, player)
    yield from change(name, player, partial(_after, order, answer))


def settle(name: str, match: Match, player: str) -> Talk[Orders]:
    """See what is left of them as the match stands."""
    return (yield from change(name, player, lambda orders: settled(orders, match, player)))


def _heard(name: str, match: Match, seat: Seat, after: int) -> Talk[News]:
    """What a seat has heard of the entries after one."""
    told = yield ledger.facts(name, after)
    if not told or told[0].seq != after + 1:
        told = yield from _told_again(name, after, match.seq)
    known = [one for one in told if one.seq <= match.seq]
    return [(one.seq, heard(_verdict.decode(one.verdict), seat)) for one in known]


def _told_again(name: str, after: int, until: int) -> Talk[list[Told]]:
    """What folding gave for entries that are older than what the ledger keeps."""
    match = yield from door.moment(name, after)
    told: list[Told] = []
    while match is not None and match.seq < until:
        written = yield ledger.log(name, match.seq, until - match.seq)
        for match, verdict in replay((one.line for one in written), match):  # noqa: B020
            told.append(Told(match.seq, encode(verdict), encode(note(match))))
    return told


# Keys, and what is asked of them


def change(match: str, player: str, make: Make) -> Talk[Orders]:
    """Have `make` make others of a player's orders, whoever else does so meanwhile."""
    while True:
        was = (yield Ask(("HGET", _key(player), match), _as_is)) or b""
        orders = make(_orders.decode(was) if was else NONE)
        new = b"" if orders == NONE else encode(orders)
        if new == was:
            return orders
        args = ("EVALSHA", SHA[CHANGE], 1, _key(player), match, was, new)
        if (yield Ask(args, bool)):
            return orders


def forget(player: str) -> Ask[Any]:
    """A player's account is gone."""
    return Ask(("DEL", _key(player)), _as_is)


def _tell(match: str, player: str) -> Ask[Any]:
    """React hears that there is something new of this player in a match."""
    return Ask(("HSET", _index(match), f"{match} {player}", secrets.token_hex(4)), _as_is)


Given = dict[str, dict[str, str]]  # match → player → what changes with each order


def given(shard: int) -> Ask[Given]:
    """Who has ever given orders, in which matches that were not over then."""

    def read(reply: list[bytes]) -> Given:
        found: Given = {}
        for field, news in zip(reply[::2], reply[1::2], strict=True):
            match, _, player = field.decode().partition(" ")
            found.setdefault(match, {})[player] = news.decode()
        return found

    return Ask(("HGETALL", f"{{{shard}}}:orders"), read)


def done(match: str, players: Iterable[str]) -> Ask[Any]:
    """These need no orders in a match any more."""
    return Ask(("HDEL", _index(match), *(f"{match} {player}" for player in players)), _as_is)


def _index(match: str) -> str:
    return f"{{{match.partition('-')[0]}}}:orders"


def _key(player: str) -> str:
    return f"orders:{player}"


def _as_is(reply: Any) -> Any:
    return reply
