"""Orders for later are played once, by a job, when they are due, whoever dies meanwhile."""

from __future__ import annotations

from contextlib import suppress

import pytest
from msgspec import Raw

from engine import entries as e
from services import door, ledger, orders, roll
from services.orders import Order, Orders
from tests.chaos.fake_server import Died, FakeWire
from tests.engine.logs import dealt, played, player
from tests.workers.hall import M
from workers import jobs
from workers import orders as work

ANN, BOB, CAS = map(player, range(3))
KEEP, TRADE = b'{"type":"keep"}', b'{"type":"trade"}'


@pytest.fixture
def bench(hall, monkeypatch):
    monkeypatch.setattr(jobs, "bench", jobs.Bench(hall.wire))
    for one in (ANN, BOB, CAS):
        hall.server.ask(roll.add_player(one, "A name", 0))
    hall.write(M, *dealt(3))
    return hall


def give(hall, who: str = BOB, move: bytes = KEEP, when=None, id: str = "a") -> None:
    match = hall.match(M)
    seat = [holder.player for holder in match.holders].index(who)
    order = Order(id, seat, match.seq, Raw(move), when)
    assert hall.server.talk(orders.give(M, who, order))


def left(hall, who: str = BOB) -> Orders:
    return hall.server.talk(orders.of(who, M))


def run(hall) -> int:
    """Do what react calls for, each job twice; how many calls there were."""
    hall.hear()
    hall.tick()
    calls, hall.ordered = hall.ordered, []
    for name, who, *_ in [*calls, *calls]:
        work.play(name, who)
    hall.server.work()
    hall.hear()
    return len(calls)


def moves(hall) -> list[tuple[int, bytes]]:
    log = [e.decode(one.line.raw) for one in hall.server.ask(ledger.log(M))]
    return [(one.seat, bytes(one.move)) for one in log if isinstance(one, e.Played)]


def test_an_order_is_an_ordinary_move_once_its_owner_is_waited_for(bench):
    give(bench, move=TRADE)
    assert run(bench) == 0
    assert moves(bench) == []
    bench.write(M, played(0, "keep"))
    assert run(bench) == 1
    assert moves(bench) == [(0, KEEP), (1, TRADE)]
    assert left(bench) == Orders((), (6,))
    run(bench)
    assert len(moves(bench)) == 2


def test_one_given_when_it_is_ones_turn_is_played_at_once(bench):
    give(bench, ANN)
    assert run(bench) == 1
    assert moves(bench) == [(0, KEEP)]


def test_it_waits_for_what_its_owner_hears(bench):
    give(bench, when={"type": "kept", "seat": 0}, move=TRADE)
    give(bench, when={"type": "traded", "seat": 0}, id="b")
    bench.write(M, played(0, "trade"))
    run(bench)
    assert moves(bench) == [(0, TRADE), (1, KEEP)]
    assert [one.id for one in left(bench).waiting] == ["a"]


def test_what_was_heard_before_does_not_count(bench):
    bench.write(M, played(0, "keep"))
    give(bench, when={"type": "kept"})
    assert run(bench) == 1
    assert len(moves(bench)) == 1
    assert left(bench).waiting[0].void is None


@pytest.mark.parametrize("when", [{"card": 1}, {"seat": False}, {"type": "kept", "card": None}])
def test_part_of_a_fact(when):
    assert not orders.contains({"type": "kept", "seat": 0}, when)
    assert orders.contains({"type": "kept", "seat": 0, "of": [1, {"a": 2}]}, {"of": [1, {"a": 2}]})


def test_facts_that_the_ledger_has_forgotten_are_folded_again(bench):
    give(bench, CAS, when={"type": "traded", "seat": 0})
    bench.write(M, played(0, "trade"), played(1, "keep"))
    bench.server.run("XTRIM", f"{{0}}:match:{M}:facts", "MAXLEN", 1)
    run(bench)
    assert moves(bench)[-1] == (2, KEEP)


def test_a_refused_one_is_void_with_the_reason_and_the_rest_waits(bench, monkeypatch):
    no = door.NotAllowed(door.Refused("NOT_YOUR_TURN", "H2", "It is another seat's turn."), 5)

    def refused(*args):
        return no
        yield

    give(bench)
    give(bench, id="b")
    bench.write(M, played(0, "keep"))
    with monkeypatch.context() as patch:
        patch.setattr(door, "play", refused)
        run(bench)
    one, two = left(bench).waiting
    assert (one.void.code, two.void) == ("NOT_YOUR_TURN", None)
    work.play(M, BOB)
    assert len(moves(bench)) == 1, "the rest waits"
    assert bench.server.talk(orders.withdraw(M, bench.match(M), BOB, "a"))
    run(bench)
    assert moves(bench)[-1] == (1, KEEP)


