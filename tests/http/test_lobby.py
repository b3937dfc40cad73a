"""Games, players, offers, lists, joining and leaving, over HTTP."""

from __future__ import annotations

import secrets

import httpx
import pytest
from msgspec import structs

from engine import entries as e
from engine.catalogue import GAMES
from engine.match import Line
from services import ledger
from tests.engine.logs import offered
from tests.http.people import problem, table


def test_the_games_and_their_schemas(visitor):
    games = visitor.get("/games").json()
    assert [game["name"] for game in games] == [*GAMES]
    assert games[0]["seats"] == [2, 10]
    assert (games[0]["rules"], games[0]["earlier"]) == (1, [])
    assert games[0]["options"]["$defs"]["Options"]["properties"]["cards"]["default"] == 52


def test_one_game_with_its_rules(visitor):
    said = visitor.get("/games/qwirkle").json()
    assert said["game"]["name"] == "qwirkle"
    assert said["text"].startswith("# ")


def test_no_such_game(visitor):
    assert problem(visitor.get("/games/chess")) == "404 no-such-thing"


def test_a_token_of_nobody_may_not_even_watch(make, visitor):
    match = make().offer()
    wrong = {"authorization": "Bearer nobodys"}
    for what in ("look", "replay", "feed"):
        answer = visitor.get(f"/matches/{match}/{what}", headers=wrong)
        assert problem(answer) == "401 who-are-you"


@pytest.mark.parametrize("body", [b"{", b"", b"[]", b"5", b"\xff", b"[" * 60_000])
def test_bodies_that_are_none(visitor, body):
    answer = visitor.post("/players", content=body)
    assert problem(answer) in ("400 bad-request", "422 invalid")


@pytest.mark.parametrize("path", ["/players", "/matches", "/matches/{}/join", "/matches/{}/grow"])
def test_bodies_of_another_kind_or_size(make, path):
    ann = make()
    path = path.format(ann.offer())
    plain = {"content-type": "text/plain"}
    assert problem(ann.post(path, content=b"{}", headers=plain)) == "415 not-json"
    large = b'{"name":"%s"}' % (b"x" * 65536)
    assert problem(ann.post(path, content=large)) == "413 too-large"
    assert problem(ann.post(path, content=iter([large[:9], large[9:]]))) == "413 too-large"


def test_an_offer_has_its_defaults_written_out(make):
    ann = make()
    made = ann.post("/matches", json={"game": "high-card", "seats": [None, "greedy"]})
    look = made.json()["look"]
    assert made.status_code == 201
    assert made.headers["location"] == f"/matches/{look['match']}/look?seq=1"
    assert made.headers["etag"] == '"1"'
    assert look["options"] == {"cards": 52}
    assert look["policy"] == {
        "clock": None,
        "fill": 604800,
        "leave": "end",
        "order": "shuffled",
        "watchers": "public",
        "late": None,
        "listed": True,
        "rated": False,
    }
    assert (look["status"], look["seq"], look["view"], look["viewer"]) == (
        "open",
        1,
        None,
        "watcher",
    )
    assert look["seats"][1] == {"player": None, "robot": "greedy", "gone": None}
    [fact] = made.json()["facts"]
    assert (fact["type"], fact["by"]) == ("match.offered", ann.id)
    assert fact["commitment"] == look["commitment"]


def test_robots_alone_are_dealt_at_once(make):
    made = make().post("/matches", json={"game": "qwirkle", "seats": ["random", "greedy"]})
    look = made.json()["look"]
    assert (look["status"], look["seq"], look["view"]["held"]) == ("running", 1, [6, 6])
    assert look["view"]["hands"] == [None, None]


def test_who_offers_and_sits_with_robots_is_dealt(make):
    ann = make()
    match = ann.offer(seats=["random", None])
    look = ann.look(match)
    assert (look["status"], look["seq"]) == ("running", 2)
    assert look["seats"][look["viewer"]]["player"] == ann.id


