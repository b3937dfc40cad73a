"""The script `copy`: a match begun with the entries of another, whole or not at all."""

from engine.fold import replay
from engine.match import Line
from services import door, ledger
from tests.engine.logs import dealt, lines, played
from tests.ledger.hands import M, N


def copied(name: str, entries: list[Line]) -> ledger.Ask[bool]:
    match, verdict = list(replay(entries))[-1]
    return ledger.copy(entries, door.done(name, None, match, verdict))


def test_all_is_there_as_if_it_had_been_played_and_only_the_last_is_told(server):
    entries = lines(*dealt(), played(0, "trade"))
    assert server.ask(copied(M, entries))
    assert [one.line for one in server.ask(ledger.log(M))] == entries
    assert [one.seq for one in server.ask(ledger.facts(M))] == [4]
    assert server.ask(ledger.heard(0, b"0-0", 9, 1))[-1][1:] == (M, 4)
    assert server.ask(ledger.live(0, 0, 9)) == (0, [M])
    match = server.talk(door.newest(M))
    assert (match.seq, server.talk(door.moment(M, 4))) == (4, match)
    assert server.ask(ledger.mark(M, 9)) == server.ask(ledger.newest(M))


def test_a_match_that_stands_is_not_written_over(server):
    entries = lines(*dealt(), played(0, "trade"))
    assert server.ask(copied(M, entries))
    assert not server.ask(copied(M, lines(*dealt(), played(0, "keep"))))
    assert [one.line for one in server.ask(ledger.log(M))] == entries
    assert server.ask(ledger.log(N)) == []


def test_it_goes_on_like_any_other(server):
    assert server.ask(copied(M, lines(*dealt(), played(0, "trade"))))
    given = server.talk(door.play(M, None, 1, b'{"type":"keep"}', None, 4))
    assert (given.seq, given.match.over) == (5, True)


def test_a_copy_of_a_multiple_of_64_has_one_mark(server):
    entries = lines(*dealt(), *[played(1, "keep")] * 61)  # refused, out of turn
    assert len(entries) == 64
    assert server.ask(copied(M, entries))
    assert server.ask(ledger.mark(M, 99)) == server.ask(ledger.newest(M))
