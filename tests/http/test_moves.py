"""Moves over HTTP: what each answer is, and that a command counts once."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from signal import SIGCONT, SIGSTOP
from typing import Any

import pytest

from services import ledger
from services.ledger import Ask
from services.wire import Lost
from tests.http.people import LOOK, problem, table
from tests.http.stage import until

KEEP, TRADE = {"type": "keep"}, {"type": "trade"}


@pytest.fixture
def dealt(make):
    """A match of High card and its two players by seat; seat 0 is to act, at seq 3."""
    return table(make)


def test_a_move_is_taken(dealt):
    match, (ann, bob) = dealt
    before = ann.look(match)
    moved = ann.play(match, TRADE, 3)
    answer = moved.json()
    assert moved.status_code == 201
    assert set(answer) == {"seq", "at", "head", "facts", "look"}
    assert moved.headers["etag"] == '"4"'
    assert moved.headers["location"] == f"/matches/{match}/look?seq=4"
    assert answer["look"] == ann.look(match)
    assert set(answer["look"]) == LOOK
    assert answer["head"] == answer["look"]["head"] != before["head"]
    [card] = [fact["card"] for fact in answer["facts"]]
    assert card == answer["look"]["view"]["hands"][0]
    assert bob.look(match)["view"]["hands"][0] is None
    assert ann.get(moved.headers["location"]).json() == answer["look"]


def test_a_move_may_be_left_to_the_fold(dealt):
    match, (ann, _) = dealt
    moved = ann.play(match, KEEP, 3, prefer="respond-async")
    assert (moved.status_code, moved.content) == (202, b"")
    assert moved.headers["location"] == f"/matches/{match}/look?seq=4"
    assert moved.headers["preference-applied"] == "respond-async"
    assert until(lambda: ann.get(moved.headers["location"]).status_code == 200)


def test_a_stale_move_is_told_what_it_missed(dealt):
    match, (ann, bob) = dealt
    ann.play(match, TRADE, 3)
    stale = bob.play(match, KEEP, 2)
    assert problem(stale) == "412 stale"
    assert stale.json()["seq"] == 4
    seqs = [news["seq"] for news in stale.json()["missed"]]
    assert seqs == [3, 4]
    assert stale.json()["missed"][1]["facts"] == [{"type": "traded", "seat": 0, "card": None}]
    ahead = bob.play(match, KEEP, 9)
    assert problem(ahead) == "412 stale"
    assert ahead.json()["missed"] == []


def test_too_long_ago_to_tell(make):
    """Over 256 entries."""
    match, (ann,) = table(make, "together", 1, options={"rounds": 300})
    seq = ann.look(match)["seq"]
    for i in range(260):
        assert ann.play(match, CHOICE, seq + i).status_code == 201
    stale = ann.play(match, {"type": "choose", "number": 2}, seq)
    assert problem(stale) == "412 stale"
    assert stale.json()["missed"] is None


CHOICE = {"type": "choose", "number": 1}


def test_what_the_rules_refuse(dealt):
    match, (ann, bob) = dealt
    refused = bob.play(match, KEEP, 3)
    assert problem(refused) == "422 refused"
    said = refused.json()
    assert (said["code"], said["rule"], said["seq"]) == ("NOT_YOUR_TURN", "H2", 3)
    assert said["says"] == "It is another seat's turn."
    assert ann.look(match)["seq"] == 3


def test_before_the_deal(make):
    ann = make()
    refused = ann.play(ann.offer(), KEEP, 2)
    assert problem(refused) == "422 refused"
    assert refused.json()["code"] == "NOT_DEALT"


@pytest.mark.parametrize("move", [{}, [], 5, None, {"type": "fly"}, KEEP | {"card": 5}, "keep"])
def test_what_is_no_move_of_the_game(dealt, move):
    match, (ann, _) = dealt
    answer = ann.play(match, move, 3)
    assert problem(answer) == "422 invalid"
    assert answer.json()["errors"]


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 60_000, b'{"type":"keep"} x'])
def test_what_is_not_json(dealt, body):
    match, (ann, _) = dealt
    answer = ann.post(f"/matches/{match}/moves", content=body, headers={"if-match": '"3"'})
    assert problem(answer) in ("422 invalid", "400 bad-request")


def test_headers_of_a_move(dealt):
    match, (ann, _) = dealt
    missing = ann.play(match, KEEP, None)
    assert (problem(missing), missing.json()["seq"]) == ("428 if-match-missing", 3)
    for wrong in ("x", "3.0", "-3", "*", "", "9999999999", "3\xb2"):
        headers = {"if-match": wrong.encode("latin-1")}
        answer = ann.post(f"/matches/{match}/moves", json=KEEP, headers=headers)
        assert problem(answer) == "400 bad-request", wrong
    plain = {"if-match": '"3"', "content-type": "text/plain"}
    answer = ann.post(f"/matches/{match}/moves", content=b"{}", headers=plain)
    assert problem(answer) == "415 not-json"
    for tag in ('"3"', "3", 'W/"3"'):
        headers = {"if-match": tag}
        assert ann.post(f"/matches/{match}/moves", json=KEEP, headers=headers).status_code == 201


def test_large_moves(dealt):
    match, (ann, _) = dealt
    large = b'{"type":"keep"' + b" " * 65536 + b"}"
    path, headers = f"/matches/{match}/moves", {"if-match": '"3"'}
    assert problem(ann.post(path, content=large, headers=headers)) == "413 too-large"
    parts = iter([large[:40_000], large[40_000:]])
    assert problem(ann.post(path, content=parts, headers=headers)) == "413 too-large"


def test_a_key_has_at_most_255_characters(dealt):
    match, (ann, _) = dealt
    assert problem(ann.play(match, KEEP, 3, "k" * 256)) == "400 bad-request"
    first = ann.play(match, KEEP, 3, "k" * 255)
    assert ann.play(match, KEEP, 3, "k" * 255).content == first.content
    assert problem(ann.play(match, TRADE, 4, "k" * 255)) == "422 key-reused"


def test_a_body_that_breaks_off_is_none(dealt, stage, api):
    """Though it could be read as far as it came."""
    match, (ann, _) = dealt
    [log] = [one.log for one in stage.processes if getattr(one, "base", None) == api]
    before = log.read_text()
    host, _, port = api.removeprefix("http://").partition(":")
    for path in (f"/matches/{match}/moves", f"/matches/{match}/grow", "/players"):
        for begun in (b'{"type":"keep"}', b""):
            asked = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n"
            asked += f'authorization: Bearer {ann.token}\r\nif-match: "3"\r\n\r\n'
            with socket.create_connection((host, int(port))) as peer:
                peer.sendall(asked.encode() + begun)
                peer.shutdown(socket.SHUT_WR)
                assert peer.recv(1) == b""
    assert ann.look(match)["seq"] == 3
    assert log.read_text() == before


def test_who_may_move(dealt, make, visitor):
    match, _ = dealt
    path, headers = f"/matches/{match}/moves", {"if-match": '"3"'}
    assert problem(visitor.post(path, json=KEEP, headers=headers)) == "401 who-are-you"
    stranger = make().play(match, KEEP, 3)
    assert (problem(stranger), stranger.json()["seq"]) == ("403 not-yours", 3)


def test_over(dealt):
    match, (ann, bob) = dealt
    ann.play(match, KEEP, 3)
    last = bob.play(match, KEEP, 4)
    assert last.json()["look"]["status"] == "over"
    assert last.json()["look"]["legal"] == []
    over = ann.play(match, KEEP, 5)
    assert (problem(over), over.json()["seq"]) == ("409 over", 5)


def test_a_key_is_one_command(dealt):
    match, (ann, bob) = dealt
    first = ann.play(match, TRADE, 3, "key")
    assert first.json() == ann.play(match, TRADE, 3, "key").json()
    bob.play(match, KEEP, 4, "key")
    again = ann.play(match, TRADE, 5, "key")
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["etag"] == '"4"'
    reused = ann.play(match, KEEP, 3, "key")
    assert (problem(reused), reused.json()["seq"]) == ("422 key-reused", 5)


def test_refusals_are_not_remembered(dealt):
    match, (ann, bob) = dealt
    assert problem(bob.play(match, KEEP, 3, "key")) == "422 refused"
    ann.play(match, KEEP, 3)
    assert bob.play(match, TRADE, 4, "key").status_code == 201


def test_without_a_key_the_same_move_for_the_same_turn_is_a_repeat(dealt):
    match, (ann, _) = dealt
    first = ann.play(match, TRADE, 3)
    assert ann.play(match, TRADE, 3).content == first.content
    assert problem(ann.play(match, KEEP, 3)) == "412 stale"
    assert problem(ann.play(match, TRADE, 2)) == "412 stale"
    assert problem(ann.play(match, TRADE, 4)) == "422 refused"


def test_a_move_is_written_anew_and_compared_as_such(dealt):
    match, (ann, _) = dealt
    headers: dict[str, Any] = {"if-match": '"3"', "idempotency-key": "key"}
    path = f"/matches/{match}/moves"
    first = ann.post(path, content=b'{"type":"keep"}', headers=headers)
    again = ann.post(path, content=b' { "type" : "k\\u0065ep" } ', headers=headers)
    assert first.content == again.content


def test_a_key_is_remembered_over_eight_moves_of_its_seat(make):
    match, (ann,) = table(make, "together", 1, options={"rounds": 20})
    for i in range(9):
        assert ann.play(match, CHOICE, 2 + i, f"key {i}").status_code == 201
    assert ann.play(match, CHOICE, 3, "key 1").headers["etag"] == '"4"'
    assert problem(ann.play(match, CHOICE, 2, "key 0")) == "412 stale"
    assert ann.look(match)["seq"] == 11


def test_a_chair_is_no_seat(make):
    """Who has tried to move before the deal moves for no other seat after it."""
    for _ in range(60):
        ann, bob = make(), make()
        match = ann.offer()
        assert problem(ann.play(match, KEEP, 2)) == "422 refused"
        bob.join(match)
        if ann.look(match)["viewer"] == 1:
            break
    assert problem(ann.play(match, KEEP, 3)) == "422 refused"
    assert bob.play(match, KEEP, 3).status_code == 201


def test_answers_wait_for_the_fold(make, stage, brisk):
    """201 once everybody can see it; after five seconds 202, and the next command is too early."""
    match, seats = table(partial(make, base=brisk), "together")
    [fold] = [process for process in stage.processes if process.name == "workers.fold"]
    fold.child.send_signal(SIGSTOP)
    try:
        with ThreadPoolExecutor() as pool:
            first = pool.submit(seats[0].play, match, CHOICE, 3, "key")
            until(lambda: stage_seq(stage, match) == 4)
            second = pool.submit(seats[1].play, match, CHOICE, 3)
            assert seats[1].look(match)["seq"] == 3
            assert not first.done()
            assert (first.result().status_code, problem(second.result())) == (202, "503 busy")
        assert second.result().headers["retry-after"] == "1"
        assert problem(seats[0].see(match, seq=4)) == "404 no-such-thing"
    finally:
        fold.child.send_signal(SIGCONT)
    assert until(lambda: seats[0].see(match, seq=4).status_code == 200)
    assert seats[0].play(match, CHOICE, 3, "key").headers["etag"] == '"4"'
    assert seats[1].play(match, CHOICE, 3).headers["etag"] == '"5"'


def test_a_server_that_forgot_its_scripts_is_told_again(dealt, stage):
    match, (ann, bob) = dealt
    wire = stage.wire()
    wire.ask(Ask(("SCRIPT", "FLUSH"), bool))
    assert ann.play(match, KEEP, 3).status_code == 201
    wire.ask(Ask(("SCRIPT", "FLUSH"), bool))
    with pytest.raises(Lost):
        wire.ask(ledger.retry(match))
    assert wire.ask(ledger.retry(match))
    wire.close()
    assert bob.play(match, KEEP, 4).status_code == 201


def test_a_server_that_refuses_is_away(dealt, stage):
    match, (ann, _) = dealt
    wire = stage.wire()
    key = f"{{0}}:match:{match}:log"
    wire.ask(Ask(("RENAME", key, f"{key}:aside"), bool))
    wire.ask(Ask(("SET", key, "no log"), bool))
    refused = ann.play(match, KEEP, 3)
    assert (problem(refused), refused.headers["retry-after"]) == ("503 busy", "1")
    assert "WRONGTYPE" not in refused.text
    wire.ask(Ask(("RENAME", f"{key}:aside", key), bool))
    wire.close()
    assert ann.play(match, KEEP, 3).status_code == 201


def stage_seq(stage, match: str) -> int:
    """How long the log is."""
    wire = stage.wire()
    seq, _ = wire.ask(ledger.ends(match))
    wire.close()
    return seq


def test_who_has_resigned_plays_no_more(make, api, brisk):
    """Not by another api either, which remembers an older match."""
    match, (ann, bob) = table(make, "together", policy={"leave": "random"}, options={"rounds": 9})
    with ann.at(brisk) as elsewhere:
        assert elsewhere.play(match, CHOICE, 3).status_code == 201
        assert bob.play(match, CHOICE, 4).status_code == 201
        assert ann.post(f"/matches/{match}/resign").status_code == 201
        assert problem(elsewhere.play(match, CHOICE, 6)) == "403 not-yours"
        assert problem(ann.play(match, CHOICE, 6)) == "403 not-yours"