@pytest.mark.parametrize(
    "offer",
    [
        {"game": "chess", "seats": [None, None]},
        {"game": "high-card", "seats": [None]},
        {"game": "high-card", "seats": [None] * 11},
        {"game": "high-card", "seats": []},
        {"game": "high-card", "seats": [None, "genius"]},
        {"game": "high-card", "seats": [None, None], "options": {"cards": 19}},
        {"game": "high-card", "seats": [None, None], "options": {"stakes": 1}},
        {"game": "high-card", "seats": [None, None], "options": None},
        {"game": "high-card", "seats": [None, None], "secret": "0" * 64},
        {"game": "high-card", "seats": [None, None], "join": {"entropy": "0" * 63}},
        {"game": "high-card", "seats": [None, None], "join": {"entropy": "G" * 64}},
        {"game": "high-card", "seats": [None, None], "join": {}},
        {"game": "high-card", "seats": [None, None], "join": {"entropy": "0" * 64, "seat": 2}},
        {"game": "high-card", "seats": [None, "random"], "join": {"entropy": "0" * 64, "seat": 1}},
        {"game": "high-card", "seats": ["random"] * 2, "join": {"entropy": "0" * 64}},
        *(
            {"game": "high-card", "seats": [None, None], "policy": policy}
            for policy in (
                {"clock": {"type": "move", "seconds": 59}},
                {"clock": {"type": "sand"}},
                {"fill": 59},
                {"leave": "stay"},
                {"watchers": "friends"},
                {"late": {"type": "entries", "n": 1001}},
                {"late": {"type": "moves", "n": 5}},
                {"join": "public"},
                {"order": "alphabetical"},
            )
        ),
        {"seats": [None, None]},
    ],
)
def test_offers_that_are_none(make, offer):
    answer = make().post("/matches", json=offer)
    assert problem(answer) == "422 invalid"
    assert answer.json()["errors"]


OFFER = {"game": "high-card", "seats": [None, None]}


def test_an_offer_repeated_under_its_key_is_the_same_match(make):
    ann, key = make(), {"idempotency-key": "one"}
    offer = OFFER | {"join": {"entropy": ann.entropy}}
    first, again = (ann.post("/matches", json=offer, headers=key) for _ in range(2))
    assert first.json() == again.json()
    assert first.headers["location"] == again.headers["location"]
    other = ann.post("/matches", json=offer, headers={"idempotency-key": "two"})
    assert other.json()["look"]["match"] != first.json()["look"]["match"]
    theirs = make().post("/matches", json=offer, headers=key)
    assert theirs.json()["look"]["match"] != first.json()["look"]["match"]


def test_a_key_is_for_one_offer(make):
    ann, key = make(), {"idempotency-key": "one"}
    ann.post("/matches", json=OFFER, headers=key)
    for other in ({"seats": [None] * 3}, {"options": {"cards": 99}}, {"policy": {"fill": 60}}):
        answer = ann.post("/matches", json=OFFER | other, headers=key)
        assert problem(answer) == "422 key-reused"
    assert ann.post("/matches", json=OFFER, headers=key).status_code == 201
    long = {"idempotency-key": "k" * 256}
    assert problem(ann.post("/matches", json=OFFER, headers=long)) == "400 bad-request"


def test_joining(make):
    ann, bob = make(), make()
    match = ann.offer(n=3)
    joined = bob.join(match, seat=2)
    assert joined.status_code == 201
    look = joined.json()["look"]
    assert [place["player"] for place in look["seats"]] == [ann.id, None, bob.id]
    assert look["viewer"] == 2
    assert joined.json()["facts"] == [{"type": "match.joined", "seat": 2, "player": bob.id}]
    assert joined.headers["etag"] == '"3"'


def test_a_seat_that_is_taken_comes_with_the_free_ones(make):
    match = make().offer(n=4)
    for seat in (0, 4, 63):
        answer = make().join(match, seat=seat)
        assert problem(answer) == "409 seat-taken"
        assert answer.json()["free"] == [1, 2, 3]
    assert problem(make().join(match, seat=-1)) == "422 invalid"
    assert problem(make().join(match, seat=64)) == "422 invalid"


def test_joining_is_repeated_with_the_same_entropy_alone(make):
    ann, bob, eve = make(), make(), make()
    match = ann.offer()
    first = bob.join(match)
    assert first.json() == bob.join(match).json()
    answer = bob.join(match, entropy=secrets.token_hex(32))
    assert problem(answer) == "409 seat-taken"
    assert problem(eve.join(match)) == "409 not-open"
    assert eve.join(match).json()["free"] == []


