"""Offers, chairs, leaving: whatever at the door is no move."""

from random import Random

import pytest
from msgspec import Raw, json, structs

from engine import entries as e
from engine.catalogue import GAMES
from engine.match import No
from engine.snapshot import save
from services import door, ledger, offers, seats
from services.door import Entered, Invalid, NoMatch, NotAllowed, Repeated
from tests.engine.logs import dealt, entropy, joined, offered, player
from tests.ledger.hands import M, play, together, write

pytestmark = pytest.mark.parametrize("commits", [False, True], indirect=True)


def join(server, who, chair=None, entropy_of=None):
    talk = seats.join(M, player(who), chair, entropy(who if entropy_of is None else entropy_of))
    answer = server.talk(talk)
    server.work()
    return answer


# Offers


def test_offer(server):
    answer = server.talk(offers.offer(M, offered(None, "random")))
    assert isinstance(answer, Entered)
    assert (answer.seq, answer.match.status) == (1, "open")
    server.work()
    assert save(answer.match) == server.ask(ledger.newest(M))


def test_an_offer_to_robots_alone_is_dealt(server):
    answer = server.talk(offers.offer(M, offered("random", "greedy")))
    assert answer.match.status == "running"


@pytest.mark.parametrize(
    "change",
    [
        {"seats": (None,) * 20},
        {"seats": ()},
        {"game": "no-game"},
        {"rules": 99},
        {"format": 2},
        {"options": Raw(b'{"cards":3}')},
        {"options": Raw(b'{"jokers":3}')},
        {"secret": "short"},
        {"by": "Ann"},
    ],
)
def test_an_offer_that_cannot_be_dealt_is_not_written(server, change):
    bad = structs.replace(offered(), **change)
    assert isinstance(server.talk(offers.offer(M, bad)), Invalid)
    assert server.ask(ledger.ends(M)) == (0, 0)


def test_an_offer_that_setup_refuses_is_not_written(server, bells, monkeypatch):
    def setup(options, seats, dice):
        raise ValueError("the bells are cracked")

    monkeypatch.setattr(bells, "setup", setup)
    answer = server.talk(offers.offer(M, offered(None, game="bells")))
    assert answer == Invalid("the bells are cracked")
    assert server.ask(ledger.ends(M)) == (0, 0)


@pytest.mark.parametrize("seed", range(5))
def test_a_name_is_offered_once(server, seed):
    rivals = [offered(*[None] * seats, secret=f"{n:064}") for n, seats in enumerate((2, 2, 3, 3))]
    answers = together(server, [offers.offer(M, one) for one in rivals], Random(seed))
    kinds = sorted(type(answer).__name__ for answer in answers)
    assert kinds == ["Entered", "KeyReused", "KeyReused", "Repeated"]
    assert len(server.ask(ledger.log(M))) == 1


def test_an_offer_made_from_words():
    made = offers.offered("high-card", b"{}", player(1), [None, "random"], e.Policy())
    assert bytes(made.options) == json.encode(GAMES["high-card"].Options())
    assert made.rules == GAMES["high-card"].RULES
    again = offers.offered("high-card", b"{}", player(1), [None, "random"], e.Policy())
    assert made.secret != again.secret
    for options, chairs in ((b'{"cards":3}', 2), (b'{"x":1}', 2), (b"[]", 2), (b"{}", 11)):
        assert isinstance(
            offers.offered("high-card", options, None, [None] * chairs, e.Policy()), Invalid
        )


# Chairs


def test_join_any_chair_and_a_certain_one(server):
    write(server, M, offered(None, None, None))
    assert join(server, 1, chair=1).seq == 2
    assert join(server, 2).match.holders[0].player == player(2)
    last = join(server, 3)
    assert last.match.status == "running"
    assert save(last.match) == server.ask(ledger.newest(M))


def test_join_repeated(server):
    write(server, M, offered(None, None))
    join(server, 1, chair=1)
    for chair in (None, 1):
        answer = join(server, 1, chair)
        assert isinstance(answer, Repeated)
        assert answer.seq == 2
    join(server, 2)
    assert join(server, 1).seq == 2
    server.talk(door.play(M, None, 0, b'{"type":"keep"}', None, 3))
    assert join(server, 1).seq == 2
    assert join(server, 2).seq == 3


