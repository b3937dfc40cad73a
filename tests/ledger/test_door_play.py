"""Moves at the door: which moment they are for, what a repeat gets, what an old memory does."""

from random import Random

import pytest

from engine import entries as e
from engine.match import Accepted, No
from engine.snapshot import save
from services import door, ledger
from services.door import Entered, Invalid, KeyReused, NoMatch, NotAllowed, Repeated, Stale, Waits
from tests.engine.logs import dealt, joined, offered, played
from tests.ledger.hands import M, append, moved, play, together, write

pytestmark = pytest.mark.parametrize("commits", [False, True], indirect=True)


@pytest.fixture
def ringing(server, bells):
    """Three seats who may all act, since entry 4."""
    return write(server, M, *dealt(3, game="bells"))


def log_of(server) -> list[e.Entry]:
    return [e.decode(one.line.raw) for one in server.ask(ledger.log(M))]


def test_entered(server, ringing):
    answer = play(server, 1, "ring", 4)
    assert isinstance(answer, Entered)
    assert isinstance(answer.verdict, Accepted)
    assert answer.seq == answer.match.seq == 5
    assert save(answer.match) == server.ask(ledger.newest(M))
    assert log_of(server)[-1] == played(1, "ring")


def test_the_move_is_encoded_again(server, ringing):
    server.talk(door.play(M, None, 0, b' { "type" : "tap" } ', None, 4))
    assert server.ask(ledger.entry(M, 5)).line.raw == e.encode(played(0, "tap"))


# Which moment


def test_seats_at_once_spoil_no_move(server, ringing):
    assert [play(server, seat, "tap", 4).seq for seat in (2, 0, 1)] == [5, 6, 7]
    assert play(server, 0, "ring", 6).seq == 8


@pytest.mark.parametrize("fresh", [-1, 0, 3, 5, 99])
def test_not_before_it_was_waited_for_nor_of_the_future(server, ringing, fresh):
    answer = play(server, 0, "tap", fresh)
    assert answer == Stale(ringing)
    assert len(log_of(server)) == 4


def test_ones_own_move_makes_the_moment_before_stale(server, ringing):
    play(server, 0, "tap", 4)
    assert isinstance(play(server, 0, "ring", 4), Stale)
    assert play(server, 0, "ring", 5).seq == 6


def test_a_seat_that_is_not_waited_for_names_the_newest(server, ringing):
    play(server, 0, "rest", 4)
    match = play(server, 1, "tap", 4).match
    assert play(server, 0, "tap", 5) == Stale(match)
    refused = play(server, 0, "tap", 6)
    assert (refused.refused.code, refused.refused.rule, refused.seq) == ("ASLEEP", "B1", 6)
    play(server, 1, "wake", 6)
    assert isinstance(play(server, 0, "tap", 6), Stale)
    assert play(server, 0, "tap", 7).seq == 8


def test_before_the_deal_and_after_the_end(server, bells):
    match = write(server, M, offered(None, None, game="bells"))
    assert play(server, 0, "tap", 0) == Stale(match)
    assert play(server, 0, "tap", 1).refused.code == No.NOT_DEALT.name
    match = write(server, M, joined(0), joined(1), played(0, "rest"), played(1, "rest"))
    assert match.over
    assert play(server, 0, "tap", 4) == Stale(match)
    assert play(server, 0, "tap", 5).refused.code == No.OVER.name
    assert play(server, 1, "rest", 4) == Repeated(5, match)


@pytest.mark.parametrize("seat", [-1, 3, 2**40])
def test_no_such_seat(server, ringing, seat):
    assert play(server, seat, "tap", 4).refused.code == No.NO_SUCH_SEAT.name


@pytest.mark.parametrize("move", [b"", b"{}", b'{"type":"tap","x":1}', b"[" * 10_000, b"\xff"])
def test_no_move(server, ringing, move):
    answer = server.talk(door.play(M, None, 0, move, None, 4))
    assert isinstance(answer, Invalid)
    assert len(log_of(server)) == 4