def test_leaving_before_the_deal(make):
    ann, bob, eve = make(), make(), make()
    match = ann.offer(n=3)
    bob.join(match)
    left = bob.post(f"/matches/{match}/leave")
    assert left.status_code == 201
    assert left.json()["facts"] == [{"type": "match.left", "seat": 1}]
    assert left.json()["look"]["viewer"] == "watcher"
    assert problem(bob.post(f"/matches/{match}/leave")) == "403 not-yours"
    assert problem(eve.post(f"/matches/{match}/leave")) == "403 not-yours"
    assert problem(ann.post(f"/matches/{match}/resign")) == "422 refused"
    assert bob.join(match).status_code == 201


def test_resigning_once_dealt(make):
    match, (ann, bob) = table(make)
    assert problem(make().post(f"/matches/{match}/resign")) == "403 not-yours"
    assert problem(ann.post(f"/matches/{match}/leave")) == "409 not-open"
    resigned = bob.post(f"/matches/{match}/resign")
    look = resigned.json()["look"]
    assert resigned.status_code == 201
    assert look["outcome"] == {"places": [1, 2], "scores": [0, 0], "why": "resigned"}
    assert look["seats"][1]["gone"] == "resigned"
    again = bob.post(f"/matches/{match}/resign")
    assert (again.status_code, again.content) == (201, resigned.content)
    assert again.headers["etag"] == resigned.headers["etag"] == '"4"'
    assert problem(ann.post(f"/matches/{match}/resign")) == "409 over"
    assert problem(ann.post(f"/matches/{match}/abort")) in ("409 over", "403 not-yours")
    assert problem(make().join(match)) == "409 over"


def test_a_robot_takes_over_for_whom_the_policy_says(make):
    match, (ann, bob) = table(make, "qwirkle", policy={"leave": "greedy"})
    seq = ann.look(match)["seq"]
    resigned = ann.post(f"/matches/{match}/resign")
    look = resigned.json()["look"]
    assert (look["status"], look["seats"][0]["robot"]) == ("running", "greedy")
    assert (look["viewer"], look["view"]["hands"]) == ("watcher", [None, None])
    assert problem(ann.play(match, {"type": "pass"}, seq)) == "403 not-yours"
    assert ann.post(f"/matches/{match}/resign").content == resigned.content
    assert bob.look(match)["seq"] == seq + 1


def test_only_who_offered_may_withdraw_and_only_before_the_deal(make, visitor):
    ann, bob = make(), make()
    match = ann.offer(n=3)
    bob.join(match)
    assert problem(bob.post(f"/matches/{match}/abort")) == "403 not-yours"
    assert problem(visitor.post(f"/matches/{match}/abort")) == "401 who-are-you"
    aborted = ann.post(f"/matches/{match}/abort")
    assert aborted.status_code == 201
    assert aborted.json()["look"]["aborted"] == "withdrawn"
    for what in ("abort", "leave", "resign"):
        assert problem(ann.post(f"/matches/{match}/{what}")) == "409 over"
    assert problem(bob.play(match, {"type": "keep"}, 4)) == "409 over"
    match, seats = table(make)
    [by] = [p for p in seats if p.post(f"/matches/{match}/abort").status_code == 409]
    assert problem(by.post(f"/matches/{match}/abort")) == "409 not-open"


@pytest.mark.parametrize("what", ["join", "leave", "resign", "abort", "moves", "grow"])
@pytest.mark.parametrize("match", ["0-aaaaaaaaaaaaaaaa", "7-aaaaaaaaaaaaaaaa", "nope", "0-%7b"])
def test_no_such_match(make, what, match):
    ann = make()
    answer = ann.post(f"/matches/{match}/{what}", json={"entropy": ann.entropy})
    assert problem(answer) == "404 no-such-thing"


AFTERS = ("after=x", "after=1.2", "after=", "after=²", "after=².0-aaaaaaaaaaaaaaaa", "after=1.0-²")


@pytest.mark.parametrize("query", ["state=lost", "game=chess", "limit=x", "limit=²", *AFTERS])
def test_lists_that_are_none(visitor, query):
    assert problem(visitor.get(f"/matches?{query}")) == "400 bad-request"


def test_my_matches_are_asked_for_with_a_token(visitor):
    assert problem(visitor.get("/matches?player=me")) == "401 who-are-you"


def test_the_list_begins_empty(visitor):
    assert visitor.get("/matches?game=high-card&state=over&limit=0").json()["matches"] == []


