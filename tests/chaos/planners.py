"""Orders for later in a fake week: who gives and withdraws them, and what came of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec import Raw, json

from engine import entries as e
from engine.contract import Seat
from engine.look import heard
from engine.match import Accepted, Match, Refused, Verdict, encode
from services import later, ledger, orders
from services.house import seat_of
from services.orders import Order
from services.problems import Problem
from services.wire import Talk

if TYPE_CHECKING:
    from tests.chaos.fake_api import Api
    from tests.chaos.people import People
    from tests.chaos.told import Told

_verdict = json.Decoder(Accepted | Refused)


class Planners:
    """What people of this week have ordered, by id, and which of it they took back."""

    def __init__(self, people: People) -> None:
        self.people, self.week, self.chance = people, people.week, people.chance
        self.given: dict[str, tuple[str, str, Order]] = {}  # match, player
        self.withdrawn: set[str] = set()

    def give(self, name: str, match: Match, seat: Seat, move: bytes) -> None:
        """Once this seat is waited for or, as likely, also hears such a thing as it just did."""
        player, id = match.holders[seat].player or "", f"{len(self.given):016x}"
        when = self._fact(name, match, seat) if self.chance.random() < 0.5 else None
        order = Order(id, seat, match.seq, Raw(move), when)
        self.given[id] = name, player, order
        self.people.say(lambda: _kept(name, player, order))
        if self.chance.random() < 0.2:
            self.week.after(60 * self.chance.random(), lambda: self.withdraw(id))

    def _fact(self, name: str, match: Match, seat: Seat) -> dict[str, Any] | None:
        told = self.week.server.ask(ledger.facts(name, max(match.seq - 3, 0)))
        facts = [fact for one in told for fact in heard(_verdict.decode(one.verdict), seat)]
        if not facts:
            return None
        fact = self.chance.choice(facts)
        more = {"seat": fact["seat"]} if "seat" in fact and self.chance.random() < 0.5 else {}
        return {"type": fact["type"], **more}

    def withdraw(self, id: str) -> None:
        name, player, _ = self.given[id]

        def then(answer: object) -> None:
            if not isinstance(answer, Problem):
                self.withdrawn.add(id)

        self.people.request(lambda api: _taken_back(api, name, player, id), then)

    # What must hold

    def check(self, tolds: dict[str, Told]) -> Counter[str]:
        """No order is played twice, nor after it was withdrawn, nor against its condition; none
        that is due is left."""
        seen = Counter(orders=len(self.given), withdrawn=len(self.withdrawn))
        ours = {order.key for _, _, order in self.given.values()}
        for id, (name, _, order) in self.given.items():
            played = _played(tolds[name], order.key)
            assert len(played) <= (id not in self.withdrawn), f"order {id} in {name}"
            for seq in played:
                _check_played(tolds[name], order, seq, ours)
            seen["orders played"] += len(played)
        for name, player in {(name, player) for name, player, _ in self.given.values()}:
            self._check_left(tolds[name], player)
        return seen

    def _check_left(self, told: Told, player: str) -> None:
        match = told.last
        found = self.week.server.talk(orders.of(player, told.name))
        left = orders.settled(found, match, player).waiting
        seat = seat_of(match, player)
        if seat is None or seat not in match.to_act or any(one.void for one in left):
            return
        for one in left:
            facts = _heard(told, seat, one.seq, match.seq + 1)
            if all(fact["type"] != orders.TAKEN_BACK for fact in facts):
                assert one.seat != seat or not _met(one, facts), f"{one.id} is due in {told.name}"


def _kept(name: str, player: str, order: Order) -> Talk[bool]:
    return (yield from orders.give(name, player, order)) is not None


async def _taken_back(api: Api, name: str, player: str, id: str) -> bool:
    """An answer, as None is none."""
    await later.take_back(api, name, player, id)
    return True


def _played(told: Told, key: str) -> list[int]:
    return [after.seq for _, one, after in told.taken(e.Played) if one.key == key]


def _check_played(told: Told, order: Order, seq: int, ours: set[str]) -> None:
    entry, facts = told.entries[seq - 1], _heard(told, order.seat, order.seq, seq)
    assert (entry.seat, bytes(entry.move)) == (order.seat, bytes(order.move))
    assert seq > order.seq
    assert _met(order, facts), f"{order.id} was played too early in {told.name}"
    assert all(fact["type"] != orders.TAKEN_BACK for fact in facts)
    between = [(one.seat, one.key in ours) for one in _between(told, order.seq, seq)]
    assert (order.seat, False) not in between, f"{order.id} came after a move by hand"


def _between(told: Told, seq: int, until: int) -> list[e.Played]:
    return [one for _, one, after in told.taken(e.Played) if seq < after.seq < until]


def _heard(told: Told, seat: Seat, seq: int, until: int) -> list[dict[str, Any]]:
    verdicts: list[Verdict] = [v for match, v in told.steps if seq < match.seq < until]
    return [fact for v in verdicts for fact in heard(_verdict.decode(encode(v)), seat)]


def _met(order: Order, facts: list[dict[str, Any]]) -> bool:
    if order.when is None:
        return True
    return any(all(fact.get(k) == v for k, v in order.when.items()) for fact in facts)
