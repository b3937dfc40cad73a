"""The outbox: one row for each turn, seat and channel; what is sent of it, when, and how often."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from itertools import count

import pytest
from msgspec import ValidationError, convert

from engine import entries as e
from services import ledger
from services.notices import channels, outbox
from services.notices.channels import KINDS, Email, Feed, Webhook
from services.notices.how import How
from services.notices.outside import Failed, Gone
from services.wire import Lost
from tests.chaos.fake_server import FakeWire
from tests.engine.logs import joined, offered, played, player
from tests.workers.hall import M, N, table
from workers import notify
from workers.notify import BACKOFF, LEASE, Sender

HOUR = e.PerMove(3600)
ANN, BOB = player(0), player(1)


class AtOnce(Executor):
    def submit(self, do, *args):
        future = Future()
        try:
            future.set_result(do(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class Post:
    """A sender, where what it sends arrives, and what goes wrong with it."""

    def __init__(self, hall, monkeypatch) -> None:
        self.hall, self.got, self.fails = hall, list[tuple[str, str]](), list[Exception]()
        monkeypatch.setattr(notify, "letter", lambda id, channel, *_: (id, channel))
        self.sender = Sender(hall.wire, How(), AtOnce(), self.take)

    def take(self, letter) -> None:
        if self.fails:
            raise self.fails.pop()
        self.got.append(letter)

    def work(self, seconds: float = 0) -> list[str]:
        """What has come by then, by its kind and for whom, since last asked."""
        self.hall.clock.sleep(seconds)
        self.sender.turn(0)
        kinds = [id.rpartition("-")[2] for id, _ in self.got]
        self.got.clear()
        return kinds


@pytest.fixture
def post(hall, monkeypatch):
    return Post(hall, monkeypatch)


ids = count()


def channel(hall, who: str = ANN, to=None, wants=KINDS):
    to = to or Webhook(f"https://example.org/{next(ids)}")
    made = channels.made(to, wants, hall.clock.ms, "en")
    hall.server.ask(channels.put(who, made))
    return made


def waiting(hall) -> int:
    return hall.server.ask(outbox.count_waiting())


def test_a_turn_is_told_once_after_a_while(hall, post):
    hook = channel(hall)
    hall.write(M, *table())
    hall.hear()
    assert post.work(50) == []
    hall.sleep(15)
    post.sender.turn(0)
    assert post.got == [(f"{M}-0-3-{hook.id}-turn", hook)]
    post.got.clear()
    assert post.work(10_000) == []


def test_who_acts_at_once_is_not_told(hall, post):
    channel(hall)
    hall.write(M, *table())
    hall.hear()
    assert waiting(hall) == 1
    hall.write(M, played(0, "keep"))
    hall.hear()
    assert waiting(hall) == 0
    assert post.work(100) == []


def test_nor_if_react_has_not_heard_of_it_yet(hall, post):
    channel(hall)
    hall.write(M, *table())
    hall.hear()
    hall.write(M, played(0, "keep"))
    assert post.work(100) == []
    assert waiting(hall) == 0


@pytest.mark.parametrize("end", [e.Resigned(0), e.Aborted("operator")])
def test_what_ends_the_match_cancels_it(hall, post, end):
    channel(hall, wants=("turn", "reminder"))
    hall.write(M, *table(clock=HOUR))
    hall.hear()
    hall.write(M, end)
    hall.hear()
    assert waiting(hall) == 0
    assert post.work(10_000) == []


def test_no_restart_of_react_makes_it_anew(hall, post):
    channel(hall)
    hall.write(M, *table())
    hall.hear()
    assert post.work(100) == ["turn"]
    for name in "abc":
        hall.walk(hall.react(name))
        assert post.work(100) == []


def test_two_reacts_make_one_row(hall, post):
    channel(hall)
    hall.write(M, *table())
    one, other = hall.react("one"), hall.react("other")
    hall.walk(one)
    hall.walk(other)
    assert post.work(100) == ["turn"]


def test_a_react_that_is_behind_another_cancels_nothing(hall, post):
    channel(hall)
    *some, last = table()
    hall.write(M, *some)
    before = hall.match(M)
    hall.write(M, last)
    hall.hear()
    hall.react("behind").notices.put(M, before)
    assert post.work(100) == ["turn"]
    hall.react("behind").notices.put(M, before)
    hall.walk(hall.react("another"))
    assert post.work(100) == [], "not again"


def test_what_was_missed_is_made_good(hall, post):
    channel(hall)
    hall.write(M, *table())
    hall.walk(hall.react("another"))
    assert post.work(100) == ["turn"]


def test_each_channel_and_seat_has_its_own(hall, post):
    for who in (ANN, ANN, BOB):
        channel(hall, who)
    hall.write(M, *table(game="flipout"))
    hall.hear()
    both = len(hall.match(M).to_act) == 2
    assert sum(len(post.work(100)) for _ in range(3)) == (3 if both else 2)


def test_a_channel_is_told_nothing_of_what_was_before_it(hall, post):
    hall.write(M, *table())
    hall.sleep(5)
    channel(hall)
    hall.hear()
    assert post.work(100) == []
    hall.write(M, played(0, "keep"), played(1, "keep"))


def test_it_is_told_what_it_wants_only(hall, post):
    channel(hall, wants=("over",))
    hall.write(M, *table(clock=HOUR), e.Aborted("operator"))
    hall.hear()
    assert post.work(1) == ["over"]


def test_who_ended_the_match_knows(hall, post):
    channel(hall, ANN)
    channel(hall, BOB)
    hall.write(M, *table(), played(0, "keep"), played(1, "keep"))
    hall.hear()
    assert post.work(1) == ["over"]


def test_an_old_match_that_is_folded_again_is_no_news(hall, post):
    channel(hall)
    hall.write(M, *table(), e.Aborted("operator"))
    hall.clock.sleep(100_000)
    hall.hear()
    assert post.work(100) == []


def test_a_guest_is_told_of_the_invitation(hall, post):
    channel(hall, BOB)
    hall.write(M, offered(), joined(0), e.Invited(None, BOB))
    hall.hear()
    assert post.work(100) == ["invited"]
    hall.write(N, offered(), joined(0), e.Invited(None, BOB), joined(1))
    hall.hear()
    assert post.work(100) == []


@pytest.mark.parametrize("left", [[e.Left(1)], [joined(2), e.Resigned(1)]])
def test_a_guest_who_came_and_left_is_not_told_again(hall, post, left):
    channel(hall, BOB, wants=("invited",))
    hall.write(M, offered(None, None, None, leave="random"), joined(0), e.Invited(None, BOB))
    hall.hear()
    assert post.work(100) == ["invited"]
    for entry in (joined(1), *left):
        hall.write(M, entry)
        hall.hear()
        assert post.work(100) == []


def test_addresses_to_be_confirmed_and_feeds_are_sent_nothing(hall, post):
    channel(hall, to=Email("ann@example.org"))
    channel(hall, to=Feed())
    hall.write(M, *table())
    hall.hear()
    assert waiting(hall) == 0


# Reminders


def test_a_quarter_before_the_deadline_one_is_reminded(hall, post):
    channel(hall)
    hall.write(M, *table(clock=HOUR))
    hall.hear()
    assert post.work(100) == ["turn"]
    assert post.work(2590) == []
    assert post.work(20) == ["reminder"]
    hall.walk(hall.react("another"))
    assert post.work(500) == []


def test_a_deadline_that_moves_takes_its_reminder_along(hall, post):
    channel(hall, wants=("reminder",))
    hall.write(M, *table(clock=HOUR))
    hall.hear()
    hall.away(1000)
    hall.tick()
    assert post.work(1750) == []
    assert hall.match(M).due - hall.clock.ms < 1_900_000
    assert post.work(960) == ["reminder"]


def test_a_short_clock_reminds_nobody(hall, post):
    channel(hall, wants=("reminder",))
    hall.write(M, *table(clock=e.PerMove(120)))
    hall.hear()
    assert waiting(hall) == 0


# Sending


def test_what_is_not_taken_is_tried_again_later_each_time_and_given_up(hall, post):
    hook = channel(hall)
    hall.write(M, *table())
    hall.hear()
    hall.clock.sleep(100)
    for seconds in BACKOFF:
        post.fails.append(Failed("It answered 500."))
        assert post.work() == []
        assert post.work(seconds - 3) == []
        hall.sleep(5)
    post.fails.append(Failed("It answered 500."))
    assert post.work() == []
    assert waiting(hall) == 0
    [lost] = hall.server.ask(outbox.failed())
    assert (lost.id, lost.why) == (f"{M}-0-3-{hook.id}-turn", "It answered 500.")
    hall.walk(hall.react("another"))
    assert post.work(100_000) == []
    hall.server.talk(outbox.retry(lost, hall.clock.ms))
    assert post.work() == ["turn"]
    assert hall.server.ask(outbox.failed()) == []


def test_a_channel_that_nobody_wants_any_more_is_removed(hall, post):
    channel(hall)
    hall.write(M, *table())
    hall.hear()
    post.fails.append(Gone("It answered 410."))
    assert post.work(100) == []
    assert hall.server.ask(channels.of(ANN)) == []
    assert hall.server.ask(outbox.count_failed()) == 1


def test_a_channel_that_is_removed_is_sent_nothing(hall, post):
    hook = channel(hall)
    hall.write(M, *table())
    hall.hear()
    hall.server.ask(channels.remove(ANN, hook.id))
    assert post.work(100) == []
    assert waiting(hall) == 0


def test_what_a_dead_sender_had_in_hand_is_sent_under_the_same_id(hall, post, monkeypatch):
    channel(hall)
    hall.write(M, *table())
    hall.hear()
    hall.clock.sleep(100)

    class Dead(Exception):
        pass

    def die(name):
        raise Dead

    with monkeypatch.context() as patch:
        patch.setattr(outbox, "sent", die)
        with pytest.raises(Dead):
            post.sender.turn(0)
    other = Sender(FakeWire(hall.server.store), How(), AtOnce(), post.take)
    other.turn(0)
    assert len(post.got) == 1  # it was taken, and nobody wrote that down
    hall.clock.sleep(LEASE / 1000)
    other.turn(0)
    other.turn(0)
    first, second = post.got
    assert first == second


def test_two_senders_share_the_rows(hall, post):
    for _ in range(3):
        channel(hall)
    hall.write(M, *table())
    hall.hear()
    hall.clock.sleep(100)
    other = Sender(FakeWire(hall.server.store), How(), AtOnce(), post.take)
    for sender in (post.sender, other, post.sender, other):
        sender.turn(0)
    assert len({id for id, _ in post.got}) == len(post.got) == 3


def test_a_match_that_cannot_be_read_waits(hall, post, monkeypatch):
    channel(hall)
    hall.write(M, *table())
    hall.hear()
    hall.server.run("DEL", f"{{0}}:match:{M}:now")
    assert post.work(100) == []
    assert waiting(hall) == 1
    hall.server.ask(ledger.rebuild(M))
    hall.server.work()
    assert post.work(100) == ["turn"]


def test_a_server_that_goes_away_loses_nothing(hall, post, monkeypatch):
    channel(hall)
    hall.write(M, *table())
    hall.hear()

    def away(*_):
        raise Lost("away")

    with monkeypatch.context() as patch:
        patch.setattr(outbox, "sent", away)
        hall.clock.sleep(100)
        with pytest.raises(Lost):
            post.sender.turn(0)
    assert len(post.got) == 1
    post.sender.turn(0)
    assert post.work(1000) == ["turn"]  # the one that was taken before; no other
    assert waiting(hall) == 0


def test_a_mailed_code_is_guessed_a_few_times_only(hall):
    made = channel(hall, to=Email("ann@example.org"))
    talk = hall.server.talk
    for _ in range(channels.GUESSES):
        assert not talk(channels.confirm(ANN, made.id, "x"))
    assert not talk(channels.confirm(ANN, made.id, made.code))
    again = channel(hall, to=Email("ann@example.org"))
    assert talk(channels.confirm(ANN, again.id, again.code))
    assert hall.server.ask(channels.one(ANN, again.id)).confirmed


def test_nor_more_often_if_all_guesses_are_sent_at_once(hall):
    made, asked = channel(hall, to=Email("ann@example.org")), hall.server.ask
    guesses = [*["x"] * 20, made.code]
    talks = {n: channels.confirm(ANN, made.id, code) for n, code in enumerate(guesses)}
    asks, said = {n: next(talk) for n, talk in talks.items()}, {}
    while asks:
        for n, ask in [*asks.items()]:
            try:
                asks[n] = talks[n].send(asked(ask))
            except StopIteration as end:
                said[n] = end.value
                del asks[n]
    assert not any(said.values())


def test_a_player_has_a_few_codes_mailed_in_a_day_to_whomever(hall):
    may = [
        hall.server.talk(channels.may_mail(ANN, f"{n}@example.org"))
        for n in range(channels.ASKED + 1)
    ]
    assert may == [True] * channels.ASKED + [False]
    assert hall.server.talk(channels.may_mail(BOB, "bob@example.org"))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Email, {"type": "email", "address": "ann@example.org\n"}),
        (Webhook, {"type": "webhook", "url": "https://example.org/\n"}),
    ],
)
def test_no_address_has_a_line_after_it(kind, said):
    """Of a mail that would be a header."""
    assert convert({name: text.rstrip() for name, text in said.items()}, kind)
    with pytest.raises(ValidationError):
        convert(said, kind)


def test_what_opens_a_channel_opens_no_other(hall):
    one, other = channel(hall, to=Feed()), channel(hall, to=Feed())
    talk = hall.server.talk
    assert talk(channels.opened(channels.pass_of(ANN, one))) == (ANN, one)
    for wrong in (f"{ANN}-{one.id}-{other.secret}", f"{BOB}-{one.id}-{one.secret}", "", "x", "--"):
        assert talk(channels.opened(wrong)) is None
