"""The client plays, waits and audits; whatever breaks under it, each command is done once and each
thing is heard once."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from random import Random
from threading import Thread

import httpx
import pytest

from engine import entries as e
from services import ledger
from services.client import (
    Away,
    Client,
    End,
    Here,
    Jotted,
    Look,
    Matches,
    Moved,
    News,
    Problem,
    Refused,
    Reset,
    Stale,
)
from services.client.feeds import Frame, frames
from tests.http.overdue import overdue

KEEP, TRADE = {"type": "keep"}, {"type": "trade"}


class Road(httpx.HTTPTransport):
    """The way to the server, on which `breaks` may happen to the n-th request (from 1)."""

    def __init__(self, breaks: dict[int, Callable[[Road, httpx.Request], httpx.Response]]) -> None:
        super().__init__(verify=False)
        self.breaks, self.sent = breaks, []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        happens = self.breaks.get(len(self.sent))
        return happens(self, request) if happens else super().handle_request(request)

    def really(self, request: httpx.Request) -> httpx.Response:
        return super().handle_request(request)


def no_way(road: Road, request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("no way", request=request)


def answer_lost(road: Road, request: httpx.Request) -> httpx.Response:
    road.really(request).read()
    raise httpx.ReadError("lost", request=request)


def turned_away(status: int) -> Callable[[Road, httpx.Request], httpx.Response]:
    return lambda road, request: httpx.Response(status, headers={"retry-after": "0"})


def bad(status: int) -> Callable[[Road, httpx.Request], httpx.Response]:
    return lambda road, request: httpx.Response(status, text="<html>a proxy's page</html>")


class Cut(httpx.SyncByteStream):
    """A body that breaks off after so many bytes, or where a mark stands in a chunk."""

    def __init__(self, inner: httpx.SyncByteStream, most: int, mark: bytes) -> None:
        self.inner, self.most, self.mark = inner, most, mark

    def __iter__(self) -> Iterator[bytes]:
        left = self.most
        for chunk in self.inner:
            at = chunk.find(self.mark) if self.mark in chunk else left
            yield chunk[:at]
            if at < len(chunk):
                raise httpx.ReadError("cut")
            left -= len(chunk)

    def close(self) -> None:
        self.inner.close()


def cut(most: int = 1_000_000, mark: bytes = b"never"):
    def happens(road: Road, request: httpx.Request) -> httpx.Response:
        response = road.really(request)
        response.stream = Cut(response.stream, most, mark)
        return response

    return happens


@pytest.fixture
def client(api) -> Iterator[Callable[..., Client]]:
    """Makes clients whose way to the server may break; without a name they watch."""
    made: list[Client] = []

    def one(name: str | None = None, breaks=None, **how) -> Client:
        road = Road({})
        http = httpx.Client(base_url=api, transport=road, timeout=20)
        how = {"http": http, "pause": 0.01} | how
        one = Client(api, **how) if name is None else Client.register(api, name, **how)
        road.sent.clear()
        road.breaks = breaks or {}
        one.road = road
        made.append(one)
        return one

    yield one
    for each in made:
        each.close()


def dealt(
    client: Callable[..., Client], game: str = "high-card", **how
) -> tuple[str, list[Client]]:
    """A match and its two players, by seat."""
    players = [client("Ann"), client("Bob")]
    match = players[0].offer(game, 2).match
    for player in players:
        player.join(match)
    return match, sorted(players, key=lambda player: player.look(match).viewer)


@pytest.mark.parametrize(("scheme", "loaded"), [("http", 0), ("HTTP", 0), ("https", 1)])
def test_certificates_are_loaded_for_tls_alone(monkeypatch, scheme, loaded):
    made, honest = [], ssl.create_default_context
    monkeypatch.setattr(ssl, "create_default_context", lambda **how: made.append(honest(**how)))
    Client(f"{scheme}://127.0.0.1").close()
    assert len(made) == loaded


def test_a_match_from_the_offer_to_the_audit(client):
    match, (ann, bob) = dealt(client)
    look = ann.my_turn(match)
    assert ann.play(look, TRADE).facts[0]["type"] == "traded"
    made = bob.play(bob.look(match), KEEP)
    assert made.look.status == "over"
    for who in (ann, bob, client()):
        steps = list(who.replay(match, viewer="open"))
        assert [step.seq for step in steps] == [1, 2, 3, 4, 5]
        assert who.look(match, viewer="open").outcome == steps[-1].outcome
        assert who.audit(match).ok
        assert set(who.kept(match).heads) == {1, 2, 3, 4, 5}
    assert len(ann.kept(match).entropies) == 1
    ann.forget(match)
    assert ann.kept(match).heads == {}


def test_a_move_is_built_piece_by_piece(client):
    match, players = dealt(client, "qwirkle")
    look = next(look for look in (p.look(match) for p in players) if look.legal)
    player = players[look.viewer]
    move = look.legal[0].move
    while True:
        grown = player.grow(look, move)
        if not grown:
            break
        move = grown[0].move
    assert player.play(look, move).seq == look.seq + 1


def test_lists_page_by_page(client, stage):
    ann = client("Ann")
    me = ann.me()
    assert me.name == "Ann"
    names = [ann.offer("high-card", 2).match for _ in range(3)]
    wire = stage.wire()
    for n, name in enumerate(names):  # as react would; there is none on this stage
        wire.ask(ledger.index(f"player:{me.player}", name, n))
    wire.close()
    ann.road.sent.clear()
    listed = ann.matches(player=me.player, limit="1")
    assert [summary.match for summary in listed] == names[::-1]
    assert len(ann.road.sent) == 3


@pytest.mark.parametrize(
    "happens", [no_way, answer_lost, turned_away(429), turned_away(503)], ids=lambda f: f.__name__
)
def test_a_command_is_sent_again_and_done_once(client, happens):
    match, (ann, bob) = dealt(client)
    look = ann.look(match)
    ann.road.sent.clear()
    ann.road.breaks = {1: happens, 2: happens}
    assert ann.play(look, TRADE).seq == look.seq + 1
    keys = {request.headers["idempotency-key"] for request in ann.road.sent}
    assert (len(ann.road.sent), len(keys)) == (3, 1)
    assert bob.look(match).seq == look.seq + 1


def test_an_offer_and_a_join_whose_answers_are_lost(client):
    ann = client("Ann", {1: answer_lost, 4: answer_lost})
    match = ann.offer("high-card", 2).match
    assert ann.join(match).seq == 2
    assert ann.look(match).seq == 2


def test_what_has_no_key_is_not_repeated_blindly(client):
    ann = client("Ann")
    match = ann.offer("high-card", 2).match
    ann.road.breaks = {len(ann.road.sent) + 1: answer_lost}
    with pytest.raises(Away):
        ann.abort(match)
    assert ann.look(match).aborted == "withdrawn"


def test_a_stale_move_says_what_was_missed(client):
    match, (ann, bob) = dealt(client)
    old = bob.look(match)
    ann.play(ann.look(match), TRADE)
    with pytest.raises(Stale) as stale:
        bob.play(old, KEEP)
    assert (stale.value.seq, stale.value.name) == (4, "stale")
    assert [news.seq for news in stale.value.missed] == [4]
    assert stale.value.missed[0].facts[0]["card"] is None


def test_a_refusal_names_the_rule(client):
    match, (_, bob) = dealt(client)
    with pytest.raises(Refused) as refused:
        bob.play(bob.look(match), KEEP)
    assert refused.value.code == "NOT_YOUR_TURN"
    assert refused.value.wrong.says in str(refused.value)


def test_other_problems(client):
    with pytest.raises(Problem) as wrong:
        client("Ann").look("0-aaaaaaaaaaaaaaaa")
    assert wrong.value.name == "no-such-thing"
    with pytest.raises(Problem) as wrong:
        client(breaks={1: bad(502)}).me()
    assert wrong.value.name == "not-ours"


@pytest.mark.parametrize(("happens", "error"), [(no_way, Away), (turned_away(503), Problem)])
def test_patience_ends(client, happens, error):
    ann = client(breaks=dict.fromkeys(range(1, 1000), happens), patience=0.05)
    with pytest.raises(error):
        ann.me()
    with pytest.raises(error):
        next(ann.feed("0-aaaaaaaaaaaaaaaa"))


def test_who_is_told_to_come_back_much_later_does_not_wait(client):
    later = httpx.Response(429, headers={"retry-after": "3600"}, text="{}")
    ann = client(breaks={1: lambda road, request: later})
    with pytest.raises(Problem):
        ann.me()


def test_a_feed_that_was_quiet_for_long_is_not_given_up(client):
    match, (ann, _) = dealt(client)
    watcher = client(breaks={1: cut(mark=b"id: 4")}, patience=0.2)
    feed = told(watcher.feed(match))
    assert next(feed).seq == 3
    time.sleep(0.3)
    ann.play(ann.look(match), TRADE)
    ann.resign(match)
    assert shape(list(feed)) == [(News, 4), (News, 5), (End, None)]
    assert len(watcher.road.sent) == 2


def test_an_entry_that_waits_for_its_worker(client, monkeypatch):
    """202 is no answer yet: the client comes back with one."""
    match, (ann, _) = dealt(client)
    look = ann.look(match)
    asynchronously = {"prefer": "respond-async"}
    ann._http.headers.update(asynchronously)
    made = ann.play(look, TRADE)
    assert ann.road.sent[-1].method == "GET"
    assert (made.seq, made.facts[0]["type"], made.look.seq) == (4, "traded", 4)


def test_tokens_are_made_listed_and_revoked(client):
    ann, other = client("Ann"), client()
    phone = ann.new_token("phone")
    assert [token.name for token in ann.tokens()] == ["first", "phone"]
    assert phone.token not in str(ann.tokens())
    other._is(phone.token)
    assert other.me() == ann.me()
    ann.revoke(phone.id)
    with pytest.raises(Problem):
        other.me()


def test_guests_are_invited_once_however_the_answer_is_lost(client):
    match, (ann, bob) = dealt(client)
    eve, ivo = client("Eve"), client("Ivo")
    for guest in (eve, ivo):
        ann.road.breaks = {len(ann.road.sent) + 1: answer_lost}
        ann.invite(match, guest.me().player)
    first, second = bob.guests(match)
    assert (first.player, second.admitted) == (eve.me().player, ())
    bob.uninvite(match, ivo.me().player)
    ann.admit(match, eve.me().player)
    bob.road.breaks = {len(bob.road.sent) + 1: answer_lost}
    bob.admit(match, eve.me().player)
    assert [sorted(one.admitted) for one in bob.guests(match)] == [[0, 1]]
    assert eve.look(match).viewer == "open"


def test_notes_are_written_whatever_becomes_of_the_answer(client):
    match, (ann, _) = dealt(client)
    ann.road.breaks = {len(ann.road.sent) + 1: answer_lost}
    assert ann.note(match, 2, "hm") == ann.notes(match) == [Jotted(2, "hm")]
    assert ann.note(match, 2, "") == []


def test_orders_are_given_once_whatever_becomes_of_the_answer(client):
    match, (_, bob) = dealt(client)
    bob.road.breaks = {len(bob.road.sent) + 1: answer_lost}
    [given] = bob.order(match, {"type": "keep"}, {"type": "kept"}).orders
    assert (given.when, given.void) == ({"type": "kept"}, None)
    bob.withdraw(match, given.id)
    assert bob.orders(match).orders == ()


def test_what_a_table_votes_on(client):
    ann, bob, cem, dan = (client(name) for name in ("Ann", "Bob", "Cem", "Dan"))
    clock = {"type": "move", "seconds": 3600}
    match = ann.offer("high-card", 3, policy={"order": "joined", "clock": clock}).match
    for one in (ann, bob, cem):
        one.join(match)

    def agree(what: e.What, by: Client, *others: Client) -> Look:
        asked = by.propose(match, what)
        assert (asked.look.proposal.seq, asked.look.proposal.what) == (asked.seq, what)
        return [one.answer(match, asked.seq, True).look for one in others][-1]

    assert agree(e.Pause(), ann, bob, cem).paused is not None
    assert cem.resume(match).look.paused is None
    end = bob.propose(match, e.End())
    assert cem.answer(match, end.seq, False).look.proposal is None
    with pytest.raises(Refused) as late:
        ann.answer(match, end.seq, True)
    assert late.value.code == "NO_VOTE"
    agree(e.Replace(0, player=dan.me().player), bob, cem, ann)
    assert dan.come_back(match).look.viewer == 0
    with pytest.raises(Problem) as gone:
        ann.come_back(match)
    assert gone.value.name == "not-yours"
    kept = dan.play(dan.my_turn(match), KEEP)
    assert agree(e.Back(kept.seq), dan, bob, cem).to_act == (0,)
    assert agree(e.End(), dan, bob, cem).aborted == "agreed"


def test_who_is_late_loses_a_seat_by_a_claim_and_comes_back(client, stage):
    ann, bob, cem = (client(name) for name in ("Ann", "Bob", "Cem"))
    wire = stage.wire()
    match = overdue(wire, *(one.me().player for one in (ann, bob, cem)))
    wire.close()
    assert bob.look(match).claimable == (0,)
    with pytest.raises(Refused) as early:
        cem.claim(match, 1)
    assert early.value.code == "NO_CLAIM"
    assert bob.claim(match).look.seats[0].gone == "expired"
    assert ann.come_back(match).look.seats[0].robot is None


def test_waiting_for_my_turn(client):
    players = [client("Ann"), client("Bob")]
    match = players[0].offer("high-card", 2).match
    outcomes: list[Look] = []

    def plays(player: Client) -> None:
        player.join(match)
        while (look := player.my_turn(match)).status != "over":
            player.play(look, KEEP)
        outcomes.append(look)

    threads = [Thread(target=plays, args=(player,), daemon=True) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert [look.outcome is not None for look in outcomes] == [True, True]


def told(events: Iterable) -> Iterator:
    """But for who looks."""
    return (event for event in events if not isinstance(event, Here))


def shape(events: list) -> list[tuple[type, int | None]]:
    return [(type(event), getattr(event, "seq", None)) for event in events]


WHOLE = [(News, 1), (News, 2), (News, 3), (News, 4), (News, 5), (End, None)]


def test_a_feed_cut_at_every_byte_is_as_one_that_never_was(client):
    match, (ann, bob) = dealt(client)
    ann.play(ann.look(match), TRADE)
    bob.play(bob.look(match), KEEP)
    whole = list(ann.feed(match, 0))
    assert shape(whole) == WHOLE
    chance = Random(1)
    for _ in range(20):
        n = len(ann.road.sent)
        ann.road.breaks = {n + k: cut(chance.randrange(900)) for k in range(1, 5)}
        assert list(ann.feed(match, 0)) == whole
        assert len(ann.road.sent) > n + 1


def test_a_feed_goes_on_by_itself(client):
    match, (ann, bob) = dealt(client)
    watcher = client(breaks={1: no_way, 2: turned_away(429), 3: cut(mark=b"id: 5"), 4: answer_lost})
    feed = told(watcher.feed(match))
    found = [next(feed)]
    ann.play(ann.look(match), TRADE)
    found.append(next(feed))
    bob.play(bob.look(match), KEEP)
    found += feed
    assert shape(found) == [(Look, 3), (News, 4), (News, 5), (End, None)]
    assert len(watcher.road.sent) == 5
    assert shape(list(watcher.feed(match, 5))) == [(End, None)]
    assert watcher.audit(match).ok


def test_a_reset_comes_once_and_with_its_look(client):
    match, (ann, _) = dealt(client)
    ann.resign(match)
    assert shape(list(ann.feed(match, 99))) == [(Reset, None), (Look, 4), (End, None)]
    n = len(ann.road.sent)
    ann.road.breaks = {n + 1: cut(60), n + 2: cut(100)}
    assert shape(list(ann.feed(match, 99))) == [(Reset, None), (Look, 4), (End, None)]


def test_the_feed_of_many(client):
    match, (ann, _) = dealt(client)
    feed = client().feed_of_many()
    assert isinstance(next(feed), Matches)
    ann.play(ann.look(match), TRADE)
    moved = next(one for one in feed if one.match == match)
    assert (type(moved), moved.seq, moved.game, moved.to_act) == (Moved, 4, "high-card", (1,))
    feed.close()
    with pytest.raises(Problem):
        next(client().feed_of_many(mine=True))


def test_an_api_that_dies_under_it(stage):
    api = stage.api().ready()
    players = [Client.register(api.base, name, pause=0.05) for name in ("Ann", "Bob")]
    match = players[0].offer("high-card", 2).match
    for player in players:
        player.join(match)
    ann, bob = sorted(players, key=lambda player: player.look(match).viewer)
    look, feed = ann.look(match), told(bob.feed(match))
    assert next(feed).seq == 3
    api.kill()
    api.start()
    assert ann.play(look, TRADE).seq == 4
    bob.resign(match)
    assert shape(list(feed)) == [(News, 4), (News, 5), (End, None)]
    assert bob.audit(match).ok
    for player in players:
        player.close()
    api.stop()


def test_frames_however_the_bytes_are_cut():
    text = (
        'retry: 1000\n\nevent: look\nid: 3\ndata: {"a":"\u2028"}\n\n:\n\nevent: end\ndata: {}\n\n'
    )
    raw = text.encode()
    wanted = [Frame("look", '{"a":"\u2028"}'.encode()), Frame("end", b"{}")]
    for size in range(1, len(raw)):
        chunks = [raw[i : i + size] for i in range(0, len(raw), size)]
        assert list(frames(chunks)) == wanted
    assert list(frames([raw[:-1]])) == wanted[:1]
