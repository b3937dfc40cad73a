import pytest

from engine.match import Line
from services import ledger
from services.ledger import Told, Written
from services.wire import Refused
from tests.ledger.hands import M, N, append, done, grow, lines


def test_names():
    names = {ledger.new_match(3) for _ in range(100)}
    assert len(names) == 100
    assert all(ledger.is_match(name, 3) for name in names)
    assert {name[0] for name in names} == set("012")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "0",
        "0-",
        "3-" + "a" * 16,
        "03-" + "a" * 16,
        "00-" + "a" * 16,
        "-0-" + "a" * 16,
        "٠-" + "a" * 16,
        "0-" + "a" * 15,
        "0-" + "a" * 17,
        "0-" + "A" * 16,
        "0-" + "1" * 16,
        "0-" + "a" * 16 + "\n",
        " 0-" + "a" * 16,
        "0-" + "a" * 15 + "}",
        "10000-" + "a" * 16,
    ],
)
def test_no_names(name):
    assert not ledger.is_match(name, 3)


def test_keys_of_a_match_share_its_shard(server):
    for name in ("12-" + "a" * 16, "7-" + "b" * 16):
        append(server, name, 0, 0)
    assert {key.split(b":")[0] for key in server.run("KEYS", "*")} == {b"{12}", b"{7}", b"{0}"}


def test_of_no_match(server):
    for ask in (ledger.newest, ledger.last_facts, ledger.stuck):
        assert server.ask(ask(M)) is None
    assert server.ask(ledger.log(M)) == server.ask(ledger.facts(M)) == []
    assert server.ask(ledger.entry(M, 1)) is server.ask(ledger.mark(M, 9)) is None
    assert server.ask(ledger.ends(M)) == (0, 0)
    assert server.ask(ledger.all_newest([M, N])) == [None, None]


def test_log_and_facts_by_page(server):
    at = grow(server, M, 12)
    assert [one.seq for one in server.ask(ledger.log(M, 3, 4))] == [4, 5, 6, 7]
    assert [one.seq for one in server.ask(ledger.log(M, 9))] == [10, 11, 12]
    assert server.ask(ledger.log(M, 12)) == server.ask(ledger.facts(M, 12)) == []
    assert server.ask(ledger.log(M, 11)) == [Written(12, Line(at, b'{"n":12}'))]
    assert server.ask(ledger.entry(M, 12)) == Written(12, Line(at, b'{"n":12}'))
    assert server.ask(ledger.entry(M, 13)) is None
    assert [one.seq for one in server.ask(ledger.facts(M, 8, 2))] == [9, 10]
    assert server.ask(ledger.facts(M, 11)) == [Told(12, b"verdict 12", b"note 12")]
    assert server.ask(ledger.ends(M)) == (12, at)


def test_groups_are_there_already(server):
    for ask in ledger.groups(0):
        with pytest.raises(Refused, match="BUSYGROUP"):
            server.ask(ask)


def test_lines_are_taken_once_and_taken_over_when_idle(server):
    for name in (M, N):
        append(server, name, 0, 0)
    first = server.ask(ledger.todo(0, "a", 1, 50))
    second = server.ask(ledger.todo(0, "b", 9, None))
    assert [todo.match for todo in (*first, *second)] == [M, N]
    assert server.ask(ledger.todo(0, "b", 9, None)) == []
    assert server.ask(ledger.take_over(0, "c", 2000, 9)) == []
    server.clock.sleep(2.5)
    assert server.ask(ledger.take_over(0, "c", 2000, 9)) == [*first, *second]
    assert server.ask(ledger.take_over(0, "d", 2000, 9)) == []
    assert server.ask(ledger.take_over(0, "d", 0, 1)) == first
    ids = [todo.id for todo in (*first, *second)]
    assert server.ask(ledger.deliveries(0, ids)) == dict(zip(ids, (3, 2), strict=True))


def test_consumers_are_known_and_forgotten(server):
    append(server, M, 0, 0)
    server.ask(ledger.todo(0, "a", 1, None))
    [one] = server.ask(ledger.consumers(0, "unfolded", "fold"))
    assert (one[b"name"], one[b"pending"]) == (b"a", 1)
    assert server.ask(ledger.consumers(0, "folded", "react")) == []
    server.ask(ledger.forget_consumer(0, "unfolded", "fold", b"a"))
    assert server.ask(ledger.consumers(0, "unfolded", "fold")) == []


def test_folded_is_heard_by_all_and_dealt_with_by_one(server):
    assert server.ask(ledger.last_heard(0)) == b"0-0"
    grow(server, M, 3)
    heard = server.ask(ledger.heard(0, b"0-0", 2, 5))
    assert [line[1:] for line in heard] == [(M, 1), (M, 2)]
    third = server.ask(ledger.heard(0, heard[-1][0], 9, 5))
    assert server.ask(ledger.last_heard(0)) == third[0][0]
    assert server.ask(ledger.heard(0, third[0][0], 9, 5)) == []

    assert server.ask(ledger.taken(0, "folded", "react")) is None
    mine = server.ask(ledger.reacts(0, "a", 2, 5))
    assert (mine, server.ask(ledger.reacts(0, "b", 9, None))) == (heard, third)
    server.ask(ledger.reacted(0, [mine[0][0]]))
    assert server.ask(ledger.taken(0, "folded", "react")) == mine[1][0]
    assert server.ask(ledger.take_over_folded(0, "b", 0, 9)) == [mine[1], *third]
    server.ask(ledger.trim_folded(0, mine[1][0]))
    assert [line[1] for line in server.ask(ledger.heard(0, b"0", 9, 1))][-2:] == [M, M]


def test_live_is_walked_by_cursor(server):
    names = {ledger.new_match(1) for _ in range(300)}
    for name in names:
        server.ask(ledger.commit(0, [done(name, 1, append(server, name, 0, 0).at)]))
    cursor, some = server.ask(ledger.live(0, 0, 50))
    seen = set(some)
    while cursor:
        cursor, some = server.ask(ledger.live(0, cursor, 50))
        seen |= set(some)
    assert seen == names
    assert len(lines(server)) == 300


def test_an_offer_is_remembered_by_its_key_for_a_day(server):
    assert server.ask(ledger.remembered_offer("p", "k")) is None
    assert server.ask(ledger.remember_offer("p", "k", M)) is True
    assert server.ask(ledger.remember_offer("p", "k", N)) is False
    assert server.ask(ledger.remember_offer("q", "k", N)) is True
    assert server.ask(ledger.remembered_offer("p", "k")) == M
    server.clock.sleep(ledger.KEPT + 1)
    assert server.ask(ledger.remembered_offer("p", "k")) is None


def test_indexes(server):
    for score, name in enumerate("abcd"):
        server.ask(ledger.index("open", name, score))
    server.ask(ledger.unindex("open", "c"))
    assert server.ask(ledger.listed("open", 2)) == [("d", 3), ("b", 1)]
    assert server.ask(ledger.listed("open", 9, "(1")) == [("a", 0)]
    assert server.ask(ledger.listed("none", 9)) == []
