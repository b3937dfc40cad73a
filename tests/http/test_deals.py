"""The same deals for all tables of a round: alike everywhere, closed to others, opened together."""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest
from msgspec import json
from rich.console import Console

from engine import audit
from engine import entries as e
from engine.catalogue import GAMES
from engine.match import Match
from services import bundles, deals, door, ledger, tournaments
from services.archive import mover
from services.ledger import Stuck
from services.web.session import Session
from services.web.site import ROUTERS
from tests.http.people import Document, Player, Visitor, played, problem
from tests.http.stage import until

FOR_TWO = [name for name, game in GAMES.items() if 2 in game.seats(game.Options())]
OWN = (b"date", b"x-request-id")  # headers of one answer alone
ELSE = (  # a feed without an end, what is of the whole house at this moment, and what never changes
    *("/feed", "/metrics", "/readyz", "/healthz", "/games", "/games/{game}"),
)
BODIES: dict[str, Any] = {
    "join": {"entropy": "0" * 64},
    "moves": {"type": "pass"},
    "branch": {"seq": 3, "seat": 0},
    "talk": {"text": "hello"},
    "claim": {"seat": 0},
    "answer": {"to": 3, "yes": True},
    "propose": {"type": "end"},
    "report": {"room": "table", "why": "rude"},
}
QUERIES = ("?as=open", "?seq=3")


class Cup(NamedTuple):
    id: str
    people: dict[str, Player]
    tables: list[tuple[str, list[Player]]]  # matches of the first round, with those who play them
    said: dict[str, Any]

    def tell(self) -> dict[str, Any]:
        return next(iter(self.people.values())).get(f"/tournaments/{self.id}").json()


def entered(people: list[Player], **more: Any) -> httpx.Response:
    """The last answer of a tournament with the same deals that they have joined."""
    policy = {"clock": {"type": "move", "seconds": 86_400}, "chat": "all"}
    asked = {"name": "Cup", "game": "qwirkle", "rounds": 2, "same_deals": True, "policy": policy}
    made = people[0].post("/tournaments", json=asked | more)
    assert made.status_code == 201, made.text
    where = f"/tournaments/{made.json()['id']}/join"
    return [one.post(where, json={"entropy": one.entropy}) for one in people][-1]


def cup(make, **more: Any) -> Cup:
    """Such a tournament of four, begun."""
    people = {one.id: one for one in (make() for _ in range(4))}
    joined = entered([*people.values()], **more).json()
    assert joined["entropies"] == {}
    said = next(iter(people.values())).post(f"/tournaments/{joined['id']}/start").json()
    tables = [(match, [people[one] for one in ids]) for ids, match, _ in said["played"][0]]
    return Cup(joined["id"], people, [(m, by_seat(m, two)) for m, two in tables], said)


def by_seat(match: str, two: list[Player]) -> list[Player]:
    return sorted(two, key=lambda one: one.look(match)["viewer"])


def talked(stage, *talks: Any) -> list[Any]:
    wire = stage.wire()
    answers = [wire.talk(talk) for talk in talks]
    wire.close()
    return answers


def brought_forward(stage, id: str) -> None:
    talked(stage, tournaments.advance(id))


def resign(match: str, two: list[Player]) -> None:
    assert two[0].post(f"/matches/{match}/resign").status_code == 201


# The same deal


@pytest.mark.parametrize("game", FOR_TWO)
def test_all_tables_of_a_round_are_dealt_the_same(make, stage, game):
    on = cup(make, game=game)
    one, other = talked(stage, *(door.newest(match) for match, _ in on.tables))
    assert (one.state, one.seed) == (other.state, other.seed)
    assert one.head != other.head
    assert [one.chair for one in one.holders] == [other.chair for other in other.holders]


def test_the_deal_comes_from_all_players_and_another_secret_for_each_round(make, stage):
    on = cup(make, kind="round-robin")
    assert on.said["entropies"] == {one.id: one.entropy for one in on.people.values()}
    names = [[match for _, match, _ in one] for one in on.said["played"]]
    rounds = [talked(stage, *map(door.newest, one)) for one in names]
    secrets = [{match.offered.secret for match in one} for one in rounds]
    assert [len(one) for one in secrets] == [1, 1, 1]
    assert len(set.union(*secrets)) == 3
    committed = [sha256(bytes.fromhex(*one)).hexdigest() for one in secrets]
    assert committed == on.said["commitments"][:3]
    listed = json.encode([on.people[one].entropy for one in on.said["players"]])
    entropies = {holder.entropy for one in rounds for match in one for holder in match.holders}
    assert entropies == {sha256(listed).hexdigest()}


def test_wherever_a_worker_dies_while_it_offers_the_deal_is_the_same(make, stage):
    people = [make() for _ in range(4)]
    id = entered(people).json()["id"]
    wire = stage.wire()
    wire.talk(tournaments.changed(id, tournaments.begun))
    for asks in count():
        if died(tournaments.advance(id), wire, asks):
            break
    names = [match for _, match, _ in people[0].get(f"/tournaments/{id}").json()["played"][0]]
    one, other = (wire.talk(door.newest(match)) for match in names)
    wire.close()
    assert one.state == other.state
    assert (one.seq, other.seq) == (3, 3)