def test_who_plays_by_hand_has_no_order_played(bench):
    give(bench, ANN, when={"type": "kept"})
    bench.write(M, played(0, "keep"))
    run(bench)
    [order] = orders.settled(left(bench, ANN), bench.match(M), ANN).waiting
    assert order.void == orders.BY_HAND


def test_what_was_ordered_before_the_table_went_back_is_not_played(bench):
    give(bench)
    give(bench, id="b", when={"type": "never"})
    bench.write(M, played(0, "keep"))
    run(bench)
    bench.write(M, e.Proposed(1, e.Back(6)), e.Answered(0, 7, True), e.Answered(2, 7, True))
    assert bench.match(M).to_act == (1,)
    run(bench)
    assert moves(bench) == [(0, KEEP), (1, KEEP)], "not again"
    [order] = left(bench).waiting
    assert order.void == orders.BACK


def test_a_lost_call_is_made_again(bench):
    give(bench)
    bench.answers = False
    bench.write(M, played(0, "keep"))
    bench.hear()
    bench.tick()
    bench.ordered.clear()
    bench.answers = True
    bench.tick(2)
    assert [call[:2] for call in bench.ordered] == [(M, BOB)]
    bench.tick(2)
    assert len(bench.ordered) == 1
    bench.tick(6)
    assert len(bench.ordered) == 2


def test_once_over_orders_are_forgotten_but_not_what_came_of_them(bench):
    give(bench)
    give(bench, CAS, when={"type": "never"})
    bench.write(M, played(0, "keep"))
    run(bench)
    bench.write(M, e.Resigned(2), e.Resigned(0))
    assert bench.match(M).over
    run(bench)
    assert left(bench) == Orders((), (6,))
    assert left(bench, CAS) == orders.NONE
    assert bench.server.ask(orders.given(0)) == {}


def test_an_order_that_is_being_played_is_not_withdrawn(bench):
    give(bench)
    bench.write(M, played(0, "keep"))
    before = bench.match(M)
    make = lambda was: orders._tried("a", 5, was)  # noqa: E731
    bench.server.talk(orders.change(M, BOB, make))
    assert not bench.server.talk(orders.withdraw(M, before, BOB, "a"))
    run(bench)
    assert left(bench).played == (6,)


@pytest.mark.parametrize("n", range(2, 22, 2))
def test_wherever_its_worker_dies_it_is_played_once(bench, n):
    give(bench, move=TRADE)
    bench.write(M, played(0, "keep"))
    steps = iter(range(1, n + 1))

    def pause() -> None:
        if next(steps, n) == n:
            raise Died

    wire = FakeWire(bench.server.store)
    wire._pause = pause
    jobs.bench = jobs.Bench(wire)
    with suppress(Died):
        work.play(M, BOB)
    jobs.bench = jobs.Bench(bench.wire)
    bench.server.work()
    bench.sleep(10)
    run(bench)
    assert moves(bench) == [(0, KEEP), (1, TRADE)]
    bench.server.talk(orders.settle(M, bench.match(M), BOB))
    assert left(bench) == Orders((), (6,))


@pytest.mark.parametrize("n", range(1, 20, 2))
def test_of_two_jobs_at_once_one_plays_it(bench, n):
    give(bench, move=TRADE)
    give(bench, id="b", move=KEEP)
    bench.write(M, played(0, "keep"))
    steps = iter(range(1, n + 1))

    def pause() -> None:
        if next(steps, 0) == n:
            jobs.bench = jobs.Bench(bench.wire)
            work.play(M, BOB)

    wire = FakeWire(bench.server.store)
    wire._pause = pause
    jobs.bench = jobs.Bench(wire)
    work.play(M, BOB)
    bench.server.work()
    assert moves(bench) == [(0, KEEP), (1, TRADE)]
    assert left(bench).played == (6,)


def test_it_fires_alike_in_worlds_that_its_owner_cannot_tell_apart(bench):
    """What others drew is hidden: no condition can look at it, though it can at what is said."""
    match = bench.match(M)
    drawn = []
    for secret in (bytes(32).hex(), bytes(31).hex() + "01"):
        name = f"0-{'abcdefgh'[len(drawn)] * 16}"
        bench.write(name, *dealt(3, secret=secret), played(0, "trade"))
        state = bench.match(name).state
        drawn.append((name, state.hands[0]))
    assert drawn[0][1] != drawn[1][1]
    fires = {}
    for name, _ in drawn:
        now = bench.match(name)
        heard = bench.server.talk(orders._heard(name, now, 1, match.seq))
        told = bench.server.talk(orders._heard(name, now, 0, match.seq))
        asked = [{"type": "traded"}, *({"card": card} for _, card in drawn)]
        tests = [Order("x", 1, match.seq, Raw(KEEP), when) for when in asked]
        fires[name] = [orders.holds(one, heard) for one in tests]
        assert any(orders.holds(one, told) for one in tests[1:]), "who drew it hears it"
    assert list(fires.values()) == [[True, False, False]] * 2
