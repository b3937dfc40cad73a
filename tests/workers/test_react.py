"""What follows from what was folded: indexes, calls to robots, clocks that run out."""

from __future__ import annotations

from engine import entries as e
from engine.catalogue import GAMES
from services import ledger
from tests.engine import bells
from tests.engine.logs import joined, offered, played, player
from tests.workers.hall import M, N, table
from workers import clocks, react

CLOCK = e.PerMove(60)


# Indexes


def test_a_match_is_listed_by_its_status_and_game(hall):
    hall.write(M, offered())
    hall.hear()
    assert hall.listed("open") == hall.listed("open:high-card") == [M]
    hall.write(M, joined(0), joined(1))
    hall.hear()
    assert hall.listed("open") == hall.listed("open:high-card") == []
    assert hall.listed("running") == hall.listed("running:high-card") == [M]
    hall.write(M, played(0, "keep"), played(1, "keep"))
    hall.hear()
    assert hall.listed("running") == hall.listed("running:high-card") == []
    assert hall.listed("over") == hall.listed("over:high-card") == [M]


def test_lists_are_by_the_time_of_the_offer(hall):
    hall.write(M, offered())
    hall.write(N, offered())
    hall.write(M, joined(0))
    hall.hear()
    at = [line.line.at for name in (N, M) for line in hall.server.ask(ledger.log(name, 0, 1))]
    assert hall.server.ask(ledger.listed("open", 9)) == list(zip((N, M), at, strict=True))


def test_players_find_their_matches_and_those_who_left_do_not(hall):
    hall.write(M, offered(None, None, None), joined(0), joined(1))
    hall.hear()
    hall.write(M, e.Left(0), joined(0, 2))
    hall.hear()
    assert [hall.listed(f"player:{player(n)}") for n in range(3)] == [[], [M], [M]]


def test_who_left_before_this_react_began_is_found_in_the_log(hall):
    hall.write(M, offered(), joined(0))
    hall.hear()
    hall.write(M, e.Left(0), joined(0, 1), joined(1, 2))
    hall.hear(hall.react("another"))
    assert [hall.listed(f"player:{player(n)}") for n in range(3)] == [[], [M], [M]]


def test_guests_find_what_they_are_invited_to_until_they_sit_there(hall):
    bob, eve = (e.Invited(None, player(n)) for n in (1, 2))
    hall.write(M, offered(), bob, eve)
    hall.hear()
    assert [hall.listed(f"guest:{player(n)}") for n in (1, 2)] == [[M], [M]]
    hall.write(M, joined(0, 1), e.Uninvited(None, player(2)))
    hall.hear()
    assert [hall.listed(f"guest:{player(n)}") for n in (1, 2)] == [[], []]


def test_where_watchers_are_late_the_end_is_late_in_lists(hall):
    late = {"late": {"type": "seconds", "n": 60}}
    hall.write(M, *table(**late), played(0, "keep"), played(1, "keep"))
    hall.tick()
    assert (hall.listed("running"), hall.listed("over")) == ([M], [])
    hall.tick(58)
    assert (hall.listed("running"), hall.listed("over")) == ([M], [])
    hall.tick(3)
    assert (hall.listed("running"), hall.listed("over")) == ([], [M])


def test_a_late_end_is_not_forgotten_by_a_react_that_begins(hall):
    late = {"late": {"type": "seconds", "n": 60}}
    hall.write(M, *table(**late), played(0, "keep"), played(1, "keep"))
    hall.tick()
    hall.clock.sleep(61)
    hall.walk(hall.react("another"))
    assert (hall.listed("running"), hall.listed("over")) == ([], [M])


def test_unlisted_matches_are_listed_for_their_players_alone(hall):
    hall.write(M, *table(listed=False))
    hall.hear()
    assert hall.listed("running") == hall.listed("running:high-card") == []
    assert hall.listed(f"player:{player(0)}") == [M]


def test_an_unlisted_match_of_robots_is_in_no_list(hall):
    hall.write(M, offered("random", "random", listed=False))
    hall.hear()
    assert hall.server.run("KEYS", "lobby:*") == []


def test_a_walk_mends_indexes(hall):
    hall.write(M, *table())
    hall.write(N, *table(), played(0, "keep"), played(1, "keep"))
    hall.hear()
    hall.server.run("DEL", "lobby:running")
    hall.server.ask(ledger.index("running", N, 1))  # as if one react had been slower than another
    hall.walk()
    assert hall.listed("running") == [M]
    assert hall.listed("over") == [N]


# Robots


def test_robots_are_called_when_they_have_to_move_and_once(hall):
    hall.write(M, *table(None, "greedy"))
    hall.hear()
    assert hall.calls == []
    hall.write(M, played(0, "keep"))
    hall.hear()
    hall.reactor.see_to([M])
    assert hall.calls == [(M, 1, 3, 0)]