def test_joined_again_after_leaving(server):
    write(server, M, offered(None, None), joined(0), e.Left(0), joined(1), joined(0))
    assert join(server, 0).seq == 5


@pytest.mark.parametrize(("chair", "entropy_of"), [(1, 9), (None, 9), (0, 1)])
def test_join_again_with_other_words(server, chair, entropy_of):
    write(server, M, offered(None, None), joined(1))
    answer = join(server, 1, chair, entropy_of)
    assert answer.refused.code == No.SEATED_ALREADY.name


def test_no_chair(server):
    assert join(server, 1) == NoMatch()
    write(server, M, offered(None, "random", None))
    assert join(server, 1, chair=1).refused.code == No.SEAT_TAKEN.name
    assert join(server, 1, chair=7).refused.code == No.NO_SUCH_SEAT.name
    assert join(server, 1, chair=-1).refused.code == No.NO_SUCH_SEAT.name
    for who in (1, 2):
        join(server, who)
    assert join(server, 3).refused.code == No.DEALT.name


def test_no_chair_when_aborted(server):
    write(server, M, offered(), e.Aborted("withdrawn"))
    assert join(server, 1).refused.code == No.OVER.name


@pytest.mark.parametrize("seed", range(8))
def test_fifty_for_the_last_two_chairs(server, seed):
    write(server, M, offered(*[None] * 4), joined(0), joined(1))
    talks = [seats.join(M, player(n), None, entropy(n)) for n in range(10, 60)]
    answers = together(server, talks, Random(seed))
    entered = [answer for answer in answers if isinstance(answer, Entered)]
    refused = [answer for answer in answers if isinstance(answer, NotAllowed)]
    assert sorted(answer.seq for answer in entered) == [4, 5]
    assert {answer.refused.code for answer in refused} == {No.DEALT.name}
    assert len(refused) == 48
    last = max(entered).match
    assert save(last) == server.ask(ledger.newest(M))
    assert len({holder.player for holder in last.holders}) == 4


@pytest.mark.parametrize("seed", range(8))
def test_ten_times_the_same_join(server, seed):
    write(server, M, offered(None, None, None))
    talks = [seats.join(M, player(n), None, entropy(n)) for n in (1, 2) for _ in range(10)]
    answers = together(server, talks, Random(seed))
    assert len(server.ask(ledger.log(M))) == 3
    for same in (answers[:10], answers[10:]):
        assert len({answer.seq for answer in same}) == 1
        assert sum(isinstance(answer, Entered) for answer in same) == 1


# Leaving, resigning, expiring, aborting


def test_whatever_else_is_entered(server):
    write(server, M, *dealt(2))
    answer = server.talk(door.enter(M, lambda match: e.Resigned(match.to_act[0])))
    assert answer.match.outcome.places == (2, 1)
    server.work()
    answer = server.talk(door.enter(M, lambda match: e.Resigned(1)))
    assert answer.refused.code == No.OVER.name
    assert server.talk(door.enter(M, lambda match: No.NOT_SEATED)).refused.code == "NOT_SEATED"
    assert server.ask(ledger.ends(M))[0] == 4


@pytest.mark.parametrize("leave", ["end", "random"])
def test_resigned_again(server, leave):
    write(server, M, *dealt(2, leave=leave))
    first = server.talk(seats.resign(M, player(1)))
    server.work()
    again = server.talk(seats.resign(M, player(1)))
    assert (first.seq, again.seq) == (4, 4)
    assert (type(first), type(again)) == (Entered, Repeated)
    assert server.ask(ledger.ends(M))[0] == 4


def test_resigned_again_long_after(server, bells):
    write(server, M, *dealt(3, game="bells", leave="random"), e.Resigned(1), e.Resigned(0))
    for n in range(3):
        play(server, 2, "ring", 6 + n)
    assert [server.talk(seats.resign(M, player(n))).seq for n in (0, 1)] == [6, 5]