@pytest.fixture
def indexed(stage):
    """Puts matches into the indexes, as react does: without it if there is none."""

    def put(name: str, *matches: str) -> None:
        for score, match in enumerate(matches):
            wire.ask(ledger.index(name, match, 1_000 + score // 2))

    wire = stage.wire()
    yield put
    wire.close()


def test_the_list_is_paged_by_cursors(make, visitor, indexed):
    ann = make()
    names = [ann.offer() for _ in range(7)]
    indexed(f"player:{ann.id}", *names)
    found, after, pages = [], None, 0
    while pages == 0 or after is not None:
        query = {"player": ann.id, "limit": 2} | ({"after": after} if after else {})
        page = visitor.get("/matches", params=query).json()
        found += [one["match"] for one in page["matches"]]
        after, pages = page["next"], pages + 1
    assert pages == 4
    assert sorted(found) == sorted(names)
    assert {*found[:1]} == {names[6]}


def test_no_page_is_empty_by_its_limit(make, visitor, indexed):
    ann = make()
    names = [ann.offer() for _ in range(2)]
    indexed(f"player:{ann.id}", *names)
    page = visitor.get("/matches", params={"player": ann.id, "limit": 0}).json()
    assert (len(page["matches"]), page["next"] is None) == (1, False)


def test_what_is_not_listed_is_seen_by_its_players_alone(make, visitor, indexed):
    ann = make()
    listed, hidden = ann.offer(), ann.offer(policy={"listed": False})
    indexed(f"player:{ann.id}", listed, hidden)
    seen = visitor.get("/matches", params={"player": ann.id}).json()["matches"]
    assert [one["match"] for one in seen] == [listed]
    mine = ann.get("/matches", params={"player": "me", "state": "open"}).json()["matches"]
    assert {one["match"] for one in mine} == {listed, hidden}


def test_to_what_i_am_invited(make, visitor, indexed):
    """Not to what was taken back, nor where I have a seat by now."""
    ann, bob = make(), make()
    names = [ann.offer(policy={"join": "invited"}) for _ in range(4)]
    for name in names[:3]:
        ann.post(f"/matches/{name}/invite", json={"player": bob.id})
    ann.post(f"/matches/{names[1]}/uninvite", json={"player": bob.id})
    bob.join(names[2])
    indexed(f"guest:{bob.id}", *names)
    mine = bob.get("/matches?invited=me").json()["matches"]
    assert [one["match"] for one in mine] == names[:1]
    assert bob.get("/matches?invited=me&state=over").json()["matches"] == []
    assert problem(visitor.get("/matches?invited=me")) == "401 who-are-you"
    for wrong in (f"invited={bob.id}", "invited=me&player=me"):
        assert problem(bob.get(f"/matches?{wrong}")) == "400 bad-request"


def test_a_page_may_hold_nothing_and_yet_go_on(make, visitor, indexed):
    """What is filtered away does not end the list."""
    ann = make()
    names = [ann.offer(), *(ann.offer(policy={"listed": False}) for _ in range(4))]
    indexed(f"player:{ann.id}", *names)
    page = visitor.get("/matches", params={"player": ann.id, "limit": 2}).json()
    assert (page["matches"], page["next"] is None) == ([], False)


def test_the_front_page_and_a_sign_of_health(visitor, api):
    assert "play-by-turn" in httpx.get(api).text
    assert visitor.get("/healthz").json()["ok"] is True


def test_what_another_release_saved_is_listed_unless_its_rules_are_lacking(make, stage):
    ann, foreign = make(), ledger.new_match(1)
    match, wire = ann.offer(), stage.wire()
    spoilt = ("SET", f"{{0}}:match:{match}:now", b'{"game":"high-card"}')
    wire.ask(ledger.Ask(spoilt, bool))
    offer = e.encode(structs.replace(offered(None, None), rules=99))
    saved = ledger.Done(foreign, 1, 1000, b"{}", b"{}", b"{}", "+inf", b"")
    assert wire.ask(ledger.copy([Line(1000, offer)], saved))
    for name in (match, foreign):
        wire.ask(ledger.index("open", name, 2**52))
    listed = ann.get("/matches").json()["matches"]
    wire.ask(ledger.unindex("open", foreign))
    wire.close()
    assert [one["match"] for one in listed if one["match"] in (match, foreign)] == [match]
    assert ann.look(match)["seq"] == 2
    assert problem(ann.see(foreign)) == "503 busy"