def died(talk, wire, asks: int) -> bool:
    """Let a talk ask so many times and no more; was that all it had to ask?"""
    try:
        ask = talk.send(None)
        for _ in range(asks):
            ask = talk.send(wire.ask(ask))
    except StopIteration:
        return True
    talk.close()
    return False


# Closed


@pytest.mark.parametrize(
    "wrong",
    [{"clock": None}, {"rated": True}, {"expiry": "claim"}],
    ids=lambda one: next(iter(one)),
)
def test_a_match_that_might_not_end_or_would_tell_is_none_of_these(make, wrong):
    policy = {"clock": {"type": "move", "seconds": 86_400}} | wrong
    asked = {"name": "Cup", "game": "qwirkle", "same_deals": True, "policy": policy}
    assert problem(make().post("/tournaments", json=asked)) == "422 invalid"


class Nosy(NamedTuple):
    """Somebody who asks for everything about a match that is not theirs, and of the tournament."""

    who: httpx.Client
    paths: list[tuple[str, str]]  # methods and addresses

    def answers(self) -> dict[str, bytes]:
        of_match = [path for how, path in self.paths if how == "GET" and "0-" in path]
        asked = [
            *self.paths,
            *(("GET", f"{path}{query}") for path in of_match for query in QUERIES),
        ]
        return {f"{method} {path}": self._ask(method, path) for method, path in asked}

    def _ask(self, method: str, path: str) -> bytes:
        how: dict[str, Any] = {}
        if method != "GET":
            token = self.who.headers.get("authorization", "").removeprefix("Bearer ")
            form = {"csrf": Session("", token).csrf, "player": "x", "seq": "3", "seat": "0"}
            last = path.rpartition("/")[2]
            how = {"json": BODIES.get(last, {"player": "a" * 16})}
            how = {"data": form} if path.startswith("/table") else how
        headers = {"if-match": "3", "origin": str(self.who.base_url).rstrip("/")}
        with self.who.stream(method, path, headers=headers, **how) as answer:
            endless = "/feed" in path and answer.status_code == 200
            body = next(answer.iter_raw()) if endless else answer.read()
        assert answer.status_code < 500, f"{method} {path}: {body!r}"
        shown = [value for value in answer.headers.raw if value[0] not in OWN]
        return b"%d %r %s" % (answer.status_code, shown, body)


@pytest.fixture(scope="module")
def plain(stage) -> str:
    """An api without the tests' own game, which has no pages."""
    return stage.api(TURNFOLD_PLAIN="1").ready().base


def nosy(who: Visitor, base: str, document: Document, on: Cup, match: str) -> Nosy:
    """Routes are those of the documents, and those of the page: a new one is asked as well."""
    values = {"match": match, "id": on.id, "game": "qwirkle", "player": on.tables[0][1][0].id}
    routes = [
        (method.upper(), path)
        for path, operations in document.said["paths"].items()
        for method in operations
        if "{match}" in path or (method == "get" and path not in ELSE)
    ]
    pages = [route for router in ROUTERS for route in router.routes]
    routes += [
        (method, route.path)
        for route in pages
        for method in route.methods & {"GET", "POST"}
        if "{match}" in route.path or (method == "GET" and "contest" in route.path)
    ]
    fill = lambda path: re.sub(r"\{(\w+)\}", lambda m: values.get(m[1], "1"), path)  # noqa: E731
    client = httpx.Client(base_url=base, verify=False, timeout=20, headers=dict(who.headers))
    if who.token:
        client.cookies.set("turnfold", who.token)
    return Nosy(client, sorted({(method, fill(path)) for method, path in routes}))


def test_until_the_last_is_over_nobody_else_learns_anything_of_a_table(
    make, stage, document, visitor, plain
):
    on = cup(make)
    (match, two), (_, others) = on.tables
    asking = [nosy(who, plain, document, on, match) for who in (others[0], visitor)]
    first = [one.answers() for one in asking]
    assert len(first[0]) > 100
    played(match, two, Random(1), most=6)
    assert two[0].post(f"/matches/{match}/talk", json={"text": "nice tiles"}).status_code == 201
    assert changed(asking, first) == set()
    resign(match, two)
    brought_forward(stage, on.id)
    assert changed(asking, first) == set()
    for one in asking:
        one.who.close()
    [newest] = talked(stage, door.newest(match))
    assert_nothing_of(newest, [answer for one in first for answer in one.values()])


def changed(asking: list[Nosy], first: list[dict[str, bytes]]) -> set[str]:
    """What is answered otherwise than at first."""
    now = [one.answers() for one in asking]
    pairs = zip(now, first, strict=True)
    return {path for after, before in pairs for path in after if after[path] != before[path]}