def test_no_match(server):
    assert play(server, 0, "tap", 4) == NoMatch()


# Repeats


def test_a_key_with_the_same_move_gets_the_first_answer(server, ringing):
    assert play(server, 0, "tap", 4, key="k").seq == 5
    for fresh in (4, 5, 0, 99):
        assert play(server, 0, "tap", fresh, key="k").seq == 5
    play(server, 0, "ring", 5, key="l")
    answer = play(server, 0, "tap", 4, key="k")
    assert isinstance(answer, Repeated)
    assert (answer.seq, answer.match.seq) == (5, 6)
    assert len(log_of(server)) == 6


def test_a_key_with_another_move(server, ringing):
    play(server, 0, "tap", 4, key="k")
    play(server, 1, "tap", 4)
    assert play(server, 0, "ring", 5, key="k") == KeyReused(6)
    assert len(log_of(server)) == 6


def test_a_key_is_a_seats_own(server, ringing):
    assert [play(server, seat, "tap", 4, key="k").seq for seat in (0, 1, 2)] == [5, 6, 7]


def test_a_key_makes_no_repeat_of_an_equal_move(server, ringing):
    play(server, 0, "tap", 4, key="k")
    assert isinstance(play(server, 0, "tap", 4, key="l"), Stale)
    assert play(server, 0, "tap", 5, key="l").seq == 6


def test_a_key_is_forgotten_after_eight(server, ringing):
    for n in range(9):
        play(server, 0, "tap", 4 + n, key=f"k{n}")
    assert play(server, 0, "tap", 4, key="k1").seq == 6
    assert isinstance(play(server, 0, "tap", 4, key="k0"), Stale)


def test_without_a_key_the_same_move_for_the_same_turn(server, ringing):
    assert play(server, 0, "tap", 4).seq == 5
    play(server, 1, "tap", 5)
    answer = play(server, 0, "tap", 4)
    assert isinstance(answer, Repeated)
    assert (answer.seq, answer.match.seq) == (5, 6)
    assert isinstance(play(server, 0, "ring", 4), Stale)
    assert isinstance(play(server, 0, "tap", 3), Stale)
    assert play(server, 0, "tap", 5).seq == 7
    assert isinstance(play(server, 0, "tap", 4), Stale)
    assert play(server, 0, "tap", 6).seq == 7


def test_a_repeat_of_a_move_whose_seat_is_waited_for_no_more(server):
    write(server, M, *dealt(2))
    assert play(server, 0, "keep", 3).seq == 4
    assert play(server, 0, "keep", 3).seq == 4
    assert isinstance(play(server, 0, "keep", 2), Stale)
    assert play(server, 0, "keep", 4).refused.code == "NOT_YOUR_TURN"


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("key", [None, door.hashed_key("k")])
def test_ten_identical_commands(server, ringing, seed, key):
    chance = Random(seed)
    older = [None, ringing, server.talk(door.moment(M, 2))]
    talks = [door.play(M, chance.choice(older), 0, moved("tap"), key, 4) for _ in range(10)]
    answers = together(server, talks, chance)
    assert [answer.seq for answer in answers] == [5] * 10
    assert sorted(type(answer).__name__ for answer in answers) == ["Entered"] + ["Repeated"] * 9
    assert log_of(server)[4:] == [e.Played(0, log_of(server)[4].move, key)]


@pytest.mark.parametrize("seed", range(20))
def test_all_seats_at_once(server, ringing, seed):
    talks = [door.play(M, ringing, seat, moved("ring"), None, 4) for seat in (0, 1, 2)]
    answers = together(server, talks, Random(seed))
    assert sorted(answer.seq for answer in answers) == [5, 6, 7]
    for answer in answers:
        assert save(answer.match) == save(server.talk(door.moment(M, answer.seq)))


# Old memories


