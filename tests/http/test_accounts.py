"""Accounts and their tokens, over HTTP and at more than one api."""

from __future__ import annotations

import secrets
from contextlib import suppress

import httpx
import pytest

from tests.http.feeds import Listener
from tests.http.people import Player, Visitor, problem, table
from tests.http.stage import until


def test_a_player_is_known_by_its_token(make, visitor):
    ann = make(name="Ann Ä")
    assert ann.get("/players/me").json() == {"player": ann.id, "name": "Ann Ä"}
    assert visitor.get(f"/players/{ann.id}").json() == {"player": ann.id, "name": "Ann Ä"}


@pytest.mark.parametrize("name", ["", " x", "x" * 41, 5, None, "a\u202eb"])
@pytest.mark.parametrize("path", ["/players", "/players/me/tokens"])
def test_names_have_limits(make, path, name):
    assert problem(make().post(path, json={"name": name})) == "422 invalid"


@pytest.mark.parametrize("name", ["a" * 16, "x", "A" * 16, "%00" * 16])
def test_nobody(visitor, name):
    assert problem(visitor.get(f"/players/{name}")) == "404 no-such-thing"


@pytest.mark.parametrize(
    "sent", [None, "", "Bearer", "Bearer  x", "Bearer nobodys", "Basic YTpi", "ÄÖÜ", "Bearer \xff"]
)
def test_who_are_you(visitor, sent):
    headers = {} if sent is None else {"authorization": sent.encode("latin-1")}
    for method, path in (
        ("GET", "/players/me"),
        ("DELETE", "/players/me"),
        ("GET", "/players/me/tokens"),
        ("POST", "/players/me/tokens"),
        ("DELETE", "/players/me/tokens/x"),
        ("POST", "/matches"),
        ("POST", "/matches/0-aaaaaaaaaaaaaaaa/moves"),
    ):
        answer = visitor.request(method, path, headers=headers, json={})
        assert problem(answer) == "401 who-are-you"
        assert answer.headers["www-authenticate"] == "Bearer"


def another(player: Player, name: str = "phone") -> tuple[Visitor, str]:
    """The same player with one more token, and the token's id."""
    made = player.post("/players/me/tokens", json={"name": name}).json()
    return Visitor(str(player.base_url), *player.hears, token=made["token"]), made["id"]


def test_a_player_has_several_tokens(make):
    ann, bob = make(), make()
    phone, id = another(ann)
    with phone:
        assert phone.get("/players/me").json() == ann.get("/players/me").json()
        listed = ann.get("/players/me/tokens").json()
        assert [one["name"] for one in listed] == ["first", "phone"]
        assert (listed[1]["id"], set(listed[1])) == (id, {"id", "name", "at"})
        assert listed[0]["at"] <= listed[1]["at"]
        assert phone.get("/players/me/tokens").json() == listed
        assert [one["name"] for one in bob.get("/players/me/tokens").json()] == ["first"]


def test_a_revoked_token_opens_nothing_at_any_api(make, brisk):
    """Both apis have remembered it."""
    ann = make()
    match, (first, _) = table(make)
    phone, id = another(first)
    with phone, phone.at(brisk) as there, first.at(brisk) as still:
        assert [one.get("/players/me").status_code for one in (phone, there, still)] == [200] * 3
        assert problem(ann.delete(f"/players/me/tokens/{id}")) == "404 no-such-thing"
        assert first.delete(f"/players/me/tokens/{id}").status_code == 204
        assert problem(phone.get("/players/me")) == "401 who-are-you"
        until(lambda: there.get("/players/me").status_code == 401)
        seq = first.look(match)["seq"]
        assert problem(there.play(match, {"type": "keep"}, seq)) == "401 who-are-you"
        assert problem(there.see(match)) == "401 who-are-you"
        assert still.get("/players/me").status_code == 200
        assert problem(first.delete(f"/players/me/tokens/{id}")) == "404 no-such-thing"


class Cut(Listener):
    """Follows a feed that breaks off."""

    def run(self) -> None:
        with suppress(httpx.RemoteProtocolError):
            super().run()


def test_a_revoked_token_hears_nothing_more(make, brisk):
    match, (ann, bob) = table(make)
    phone, id = another(ann)
    with phone, phone.at(brisk) as there:
        feeds = [Cut(phone, match), Cut(there, match)]
        theirs = Listener(bob, match)
        assert ann.delete(f"/players/me/tokens/{id}").status_code == 204
        for feed in feeds:
            assert [frame.event for frame in feed.all()] == ["look"]
        assert theirs.is_alive()
        assert bob.post(f"/matches/{match}/resign").status_code == 201
        assert theirs.all()[-1].event == "end"


def test_a_revoked_token_hears_nothing_more_of_many_matches(make):
    ann = make()
    phone, id = another(ann)
    with phone, phone.stream("GET", "/feed?mine") as feed:
        chunks = feed.iter_raw()
        assert b"matches" in next(chunks)
        assert ann.delete(f"/players/me/tokens/{id}").status_code == 204
        with suppress(httpx.RemoteProtocolError):
            assert b"".join(chunks) == b""


def test_one_may_revoke_the_token_one_sends(make):
    ann = make()
    [one] = ann.get("/players/me/tokens").json()
    assert ann.delete(f"/players/me/tokens/{one['id']}").status_code == 204
    assert problem(ann.get("/players/me")) == "401 who-are-you"


def test_an_account_is_deleted_when_its_player_means_it(make, visitor, brisk):
    match, (ann, bob) = table(make)
    phone, _ = another(ann)
    with phone, phone.at(brisk) as there:
        assert there.get("/players/me").status_code == 200
        for query in ({}, {"confirm": bob.id}, {"confirm": "yes"}):
            assert problem(ann.delete("/players/me", params=query)) == "400 bad-request"
        assert ann.get("/players/me").json()["name"] == "Ann"
        assert ann.delete("/players/me", params={"confirm": ann.id}).status_code == 204
        assert problem(ann.get("/players/me")) == "401 who-are-you"
        assert problem(phone.get("/players/me")) == "401 who-are-you"
        until(lambda: there.get("/players/me").status_code == 401)
    assert problem(visitor.get(f"/players/{ann.id}")) == "404 no-such-thing"
    assert ann.id in [seat["player"] for seat in visitor.look(match)["seats"]]
    assert bob.post(f"/matches/{match}/resign").status_code == 201


def test_tokens_have_nothing_in_common(make):
    ann, bob = make(), make()
    assert ann.token != bob.token
    assert problem(ann.delete(f"/players/me/tokens/{secrets.token_hex(32)}")).startswith("404")