def test_only_who_has_resigned_does_so_again(server):
    assert server.talk(seats.resign(M, player(0))) == NoMatch()
    write(server, M, offered(), joined(0))
    assert server.talk(seats.resign(M, player(0))).refused.code == No.NOT_DEALT.name
    match = write(server, M, joined(1))
    assert server.talk(seats.resign(M, player(2))).refused.code == No.NOT_SEATED.name
    write(server, M, e.Resigned(1))
    for n in (0, 2):
        assert server.talk(seats.resign(M, player(n))).refused.code == No.OVER.name
    assert server.ask(ledger.ends(M))[0] == match.seq + 1


def test_whose_time_was_up_has_not_resigned(server):
    write(server, M, *dealt(2, leave="random", **CLOCK))
    server.clock.sleep(61)
    write(server, M, e.Expired(0))
    assert server.talk(seats.resign(M, player(0))).refused.code == No.NOT_SEATED.name


@pytest.mark.parametrize("seed", range(8))
def test_ten_times_the_same_resignation(server, seed):
    write(server, M, *dealt(2, leave="greedy"))
    answers = together(server, [seats.resign(M, player(0)) for _ in range(10)], Random(seed))
    assert {answer.seq for answer in answers} == {4}
    assert sum(isinstance(answer, Entered) for answer in answers) == 1


@pytest.mark.parametrize("seed", range(10))
def test_a_resignation_and_a_move_at_once(server, seed):
    match = write(server, M, *dealt(2))
    talks = [
        door.enter(M, lambda match: e.Resigned(1)),
        door.play(M, match, 0, b'{"type":"keep"}', None, 3),
    ]
    resigned, moved = together(server, talks, Random(seed))
    assert isinstance(resigned, Entered)
    assert resigned.match.over
    assert isinstance(moved, Entered) == (resigned.seq == 5)


CLOCK, HOUR = {"clock": {"type": "move", "seconds": 60}}, 3_600_000


def test_expired_not_before_its_time(server):
    match = write(server, M, *dealt(2, **CLOCK))
    server.clock.sleep(59.999)
    answer = server.talk(door.enter(M, lambda match: e.Expired(0)))
    assert answer.refused.code == No.TOO_EARLY.name
    server.clock.sleep(0.001)
    answer = server.talk(door.enter(M, lambda match: e.Expired(0)))
    assert answer.match.outcome.places == (2, 1)
    assert answer.match.at == match.at + 60_000


@pytest.mark.parametrize("off", [-HOUR, HOUR])
def test_what_the_time_judges_is_judged_by_the_ledgers(server, monkeypatch, off):
    write(server, M, *dealt(2, **CLOCK))
    monkeypatch.setattr(door, "now", lambda: server.clock.ms + off)
    since, until = server.clock.ms, server.clock.ms + 1000
    for entry in (e.Expired(0), e.Stopped(since, until, "downtime")):
        answer = server.talk(door.enter(M, lambda match, entry=entry: entry))
        assert answer.refused.code == No.TOO_EARLY.name
    server.clock.sleep(60)
    for entry in (e.Stopped(since, until, "downtime"), e.Expired(0)):
        answer = server.talk(door.enter(M, lambda match, entry=entry: entry))
        assert isinstance(answer, door.Entered | door.NotAllowed)
        server.work()
    assert server.talk(door.newest(M)).seq == 4
    assert answer.refused.code == No.TOO_EARLY.name, "a second was taken off"


def test_the_answer_to_expired_is_the_ledgers_even_if_its_clock_is_set_back(server, monkeypatch):
    write(server, M, *dealt(2, **CLOCK))
    hour = server.clock.ms + HOUR
    monkeypatch.setattr(ledger, "clock", lambda shard: ledger.Ask(("TIME",), lambda _: hour))
    answer = server.talk(door.enter(M, lambda match: e.Expired(0)))
    server.work()
    newest = server.talk(door.newest(M))
    assert newest.seq == 4
    assert not newest.over
    assert save(answer.match) == save(newest)
    assert answer.verdict.code == No.TOO_EARLY.name