def test_an_old_memory_says_nothing_wrong(server, ringing):
    for n in range(3):
        play(server, 1, "tap", 4 + n)
    play(server, 0, "rest", 4, key="k")
    newest = server.talk(door.newest(M))

    def say(*args, **kwargs):
        return play(server, *args, known=ringing, **kwargs)

    assert say(0, "rest", 4) == Repeated(8, newest)
    assert say(0, "rest", 4, key="k") == Repeated(8, newest)
    assert say(0, "tap", 4, key="k") == KeyReused(8)
    assert say(0, "tap", 4) == Stale(newest)
    assert say(0, "tap", 8).refused.code == "ASLEEP"
    assert say(1, "ring", 4) == Stale(newest)
    assert say(1, "ring", 7).seq == 9
    assert say(2, "ring", 4).seq == 10


def test_a_refusal_is_judged_at_the_newest(server):
    old = write(server, M, *dealt(2))
    play(server, 0, "keep", 3)
    assert play(server, 1, "keep", 4, known=old).seq == 5
    assert isinstance(play(server, 1, "keep", 3, known=old), Stale)


def test_a_memory_of_a_log_that_is_gone(server, ringing):
    for n in range(3):
        gone = play(server, 0, "tap", 4 + n).match
    server.run("FLUSHALL")
    server.folder.begin()
    server.folder.book.clear()
    assert play(server, 0, "tap", 7, known=gone) == NoMatch()
    there = write(server, M, *dealt(3, game="bells"))
    assert play(server, 0, "tap", 7, known=gone) == Stale(there)
    for n in range(3):
        other = play(server, 0, "ring", 4 + n).match
    assert play(server, 1, "tap", 7, known=gone).match.seq == 8
    assert other.seq == gone.seq


def test_a_newest_match_of_another_release_is_folded_from_the_log(server, ringing):
    now = b"{0}:match:%s:now" % M.encode()
    snapshot = server.run("GET", now)
    server.run("SET", now, snapshot.replace(b'"schema":"', b'"schema":"0'))
    assert server.talk(door.newest(M)) == ringing
    assert play(server, 0, "tap", 4).seq == 5


def test_any_moment(server, bells):
    write(server, M, *dealt(2, game="bells"), *[played(n % 2, "ring") for n in range(130)])
    matches = [server.talk(door.moment(M, seq)) for seq in range(1, 134)]
    assert [match.seq for match in matches] == list(range(1, 134))
    assert server.talk(door.moment(M, 134)) is None
    server.ask(ledger.rebuild(M))
    assert server.talk(door.moment(M, 70)) == matches[69]


# Waiting


def test_it_waits_for_the_entry_before(server, ringing, monkeypatch):
    monkeypatch.setattr(door, "COMMITS", False)
    server.talk(door.play(M, ringing, 0, moved("tap"), None, 4))
    assert server.talk(door.newest(M)).seq == 4
    assert server.talk(door.play(M, ringing, 1, moved("tap"), None, 4)).seq == 6


def test_it_waits_five_seconds(server, ringing, monkeypatch):
    monkeypatch.setattr(door, "COMMITS", False)
    monkeypatch.setattr(server, "work", lambda: None)
    began = server.clock.ms
    assert play(server, 0, "tap", 4).seq == 5
    assert play(server, 1, "tap", 4) == Waits(None)
    assert 5000 <= server.clock.ms - began <= 5020


def test_it_waits_for_a_match_that_is_being_rebuilt(server, ringing):
    server.ask(ledger.rebuild(M))
    assert play(server, 0, "tap", 4).seq == 5


def test_a_match_that_is_parked_waits(server, ringing):
    at = append(server, M, 4, ringing.at).at
    why = ledger.Stuck(5, "0.0", "trace")
    server.ask(ledger.park(M, why, b"0-1"))
    assert play(server, 0, "tap", 4) == Waits(why)
    assert at == server.clock.ms


def test_refusals_write_nothing(server, ringing):
    play(server, 0, "rest", 4)
    assert isinstance(play(server, 0, "rest", 5, key="k"), NotAllowed)
    assert len(log_of(server)) == 5
    assert server.run("XLEN", "{0}:unfolded") == 0
