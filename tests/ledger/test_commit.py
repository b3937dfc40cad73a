import pytest

from services import ledger
from services.ledger import Told
from tests.ledger.hands import M, N, append, done, grow, lines

FIRST = Told(1, b"verdict 1", b"note 1")


def test_all_that_folding_gave_is_written_at_once(server):
    at = append(server, M, 0, 0).at
    [todo] = lines(server)
    assert server.ask(ledger.commit(0, [done(M, 1, at, todo.id, due="77")])) == [1]
    assert server.ask(ledger.facts(M)) == [FIRST]
    assert server.ask(ledger.newest(M)) == b"now 1"
    assert [line[1:] for line in server.ask(ledger.heard(0, b"0", 9, 1))] == [(M, 1)]
    assert server.ask(ledger.due(0, 77, 9)) == [M]
    assert waiting(server) == 0


def test_once(server):
    at = append(server, M, 0, 0).at
    [todo] = lines(server)
    server.ask(ledger.commit(0, [done(M, 1, at)]))
    again = done(M, 1, at, todo.id, due="5")._replace(verdict=b"other", snapshot=b"other")
    assert waiting(server) == 1
    assert server.ask(ledger.commit(0, [again])) == [0]
    assert server.ask(ledger.facts(M)) == [FIRST]
    assert server.ask(ledger.newest(M)) == b"now 1"
    assert len(server.ask(ledger.heard(0, b"0", 9, 1))) == 1
    assert server.ask(ledger.due(0, 1000, 9)) == []
    assert waiting(server) == 0


def test_what_is_long_folded_is_only_acknowledged(server):
    grow(server, M, 5)
    append(server, N, 0, 0)
    [todo] = lines(server)
    assert server.ask(ledger.commit(0, [done(M, 2, 0, todo.id)])) == [0]
    assert server.ask(ledger.newest(M)) == b"now 5"
    assert waiting(server) == 0


def test_in_order(server):
    at = grow(server, M, 3)
    at = append(server, M, 3, at).at
    [todo] = lines(server)
    server.ask(ledger.rebuild(M))
    assert server.ask(ledger.commit(0, [done(M, 4, at, todo.id)])) == [-1]
    assert server.ask(ledger.facts(M)) == []
    assert server.ask(ledger.newest(M)) is None
    assert waiting(server) == 2


def test_only_what_the_log_holds(server):
    at = grow(server, M, 1)
    assert server.ask(ledger.commit(0, [done(M, 2, at)])) == [-2]
    taken = append(server, M, 1, at)
    [todo] = lines(server)
    assert server.ask(ledger.commit(0, [done(M, 2, taken.at + 1, todo.id)])) == [-2]
    assert len(server.ask(ledger.facts(M))) == 1
    assert waiting(server) == 1
    assert server.ask(ledger.commit(0, [done(M, 2, taken.at, todo.id)])) == [1]


def test_a_batch_over_many_matches(server):
    names = [f"0-{letter * 16}" for letter in "abcdefgh"]
    times = [append(server, name, 0, 0).at for name in names]
    todos = lines(server)
    batch = [done(*one, todo.id) for *one, todo in zip(names, [1] * 8, times, todos, strict=True)]
    batch[3:3] = [done(M, 7, 0), done(names[0], 1, times[0]), done(names[1], 2, 1)]
    batch[-1] = batch[-1]._replace(at=5)
    assert server.ask(ledger.commit(0, batch)) == [1, 1, 1, -1, 0, -2, 1, 1, 1, 1, -2]
    assert [len(server.ask(ledger.facts(name))) for name in names] == [1] * 7 + [0]
    snapshots = server.ask(ledger.all_newest([*names, M]))
    assert snapshots == [b"now 1"] * 7 + [None, None]
    assert waiting(server) == 1


def test_many_entries_of_one_match_in_a_batch(server):
    at = grow(server, M, 1)
    server.ask(ledger.append(M, 1, at, b"{}"))
    server.ask(ledger.rebuild(M))
    two = server.ask(ledger.ends(M))[1]
    alone, rebuild = lines(server)
    batch = [done(M, 2, two, alone.id), done(M, 1, at), done(M, 2, two, rebuild.id)]
    assert server.ask(ledger.commit(0, batch)) == [-1, 1, 1]
    assert waiting(server) == 1


def test_nothing(server):
    assert server.ask(ledger.commit(0, [])) == []


def test_facts_are_kept_for_a_while_and_marks_for_ever(server):
    grow(server, M, 300)
    kept = server.ask(ledger.facts(M))
    assert (len(kept), kept[0].seq, kept[-1].seq) == (ledger.FACTS, 45, 300)
    assert server.ask(ledger.last_facts(M)) == kept[-1]
    marks = {seq: server.ask(ledger.mark(M, seq)) for seq in (63, 64, 127, 128, 299, 9999)}
    assert list(marks.values()) == [None, b"now 64", b"now 64", b"now 128", b"now 256", b"now 256"]


@pytest.mark.parametrize("due", ["1", "+inf"])
def test_live_until_it_is_over(server, due):
    at = append(server, M, 0, 0).at
    server.ask(ledger.commit(0, [done(M, 1, at, due=due)]))
    assert server.ask(ledger.live(0, 0, 9)) == (0, [M])
    at = append(server, M, 1, at).at
    server.ask(ledger.commit(0, [done(M, 2, at, due="over")]))
    assert server.ask(ledger.live(0, 0, 9)) == (0, [])


def test_due_by_deadline(server):
    for name, due in ((M, "2000"), (N, "1000"), ("0-" + "o" * 16, "+inf")):
        at = append(server, name, 0, 0).at
        server.ask(ledger.commit(0, [done(name, 1, at, due=due)]))
    assert server.ask(ledger.due(0, 999, 9)) == []
    assert server.ask(ledger.due(0, 10**15, 9)) == [N, M]
    assert server.ask(ledger.due(0, 10**15, 1)) == [N]


def waiting(server) -> int:
    """How many lines are still to be folded: of those that a worker took, none is deleted."""
    n = server.run("XLEN", "{0}:unfolded")
    assert server.run("XPENDING", "{0}:unfolded", "fold")[0] <= n
    return n
