"""The fold worker: what it folds, what it leaves, what stops a match and nothing else."""

import json
import logging
import signal

import pytest

from engine import RELEASE
from engine import entries as e
from engine.fold import replay
from engine.look import note
from engine.match import encode
from engine.snapshot import save
from services import door, ledger
from services.door import Waits
from services.ledger import Told
from tests.engine.logs import dealt, offered, played, player
from tests.ledger.hands import M, N, play, write
from workers import fold


def assert_folded(server, *names):
    """All that stands beside these logs is what a fresh fold gives; no line is left."""
    for name in names:
        log = [one.line for one in server.ask(ledger.log(name))]
        steps = list(replay(log))
        told = [Told(match.seq, encode(verdict), encode(note(match))) for match, verdict in steps]
        assert server.ask(ledger.facts(name)) == told
        assert server.ask(ledger.newest(name)) == save(steps[-1][0])
    assert server.run("XLEN", "{0}:unfolded") == 0
    assert server.run("XPENDING", "{0}:unfolded", "fold")[0] == 0


@pytest.fixture
def table(server, bells):
    """Two matches of bells, dealt at entry 3."""
    write(server, N, *dealt(2, game="bells"))
    return write(server, M, *dealt(2, game="bells"))


@pytest.fixture
def broken(server, bells, monkeypatch):
    """Another release, in the worker alone, that cannot ring; `fix()` mends it."""
    sound, real = bells.apply, server.folder.folded

    def apply(state, seat, move, dice):
        if isinstance(move, bells.Ring):
            raise ZeroDivisionError("cracked")
        return sound(state, seat, move, dice)

    def folded(lines):
        with monkeypatch.context() as patch:
            patch.setattr(bells, "apply", apply)
            yield from list(real(lines))

    monkeypatch.setattr(server.folder, "folded", folded)
    return lambda: monkeypatch.setattr(server.folder, "folded", real)


def test_folds(server, table):
    for n in range(5):
        play(server, n % 2, "ring", 3 + n)
    play(server, 0, "rest", 8)
    play(server, 1, "rest", 9)
    assert_folded(server, M, N)
    assert server.ask(ledger.live(0, 0, 9)) == (0, [N])


def test_a_new_worker_knows_nothing_and_an_old_one_too_little(server, table):
    other = server.worker("other")
    for n in range(12):
        assert server.talk(door.play(M, None, 0, b'{"type":"ring"}', None, 3 + n)).seq == 4 + n
        server.work([server.folder, other, server.worker("new")][n % 3])
    assert_folded(server, M, N)


def test_refused_entries_are_folded_too(server, table):
    write(server, M, played(0, "rest"), played(0, "ring"), played(7, "tap"), played(0, "sing"))
    assert_folded(server, M)
    verdicts = [json.loads(told.verdict) for told in server.ask(ledger.facts(M, 4))]
    assert [one["code"] for one in verdicts] == ["ASLEEP", "NO_SUCH_SEAT", "UNREADABLE"]


def test_rebuilt_many_times_over(server, table):
    for n in range(70):
        play(server, 0, "ring", 3 + n)
    for _ in range(3):
        server.ask(ledger.rebuild(M))
    server.finish()
    assert_folded(server, M, N)
    assert server.ask(ledger.mark(M, 70)) == save(server.talk(door.moment(M, 64)))


def test_a_line_is_acknowledged_with_the_last_of_its_entries(server, table):
    server.ask(ledger.rebuild(M))
    [line] = server.ask(ledger.todo(0, "sound", 9, None))
    done = list(server.folder.folded([line]))
    assert [(one.seq, one.todo) for one in done] == [(1, b""), (2, b""), (3, line.id)]