def test_robots_are_called_again_if_they_do_not_come(hall):
    hall.write(M, offered("random", "random"))
    hall.hear()
    hall.tick(4)
    assert hall.calls == [(M, 0, 1, 0)]
    hall.tick(2)
    assert hall.calls[1:] == [(M, 0, 1, 1)]
    hall.tick(6)
    assert len(hall.calls) == 2
    hall.write(M, played(0, "keep"))
    hall.hear()
    assert hall.calls[2:] == [(M, 1, 2, 0)]


def test_robots_are_called_soon_again_while_the_jobs_server_is_away(hall):
    hall.answers = False
    hall.write(M, offered("random", "random"))
    hall.hear()
    hall.answers = True
    hall.tick(1.1)
    hall.tick(1.1)
    assert hall.calls == [(M, 0, 1, 0)] * 2


def test_a_walk_calls_the_robots_that_a_dead_react_did_not(hall):
    hall.write(M, offered("random", "random"))
    hall.server.run("DEL", "{0}:folded")
    reactor = hall.react("another")
    hall.walk(reactor)
    assert hall.calls == [(M, 0, 1, 0)]


def test_lines_of_a_dead_react_are_taken_over(hall):
    hall.write(M, offered("random", "random"))
    assert len(hall.wire.ask(ledger.reacts(0, "dead", 100, None))) == 1
    hall.hear()
    assert hall.calls == []
    hall.clock.sleep(react.IDLE / 1000 + 1)
    hall.reactor.again()
    assert hall.calls == [(M, 0, 1, 0)]
    assert hall.server.ask(ledger.taken(0, "folded", "react")) is None


# Clocks


def test_a_seat_whose_time_is_up_is_expired_once_two_seconds_later(hall):
    hall.write(M, *table(clock=CLOCK))
    hall.tick(61)
    assert hall.match(M).seq == 3
    hall.tick(2)
    assert hall.entry(M) == e.Expired(0)
    assert hall.match(M).outcome.why == "expired"
    for _ in range(5):
        hall.tick(5)
    assert hall.match(M).seq == 4


def test_a_move_in_those_two_seconds_counts(hall):
    hall.write(M, *table(clock=CLOCK))
    hall.tick(60.5)
    hall.write(M, played(0, "keep"))
    hall.tick(2)
    assert hall.match(M).seq == 4


def test_a_robot_that_takes_the_seat_is_called(hall):
    hall.write(M, *table(clock=CLOCK, leave="random"))
    hall.tick(63)
    assert hall.entry(M) == e.Expired(0)
    hall.hear()
    assert hall.calls == [(M, 0, 3, 0)]


def test_seats_that_act_at_once_expire_all(hall, monkeypatch):
    monkeypatch.setitem(GAMES, "bells", bells)
    hall.write(M, *table(game="bells", clock=CLOCK, leave="random", n=3))
    assert len(hall.match(M).to_act) == 3
    hall.tick(63)
    assert hall.match(M).seq == 4 + 3
    assert all(holder.gone == "expired" for holder in hall.match(M).holders)


def test_an_offer_that_nobody_fills_is_aborted(hall):
    hall.write(M, offered(fill=60), joined(0))
    hall.tick(59)
    assert hall.match(M).seq == 2
    hall.tick(3)
    assert hall.entry(M) == e.Aborted("unfilled")
    hall.hear()
    assert hall.listed("open") == []
    hall.tick(60)
    assert hall.match(M).seq == 3


def test_a_clock_that_was_fast_writes_nothing_that_would_be_refused(hall):
    """The last sign of life is of an hour to come: the server's clock was set back."""
    hall.write(M, *table(clock=CLOCK))
    for _ in range(2):
        hall.server.run("SET", "{0}:alive", hall.clock.ms + 3_600_000)
        hall.reactor.uptime.look()
        hall.reactor.expire()
        hall.server.work()
    assert hall.match(M).seq == 3


def test_a_match_that_takes_no_entry_keeps_no_other_from_its_end(hall):
    for name in (M, N):
        hall.write(name, *table(clock=CLOCK))
    seen, at = hall.server.ask(ledger.ends(M))
    hall.sleep(63)
    hall.server.ask(ledger.append(M, seen, at, e.encode(e.Resigned(1))))  # nobody folds it
    hall.reactor.sleep = hall.clock.sleep
    hall.reactor.uptime.look()
    hall.reactor.expire()
    hall.server.work()
    assert hall.entry(N) == e.Expired(0)
    assert hall.entry(M) == e.Resigned(1)


def test_a_match_that_is_folded_a_moment_later_is_ended_a_second_later(hall):
    hall.write(M, *table(clock=CLOCK))
    hall.sleep(63)
    seen, at = hall.server.ask(ledger.ends(M))
    hall.server.ask(ledger.append(M, seen, at, e.encode(e.Invited(0, "a" * 16))))
    hall.reactor.sleep = hall.clock.sleep  # nobody folds meanwhile
    hall.tick()
    assert hall.entry(M) == e.Invited(0, "a" * 16)
    hall.tick(1)
    assert hall.entry(M) == e.Expired(0)


