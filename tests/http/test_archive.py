"""Reading through: over HTTP nobody can tell whether a finished match has left for the archive."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import httpx
import pytest

from services import door
from services.archive import mover
from services.archive.store import Store
from services.web.site import ROUTERS
from tests.http.feeds import NDJSON, SSE
from tests.http.people import Player, Visitor, played, problem, table
from workers.index import Indexes

VOLATILE = ("date", "x-request-id", "content-length", "transfer-encoding")
LISTS = ("/matches", "/lobby", "/wall", "/me", "/players/me/turns.atom")
ENDLESS = ("/feed", "/live")  # while the match goes on
QUERIES = {
    "/matches/{match}/look": ["seq=1", "seq=4", "seq=999", "as=0", "as=open", "as=watcher"],
    "/matches/{match}/replay": ["after=2&limit=2", "as=open", "after=99"],
    "/matches/{match}/feed": ["after=0", "after=3", "after=99", "as=open&after=2"],
    "/table/{match}/replay": ["seq=3", "as=open"],
    "/table/{match}/board.svg": ["seq=3", "as=1"],
    "/matches": ["state=over", "player=me", "state=over&game=high-card&limit=1", "invited=me"],
}


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Store:
    return Store(str(tmp_path_factory.mktemp("archive") / "here"))


@pytest.fixture(scope="module")
def base(stage, store) -> str:
    """An api of the house that reads through."""
    return stage.api(TURNFOLD_ARCHIVE=store.where).ready().base


@pytest.fixture
def sit(base):
    """Makes players who ask that api."""
    made: list[Player] = []

    def one(**more) -> Player:
        made.append(Player(base, **more))
        return made[-1]

    yield one
    for player in made:
        player.close()


def paths(document) -> list[str]:
    """Every route of a match that is read, the pages' too, and the lists."""
    pages = {route.path for router in ROUTERS for route in router.routes if "GET" in route.methods}
    programs = {path for path, how in document.said["paths"].items() if "get" in how}
    return [*LISTS, *sorted(path for path in pages | programs if "/{match}" in path)]


def asked(
    who: Visitor, path: str, match: str, queries: list[str]
) -> Iterator[tuple[str, httpx.Response]]:
    """A route with these queries; what belongs to the page is asked as a browser would."""
    url = path.replace("{match}", match)
    browser = {"accept": "text/html", "cookie": f"turnfold={who.token}"}
    program = {"cookie": "", "accept": "*/*"}
    for query in ["", *queries]:
        headers = program if path.startswith("/matches") else browser
        yield url + query, who.get(url, params=query, headers=headers)
    if path.endswith("/feed") and queries:
        for kind, last in product((SSE, NDJSON), "139"):
            headers = {"accept": kind, "last-event-id": last}
            yield f"{url} {kind} {last}", who.get(url, headers=headers)


def told(people: list[Visitor], document, *matches: str) -> dict[tuple[str, int], object]:
    """All that these people get to read; pages of the first match alone, and no feed of the last,
    which goes on for watchers."""
    found = {}
    for n, who in enumerate(people):
        for path in paths(document):
            some = matches[:-1] if path.endswith(ENDLESS) else matches
            some = matches[:1] if path.startswith("/table") else some
            for match in some if "{match}" in path else matches[:1]:
                queries = QUERIES.get(path, []) if match == matches[0] else []
                for url, got in asked(who, path, match, queries):
                    headers = {k: v for k, v in got.headers.items() if k not in VOLATILE}
                    found[url, n, len(found)] = got.status_code, headers, got.content
    return found


def move(stage, store: Store, *names: str) -> None:
    wire = stage.wire()
    assert mover.move_these(wire, store, names).matches == len(names)
    wire.close()


def filed(stage, *names: str) -> None:
    """What react does, which has no part in this house."""
    wire = stage.wire()
    for name in names:
        Indexes(wire).put(name, wire.talk(door.newest(name)))
    wire.close()


def test_every_route_gives_the_same(sit, base, stage, store, document):
    public, seats = table(sit, "high-card", 2, policy={"leave": "end"})
    played(public, seats, Random(1))
    closed, (ann, _) = table(sit, policy={"watchers": "closed"})
    ann.post(f"/matches/{closed}/resign").raise_for_status()
    late, (cem, _) = table(sit, policy={"late": {"type": "seconds", "n": 3600}})
    cem.post(f"/matches/{late}/resign").raise_for_status()
    noted = seats[0].put(f"/matches/{public}/notes", json={"seq": 2, "text": "why?"})
    assert noted.status_code == 200
    filed(stage, public, closed, late)
    names = public, closed, late
    with Visitor(base) as nobody:
        people = [seats[0], ann, nobody]
        before = told(people, document, *names)
        assert len(before) > 150
        assert {status for status, _, _ in before.values()} >= {200, 403, 404, 409}
        move(stage, store, *names)
        after = told(people, document, *names)
    for what, one in before.items():
        assert after[what] == one, what


def test_what_may_be_done_with_it_still_may(sit, stage, store):
    match, seats = table(sit, "high-card", 2, policy={"leave": "end"})
    last = played(match, seats, Random(2))
    move(stage, store, match)
    ann, bob = seats
    assert problem(ann.play(match, {"type": "keep"}, last["seq"])) == "409 over"
    assert problem(ann.post(f"/matches/{match}/resign")) == "409 over"
    asked = {"seq": last["seq"] - 1, "seat": 0}
    branch = ann.post(f"/matches/{match}/branch", json=asked)
    assert branch.status_code == 201, branch.text
    again = ann.post(f"/matches/{match}/rematch").json()["look"]["match"]
    assert bob.post(f"/matches/{match}/rematch").json()["look"]["match"] == again
    wrote = ann.put(f"/matches/{match}/notes", json={"seq": 3, "text": "there"})
    assert [one["text"] for one in wrote.json()] == ["there"]


def test_an_archive_that_is_away_is_no_absence(sit, stage, store, tmp_path):
    """Nobody is told that there was no such match."""
    match, (ann, _) = table(sit)
    ann.post(f"/matches/{match}/resign").raise_for_status()
    move(stage, Store(str(tmp_path / "elsewhere")), match)
    got = ann.see(match)
    assert (problem(got), got.headers["retry-after"]) == ("503 busy", "1")