def test_a_worker_that_remembers_a_log_that_is_gone(server, table):
    old = server.folder
    play(server, 0, "ring", 3)
    server.run("FLUSHALL")
    server.folder = server.worker("new")
    server.folder.begin()
    write(server, M, *dealt(2, game="bells"), played(0, "tap"))
    assert old.book.get(M).seq == 4
    server.talk(door.play(M, None, 1, b'{"type":"ring"}', None, 3))
    server.work(old)
    assert_folded(server, M)


def test_two_workers_on_the_same_lines(server, table):
    other = server.worker("other")
    for n in range(4):
        server.talk(door.play(M, None, 0, b'{"type":"ring"}', None, 3 + n))
        mine = server.ask(ledger.todo(0, "sound", 9, None))
        theirs = server.ask(ledger.take_over(0, "other", 0, 9))
        assert mine == theirs
        first, second = list(server.folder.folded(mine)), list(other.folded(theirs))
        assert first == second
        assert server.ask(ledger.commit(0, first)) == [1]
        assert other.committed(second, server.ask(ledger.commit(0, second))) == []
    assert_folded(server, M, N)


def test_what_a_commit_refuses_is_folded_again(server, table):
    server.talk(door.play(M, None, 0, b'{"type":"ring"}', None, 3))
    lines = server.ask(ledger.todo(0, "sound", 9, None))
    done = list(server.folder.folded(lines))
    server.ask(ledger.rebuild(M))
    again = server.folder.committed(done, server.ask(ledger.commit(0, done)))
    assert [(todo.id, todo.match, todo.seq) for todo in again] == [(lines[0].id, M, 0)]
    assert server.folder.book.get(M) is None
    server.fold(server.folder, again)
    server.work()
    assert_folded(server, M, N)


def test_a_line_with_nothing_to_do_is_settled(server, table):
    server.ask(ledger.retry(M))
    server.work()
    assert_folded(server, M, N)


def test_a_line_taken_twice_is_not_settled_before_its_commit(server, table):
    server.talk(door.play(M, None, 0, b'{"type":"ring"}', None, 3))
    lines = server.ask(ledger.todo(0, "slow", 9, None))
    server.clock.sleep(3)
    slow = server.worker("slow")
    lines += slow.again()
    assert lines[0] == lines[1]
    assert [one.seq for one in slow.folded(lines)] == [4]  # and dies before the commit
    server.finish()
    assert_folded(server, M, N)


def test_lines_that_nobody_can_read_keep_nobody_waiting(server, table, caplog):
    for fields in (("x", "y"), ("m", b"\xff"), ("m", "0-M"), ("m", M, "seq", "x")):
        server.run("XADD", "{0}:unfolded", "*", *fields)
    play(server, 0, "ring", 3, name=N)
    assert_folded(server, M, N)
    assert "4 lines of `unfolded` are none of ours" in caplog.text


def test_what_dead_workers_left_is_taken_over(server, table):
    server.talk(door.play(M, None, 0, b'{"type":"ring"}', None, 3))
    server.ask(ledger.todo(0, "dead", 9, None))
    assert server.folder.again() == []
    server.finish()
    assert_folded(server, M, N)
    server.clock.sleep(fold.OLD / 1000 + 1)
    server.folder.tidy()
    names = {one[b"name"] for one in server.ask(ledger.consumers(0, "unfolded", "fold"))}
    assert names == {b"sound"}


def test_due(server, bells):
    def score(name):
        return float(server.run("ZSCORE", "{0}:live", name) or 0)

    match = write(server, M, offered(None, None, game="bells", fill=60))
    assert score(M) == match.at + 60_000
    clock = {"clock": {"type": "move", "seconds": 90}}
    match = write(server, N, *dealt(2, game="bells", **clock))
    assert score(N) == match.at + 90_000
    write(server, N, played(0, "tap"))
    assert score(N) == match.at + 90_000
    write(server, N, played(0, "rest"), played(1, "rest"))
    assert score(N) == 0


# Stuck