def assert_nothing_of(match: Match, answers: list[bytes]) -> None:
    secrets = [
        match.offered.secret.encode(),
        match.seed.hex().encode(),
        match.digest.hex().encode(),
    ]
    assert [one for one in secrets for answer in answers if one in answer] == []


def test_who_has_played_sees_no_more_than_before_until_the_last_is_over(
    make, stage, document, plain
):
    on = cup(make)
    match, two = on.tables[0]
    looked = two[1].look(match)["view"]
    resign(match, two)
    brought_forward(stage, on.id)
    assert not may_leave(stage, match)
    assert two[1].look(match)["view"]["hands"] == looked["hands"]
    asking = nosy(two[0], plain, document, on, match)
    asking = asking._replace(paths=[one for one in asking.paths if one[0] == "GET"])
    answers = asking.answers()
    asking.who.close()
    [newest] = talked(stage, door.newest(match))
    assert_nothing_of(newest, list(answers.values()))
    viewers = {who for said in answers.values() for who in re.findall(rb'"viewer":"?(\w+)', said)}
    assert viewers <= {b"0", b"watcher"}
    for what in ("bundle", "audit", "notation", "film"):
        where = f"/table/{match}/film" if what == "film" else f"/matches/{match}/{what}"
        assert answers[f"GET {where}"].startswith(b"409"), what
    assert problem(two[0].post(f"/matches/{match}/branch", json=BODIES["branch"])) == "409 not-over"
    assert problem(two[0].see(match, **{"as": "open"})) == "403 not-yours"
    page, replay = answers[f"GET /table/{match}"], answers[f"GET /table/{match}/replay"]
    assert f"/matches/{match}/bundle".encode() not in page + replay
    assert b'value="open"' not in replay
    assert b"it opens once all" in page


def may_leave(stage, match: str) -> bool:
    """May it go to the archive?"""
    wire = stage.wire()
    seq, _ = wire.ask(ledger.ends(match))
    may = mover._over(wire, match, seq)
    wire.close()
    return may


# Opened


def test_all_open_together_and_prove_the_same_deal(make, stage, visitor, plain, tmp_path):
    on = cup(make)
    for match, two in on.tables:
        assert problem(visitor.see(match)) == "404 no-such-thing"
        played(match, two, Random(match), most=4)
        resign(match, two)
        told = on.tell()["played"][0]
        assert [halves for _, _, halves in told] == [None, None]
    brought_forward(stage, on.id)
    now = on.tell()
    assert [bool(halves) for _, _, halves in now["played"][0]] == [True, True]
    assert len(now["played"]) == 2
    entropy = sha256(json.encode([now["entropies"][one] for one in now["players"]])).hexdigest()
    seeds = set()
    for match, _ in on.tables:
        bundle = visitor.get(f"/matches/{match}/bundle").content
        path = tmp_path / match
        path.write_bytes(bundle)
        kept = [entropy], on.said["commitments"][0]
        quiet = Console(quiet=True)
        assert bundles.audit_file(path, [], *kept, False, quiet, quiet) == bundles.TRUE
        seeds.add(audit.opened(bundle).seed)
        assert visitor.see(match, **{"as": "open"}).status_code == 200
        page = httpx.get(f"{plain}/table/{match}/replay", verify=False).text
        assert f"/matches/{match}/bundle" in page
        assert may_leave(stage, match)
    assert len(seeds) == 1
    gone_on = make().post(f"/matches/{match}/branch", json=BODIES["branch"])
    assert gone_on.status_code == 201
    assert visitor.see(gone_on.json()["look"]["match"]).status_code == 200


def ended(match: str) -> Any:
    return door.enter(match, lambda now: e.Aborted("operator"))


def test_an_aborted_match_holds_no_round_up(make, stage, visitor):
    on = cup(make)
    (match, two), (other, _) = on.tables
    resign(match, two)
    talked(stage, ended(other))
    until(lambda: talked(stage, door.newest(other))[0].over)
    brought_forward(stage, on.id)
    assert [visitor.see(one).status_code for one, _ in on.tables] == [200, 200]


def test_a_stuck_match_holds_a_round_up_for_a_week_and_stays_closed(
    make, stage, visitor, monkeypatch
):
    on = cup(make)
    (match, two), (other, _) = on.tables
    resign(match, two)
    [newest] = talked(stage, door.newest(other))
    wire = stage.wire()
    wire.ask(ledger.park(other, Stuck(newest.seq + 1, "0", "a bug"), b""))
    wire.talk(tournaments.advance(on.id))
    assert problem(visitor.see(match)) == "404 no-such-thing"
    monkeypatch.setattr(deals, "FORSAKEN", 0)
    wire.talk(tournaments.advance(on.id))
    wire.ask(ledger.retry(other))
    wire.close()
    assert visitor.see(match).status_code == 200
    assert problem(visitor.see(other)) == "404 no-such-thing"
    assert on.tell()["played"][0][1][2] == [1, 1]
