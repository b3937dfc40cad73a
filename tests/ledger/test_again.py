from services import ledger
from services.ledger import Behind, Stuck, Todo
from tests.ledger.hands import M, N, append, done, grow, lines

WHY = Stuck(3, "0.1", "Traceback …")


def test_a_line_with_nothing_to_do_is_settled(server):
    grow(server, M, 2)
    grow(server, N, 2)
    for name in (M, N, N):
        server.ask(ledger.retry(name))
    one, two, three = lines(server)
    server.ask(ledger.settle(0, [two]))
    assert server.ask(ledger.take_over(0, "other", 0, 9)) == [one, three]
    server.ask(ledger.settle(0, [three, one]))
    assert server.run("XLEN", "{0}:unfolded") == 0


def test_a_line_with_something_to_do_is_not(server):
    grow(server, N, 1)
    server.ask(ledger.retry(N))
    at = append(server, M, 0, 0).at
    other, line = lines(server)
    server.ask(ledger.settle(0, [line, other]))
    assert server.ask(ledger.take_over(0, "other", 0, 9)) == [line]
    server.ask(ledger.commit(0, [done(M, 1, at)]))
    server.ask(ledger.settle(0, [line]))
    assert server.run("XLEN", "{0}:unfolded") == 0


def test_a_parked_match_takes_no_entry_until_it_is_folded(server):
    at = grow(server, M, 2)
    at = append(server, M, 2, at).at
    [todo] = lines(server)
    server.ask(ledger.park(M, WHY, todo.id))
    assert server.ask(ledger.stuck(M)) == WHY
    assert server.ask(ledger.stuck(N)) is None
    assert server.ask(ledger.all_stuck(0)) == {M: WHY}
    assert server.run("XLEN", "{0}:unfolded") == 0
    assert server.ask(ledger.append(M, 3, at, b"{}")) == Behind(3, 2)

    assert server.ask(ledger.retry(M)) is True
    assert server.ask(ledger.all_stuck(0)) == {}
    [again] = lines(server)
    assert again == Todo(again.id, M)
    assert server.ask(ledger.newest(M)) == b"now 2"
    assert server.ask(ledger.commit(0, [done(M, 3, at, again.id)])) == [1]
    append(server, M, 3, at)


def test_parked_without_a_line(server):
    grow(server, M, 1)
    server.ask(ledger.park(M, WHY, b""))
    assert server.ask(ledger.stuck(M)) == WHY


def test_rebuild_forgets_all_but_the_log(server):
    at = grow(server, M, 70)
    grow(server, N, 1)
    server.ask(ledger.park(M, WHY, b""))
    assert server.ask(ledger.rebuild(M)) is True
    assert {key for key in server.run("KEYS", "*") if M.encode() in key} == {
        b"{0}:match:%s:log" % M.encode()
    }
    assert len(server.ask(ledger.log(M))) == 70
    assert server.ask(ledger.stuck(M)) is None
    assert server.ask(ledger.newest(N)) == b"now 1"
    [again] = lines(server)
    assert again == Todo(again.id, M)
    assert server.ask(ledger.append(M, 70, at, b"{}")) == Behind(70, 0)


def test_what_is_not_there_is_not_folded_again(server):
    assert server.ask(ledger.retry(M)) is False
    assert server.ask(ledger.rebuild(M)) is False
    assert lines(server) == []