def test_a_match_that_only_the_door_can_fold_is_stuck(server, table, broken):
    assert play(server, 0, "ring", 3).seq == 4
    why = server.ask(ledger.stuck(M))
    assert (why.seq, why.release) == (4, RELEASE)
    assert "ZeroDivisionError: cracked" in why.trace
    assert server.run("XLEN", "{0}:unfolded") == 0
    _, at = server.ask(ledger.ends(M))
    assert server.ask(ledger.append(M, 4, at, b"{}")) == ledger.Behind(4, 3)
    began = server.clock.ms
    assert play(server, 1, "tap", 3) == Waits(why)
    assert server.talk(door.enter(M, lambda match: e.Aborted("operator"))) == Waits(why)
    assert server.clock.ms == began

    assert play(server, 0, "tap", 3, name=N).seq == 4
    assert_folded(server, N)

    broken()
    assert server.ask(ledger.retry(M))
    assert play(server, 1, "tap", 3).seq == 5
    assert_folded(server, M, N)


def test_a_retry_that_does_not_help(server, table, broken):
    play(server, 0, "ring", 3)
    server.ask(ledger.retry(M))
    server.work()
    assert server.ask(ledger.stuck(M)).seq == 4


def test_one_line_in_a_batch_stops_no_other(server, table, broken):
    names = [f"0-{letter * 16}" for letter in "abc"]
    for name in names:
        write(server, name, *dealt(2, game="bells"))
    for name, move in zip(names, (b"tap", b"ring", b"tap"), strict=True):
        server.talk(door.play(name, None, 0, b'{"type":"%s"}' % move, None, 3))
    server.work()
    assert_folded(server, names[0], names[2])
    assert list(server.ask(ledger.all_stuck(0))) == [names[1]]


def test_a_rebuilt_match_is_folded_as_far_as_it_goes(server, table, broken):
    broken_at = write(server, M, played(0, "tap"))
    play(server, 1, "ring", 4)
    server.ask(ledger.rebuild(M))
    server.work()
    assert server.ask(ledger.stuck(M)).seq == 5
    assert server.ask(ledger.newest(M)) == save(broken_at)
    broken()
    server.ask(ledger.retry(M))
    server.work()
    assert_folded(server, M, N)


def test_a_new_release_tries_again_when_it_begins(server, table, broken, monkeypatch):
    play(server, 0, "ring", 3)
    broken()
    server.folder.begin()
    server.work()
    assert server.ask(ledger.stuck(M)) is not None
    monkeypatch.setattr(fold, "RELEASE", "9.9.9")
    server.folder.begin()
    server.work()
    assert_folded(server, M, N)
    assert server.ask(ledger.all_stuck(0)) == {}


def test_parked_by_one_release_while_another_folded_it(server, table, broken):
    server.talk(door.play(M, None, 0, b'{"type":"ring"}', None, 3))
    lines = server.ask(ledger.todo(0, "old", 9, None))
    new = server.worker("new")
    server.fold(new, server.ask(ledger.take_over(0, "new", 0, 9)))
    assert list(server.folder.folded(lines)) == []
    match = server.talk(door.newest(M))
    assert match.seq == 4
    broken()
    server.talk(door.play(M, match, 1, b'{"type":"tap"}', None, 3))
    assert play(server, 0, "tap", 4, known=match).seq == 6


def test_a_fold_that_takes_too_long(server, table, monkeypatch, bells):
    server.talk(door.play(M, None, 0, b'{"type":"ring"}', None, 3))
    endless = (never for never in iter(int, 1) if never)
    monkeypatch.setattr(bells, "allows", lambda *_: next(endless))
    monkeypatch.setattr(fold, "SLOW", 0.05)
    previous = signal.getsignal(signal.SIGALRM)
    fold.watch.begin()
    try:
        lines = server.ask(ledger.todo(0, "sound", 9, None))
        assert list(server.folder.folded(lines)) == []
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert "took over" in server.ask(ledger.stuck(M)).trace


# Of another release


