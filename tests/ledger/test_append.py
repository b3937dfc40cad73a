import pytest

from engine.match import Line
from services import ledger
from services.ledger import Behind, Taken, Todo, Written
from tests.ledger.hands import M, N, append, done, grow, lines


def test_the_first_entry(server):
    taken = append(server, M, 0, 0)
    assert taken == Taken(1, server.clock.ms)
    line = Line(taken.at, b'{"n":1}')
    assert server.ask(ledger.log(M)) == [Written(1, line)]
    [todo] = lines(server)
    assert todo == Todo(todo.id, M, 1, 0, line)


def test_the_next_entry_names_the_one_before(server):
    at = grow(server, M, 3)
    server.clock.sleep(5)
    assert append(server, M, 3, at) == Taken(4, at + 5000)
    [todo] = lines(server)
    assert (todo.seq, todo.after, todo.line.at) == (4, at, at + 5000)


@pytest.mark.parametrize("seen", [-1, 0, 1, 2, 4, 5, 1000])
def test_only_after_the_exact_last_entry(server, seen):
    at = grow(server, M, 3)
    assert server.ask(ledger.append(M, seen, at, b"{}")) == Behind(3, 3)
    assert_untouched(server, 3)


@pytest.mark.parametrize("seen", [1, 501])
def test_a_log_that_is_not_there_is_not_begun_in_the_middle(server, seen):
    assert server.ask(ledger.append(N, seen, 1, b"{}")) == Behind(0, 0)
    assert_untouched(server, 0, N)
    assert server.run("EXISTS", f"{{0}}:match:{N}:log") == 0


def test_a_match_is_offered_once(server):
    append(server, M, 0, 0)
    assert server.ask(ledger.append(M, 0, 0, b"{}")) == Behind(1, 0)


def test_not_while_the_last_entry_is_unfolded(server):
    at = grow(server, M, 2)
    last = append(server, M, 2, at)
    assert server.ask(ledger.append(M, 3, last.at, b"{}")) == Behind(3, 2)
    assert server.ask(ledger.commit(0, [done(M, 3, last.at)])) == [1]
    append(server, M, 3, last.at)


@pytest.mark.parametrize("off", [-1, 1])
def test_an_entry_of_another_time_is_another_entry(server, off):
    at = grow(server, M, 3)
    assert server.ask(ledger.append(M, 3, at + off, b"{}")) == Behind(3, 3)
    assert_untouched(server, 3)


def test_time_never_goes_back(server):
    at = grow(server, M, 1)
    server.clock.sleep(-3600)
    taken = append(server, M, 1, at)
    assert taken.at == at
    assert server.ask(ledger.ends(M)) == (2, at)


def test_entries_are_kept_byte_for_byte(server):
    raw = bytes(range(256))
    server.ask(ledger.append(M, 0, 0, raw))
    assert server.ask(ledger.entry(M, 1)).line.raw == raw
    assert lines(server)[0].line.raw == raw


def assert_untouched(server, n, match=M):
    """The log has n entries and nothing waits to be folded."""
    assert len(server.ask(ledger.log(match))) == n
    assert lines(server) == []