def test_seats_that_act_at_once_expire_at_once_though_folding_is_slow(hall, monkeypatch):
    monkeypatch.setitem(GAMES, "bells", bells)
    hall.write(M, *table(game="bells", clock=CLOCK, leave="random", n=3))
    hall.reactor.sleep = hall.clock.sleep  # nothing is folded before react has given up
    hall.sleep(63)
    for _ in range(3):
        hall.tick(1)
    assert all(holder.gone == "expired" for holder in hall.match(M).holders)


def test_what_takes_no_entry_is_tried_soon_and_then_less_often():
    tries, tried = clocks.Tries(), []
    for now in range(40):
        ripe = tries.ripe([M], now)
        tries.put_off(ripe, now)
        tried += [now] * len(ripe)
    assert tried == [0, 1, 2, 3, 5, 8, 12, 17, 22, 27, 32, 37]
    assert tries.ripe([N, M], 42) == [N, M]
    assert tries.ripe([N], 42) == [N]
    assert len(tries) == 0


def test_however_many_take_no_entry_the_next_one_is_ended(hall, monkeypatch):
    """They are tried again, but after whoever is new."""
    monkeypatch.setattr(react, "BATCH", 2)
    monkeypatch.setattr(clocks, "LATER", 0.0)
    waiting = [f"0-{letter * 16}" for letter in "abcdefg"]
    for name in (*waiting, N):
        hall.write(name, *table(clock=CLOCK))
    hall.sleep(63)
    for name in waiting:
        seen, at = hall.server.ask(ledger.ends(name))
        hall.server.ask(ledger.append(name, seen, at, e.encode(played(1, "keep"))))
    with monkeypatch.context() as away:
        away.setattr(hall.server, "work", lambda: None)  # nobody folds
        for _ in range(3):
            hall.tick(1)
            assert hall.match(N).seq == 3
        hall.tick(1)
        assert hall.entry(N) == e.Expired(0)
        assert all(hall.entry(name) == played(1, "keep") for name in waiting)
    for _ in range(5):
        hall.tick(1)
    assert all(hall.entry(name) == e.Expired(0) for name in waiting)


def test_matches_that_cannot_be_read_keep_no_other_from_its_end(hall, monkeypatch):
    monkeypatch.setattr(react, "BATCH", 2)
    for name in (f"0-{letter * 16}" for letter in "abc"):
        hall.server.run("ZADD", "{0}:live", 1, name)
    hall.write(M, *table(clock=CLOCK))
    hall.tick(63)
    hall.tick(1)
    assert hall.entry(M) == e.Expired(0)


def test_a_match_as_long_as_may_be_is_aborted(hall, monkeypatch):
    monkeypatch.setattr(e, "LONGEST", 5)
    hall.write(M, *table(), played(1, "keep"))  # refused, but an entry
    hall.hear()
    assert hall.entry(M) == e.Aborted("too-long")
    assert hall.match(M).aborted == "too-long"
    hall.hear()
    assert hall.match(M).seq == 5


# Its own stream


def test_lines_are_trimmed_behind_all_reacts_and_not_before_the_apis_had_time(hall, monkeypatch):
    exactly = lambda shard, id: ledger.Ask(("XTRIM", "{0}:folded", "MINID", id), int)  # noqa: E731
    monkeypatch.setattr(ledger, "trim_folded", exactly)
    hall.write(M, *table())
    hall.hear()
    hall.reactor.trim()
    assert hall.server.run("XLEN", "{0}:folded") == 3
    hall.clock.sleep(61)
    hall.write(M, played(0, "keep"))
    hall.wire.ask(ledger.reacts(0, "dead", 1, None))
    hall.clock.sleep(61)
    hall.write(M, played(1, "keep"))
    hall.hear()
    hall.reactor.trim()
    left = hall.server.run("XRANGE", "{0}:folded", "-", "+")
    assert [fields[3] for _, fields in left] == [b"4", b"5"]


def test_lines_that_nobody_can_read_keep_nobody_waiting(hall, monkeypatch):
    unread = (("x", "y"), ("m", b"\xff", "seq", 1), ("m", "7}", "seq", 1), ("m", M, "seq", "x"))
    for fields in unread:
        hall.server.run("XADD", "{0}:folded", "*", *fields)
    hall.write(N, offered("random", "random"))
    seen = []
    monkeypatch.setattr(hall.reactor, "see_to", seen.extend)
    hall.hear()
    assert seen == [N]
    assert hall.server.run("XPENDING", "{0}:folded", "react")[0] == 0


def test_what_goes_wrong_with_one_match_keeps_nobody_else_waiting(hall, monkeypatch):
    hall.write(M, offered("random", "random"))
    hall.write(N, offered("random", "random"))
    put = hall.reactor.indexes.put

    def fails(name, match):
        assert name != M, "a bug"
        put(name, match)

    monkeypatch.setattr(hall.reactor.indexes, "put", fails)
    hall.hear()
    assert hall.listed("running") == [N]