@pytest.mark.parametrize(
    "raw",
    [
        b'{"type":"stopped","since":1,"until":2,"why":"x"}',
        b'{"type":"left","seat":0,"more":1}',
        b"\xff",
    ],
)
def test_what_this_release_cannot_read_is_left_to_others(server, table, raw, caplog):
    server.ask(ledger.append(M, 3, table.at, raw))
    play(server, 0, "tap", 3, name=N)
    assert server.ask(ledger.all_stuck(0)) == {}
    assert server.run("XPENDING", "{0}:unfolded", "fold")[0] == 1
    assert "another release" in caplog.text
    assert play(server, 0, "tap", 3) == Waits(None)
    server.clock.sleep(3)
    [line] = server.folder.again()
    assert (line.match, line.seq) == (M, 4)
    assert list(server.folder.folded([line])) == []
    assert server.ask(ledger.all_stuck(0)) == {}


@pytest.mark.parametrize("rules", [2, 99])
def test_a_match_by_other_rules_is_left_to_others(server, bells, rules):
    offer = offered(None, game="bells")
    other = e.Offered(1, "bells", rules, offer.options, player(1), (None,), offer.policy, "0" * 64)
    server.ask(ledger.append(M, 0, 0, e.encode(other)))
    server.work()
    assert server.ask(ledger.all_stuck(0)) == {}
    assert server.run("XPENDING", "{0}:unfolded", "fold")[0] == 1
    assert server.ask(ledger.facts(M)) == []


# Lines that kill


def kill(server, times):
    """So many workers die of the line that waits."""
    for n in range(times):
        server.clock.sleep(3)
        take = ledger.take_over(0, f"dead{n}", 2000, 9) if n else ledger.todo(0, "dead", 9, None)
        assert len(server.ask(take)) == 1
    server.clock.sleep(3)


@pytest.fixture
def line(server, table):
    server.talk(door.play(M, None, 0, b'{"type":"ring"}', None, 3))


def test_what_was_given_to_three_is_tried_in_a_child(server, line, monkeypatch):
    tried = []
    monkeypatch.setattr(server.folder, "_survives", lambda todo: tried.append(todo.match))
    kill(server, 2)
    assert [todo.match for todo in server.folder.again()] == [M]
    assert tried == []
    server.clock.sleep(3)
    assert server.folder.again() == []
    assert tried == [M]


class Child:
    """What became of a child: its code, or it takes too long."""

    killed = False

    def __init__(self, words, **how):
        assert words[-1] == M

    def wait(self, life=None):
        if self.code is None and not self.killed:
            raise fold.subprocess.TimeoutExpired("child", life)
        return self.code

    def kill(self):
        self.killed = True


@pytest.mark.parametrize("code", [-9, 1, None])
def test_a_line_that_kills_the_child_stops_its_match(server, line, monkeypatch, code):
    monkeypatch.setattr(fold.subprocess, "Popen", type("", (Child,), {"code": code}))
    kill(server, 3)
    assert server.folder.again() == []
    why = server.ask(ledger.stuck(M))
    assert why.seq == 4
    assert "child" in why.trace
    assert server.run("XLEN", "{0}:unfolded") == 0


def test_a_line_that_the_child_survives_is_folded(server, line, monkeypatch):
    monkeypatch.setattr(fold.subprocess, "Popen", type("", (Child,), {"code": 0}))
    kill(server, 5)
    server.finish()
    assert_folded(server, M, N)


@pytest.mark.usefixtures("line")
def test_what_the_child_does(server, monkeypatch):
    monkeypatch.setattr(fold, "BlockingWire", lambda url: server.folder.reads)
    before = server.run("KEYS", "*"), server.ask(ledger.newest(M))
    fold.attempt("", M)
    fold.attempt("", "0-" + "x" * 16)
    assert (server.run("KEYS", "*"), server.ask(ledger.newest(M))) == before


@pytest.fixture(autouse=True)
def _loud(caplog):
    caplog.set_level(logging.WARNING)
